"""Reads the console: a frame's head byte by byte, the rest in one call.

On a Pico the console can only be polled and read one byte at a time, or read in C for a known count, which is three
times as fast but blocks everything but hard interrupts until the bytes are there. The count is known once the head has
come, the host writes a frame at once, and the motor's guard is a hard interrupt: so that is what this does.
"""

import asyncio
import select

from micropython import const

from eyedeck.link import frame

_LF = const(10)
_HASH = const(35)
_ENDS = b"#\n"  # what no head has in it
_DRAIN = const(64)  # bytes before the other tasks get their turn


class Receiver:
    """Calls `message(dict)` and `line(bytes)` for what comes from `stream`."""

    def __init__(self, stream, message, line):
        self.decoder = frame.Decoder(frame.REQUEST)
        self.received = 0
        self.blocked = False  # in a read that ends only when the bytes come
        self._stream = stream
        self._message = message
        self._line = line
        self._one = bytearray(1)
        self._head = bytearray(b"#000")
        self._digits = [memoryview(self._head)[at : at + 1] for at in range(len(self._head))]
        self._body = memoryview(bytearray(frame.REQUEST))
        self._poll = select.poll()
        self._poll.register(stream, select.POLLIN)

    async def run(self):
        """Read for ever; EOFError when the console is gone (never on a Pico)."""
        reader = asyncio.StreamReader(self._stream)
        while True:
            data = await reader.read(1)  # sleeps in C: an idle console costs nothing
            if not data:
                raise EOFError
            last = data[0]
            self._byte(last)
            left = _DRAIN
            while left and self._ready():
                left -= 1
                if self.decoder.need > 1:
                    self._rest()
                    last = 0
                    continue
                if not self._stream.readinto(self._one):
                    raise EOFError
                if self._one[0] == last == _LF:  # a host that opens the line sends 480: nothing to decode
                    continue
                last = self._one[0]
                self._byte(last)

    def _byte(self, c):
        """Take a byte; a frame's head is read on as far as it has come, and handed on in one."""
        if c != _HASH:
            self._took(self.decoder.byte(c))
            return
        head = self._head
        got = 1
        while got < len(head) and self._ready():
            if not self._stream.readinto(self._digits[got]):
                raise EOFError
            got += 1
            if head[got - 1] in _ENDS:
                break
        for item in self.decoder.feed(bytes(head[:got])):
            self._took(item)

    def _rest(self):
        """Read the rest of a frame in one go."""
        part = self._body[: self.decoder.need]
        self.blocked = True
        try:
            got = self._stream.readinto(part)
        finally:
            self.blocked = False
        for item in self.decoder.feed(bytes(part[: got or 0])):
            self._took(item)

    def _ready(self):
        for _ in self._poll.ipoll(0):
            return True
        return False

    def _took(self, item):
        if item is None:
            return
        kind, value = item
        if kind == frame.MESSAGE:
            self.received += 1
            self._message(value)
        elif kind == frame.LINE:
            self._line(value)
