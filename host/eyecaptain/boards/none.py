"""No board: the world alone with a virtual clock, fast and exactly repeatable; or a real deck with no board under it."""

import time
from collections.abc import Sequence
from typing import Any, ClassVar

from eyecaptain.games.base import Color
from eyecaptain.world.deck import TICK_SECONDS, TICKS_A_TURN, VirtualDeck


class NoLights:
    """What both have in common: nothing to light, nothing that speaks by itself, nothing to let go of."""

    live = False
    unseen: str | None = None
    about: ClassVar[dict[str, Any]] = {"name": "none"}

    def chips(self, colors: Sequence[str], fx: str) -> None:
        """There are no chips to light."""

    def hear(self, message: Any) -> list[dict[str, Any]]:
        """Nothing comes by itself."""
        del message
        return []

    def last_lines(self) -> list[str]:
        """There is no link."""
        return []

    def close(self) -> None:
        """Nothing to let go of."""


class VirtualBoard(NoLights):
    """The virtual deck under a clock that moves with the world's ticks only.

    A turn has `TICKS_A_TURN` ticks. They stop early, once, when the die is about to fall, so that somebody can save it.

    :param pace: scales the time of a tick.
    """

    def __init__(self, deck: VirtualDeck, pace: float = 1.0) -> None:
        self.deck = deck
        self._seconds = TICK_SECONDS * pace
        self._now = 0.0
        self._left = 0
        self._warned = False
        self._eye = False
        self._told: Color | None = None  # the face that the table knows

    def clock(self) -> float:
        """The virtual time: seconds of ticks."""
        return self._now

    def eye(self, on: bool) -> None:
        """Let the eye roll, or stop it."""
        self._eye = on

    def new_turn(self) -> None:
        """Give the world its ticks for the next turn."""
        self._left = TICKS_A_TURN
        self._warned = self.deck.in_danger  # whoever waits on has seen it

    def poll(self) -> list[dict[str, Any]] | None:
        """One tick of the world, or None when the turn's ticks are spent, the eye rests, or the die is in danger."""
        if self._told != self.deck.face:  # after a deal
            self._told = self.deck.face
            return [{"type": "die", "face": self._told, "by": "world"}]
        if not self._eye or not self._left:
            return None
        if self.deck.in_danger and not self._warned:
            self._warned = True
            return None
        if not self.deck.in_danger:
            self._warned = False
        self._left -= 1
        self._now += self._seconds
        news = self.deck.tick()
        self._told = self.deck.face
        return news


class RealDeck(NoLights):
    """A real deck and no board under it: people report everything, and the clock is the room's."""

    deck = None

    def __init__(self) -> None:
        self._opened = time.monotonic()

    def clock(self) -> float:
        """Seconds since it was opened."""
        return time.monotonic() - self._opened

    def eye(self, on: bool) -> None:
        """Nothing to start: the eye is switched by hand."""

    def new_turn(self) -> None:
        """Nothing to do: the deck is not ours to move."""

    def poll(self) -> list[dict[str, Any]] | None:
        """Nothing is seen of a deck without a board."""
        return None
