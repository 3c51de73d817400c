"""The witness: every change at the board's pins and buses with the world's own clock, one JSON object a line."""

import json
from pathlib import Path
from typing import Any, TextIO


class Record:
    """Where changes are written down; nowhere until `start`."""

    def __init__(self) -> None:
        self._file: TextIO | None = None
        self.now = 0.0

    def start(self, path: Path) -> None:
        """Write to this file from now on, replacing what was in it.

        :raises OSError: it cannot be written.
        """
        self.stop()
        # A line is on its way to the disk as soon as it is written: who reads along must not miss the last one.
        self._file = path.open("w", buffering=1, encoding="utf-8")

    def stop(self) -> None:
        """Write no more."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def write(self, **what: Any) -> None:
        """Write down a change that happens at `now`."""
        if self._file is not None:
            self._file.write(json.dumps({"t": round(self.now, 6), **what}, separators=(",", ":")) + "\n")
