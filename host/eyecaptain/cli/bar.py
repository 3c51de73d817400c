"""A bar that shows how far something is, on standard error, and only at a terminal."""

import shutil
import sys
from typing import Self

from eyecaptain.cli import console

WORDS = {"send": "Sending", "check": "The board checks", "start": "Starting the new firmware"}
WIDTH = 24


class Bar:
    """One line that is drawn over itself."""

    def __init__(self) -> None:
        self._shown = False
        self._on = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def tell(self, step: str, at: int, of: int) -> None:
        """Show a step, and how many bytes of how many are through."""
        if not self._on:
            return
        full = WIDTH * at // of if of else WIDTH
        text = f"{WORDS.get(step, step):26}[{'#' * full}{'.' * (WIDTH - full)}] {at / 1000:.1f} of {of / 1000:.1f} kB"
        sys.stderr.write("\r" + text[: shutil.get_terminal_size().columns - 1].ljust(1))
        sys.stderr.flush()
        self._shown = True

    def say(self, text: str) -> None:
        """Write a note; the bar makes room."""
        self._clear()
        console.say(text)

    def _clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")
            sys.stderr.flush()
            self._shown = False
