"""What all sessions together show: wins, calls, colours, how long turns and games are."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from eyecaptain.errors import BrokenSession
from eyecaptain.games.base import COLORS, Deal, Game, Refused, Turn
from eyecaptain.sessions import replay
from eyecaptain.sessions.log import Session
from eyecaptain.sessions.replay import Step


@dataclass(slots=True)
class Player:
    """A person under one name, or all bots of one strength."""

    name: str
    bot: str | None
    games: int = 0  # that are over
    wins: int = 0
    right: int = 0
    wrong: int = 0
    lifts: int = 0
    matches: int = 0
    turns: list[float] = field(default_factory=list)  # seconds

    def as_json(self) -> dict[str, Any]:
        """Plain values; the time of a turn is the median, which a long dinner does not change."""
        return {
            "name": self.name,
            "bot": self.bot,
            "games": self.games,
            "wins": self.wins,
            "calls_right": self.right,
            "calls_wrong": self.wrong,
            "lifts": self.lifts,
            "matches": self.matches,
            "turn_seconds": round(median(self.turns), 3) if self.turns else None,
        }


class Stats:
    """Counts sessions; `add` them, then read `as_json`. What was taken back does not count."""

    def __init__(self) -> None:
        self._players: dict[tuple[str, bool], Player] = {}
        self._games: dict[str, Counter[str]] = {}
        self._found = dict.fromkeys(COLORS, 0)
        self._faces = dict.fromkeys(COLORS, 0)
        self._broken = 0
        self._most: tuple[int, str, str] = (0, "", "")
        self._longest: tuple[float, str, str] = (0.0, "", "")

    def add_all(self, sessions: Iterable[tuple[str, Session]]) -> None:
        """Count sessions under their ids."""
        for name, session in sessions:
            try:
                self.add(name, session)
            except (BrokenSession, Refused):
                self.add_broken()

    def add_broken(self) -> None:
        """A session that cannot be read."""
        self._broken += 1

    def add(self, name: str, session: Session) -> None:
        """Count one session; one that breaks off in the middle changes nothing.

        :raises BrokenSession, Refused: it cannot be replayed.
        """
        history = replay.new_history(session.header)
        steps = list(replay.steps(session, history))
        game = history.game
        counted = {past.key for past in history.past}
        counts = self._games.setdefault(game.name, Counter())
        counts["sessions"] += 1
        counts["finished"] += game.over
        players = self._seated(session.header, game)
        lifts = 0
        since: float | None = None  # when the tongs came to whoever has them
        for step in steps:
            if step.entry.key in counted:
                lifts += step.action.type == "lift"
                self._count(step, players, since)
            if step.action.type in ("lift", "call") or isinstance(step.action, Deal | Turn):
                since = step.entry.t
            elif step.action.type in ("pause", "resume", "undo", "link"):
                since = None  # nobody knows how long they thought
        self._end(game, players)
        counts["lifts"] += lifts
        seconds = next((step.entry.t for step in reversed(steps) if step.entry.t is not None), 0.0)
        self._most = max(self._most, (lifts, name, game.name), key=lambda found: found[0])
        self._longest = max(self._longest, (seconds, name, game.name), key=lambda found: found[0])

    def _seated(self, header: dict[str, Any], game: Game) -> list[Player]:
        """Who sits where."""
        bots = header["bots"] or [None] * len(game.players)
        found = []
        for player, bot in zip(game.players, bots, strict=True):
            key = (bot or player.casefold(), bot is not None)
            found.append(self._players.setdefault(key, Player(player if bot is None else f"bots, {bot}", bot)))
        return found

    def _count(self, step: Step, players: list[Player], since: float | None) -> None:
        """What one action was."""
        for effect in step.news:
            player = players[effect.seat] if effect.seat is not None else None
            match effect.kind:
                case "die" if effect.color is not None:
                    self._faces[effect.color] += 1
                case "call_right" if player is not None:
                    player.right += 1
                case "call_wrong" if player is not None:
                    player.wrong += 1
                case "match" | "miss" if player is not None:
                    player.lifts += 1
                    player.matches += effect.kind == "match"
                    if effect.color is not None:
                        self._found[effect.color] += 1
                    if since is not None and step.entry.t is not None:
                        player.turns.append(step.entry.t - since)

    @staticmethod
    def _end(game: Game, players: list[Player]) -> None:
        """Who won; two bots of one strength count as two players."""
        if game.over:
            winners = game.winners()
            for seat, player in enumerate(players):
                player.games += 1
                player.wins += seat in winners

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values; people first, by name."""
        turns = [seconds for player in self._players.values() if player.bot is None for seconds in player.turns]
        lifts, most_id, most_game = self._most
        seconds, longest_id, longest_game = self._longest
        return {
            "sessions": sum(counts["sessions"] for counts in self._games.values()),
            "finished": sum(counts["finished"] for counts in self._games.values()),
            "broken": self._broken,
            "games": {
                name: {key: counts[key] for key in ("sessions", "finished", "lifts")}
                for name, counts in sorted(self._games.items())
            },
            "players": [self._players[key].as_json() for key in sorted(self._players, key=lambda key: (key[1], key[0]))],
            "turn_seconds": round(median(turns), 3) if turns else None,
            "colors": {"found": self._found, "die": self._faces},
            "longest": {
                "lifts": {"id": most_id, "game": most_game, "lifts": lifts} if most_id else None,
                "time": {"id": longest_id, "game": longest_game, "seconds": seconds} if longest_id else None,
            },
        }
