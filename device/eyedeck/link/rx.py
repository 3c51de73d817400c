"""Reads the console: text byte by byte, and what follows a "#" in two calls, its head and the rest.

On a Pico the console can only be polled and read one byte at a time, or read in C for a known count, which is three
times as fast but blocks everything but hard interrupts until the bytes are there. The count is known after a "#": three
digits, then what they say. The host writes a frame at once, and the motor's guard is a hard interrupt: so that is done here.
"""

import select

from micropython import const

from eyedeck.link import frame

_LF = const(10)
_HASH = const(35)
_DRAIN = const(64)  # bytes of text before the deck gets its turn


class Receiver:
    """Calls `message(dict)` and `line(bytes)` for what comes from `stream`."""

    def __init__(self, stream, message, line):
        self.decoder = frame.Decoder(frame.REQUEST)
        self.blocked = False  # in a read that ends only when the bytes come
        self._read = stream.read  # bound here and below: each look-up costs some microseconds
        self._readinto = stream.readinto
        self._message = message
        self._line = line
        self._one = bytearray(1)
        self._last = 0  # the byte before
        self._poll = select.poll()
        self._poll.register(stream, select.POLLIN)

    def ready(self, ms=0):
        """Wait so long at most; return whether anything has come."""
        for _ in self._poll.ipoll(ms):
            return True
        return False

    def read(self):
        """Take what has come, a frame or a few bytes; EOFError when the console is gone (never on a Pico)."""
        one = self._one
        left = _DRAIN
        while True:
            if not self._readinto(one):
                raise EOFError
            c = one[0]
            if c == _HASH:
                self._frame()
                return
            if c != _LF or self._last != _LF:  # a host that opens the line sends 480: nothing to decode
                self._took(self.decoder.byte(c))
            self._last = c
            left -= 1
            if not left or not self.ready():
                return

    def _frame(self):
        """Read on after a "#": the three digits, then as many bytes as they say."""
        decoder = self.decoder
        self.blocked = True
        try:
            digits = self._read(3)
            need = decoder.size(digits)
            body = self._read(need) if need else b""
        finally:
            self.blocked = False
        msg = decoder.whole(body) if need else None
        if msg is not None:
            self._message(msg)
            return
        self._last = _HASH  # the next LF may end what is broken here
        for item in decoder.feed(b"#" + digits + body):
            self._took(item)

    def _took(self, item):
        if item is None:
            return
        kind, value = item
        if kind == frame.MESSAGE:
            self._message(value)
        elif kind == frame.LINE:
            self._line(value)
