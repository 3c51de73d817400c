"""How well the classifier tells recorded colours apart: right, wrong, unknown; by colour; and the price of being sure."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eyecaptain.errors import UsageProblem
from eyecaptain.games.base import COLORS
from eyecaptain.language import _
from eyecaptain.sight import fit
from eyecaptain.sight.recording import Row
from eyecaptain.sight.walk import Shades
from eyedeck.core import die
from eyedeck.core.palette import Palette

HELD_OUT = 0.4  # of the files, groups or time
STRICTNESS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0)
LEAST = 5  # readings of a colour to learn from


@dataclass(slots=True)
class Score:
    """What became of readings.

    :ivar confusion: by label, then by answer: a colour, or the reason why none.
    :ivar points: (label, answer, share of red, share of green) of each reading, for a picture.
    """

    confusion: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    points: list[tuple[str, str, float, float]] = field(default_factory=list)

    def add(self, label: str, face: str | None, why: str | None) -> None:
        """One reading's answer."""
        self.confusion[label][face or str(why)] += 1

    def rates(self, labels: Sequence[str] | None = None) -> dict[str, Any]:
        """How many of these readings (default: all of the die's colours) were right, wrong, unknown."""
        chosen = [label for label in (labels or COLORS) if label in self.confusion]
        total = sum(self.confusion[label].total() for label in chosen)
        right = sum(self.confusion[label][label] for label in chosen)
        named = sum(self.confusion[label][color] for label in chosen for color in COLORS)
        reasons: Counter[str] = Counter()
        for label in chosen:
            reasons.update({name: count for name, count in self.confusion[label].items() if name not in COLORS})
        share = max(1, total)
        return {
            "readings": total,
            "right": right / share,
            "wrong": (named - right) / share,
            "unknown": (total - named) / share,
            "reasons": dict(reasons),
        }

    def others(self) -> dict[str, float]:
        """By each label that is no colour of the die: the share that was rightly not taken for one."""
        return {label: self.rates([label])["unknown"] for label in self.confusion if label not in COLORS}


def held_out(rows: Sequence[Row]) -> str:
    """What is held out when nobody says it: groups, else files, where the others have every colour to learn from; else time.

    Who records one colour after the other, as the README does, makes a group of each.
    """
    for by, names in (("group", {row.group for row in rows}), ("file", {row.source for row in rows})):
        if len(names) > 1:
            counts = Counter(row.label for row in split(rows, by)[0])
            if all(counts[color] >= LEAST for color in COLORS):
                return by
    return "time"


def split(rows: Sequence[Row], by: str) -> tuple[list[Row], list[Row]]:
    """Rows to learn from, and rows held out: the last two fifths of the files, of the groups, or of each label's time.

    Never random rows: neighbours are near copies of one another.

    :raises UsageProblem: there are not two of what is held out.
    """
    if by == "time":
        numbered: dict[tuple[str, str], int] = {}
        for row in rows:
            numbered[row.source, row.label] = numbered.get((row.source, row.label), 0) + 1
        seen: Counter[tuple[str, str]] = Counter()
        learn: list[Row] = []
        held: list[Row] = []
        for row in rows:
            place = seen[row.source, row.label] / numbered[row.source, row.label]
            seen[row.source, row.label] += 1
            (learn if place < 1 - HELD_OUT else held).append(row)
        return learn, held
    names = list(dict.fromkeys(row.source if by == "file" else row.group for row in rows))
    if len(names) < 2:
        what = _("only one file") if by == "file" else _("no two groups")
        raise UsageProblem(
            _("There is {what}, so none can be held out.").format(what=what), _("Hold out by time: --hold-out time")
        )
    if by == "group" and all(name.isdecimal() for name in names):
        names.sort(key=int)
    first = max(1, min(len(names) - 1, round(len(names) * (1 - HELD_OUT))))
    kept = set(names[:first])
    learn = [row for row in rows if (row.source if by == "file" else row.group) in kept]
    held = [row for row in rows if (row.source if by == "file" else row.group) not in kept]
    return learn, held


def learn(rows: Sequence[Row]) -> dict[str, list[int]]:
    """A calibration from labelled readings, as `captain calibrate` would make one; there is no dark and no white here.

    It may be one that a board would refuse, because two colours are too much alike: what it is worth is what is asked.

    :raises UsageProblem: a colour has too few readings, or the exposures differ.
    """
    exposures = {(row.cycles, row.gain) for row in rows}
    if len(exposures) > 1:
        raise UsageProblem(
            _("The readings have different exposures: {list}.").format(list=sorted(exposures)),
            _("Record them anew, or evaluate the files one by one."),
        )
    counts = Counter(row.label for row in rows)
    few = [f"{color} {counts[color]}" for color in COLORS if counts[color] < LEAST]
    if few:
        raise UsageProblem(
            _("There are too few readings to learn from: {few}.").format(few=", ".join(few)),
            _("Each of red, green, blue and yellow needs {least}.").format(least=LEAST),
        )
    base: dict[str, list[int]] = {"exp": list(*exposures), "dark": [0] * 4, "white": [die.WEIGHT] * 3}
    shades = Shades(base)
    faces = [
        fit.Face(top, [die.features(*row.pair.lit, shades) for row in rows if row.label == color])
        for top, color in enumerate(COLORS)
    ]
    return base | fit.values(faces)


def judge(rows: Sequence[Row], values: Mapping[str, list[int]], strictness: float = 1.0) -> Score:
    """Have the classifier judge readings, one by one.

    :param strictness: how much farther the nearest colour has to be ahead of the others than on the board.
    :raises UsageProblem: a reading was exposed otherwise than the calibration.
    """
    palette = Palette(values, apart=0)
    palette.margin = round(palette.margin * strictness)
    score = Score()
    for row in rows:
        if (row.cycles, row.gain) != (palette.cycles, palette.gain):
            raise UsageProblem(
                _("{file} was recorded with {cycles} cycles at gain {gain}, the calibration has {want}.").format(
                    file=row.source, cycles=row.cycles, gain=row.gain, want=values["exp"]
                ),
                _("Record with the calibration on the board."),
            )
        face, _conf, why = die.judge(row.pair.on, row.pair.off, palette)
        score.add(row.label, face, why)
        red, green, _bright = die.features(*row.pair.lit, palette)
        score.points.append((row.label, face or str(why), red / die.SHARE, green / die.SHARE))
    return score


def curve(rows: Sequence[Row], values: Mapping[str, list[int]]) -> list[dict[str, float]]:
    """Wrong against unknown, from lenient to strict."""
    found = []
    for strictness in STRICTNESS:
        rates = judge(rows, values, strictness).rates()
        found.append({"strictness": strictness, "wrong": rates["wrong"], "unknown": rates["unknown"]})
    return found
