"""A bot for game 3: it looks in secret, keeps count of what was shown, and calls when it believes that a colour is gone.

What decides this game is who calls first after the third dropping of a colour has left. That is the next player, who
sees it and has the tongs (E24). So whoever remembers that two of a colour are gone does better to look at a dropping of
another colour than to lift the third. A call need not wait for certainty, because the next player reckons too; but where
others avoid the third as well, it pays to be fairly sure.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from eyecaptain.games.base import Action, Effect
from eyecaptain.games.bots.base import Bot
from eyecaptain.games.bots.chances import exhausted
from eyecaptain.games.bots.memory import Mind
from eyecaptain.games.captain import Call, Lift
from eyecaptain.games.twelve import DROPPINGS, PER_COLOR

DENIES = 240  # of 256: now and then even the careful lift the third one, or two of them would look for ever


class CaptainBot(Bot):
    """Looks, remembers, and calls.

    Easy calls only on three that it remembers; medium reckons with those it has forgotten; hard also avoids to lift the
    third of a colour for the next player's call.
    """

    minds: ClassVar[Mapping[str, Mind]] = {
        "easy": Mind(takes_in=205, forgets=26, mixes_up=20, alert=110),
        "medium": Mind(takes_in=236, forgets=9, mixes_up=7, alert=180),
        "hard": Mind(takes_in=252, forgets=3, mixes_up=2, alert=245),
    }
    # How sure it wants to be; the second number counts when a wrong call would give somebody else the game.
    sure: ClassVar[Mapping[str, tuple[float, float]]] = {
        "easy": (1.0, 1.0),
        "medium": (0.75, 0.75),
        "hard": (0.8, 0.9),
    }

    def notice(self, effects: Sequence[Effect], view: dict[str, Any]) -> None:
        """Remember what was shown, and what it saw alone."""
        super().notice(effects, view)
        if view["look"] and any(effect.kind == "miss" for effect in effects):
            self._memory.see(view["look"]["dropping"], view["look"]["color"])

    def react(self, view: dict[str, Any]) -> Action | None:
        """Call when it is sure enough; when nothing is left to lift every call is right (E27)."""
        there = view["on_deck"]
        if not there:
            return Call(self.seat)
        if not self._alert or view["deck"] > DROPPINGS - PER_COLOR:
            return None
        chance = exhausted(self._memory.colors, there)
        at, at_risk = self.sure[self.strength]
        return Call(self.seat) if chance >= (at_risk if self._risks_the_game(view) else at) else None

    def _risks_the_game(self, view: dict[str, Any]) -> bool:
        """Whether a wrong call may give somebody the second chip."""
        return any(chips for seat, chips in enumerate(view["chips"]) if seat != self.seat)

    def move(self, view: dict[str, Any]) -> Action:
        """A match that it remembers; else one that it does not know; but not the third of a colour."""
        there: list[int] = view["on_deck"]
        known, unknown = self._memory.of(view["die"], there), self._memory.unknown(there)
        if self.strength == "hard" and self._is_the_third(view) and self._draws.draw(256) < DENIES:
            others = [dropping for dropping in there if dropping not in known and dropping not in unknown]
            return Lift(self.seat, dropping=self._any_of(others or unknown or there))
        return Lift(self.seat, dropping=self._any_of(known or unknown or there))

    def _is_the_third(self, view: dict[str, Any]) -> bool:
        """Whether it remembers two of the die's colour to be gone."""
        off = [dropping for dropping in self._memory.colors if dropping not in view["on_deck"]]
        return len(self._memory.of(view["die"], off)) == PER_COLOR - 1
