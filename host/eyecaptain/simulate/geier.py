"""Many games of Hol's der Geier by bots: by the fastest means that is installed, and what they show."""

import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.util import find_spec
from math import sqrt
from typing import Any

from eyecaptain.games.auction import ANIMALS
from eyecaptain.games.bots.geier import CARDS, POLICIES, Policy, choose
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import Deal
from eyecaptain.simulate.figures import Share, Z

AT_ONCE = {"numba": 20_000, "numpy": 5_000, "engine": 200}  # games between two words to whoever waits

Game = tuple[list[int], int, int]  # scores by seat, auctions without a taker, points forfeited


def means() -> str:
    """How games are played here: numba, numpy or engine. The same seed gives the same games by the same means."""
    if find_spec("numpy") is None:
        return "engine"
    return "numba" if find_spec("numba") is not None else "numpy"


def play(bots: Sequence[str], games: int, seed: str, by: str) -> Iterator[list[Game]]:
    """Play games; yields some at a time.

    :param bots: strengths.
    """
    policies = [POLICIES[bot] for bot in bots]
    for part, first in enumerate(range(0, games, AT_ONCE[by])):
        number = min(AT_ONCE[by], games - first)
        chance = int.from_bytes(sha256(f"{seed}/{part}".encode()).digest()[:7])
        yield (
            _arrays(policies, number, chance, by)
            if by != "engine"
            else [
                _game(policies, random.Random(f"{seed}/{first + index}"))  # noqa: S311 - a simulation
                for index in range(number)
            ]
        )


def _arrays(policies: Sequence[Policy], games: int, chance: int, by: str) -> list[Game]:
    if by == "numba":
        from eyecaptain.simulate import geiercompiled  # noqa: PLC0415 - an extra

        done = geiercompiled.simulated(chance, games, policies)
    else:
        from eyecaptain.simulate import geierarrays  # noqa: PLC0415 - an extra

        done = geierarrays.simulated(chance, games, policies)
    return list(zip(done.scores.tolist(), done.waits.tolist(), done.forfeited.tolist(), strict=True))


def _game(policies: Sequence[Policy], rng: random.Random) -> Game:
    """One game by the engine."""
    game = GeierGame([f"Bot {number}" for number in range(1, len(policies) + 1)])
    deck = list(ANIMALS)
    rng.shuffle(deck)
    game.apply(Deal(deck))
    waits = 0
    while not game.over:
        animals = game.animals(game.round)
        assert animals is not None
        pots = [sum(carry) + animal for carry, animal in zip(game.carry, animals, strict=True)]
        orders = [
            choose(sorted(hand), pots, policy, [rng.randbytes(CARDS), rng.randbytes(CARDS)])
            for hand, policy in zip(game.hands, policies, strict=True)
        ]
        waits += game.play_round(orders).takers.count(None)
    return game.scores(), waits, sum(game.forfeited)


class Figures:
    """Counts games; `add` them, then read `as_json`."""

    def __init__(self, bots: Sequence[str], seed: str, by: str) -> None:
        self._bots = bots
        self._seed = seed
        self._by = by
        self._games = 0
        self._wins = [0] * len(bots)
        self._alone = [0] * len(bots)
        self._points = [0] * len(bots)
        self._squares = [0] * len(bots)
        self._waits = 0
        self._lost = 0

    def add(self, games: Sequence[Game]) -> None:
        """Count some more games."""
        for scores, waits, forfeited in games:
            best = max(scores)
            alone = scores.count(best) == 1
            for seat, score in enumerate(scores):
                self._points[seat] += score
                self._squares[seat] += score * score
                if score == best:
                    self._wins[seat] += 1
                    self._alone[seat] += alone
            self._waits += waits
            self._lost += sum(scores) != sum(ANIMALS) or bool(forfeited)
        self._games += len(games)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values: wins (ties are won by all), points with their 95 % confidence interval."""
        return {
            "game": GeierGame.name,
            "games": self._games,
            "seed": self._seed,
            "by": self._by,
            "bots": [
                {
                    "strength": bot,
                    "wins": Share(self._wins[seat], self._games).as_json(),
                    "alone": Share(self._alone[seat], self._games).as_json(),
                    "points": self._mean(seat),
                }
                for seat, bot in enumerate(self._bots)
            ],
            "waits": round(self._waits / self._games, 4),
            "lost": Share(self._lost, self._games).as_json(),
        }

    def _mean(self, seat: int) -> dict[str, float]:
        mean = self._points[seat] / self._games
        variance = max(0.0, self._squares[seat] / self._games - mean * mean)
        half = Z * sqrt(variance / self._games)
        return {"mean": round(mean, 4), "low": round(mean - half, 4), "high": round(mean + half, 4)}
