"""A bot for game 2: it takes what it remembers, else it announces the colour of which most are hidden."""

from collections.abc import Mapping
from typing import Any, ClassVar

from eyecaptain.games.base import COLORS, Action, Color
from eyecaptain.games.bots.base import Bot
from eyecaptain.games.bots.chances import hidden
from eyecaptain.games.bots.memory import Mind
from eyecaptain.games.solo import Lift


class SoloBot(Bot):
    """Plays for itself.

    Easy announces any colour for a dropping that it does not know; medium one of which it thinks that most are left on
    the deck; hard one of which most are hidden.
    """

    minds: ClassVar[Mapping[str, Mind]] = {
        "easy": Mind(takes_in=205, forgets=38, mixes_up=26, alert=256),
        "medium": Mind(takes_in=236, forgets=15, mixes_up=10, alert=256),
        "hard": Mind(takes_in=252, forgets=3, mixes_up=2, alert=256),
    }

    def move(self, view: dict[str, Any]) -> Action:
        """A remembered dropping by its colour; else an unknown one, with the likeliest colour."""
        there = [dropping for dropping in view["on_deck"] if dropping != view["barred"]] or view["on_deck"]
        unknown = self._memory.unknown(there)
        known = [dropping for dropping in there if dropping not in unknown]
        if known:
            dropping = self._any_of(known)
            return Lift(self.seat, self._memory.colors[dropping], dropping=dropping)
        return Lift(self.seat, self._guess(view), dropping=self._any_of(unknown))

    def _guess(self, view: dict[str, Any]) -> Color:
        """A colour for a dropping that it does not know."""
        if self.strength == "easy":
            return COLORS[self._draws.draw(len(COLORS))]
        known = self._memory.colors
        if self.strength == "medium":
            known = {dropping: color for dropping, color in known.items() if dropping not in view["on_deck"]}
        left = hidden(known)
        most = max(left.values())
        likely = [color for color in COLORS if left[color] == most]
        return likely[self._draws.draw(len(likely))]
