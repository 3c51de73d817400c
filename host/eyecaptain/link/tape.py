"""Every raw line with its direction and time: the last hundred for an error report, all of them for `--trace`."""

import time
from collections import deque
from collections.abc import Callable

KEPT = 100
LONGEST = 1000  # bytes of a line that has no end


class Tape:
    """What went over the line, kept apart from what it meant.

    :param sink: is called with (host monotonic seconds, "<" from or ">" to the board, text) for every line; it is
        called from more than one thread, one at a time for each direction.
    """

    def __init__(self, sink: Callable[[float, str, str], None] | None = None) -> None:
        self._sink = sink
        self._kept: deque[tuple[float, str, str]] = deque(maxlen=KEPT)
        self._open = {"<": bytearray(), ">": bytearray()}

    def feed(self, direction: str, data: bytes) -> None:
        """Take bytes as they went by."""
        buffer = self._open[direction]
        buffer += data
        *lines, rest = bytes(buffer).split(b"\n")
        buffer[:] = rest
        for line in lines:
            self._keep(direction, line)
        if len(buffer) > LONGEST:
            self._keep(direction, bytes(buffer))
            buffer.clear()

    def lines(self) -> list[str]:
        """Return the last hundred lines, oldest first, each as "seconds direction text"."""
        rest = [(time.monotonic(), way, _readable(bytes(data))) for way, data in self._open.items() if data]
        return [f"{at:.3f} {way} {text}" for at, way, text in [*self._kept, *rest]]

    def _keep(self, direction: str, line: bytes) -> None:
        text = _readable(line)
        if not text:  # the LFs that end half-read frames
            return
        entry = (time.monotonic(), direction, text)
        self._kept.append(entry)
        if self._sink is not None:
            self._sink(*entry)


def _readable(line: bytes) -> str:
    """Printable ASCII, whatever came."""
    return line.rstrip(b"\r").decode("latin-1").encode("unicode_escape").decode()
