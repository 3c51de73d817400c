"""Many simulated units on many evenings: each calibrated by its own walk, then judged on another evening."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from eyecaptain.boards.simulated.calibrated import walked
from eyecaptain.games.base import COLORS
from eyecaptain.sight.walk import Mistake
from eyecaptain.world.rig import Rig
from eyecaptain.world.window import NOTHING, Evening, Unit, View, flat, rolling, sitting, tilted
from eyedeck.core import die
from eyedeck.core.palette import Palette

A_COLOR = 5  # sittings of each colour
A_STRANGER = 5  # views of each thing that is no face lying flat
EVENINGS = 3  # on which a calibration is tried before a unit counts as refused
LEANING = "leaning"
LEANS = (10.0, 35.0)  # degrees of a die that leans: 4 mm under an edge make 10


class Tally(NamedTuple):
    """What became of the readings: (label, answer or reason) by single pairs, and how many units could not be calibrated."""

    answers: Counter[tuple[str, str]]
    refused: int

    def share(self, label: str, *answers: str) -> float:
        """How many of the readings of this label got one of these answers."""
        total = sum(count for (name, _), count in self.answers.items() if name == label)
        return sum(self.answers[label, answer] for answer in answers) / total

    @property
    def faces(self) -> dict[str, float]:
        """Shares of right, wrong and unknown readings of dice that lie flat."""
        counts: Counter[str] = Counter()
        for (label, answer), count in self.answers.items():
            if label in COLORS:
                counts["right" if answer == label else "wrong" if answer in COLORS else "unknown"] += count
        return {name: counts[name] / counts.total() for name in ("right", "wrong", "unknown")}

    def unknown(self, label: str) -> float:
        """How many of the readings of something that is no face were unknown."""
        return 1 - self.share(label, *COLORS)


def strangers(rng: Random) -> dict[str, Callable[[], View]]:
    """What must never be taken for a face."""
    return {
        "absent": lambda: NOTHING,
        "hand": lambda: flat("hand", sitting(rng)),
        "white paper": lambda: flat("white", sitting(rng)),
        "wood": lambda: flat("wood", sitting(rng)),
        "tilted": lambda: tilted(rng.choice(COLORS), rng.uniform(*LEANS), rng.choice((None, *COLORS))),
        "rolling": lambda: rolling(rng.choice(COLORS[:2]), rng.choice(COLORS[2:]), rng),
    }


def calibrated(seeds: str, count: int) -> Iterator[tuple[Random, Callable[[View], str] | None]]:
    """Calibrate so many units on an evening of their own; yield what judges a view on another one, None for a unit refused.

    :param seeds: keeps the seeds of a trial apart from those of others.
    """
    for number in range(count):
        rng = Random(f"{seeds}/{number}")
        unit = Unit.of(rng)
        values = None
        for _evening in range(EVENINGS):
            try:
                values = walked(unit, rng)
                break
            except Mistake:
                continue
        yield rng, None if values is None else _judging(Palette(values), Rig(unit, Evening.of(rng), rng))


def _judging(palette: Palette, rig: Rig) -> Callable[[View], str]:
    def judge(view: View) -> str:
        rig.view = view
        face, _conf, why = die.judge(*rig.pair(palette.cycles, palette.gain), palette)
        return face or str(why)

    return judge


def tried(seeds: str, count: int) -> Tally:
    """Judge dice that lie flat, and whatever else, on so many units."""

    def views(rng: Random) -> Iterator[tuple[str, View]]:
        for color in COLORS * A_COLOR:
            yield color, flat(color, sitting(rng))
        for label, view in strangers(rng).items():
            for _again in range(A_STRANGER):
                yield label, view()

    return _judged(seeds, count, views)


def leaning(seeds: str, count: int, degrees: float) -> Tally:
    """Judge dice that lean by so much, on so many units."""

    def views(rng: Random) -> Iterator[tuple[str, View]]:
        for color in COLORS * A_COLOR:
            yield LEANING, tilted(color, degrees, rng.choice((None, *COLORS)))

    return _judged(seeds, count, views)


def _judged(seeds: str, count: int, views: Callable[[Random], Iterator[tuple[str, View]]]) -> Tally:
    """Judge these labelled views on so many units; chance is one stream, so each is drawn when the one before is judged."""
    answers: Counter[tuple[str, str]] = Counter()
    refused = 0
    for rng, judge in calibrated(seeds, count):
        if judge is None:
            refused += 1
            continue
        for label, view in views(rng):
            answers[label, judge(view)] += 1
    return Tally(answers, refused)
