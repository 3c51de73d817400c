"""What a bot is: a memory of what was shown, and a choice.

A bot knows what its seat may know: the public news, its own view, and where things lie. It may be asked for a reaction
at any moment and as often as the table likes, so a reaction draws nothing: whether it is alert was drawn when the last
dropping was lifted. That makes the same seed play the same game, at the table and in a simulation.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from eyecaptain.games.base import Action, Effect
from eyecaptain.games.bots.memory import Memory, Mind
from eyecaptain.games.draws import Draws
from eyecaptain.language import N_

STRENGTHS = (N_("easy"), N_("medium"), N_("hard"))
DEFAULT = "medium"


class Bot(ABC):
    """A player that sees only what its seat sees.

    :param seat: its seat.
    :param draws: where its whims and slips come from.
    :param strength: one of `STRENGTHS`.
    """

    minds: ClassVar[Mapping[str, Mind]]  # by strength

    def __init__(self, seat: int, draws: Draws, strength: str = DEFAULT) -> None:
        self.seat = seat
        self.strength = strength
        self._draws = draws
        self._mind = self.minds[strength]
        self._memory = Memory(self._mind, draws)
        self._alert = True

    def notice(self, effects: Sequence[Effect], view: dict[str, Any]) -> None:
        """Hear the news, and see the own view after it."""
        del view
        for effect in effects:
            if effect.kind == "deal":
                self._memory.clear()
                self._alert = True
            elif effect.kind in ("match", "miss"):
                self._memory.fade()
                self._alert = self._draws.draw(256) < self._mind.alert
            if effect.dropping is not None and effect.color is not None:
                self._memory.see(effect.dropping, effect.color)

    def react(self, view: dict[str, Any]) -> Action | None:
        """What it does now whoever has the tongs, or None."""
        del view
        return None

    @abstractmethod
    def move(self, view: dict[str, Any]) -> Action:
        """What it does with the tongs."""

    def _any_of(self, droppings: Sequence[int]) -> int:
        return droppings[self._draws.draw(len(droppings))]
