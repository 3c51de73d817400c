"""The codec of the wire, protocol 1: one printable line per message. The board and the host share this file.

    frame = "#" len json "*" crc LF        #020{"id":17,"op":"state"}*af6b56d5

`len` is three lower-case hex digits, the number of bytes after them; `crc` is CRC-32 over the bytes of `json`.

    encode({"id": 17, "op": "state"}, REQUEST) -> bytes          ValueError when the frame would be too long

    decoder = Decoder(REPLY)                # the largest frame the other side may send: REQUEST on the board
    for kind, value in decoder.feed(data):  # any pieces, as they come
        kind == MESSAGE                     # value: the dict of a frame that passed
        kind == LINE                        # value: bytes of a line that was no frame, without its CR or LF
        kind == TEXT                        # the same, but only a piece: cut short by a "#" or for its length
    decoder.partial                         # bytes of text with no end yet: a prompt such as b">>> "
    decoder.crc, decoder.bad                # frames with a wrong checksum; broken frames
    decoder.need                            # bytes that the frame being read still lacks, 0 outside a frame's body

Console text (prints, tracebacks) and what a person types come as LINE and TEXT; empty lines are dropped.
`#` stands nowhere but at the beginning of a frame, and LF nowhere but at its end, so a broken frame costs itself only.
"""

import binascii
import json

try:
    from typing import Any
except ImportError:  # on the board, where annotations are never looked at
    pass

REQUEST = 240  # bytes at most in a frame from the host
REPLY = 480  # bytes at most in a frame from the board

MESSAGE = 0
LINE = 1
TEXT = 2

_EXTRA = 10  # "*", crc and LF
_SHORTEST = 2 + _EXTRA  # {} is the shortest object

# What the decoder is in.
_IDLE = 0  # text
_HEAD = 1  # the three digits after "#"
_BODY = 2  # the rest of a frame
_SKIP = 3  # what follows something broken, up to LF or "#"

_HASH = 35
_STAR = 42
_LF = 10
_CR = 13


def dumps(obj: "dict[str, Any]") -> bytes:
    """Return compact JSON in printable ASCII without "#"."""
    text = json.dumps(obj, separators=(",", ":"))
    data = text.encode()
    # CPython has escaped all but DEL by now; MicroPython lets everything from space on pass.
    if len(data) != len(text) or b"\x7f" in data:
        data = "".join([c if " " <= c <= "~" else "?" for c in text]).encode()
    return data.replace(b"#", b"\\u0023") if b"#" in data else data


def encode(obj: "dict[str, Any]", limit: int) -> bytes:
    """Return the frame of `obj`; ValueError when it has more than `limit` bytes."""
    data = dumps(obj)
    size = len(data) + _EXTRA
    if size + 4 > limit:
        raise ValueError("frame too long")
    return b"#%03x%s*%08x\n" % (size, data, binascii.crc32(data))


def loads(data: bytes) -> "dict[str, Any] | None":
    """Return the one JSON object in `data`, or None."""
    try:
        obj = json.loads(data.decode())
    except (ValueError, TypeError, RuntimeError):  # not UTF-8 or JSON, a list as a key, too deep
        return None
    return obj if isinstance(obj, dict) else None


