"""A bot for game 2: it announces what it remembers, else the colour of which most are left."""

from collections.abc import Sequence
from typing import Any

from eyecaptain.games.base import COLORS, Action, Color, Effect
from eyecaptain.games.bots.base import Bot
from eyecaptain.games.draws import Draws
from eyecaptain.games.solo import Lift


class SoloBot(Bot):
    """Plays for itself."""

    def __init__(self, seat: int, draws: Draws) -> None:
        super().__init__(seat, draws)
        self._gone: dict[int, Color] = {}

    def notice(self, effects: Sequence[Effect], view: dict[str, Any]) -> None:
        """Count the colours that leave the deck: all can see them."""
        super().notice(effects, view)
        for effect in effects:
            if effect.kind == "match" and effect.dropping is not None and effect.color is not None:
                self._gone[effect.dropping] = effect.color

    def move(self, view: dict[str, Any]) -> Action:
        """A remembered dropping by its colour; else an unknown one, with the likeliest colour."""
        there = [dropping for dropping in view["on_deck"] if dropping != view["barred"]] or view["on_deck"]
        known = [dropping for dropping in there if dropping in self._seen]
        if known:
            dropping = self._any_of(known)
            return Lift(self.seat, self._seen[dropping], dropping=dropping)
        gone = [color for dropping, color in self._gone.items() if dropping not in view["on_deck"]]
        least = min(gone.count(color) for color in COLORS)
        likely = [color for color in COLORS if gone.count(color) == least]
        return Lift(self.seat, likely[self._draws.draw(len(likely))], dropping=self._any_of(there))
