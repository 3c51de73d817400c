"""Reads keys on Linux and macOS, and goes on where the library's driver ends the program."""

import os
import select
from codecs import getincrementaldecoder
from typing import Any

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

CTRL_C = b"\x03"  # in a raw terminal it is a byte like others, and a part of no other key's sequence
LOOK = 0.1  # seconds between two looks whether the screen ends, as the library has it


class Keyboard(LinuxDriver):
    """Bytes that are no UTF-8, or a torn sequence, are keys that do nothing; a terminal that is gone is left at once.

    Ctrl-C ends whatever came before it: the library takes it for a part of an unfinished sequence or paste.
    """

    def run_input_thread(self) -> None:
        """Read until the screen ends."""
        screen: Any = self._app
        while True:
            try:
                self._read()
            except (ValueError, OverflowError):  # a sequence with a number that is no character
                continue
            except OSError:
                screen.interrupt(gone=True)
            return

    def _read(self) -> None:
        """What the library's method does, but for Ctrl-C and for bytes that are no UTF-8."""
        screen: Any = self._app
        parser = XTermParser()
        decode = getincrementaldecoder("utf-8")(errors="ignore").decode
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno], [], [], LOOK)
            data = os.read(self.fileno, 4096) if ready else b""
            if CTRL_C in data:
                screen.interrupt()
            if keys := decode(data.replace(CTRL_C, b"")):
                for event in parser.feed(keys):
                    self.process_message(event)
            for event in parser.tick():
                self.process_message(event)
