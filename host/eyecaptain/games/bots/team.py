"""A bot for game 1: it saves the die, and lifts what it remembers in the colour of the die.

It never waits: a missed lift puts a dropping back into the centre and shows its colour, and the eye rolls as long before
the next lift as it would while waiting (C7).
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from eyecaptain.games.base import Action, Recentre
from eyecaptain.games.bots.base import Bot
from eyecaptain.games.bots.chances import hidden
from eyecaptain.games.bots.memory import Mind
from eyecaptain.games.team import Final, Lift

# What it is worth to bring a dropping back from each zone on the way to an open corner (C7), in droppings.
WORTH_SAVING = (0.0, 0.1, 0.4, 1.6)
WORTH_KNOWING = 0.2  # ... and to see a colour


class TeamBot(Bot):
    """Plays with the team.

    Easy lifts any match that it remembers, or any dropping; medium, without a match, one that lies farthest out; hard
    weighs how likely a match is against how soon a dropping falls.
    """

    minds: ClassVar[Mapping[str, Mind]] = {
        "easy": Mind(takes_in=205, forgets=38, mixes_up=20, alert=150),
        "medium": Mind(takes_in=236, forgets=15, mixes_up=8, alert=205),
        "hard": Mind(takes_in=252, forgets=3, mixes_up=2, alert=250),
    }

    def react(self, view: dict[str, Any]) -> Action | None:
        """Save the die when it is about to fall, if it is looking."""
        return Recentre("falling") if self._alert and view["places"]["danger"] else None

    def move(self, view: dict[str, Any]) -> Action:
        """A match that it remembers, else what its strength makes of the deck; the last one by name, when it knows it."""
        there: list[int] = view["on_deck"]
        known = self._memory.of(view["die"], there)
        last = self._memory.colors.get(there[0]) if len(there) == 1 and not known else None
        if last is not None:
            return Final(last)
        if self.strength == "hard":
            return Lift(self.seat, dropping=self._best_of(there, view))
        choice = known or self._memory.unknown(there) or there
        if self.strength == "medium" and not known:
            zones = view["places"]["droppings"]
            farthest = max(zones[str(dropping)] for dropping in choice)
            choice = [dropping for dropping in choice if zones[str(dropping)] == farthest]
        return Lift(self.seat, dropping=self._any_of(choice))

    def _best_of(self, there: list[int], view: dict[str, Any]) -> int:
        """The dropping whose lift promises most: a match, its rescue from the edge, and what there is to learn."""
        colors = self._memory.colors
        left = hidden(colors)
        match: float = left[view["die"]] / max(1, sum(left.values()))
        zones, corners = view["places"]["droppings"], view["places"]["corners"]

        def worth(dropping: int) -> float:
            may_fall = corners[str(dropping)] < view["open_corners"]  # the open corners are the first ones (C7)
            saved = WORTH_SAVING[zones[str(dropping)]] if may_fall else 0.0
            if dropping in colors:
                return saved + float(colors[dropping] == view["die"])
            return saved + match + WORTH_KNOWING

        best = max(map(worth, there))
        return self._any_of([dropping for dropping in there if worth(dropping) == best])
