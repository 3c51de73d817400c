"""A plain serial client for a board's console."""

import time
from pathlib import Path
from types import TracebackType
from typing import Self

import serial


class Line:
    """One open port."""

    def __init__(self, port: str | Path) -> None:
        self._serial = serial.Serial(str(port), timeout=0.02, exclusive=True)
        self.heard = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._serial.close()

    def write(self, data: bytes) -> None:
        self._serial.write(data)

    def until(self, end: bytes, seconds: float = 15.0) -> bytes:
        """What comes up to `end`, which has to come within some seconds."""
        limit = time.monotonic() + seconds
        while end not in self.heard:
            assert time.monotonic() < limit, f"{end!r} did not come, only {self.heard!r}"
            self.heard += self._serial.read(4096)
        before, self.heard = self.heard.split(end, 1)
        return before

    def silence(self, seconds: float) -> bytes:
        """What comes in that time."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            self.heard += self._serial.read(4096)
        heard, self.heard = self.heard, b""
        return heard


def opened_again(port: str | Path, seconds: float = 15.0) -> Line:
    """Open a port that is about to come back."""
    limit = time.monotonic() + seconds
    while True:
        try:
            return Line(port)
        except (OSError, serial.SerialException):
            assert time.monotonic() < limit, f"{port} did not come back"
            time.sleep(0.02)
