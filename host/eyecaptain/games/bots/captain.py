"""A bot for game 3: it counts the colours that were shown, and calls when it remembers three of one."""

from collections.abc import Sequence
from typing import Any

from eyecaptain.games.base import COLORS, Action, Effect
from eyecaptain.games.bots.base import Bot
from eyecaptain.games.captain import Call, Lift
from eyecaptain.games.twelve import PER_COLOR


class CaptainBot(Bot):
    """Looks, remembers, and calls."""

    def notice(self, effects: Sequence[Effect], view: dict[str, Any]) -> None:
        """Remember what was shown, and what it saw alone."""
        super().notice(effects, view)
        if view["look"] and any(effect.kind == "miss" for effect in effects):
            self._remember(view["look"]["dropping"], view["look"]["color"])

    def react(self, view: dict[str, Any]) -> Action | None:
        """Call when three of a colour are remembered to be gone, or nothing is left to lift (E27)."""
        gone = [color for dropping, color in self._seen.items() if dropping not in view["on_deck"]]
        sure = not view["on_deck"] or any(gone.count(color) == PER_COLOR for color in COLORS)
        return Call(self.seat) if sure else None

    def move(self, view: dict[str, Any]) -> Action:
        """A remembered match; else one that it has not seen; else any."""
        there: list[int] = view["on_deck"]
        known = [dropping for dropping in there if self._seen.get(dropping) == view["die"]]
        unknown = [dropping for dropping in there if dropping not in self._seen]
        return Lift(self.seat, dropping=self._any_of(known or unknown or there))
