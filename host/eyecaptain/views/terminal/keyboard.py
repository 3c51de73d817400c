"""Reads keys on Linux and macOS, and goes on where the library's driver ends the program."""

from typing import Any

from textual.drivers.linux_driver import LinuxDriver


class Keyboard(LinuxDriver):
    """Bytes that are no UTF-8, or a torn sequence, are keys that do nothing; a terminal that is gone is left at once."""

    def run_input_thread(self) -> None:
        """Read until the screen ends."""
        screen: Any = self._app
        while True:
            try:
                super().run_input_thread()
            except ValueError:  # such as UnicodeDecodeError: a key of a terminal with another encoding
                continue
            except OSError:
                screen.interrupt(gone=True)
            return
