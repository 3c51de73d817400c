"""A bot for game 1: it saves the die, and lifts what it remembers in the colour of the die."""

from typing import Any

from eyecaptain.games.base import Action, Recentre
from eyecaptain.games.bots.base import Bot
from eyecaptain.games.team import Final, Lift


class TeamBot(Bot):
    """Plays with the team."""

    def react(self, view: dict[str, Any]) -> Action | None:
        """Save the die when it is about to fall."""
        return Recentre("falling") if view["places"]["danger"] else None

    def move(self, view: dict[str, Any]) -> Action:
        """A remembered match; else one that it does not know; the last one by name when it remembers it."""
        there: list[int] = view["on_deck"]
        if len(there) == 1 and there[0] in self._seen:
            return Final(self._seen[there[0]])
        known = [dropping for dropping in there if self._seen.get(dropping) == view["die"]]
        unknown = [dropping for dropping in there if dropping not in self._seen]
        return Lift(self.seat, dropping=self._any_of(known or unknown or there))
