"""The board's console text: what is on the line besides messages (a print, a traceback, a prompt)."""

import threading
from collections import deque
from collections.abc import Callable

KEPT = 100
PROMPT = ">>> "


class Console:
    """The last hundred lines of text, and whether MicroPython's prompt stands at the end.

    :param show: is called with every line, from the reader's thread (`captain -v` prints them).
    """

    def __init__(self, show: Callable[[str], None] | None = None) -> None:
        self._show = show
        self._changed = threading.Condition()  # its lock is re-entrant
        self._lines: deque[str] = deque(maxlen=KEPT)
        self._partial = ""
        self.count = 0  # lines so far

    def take(self, text: bytes) -> None:
        """Take a line, or a piece of one that messages cut short."""
        line = text.decode("utf-8", "backslashreplace")
        if line.strip() == PROMPT.strip():  # what the line feeds before `hello` make of a prompt
            return
        with self._changed:
            self._lines.append(line)
            self.count += 1
        if self._show is not None:
            self._show(line)

    def trail(self, partial: bytes) -> None:
        """Take note of the text that has no end yet; it is called after every piece that was read."""
        with self._changed:
            self._partial = partial.decode("utf-8", "backslashreplace")
            self._changed.notify_all()

    def since(self, count: int) -> list[str]:
        """Return the lines that came after `count` of them, as far as they are kept, and the unfinished one."""
        with self._changed:
            new = self.count - count
            lines = list(self._lines)[-new:] if new > 0 else []
            return [*lines, self._partial] if self._partial else lines

    def prompt(self, within: float, after: str = "", since: int = 0) -> bool:
        """Whether a prompt stands at the end of the text within so many seconds.

        :param after: only a prompt after a line that holds this text counts; the line came after `since` lines.
        """

        def stands() -> bool:
            if not self._partial.endswith(PROMPT):
                return False
            return not after or any(after in line for line in self.since(since))

        with self._changed:
            return self._changed.wait_for(stands, within)
