"""A bar that shows how far something is, on standard error, and only at a terminal."""

import shutil
import sys
from typing import Self

from eyecaptain.cli import console
from eyecaptain.language import N_, _

WORDS = {"send": N_("Sending"), "check": N_("The board checks"), "start": N_("Starting the new firmware")}
WIDTH = 16


class Bar:
    """One line that is drawn over itself."""

    def __init__(self) -> None:
        self._shown = False
        self._on = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._clear()

    def tell(self, step: str, at: int, of: int, file: int, files: int) -> None:
        """Show a step, and how many bytes and files of how many are through."""
        if not self._on:
            return
        full = WIDTH * at // of if of else WIDTH
        words = _("{step} [{bar}] {at:.1f} of {all:.1f} kB, file {file} of {files}")
        bar = "#" * full + "." * (WIDTH - full)
        text = words.format(step=_(WORDS[step]), bar=bar, at=at / 1000, all=of / 1000, file=file, files=files)
        columns = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r" + text.ljust(columns)[:columns])
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
