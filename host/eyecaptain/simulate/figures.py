"""What a series of games shows: wins, lengths and calls, each with its 95 % confidence interval."""

from collections import Counter
from collections.abc import Iterable
from math import sqrt
from typing import Any, NamedTuple

from eyecaptain.simulate.run import Played, Series

Z = 1.959964  # of the normal distribution, for 95 %


class Share(NamedTuple):
    """A share of a number, with its confidence interval (Wilson: it is right also for 0 of 10, and for few games)."""

    hits: int
    of: int

    @property
    def rate(self) -> float:
        """The share itself; 0 of nothing is 0."""
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The lower and the upper end; of nothing, nothing is known."""
        if not self.of:
            return 0.0, 1.0
        middle = (self.rate + Z * Z / (2 * self.of)) / (1 + Z * Z / self.of)
        half = Z / (1 + Z * Z / self.of) * sqrt(self.rate * (1 - self.rate) / self.of + Z * Z / (4 * self.of * self.of))
        # In exact arithmetic the ends are inside; at 0 and 1 they are 0 and 1.
        return (max(0.0, middle - half) if self.hits else 0.0), (min(1.0, middle + half) if self.hits < self.of else 1.0)

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        low, high = self.interval
        return {"count": self.hits, "of": self.of, "rate": _rounded(self.rate), "low": _rounded(low), "high": _rounded(high)}


class Length(NamedTuple):
    """How long games were: sums of whole numbers, so that the order of adding changes nothing."""

    counts: Counter[int]

    def as_json(self) -> dict[str, Any]:
        """Mean with its confidence interval (normal), shortest, median, longest."""
        number = self.counts.total()
        if not number:
            return {"mean": None, "low": None, "high": None, "shortest": None, "median": None, "longest": None}
        total = sum(length * times for length, times in self.counts.items())
        squares = sum(length * length * times for length, times in self.counts.items())
        mean = total / number
        variance = (squares * number - total * total) / (number * (number - 1)) if number > 1 else 0.0
        half = Z * sqrt(variance / number)
        ordered = sorted(self.counts.elements())
        return {
            "mean": _rounded(mean),
            "low": _rounded(mean - half),
            "high": _rounded(mean + half),
            "shortest": ordered[0],
            "median": ordered[(number - 1) // 2],
            "longest": ordered[-1],
        }


def _rounded(value: float) -> float:
    return round(value, 4)


class Figures:
    """Counts what is played; `add` it, then read `as_json`."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self.games = 0
        self.lifts: Counter[int] = Counter()
        self.rounds: Counter[int] = Counter()
        self._ends: Counter[str] = Counter()
        number = len(series.bots)
        self._wins = [0] * number  # by bot, as listed
        self._alone = [0] * number
        self._seat_wins = [0] * number
        self._right = [0] * number
        self._wrong = [0] * number
        self._strength_wins: Counter[str] = Counter()

    def add(self, played: Iterable[Played]) -> None:
        """Count some more games."""
        for _, seats, outcome in played:
            self.games += 1
            self.lifts[outcome.lifts] += 1
            self.rounds[outcome.rounds] += 1
            self._ends[outcome.status + (f" by {outcome.why}" if outcome.why else "")] += 1
            for seat in outcome.winners:
                self._wins[seats[seat]] += 1
                self._seat_wins[seat] += 1
                self._alone[seats[seat]] += len(outcome.winners) == 1
            self._strength_wins.update({self.series.bots[seats[seat]] for seat in outcome.winners})
            for seat, bot in enumerate(seats):
                self._right[bot] += outcome.right[seat]
                self._wrong[bot] += outcome.wrong[seat]

    def wins(self) -> list[Share]:
        """Of each bot, as listed."""
        return [Share(wins, self.games) for wins in self._wins]

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        series = self.series
        right, wrong = sum(self._right), sum(self._wrong)
        return {
            "game": series.game,
            "games": self.games,
            "seed": series.seed,
            "options": dict(series.options),
            "bots": [
                {
                    "strength": strength,
                    "wins": wins.as_json(),
                    "alone": Share(self._alone[bot], self.games).as_json(),
                    "calls": Share(self._right[bot], self._right[bot] + self._wrong[bot]).as_json(),
                }
                for bot, (strength, wins) in enumerate(zip(series.bots, self.wins(), strict=True))
            ],
            "strengths": {
                strength: Share(self._strength_wins[strength], self.games).as_json() for strength in dict.fromkeys(series.bots)
            },
            "seats": [Share(wins, self.games).as_json() for wins in self._seat_wins],
            "ends": {end: Share(count, self.games).as_json() for end, count in sorted(self._ends.items())},
            "lifts": Length(self.lifts).as_json(),
            "rounds": Length(self.rounds).as_json(),
            "calls": Share(right, right + wrong).as_json(),
        }
