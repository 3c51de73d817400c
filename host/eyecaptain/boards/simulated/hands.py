"""Hands at a simulated board: they lay things over its window."""

from typing import Any

from eyecaptain.boards.simulated.launcher import Control
from eyecaptain.games.base import Color


class Hands:
    """What people do at a real board, done in a simulated world; `close` lets go of it, and the die lies there again."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def nothing(self) -> None:
        """Take everything off the window."""
        self._cover("nothing")

    def white(self) -> None:
        """Lay white paper on it."""
        self._cover("white")

    def die(self, top: Color) -> None:
        """Lay the die flat on it, with this colour on top."""
        self._cover(None)
        self._control.ask("face", color=top)

    def close(self) -> None:
        """Leave the die on the window."""
        self._cover(None)

    def _cover(self, what: Any) -> None:
        self._control.ask("cover", what=what)