class Decoder:
    """Finds the frames in a stream of bytes; see the module's docstring."""

    def __init__(self, limit: int) -> None:
        self.crc = 0
        self.bad = 0
        self.need = 0
        self._limit = limit
        self._state = _IDLE
        self._cut = False  # the line's beginning has gone out as TEXT
        self._buf = bytearray()
        self._digits = 0  # of the head, that have come
        self._value = 0  # theirs

    @property
    def partial(self) -> bytes:
        """The text that has no end yet."""
        return bytes(self._buf) if self._state == _IDLE else b""

    def feed(self, data: bytes) -> "list[tuple[int, Any]]":
        """Take the next bytes and return what they complete, as (kind, value)."""
        end = len(data)
        if 0 < end == self.need and not self._buf and data.find(b"\n") == end - 1 and data.find(b"#") < 0:
            item = self._frame(data)  # the body of a frame and nothing else: the board reads it so
            return [item] if item else []
        out = []
        at = 0
        while at < end:
            if self.need > 1:
                # A frame's body in one go, unless something in it shows that it is broken.
                body = data[at : at + self.need]
                lf = body.find(b"\n")
                if lf in (-1, self.need - 1) and body.find(b"#") < 0:
                    at += len(body)
                    if lf < 0:
                        self._more(body)
                        continue
                    item = self._frame(bytes(self._buf) + body if self._buf else body)
                    if item:
                        out.append(item)
                    continue
            elif end - at >= 4 and data[at] == _HASH and self.head(data[at + 1 : at + 4]):
                at += 4
                continue
            item = self.byte(data[at])
            if item:
                out.append(item)
            at += 1
        return out

    def head(self, digits: bytes) -> bool:
        """Take the digits of a frame's head in one go; False, and nothing is taken, where byte by byte is not the same."""
        try:
            need = int(digits, 16)
        except ValueError:
            return False
        if b"%03x" % need != digits:  # int() takes more than we do
            return False
        if self._state != _IDLE or self._buf or not _SHORTEST <= need <= self._limit - 4:
            return False
        self._state = _BODY
        self._cut = False
        self.need = need
        return True

    def _more(self, data: bytes) -> None:
        """Keep a piece of a body, which has no LF."""
        if len(data) == self.need:  # and something else is where LF must be
            self._broken()
        else:
            self._buf.extend(data)
            self.need -= len(data)

    def byte(self, c: int) -> "tuple[int, Any] | None":
        """Take one byte and return the item that it completes, or None."""
        state = self._state
        item = None
        if state == _HEAD and (48 <= c <= 57 or 97 <= c <= 102):  # first, because it is most of what comes byte by byte
            self._value = self._value << 4 | (c - 48 if c <= 57 else c - 87)
            self._digits += 1
            if self._digits == 3:
                self._length()
        elif c == _HASH:
            if state == _IDLE:
                item = self._text(TEXT)
            elif state != _SKIP:
                self.bad += 1
            self._begin(_HEAD)
        elif state == _IDLE:
            if c in (_LF, _CR):
                item = self._text(LINE)
                self._cut = False
            else:
                self._buf.append(c)
                if len(self._buf) >= self._limit:
                    item = self._text(TEXT)
        elif c == _LF:
            if state == _BODY and self.need == 1:
                item = self._frame(bytes(self._buf) + b"\n")
            else:
                if state != _SKIP:
                    self.bad += 1
                self._begin(_IDLE)
        elif state == _HEAD:
            self._broken()
        elif state == _BODY:
            if self.need == 1:  # LF had to come here
                self._broken()
            else:
                self._buf.append(c)
                self.need -= 1
        return item

    def _begin(self, state: int) -> None:
        self._state = state
        if self._buf:
            self._buf = bytearray()
        self._digits = self._value = self.need = 0
        self._cut = False

    def _broken(self) -> None:
        self.bad += 1
        self._begin(_SKIP)

    def _length(self) -> None:
        need = self._value
        if _SHORTEST <= need <= self._limit - 4:
            self._begin(_BODY)
            self.need = need
        else:
            self._broken()

    def _text(self, kind: int) -> "tuple[int, bytes] | None":
        item = (TEXT if self._cut else kind, bytes(self._buf)) if self._buf else None
        if item:
            self._cut = True
            self._buf = bytearray()
        return item

    def _frame(self, body: bytes) -> "tuple[int, Any] | None":
        """Take a body with its LF, and begin anew."""
        self._state = _IDLE
        self.need = 0
        if self._buf:
            self._buf = bytearray()
        text = body[:-10]
        if body[-10:] != b"*%08x\n" % binascii.crc32(text):
            if body[-10] == _STAR:
                self.crc += 1
            else:
                self.bad += 1
            return None
        obj = loads(text)
        if obj is None:
            self.bad += 1
            return None
        return MESSAGE, obj
