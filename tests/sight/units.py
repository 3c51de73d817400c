"""Many simulated units on many evenings: each calibrated by its own walk, then judged on another evening."""

from collections import Counter
from collections.abc import Callable
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


def tried(seeds: str, count: int) -> Tally:
    """Calibrate so many units on an evening of their own, and judge each on another one.

    :param seeds: keeps the seeds of a trial apart from those of others.
    """
    answers: Counter[tuple[str, str]] = Counter()
    refused = 0
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
        if values is None:
            refused += 1
            continue
        palette = Palette(values)
        rig = Rig(unit, Evening.of(rng), rng)

        def judge(view: View, rig: Rig = rig, palette: Palette = palette) -> str:
            rig.view = view
            on, off = rig.pair(palette.cycles, palette.gain)
            face, _conf, why = die.judge(on, off, palette)
            return face or str(why)

        for color in COLORS * A_COLOR:
            answers[color, judge(flat(color, sitting(rng)))] += 1
        for label, view in strangers(rng).items():
            for _again in range(A_STRANGER):
                answers[label, judge(view())] += 1
    return Tally(answers, refused)
