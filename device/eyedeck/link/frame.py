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

_DIGITS = b"0123456789abcdef"
_HASH = 35
_STAR = 42
_LF = 10
_CR = 13


def dumps(obj: "dict[str, Any]") -> str:
    """Return compact JSON in printable ASCII without "#"."""
    text = json.dumps(obj, separators=(",", ":"))
    # CPython has escaped all but DEL by now; MicroPython lets everything from space on pass.
    if len(text.encode()) != len(text) or "\x7f" in text:
        text = "".join([c if " " <= c <= "~" else "?" for c in text])
    return text.replace("#", "\\u0023") if "#" in text else text


def encode(obj: "dict[str, Any]", limit: int) -> bytes:
    """Return the frame of `obj`; ValueError when it has more than `limit` bytes."""
    text = dumps(obj)
    if len(text) + 4 + _EXTRA > limit:
        raise ValueError("frame too long")
    return ("#%03x%s*%08x\n" % (len(text) + _EXTRA, text, binascii.crc32(text.encode()))).encode()


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
        out = []
        at = 0
        end = len(data)
        while at < end:
            if self.need > 1:
                # A frame's body in one go, unless something in it shows that it is broken.
                to = min(end, at + self.need - 1)
                if data.find(b"#", at, to) < 0 and data.find(b"\n", at, to) < 0:
                    if to - at + 1 == self.need and to < end and data[to] == _LF and not self._buf:
                        item = self._frame(data[at:to])
                        self._begin(_IDLE)
                        if item:
                            out.append(item)
                        at = to + 1
                        continue
                    self._buf.extend(data[at:to])
                    self.need -= to - at
                    at = to
                    continue
            elif end - at >= 4 and data[at] == _HASH and self._whole_head(data[at + 1 : at + 4]):
                at += 4
                continue
            item = self.byte(data[at])
            if item:
                out.append(item)
            at += 1
        return out

    def _whole_head(self, digits: bytes) -> bool:
        """Take a frame's head in one go where that is the same as byte by byte."""
        find = _DIGITS.find
        self._value = find(digits[:1]) << 8 | find(digits[1:2]) << 4 | find(digits[2:])
        if self._value < 0 or self._state != _IDLE or self._buf:
            self._value = 0
            return False
        self._length()
        return True

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
                item = self._frame(bytes(self._buf))  # all but LF
            elif state != _SKIP:
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
        if body[-9] != _STAR:
            self.bad += 1
            return None
        text = body[:-9]
        if body[-8:] != ("%08x" % binascii.crc32(text)).encode():
            self.crc += 1
            return None
        obj = loads(text)
        if obj is None:
            self.bad += 1
            return None
        return MESSAGE, obj
