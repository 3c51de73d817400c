"""A memory like people's: it does not take everything in, it forgets, and it takes two droppings for each other."""

from typing import NamedTuple

from eyecaptain.games.base import Color
from eyecaptain.games.draws import Draws


class Mind(NamedTuple):
    """How good a memory is: chances out of 256.

    :param takes_in: how often a colour that is seen is kept at all.
    :param forgets: how often each dropping slips the mind whenever somebody lifts one.
    :param mixes_up: how often, at such a moment, two remembered droppings change places in the mind.
    :param alert: how often, between two lifts, it looks up from the tongs at all.
    """

    takes_in: int
    forgets: int
    mixes_up: int
    alert: int


class Memory:
    """The colours that a bot thinks it knows, by dropping, whether on the deck or off it.

    :param draws: where its slips come from.
    """

    def __init__(self, mind: Mind, draws: Draws) -> None:
        self._mind = mind
        self._draws = draws
        self.colors: dict[int, Color] = {}

    def clear(self) -> None:
        """A new round: what was is of no use any more."""
        self.colors.clear()

    def see(self, dropping: int, color: Color) -> None:
        """Look at a colour; what is not taken in leaves the memory as it was."""
        if self._happens(self._mind.takes_in):
            self.colors[dropping] = color

    def fade(self) -> None:
        """Somebody lifts a dropping: meanwhile others slip the mind, or are mixed up."""
        if self._mind.forgets:
            for dropping in [each for each in self.colors if self._happens(self._mind.forgets)]:
                del self.colors[dropping]
        if len(self.colors) > 1 and self._happens(self._mind.mixes_up):
            one, other = self._draws.draw(len(self.colors)), self._draws.draw(len(self.colors))
            there = list(self.colors)
            first, second = there[one], there[other]
            self.colors[first], self.colors[second] = self.colors[second], self.colors[first]

    def of(self, color: Color | None, droppings: list[int]) -> list[int]:
        """Those of `droppings` that it thinks have this colour."""
        return [dropping for dropping in droppings if self.colors.get(dropping) == color]

    def unknown(self, droppings: list[int]) -> list[int]:
        """Those of `droppings` whose colour it does not know."""
        return [dropping for dropping in droppings if dropping not in self.colors]

    def _happens(self, chance: int) -> bool:
        return self._draws.draw(256) < chance
