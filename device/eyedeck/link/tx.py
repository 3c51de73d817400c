"""The send queue: short, and honest about what it drops when nobody reads.

Writing must not block the main loop, so a frame goes out in pieces while the stream says that it is writable; on a
Pico a write to a host that stopped reading would hold everything up for 500 ms.
"""

import select

from micropython import const

_PIECE = const(64)  # one USB packet
_MINOR = const(8)  # die, log, sample and test frames that may wait

# How many of a kind may wait; the oldest makes room. Of the others (die, lg, sample, test) _MINOR together.
_ROOM = {"re": 2, "job": 1, "eye": 1, "switch": 1, "fault": 1, "lease": 1}


class Sender:
    """Sends frames to `stream`, in order, never more than it takes."""

    def __init__(self, stream):
        self.sent = 0
        self.dropped = 0
        self._out = stream.write
        self._poll = select.poll()
        self._poll.register(stream, select.POLLOUT)
        self._queue = []  # (kind, frame), oldest first
        self._rest = None  # what is left of the frame being sent

    def send(self, kind, data):
        """Queue a frame, and write it at once when nothing waits before it."""
        if self._rest is None and not self._queue and self._writable():
            self._write(data)
            if self._rest is None:
                return
        else:
            self._make_room(kind)
            self._queue.append((kind, data))
        self.pump()

    def pump(self):
        """Write what the stream takes; return True when nothing is left."""
        while self._rest is not None or self._queue:
            if not self._writable():
                return False
            if not self._write(self._queue.pop(0)[1] if self._rest is None else self._rest):
                return False
        return True

    def _write(self, data):
        """Write a piece of a frame and keep the rest; return whether any of it went."""
        size = len(data)
        if size <= _PIECE:
            done = self._out(data)
        else:
            if type(data) is bytes:
                data = memoryview(data)  # pieces of which are no copies
            done = self._out(data[:_PIECE])
        if done == size:
            self._rest = None
            self.sent += 1
        else:
            self._rest = data[done:] if done else data
        return bool(done)

    def _writable(self):
        for _, event in self._poll.ipoll(0):
            return bool(event & select.POLLOUT)
        return False

    def _make_room(self, kind):
        queue = self._queue
        if kind in _ROOM:
            same = [i for i in range(len(queue)) if queue[i][0] == kind]
            if len(same) >= _ROOM[kind]:
                self._drop(same[0])
            return
        minor = [i for i in range(len(queue)) if queue[i][0] not in _ROOM]
        if len(minor) >= _MINOR:
            telling = [i for i in minor if queue[i][0] in ("die", "lg")]
            self._drop((telling or minor)[0])

    def _drop(self, at):
        self._queue.pop(at)
        self.dropped += 1
