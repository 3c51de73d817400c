"""What a bot is: a memory of what was said aloud, and a choice."""

from collections.abc import Sequence
from typing import Any

from eyecaptain.games.base import Action, Color, Effect
from eyecaptain.games.draws import Draws


class Bot:
    """A player that sees only what its seat sees.

    :param seat: its seat.
    :param draws: where its whims come from.
    """

    def __init__(self, seat: int, draws: Draws) -> None:
        self.seat = seat
        self._draws = draws
        self._seen: dict[int, Color] = {}  # what it remembers of the droppings

    def notice(self, effects: Sequence[Effect], view: dict[str, Any]) -> None:
        """Hear the news, and see the own view after it."""
        del view
        for effect in effects:
            if effect.kind == "deal":
                self._seen.clear()
            elif effect.dropping is not None and effect.color is not None:
                self._remember(effect.dropping, effect.color)

    def react(self, view: dict[str, Any]) -> Action | None:
        """What it does now whoever has the tongs, or None."""
        del view
        return None

    def move(self, view: dict[str, Any]) -> Action:
        """What it does with the tongs."""
        raise NotImplementedError

    def _remember(self, dropping: int, color: Color) -> None:
        """Keep what was seen; one time in five it slips by."""
        if self._draws.draw(5):
            self._seen[dropping] = color

    def _any_of(self, droppings: Sequence[int]) -> int:
        return droppings[self._draws.draw(len(droppings))]
