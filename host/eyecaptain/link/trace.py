r"""`--trace`: every raw line of the link, with its direction and time, in a file beside the session's log.

    {"type":"link","began":"2026-11-30T18:15:02.412+01:00"}
    {"t":0.018,"dir":">","raw":"#020{\"id\":17,\"op\":\"state\"}*af6b56d5"}

`t` is seconds since `began`; `>` goes to the board, `<` comes from it; what is not printable ASCII is escaped as in Python.
A session that was resumed has one such beginning for each time.
"""

import contextlib
import json
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TextIO

from eyecaptain.language import _

FILE_NAME = "link.jsonl"


class Trace:
    """Writes lines down; what comes before `open` is kept until then, because a board answers before its session exists.

    It is called as the sink of a `Tape`, from any thread. A trace that cannot be written ends, and the game goes on.

    :param say: is told when that happens.
    """

    def __init__(self, say: Callable[[str], None] = lambda _: None) -> None:
        self._say = say
        self._lock = threading.Lock()
        self._began = time.monotonic()
        began = datetime.now().astimezone().isoformat(timespec="milliseconds")
        self._kept: list[str] | None = [_json({"type": "link", "began": began})]
        self._file: TextIO | None = None

    def __call__(self, at: float, way: str, text: str) -> None:
        """Take a line: host monotonic seconds, direction, text."""
        line = _json({"t": round(at - self._began, 4), "dir": way, "raw": text})
        with self._lock:
            if self._kept is not None:
                self._kept.append(line)
            else:
                self._write(line)

    def open(self, folder: Path) -> None:
        """Write to this session's folder from now on, and what was kept."""
        with self._lock:
            kept, self._kept = self._kept or [], None
            try:
                # A line is on its way to the disk as soon as it is written: a trace is read after something has gone wrong.
                self._file = (folder / FILE_NAME).open("a", buffering=1, encoding="utf-8")
            except OSError as error:
                self._give_up(error)
            for line in kept:
                self._write(line)

    def close(self) -> None:
        """Write no more."""
        with self._lock:
            self._kept = None
            file, self._file = self._file, None
            _close(file)

    def _write(self, line: str) -> None:
        if self._file is not None:
            try:
                self._file.write(line)
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        file, self._file = self._file, None
        _close(file)
        self._say(_("The trace cannot be written ({error}); the game goes on without it.").format(error=error.strerror))


def _close(file: TextIO | None) -> None:
    """Close a file whose last line may not fit on the disk."""
    if file is not None:
        with contextlib.suppress(OSError):
            file.close()


def _json(obj: dict[str, object]) -> str:
    return json.dumps(obj, separators=(",", ":")) + "\n"
