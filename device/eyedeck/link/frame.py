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
    decoder.size(digits), decoder.whole(body)   # who can read so many bytes at once may ask for a frame in two pieces

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


def dumps(obj: "Any") -> bytes:
    """Return compact JSON in printable ASCII without "#"."""
    text = json.dumps(obj, separators=(",", ":"))
    data = text.encode()
    # CPython has escaped all but DEL by now; MicroPython lets everything from space on pass.
    if len(data) != len(text) or b"\x7f" in data:
        data = "".join([c if " " <= c <= "~" else "?" for c in text]).encode()
    return data.replace(b"#", b"\\u0023") if b"#" in data else data


_words: "dict[Any, bytes]" = {None: b"null", True: b"true", False: b"false"}


def word(value: "str | bool | None") -> bytes:
    """Return the JSON of a word out of a short list (the list's words are kept), or of true, false or None."""
    try:
        return _words[value]
    except KeyError:
        _words[value] = dumps(value)
        return _words[value]


def wrap(data: bytes, limit: int) -> bytes:
    """Return the frame of some JSON as `dumps` writes it; ValueError when it has more than `limit` bytes."""
    size = len(data) + _EXTRA
    if size + 4 > limit:
        raise ValueError("frame too long")
    return b"".join((b"#%03x" % size, data, b"*%08x\n" % binascii.crc32(data)))  # a "%s" would cost a Pico 1 us a byte


def encode(obj: "dict[str, Any]", limit: int) -> bytes:
    """Return the frame of `obj`; ValueError when it has more than `limit` bytes."""
    return wrap(dumps(obj), limit)


def loads(data: bytes) -> "dict[str, Any] | None":
    """Return the one JSON object in `data`, or None."""
    try:
        obj = json.loads(data)
    except (ValueError, TypeError, RuntimeError):  # not UTF-8 or JSON, a list as a key, too deep
        return None
    return obj if isinstance(obj, dict) else None


def _unwrap(body: bytes) -> "dict[str, Any] | None":
    """Return the object in what follows a frame's head, or None when anything is wrong with it."""
    data = body[:-_EXTRA]
    if body[-_EXTRA:] != b"*%08x\n" % binascii.crc32(data) or b"#" in data or b"\n" in data:
        return None
    return loads(data)


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
        out = []
        at = 0
        while at < end:
            if data[at] == _HASH:
                body = at + 4
                need = self.size(data[at + 1 : body])
                if need and body + need <= end:
                    obj = self.whole(data[body : body + need])
                    if obj is not None:
                        out.append((MESSAGE, obj))
                        at = body + need
                        continue
            item = self.byte(data[at])
            if item:
                out.append(item)
            at += 1
        return out

    def size(self, digits: bytes) -> int:
        """Return how many bytes follow a frame's three digits, 0 when they are not such."""
        try:
            need = int(digits, 16)
        except ValueError:
            return 0
        if not _SHORTEST <= need <= self._limit - 4 or b"%03x" % need != digits:  # int() takes more than we do
            return 0
        return need

    def whole(self, body: bytes) -> "dict[str, Any] | None":
        """Take a frame of which this follows its digits, and return its object.

        None: nothing is taken, and byte by byte, from its "#" on, it comes out what it is.
        """
        if self._state != _IDLE or self._buf:
            return None
        obj = _unwrap(body)
        if obj is not None:
            self._cut = False
        return obj

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
