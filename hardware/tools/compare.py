"""Compares two folders of made files, of which other versions of the tools may have made one.

Texts are compared letter by letter. What another version would draw or compute a little differently is compared by what
it says: the words in a drawing of the circuit, the points of a flat one, the measures of a mesh, the numbers of a
simulation within a hundredth. Pictures and plots only have to be there: their sums are compared elsewhere.
"""

import json
import re
from math import isclose
from pathlib import Path

from tools.shapes import Measures, measure

NEAR = 0.01
_WORDS = ("schematic.svg", "harness.svg")
_POINTS = ("deck.svg", "deck.dxf")


def differences(fresh: Path, kept: Path) -> list[str]:
    """Return what in `kept` is not what `fresh` has, and which fresh parts cannot be printed."""
    names = {path.relative_to(folder) for folder in (fresh, kept) for path in folder.rglob("*") if path.is_file()}
    measures = json.loads((fresh / "shapes.json").read_text(encoding="utf-8"))
    found = [f"{name}: {problem}" for name, each in measures.items() for problem in Measures(**each).problems]
    for name in sorted(names):
        now, then = fresh / name, kept / name
        if not then.exists():
            found.append(f"{name} is missing")
        elif not now.exists():
            found.append(f"{name} is made by nobody")
        else:
            found += _differences(name, now, then, measures)
    return found


def _differences(name: Path, now: Path, then: Path, measures: dict[str, dict[str, object]]) -> list[str]:
    if name.suffix == ".png" or name.parent.name == "plots" or name.name == "sums.json":
        return []
    if name.suffix == ".stl":
        alike = _alike(Measures(**measures[name.stem]), measure(then))  # type: ignore[arg-type]
    elif name.name == "shapes.json":
        one, two = (json.loads(path.read_text(encoding="utf-8")) for path in (now, then))
        alike = one.keys() == two.keys() and all(_alike(Measures(**one[key]), Measures(**two[key])) for key in one)
    elif name.name == "numbers.json":
        return _numbers(now, then)
    elif name.name in _WORDS:
        alike = words(now) == words(then)
    elif name.name in _POINTS:
        alike = _points(now) == _points(then)
    else:
        alike = now.read_text(encoding="utf-8") == then.read_text(encoding="utf-8")
    return [] if alike else [f"{name} is stale"]


def words(path: Path) -> list[str]:
    """Return the words in an SVG drawing, sorted."""
    return sorted(re.findall(r">([^<>\n]+)</(?:text|tspan)>", path.read_text(encoding="utf-8")))


def _points(path: Path) -> list[float]:
    """The numbers of a flat drawing, sorted: its points, in whatever order they were written."""
    return sorted(round(float(word), 1) for word in re.findall(r"-?\d+\.?\d*", path.read_text(encoding="utf-8")))


def _numbers(now: Path, then: Path) -> list[str]:
    one, two = (json.loads(path.read_text(encoding="utf-8")) for path in (now, then))
    return [
        f"{key}: {two.get(key)} is {one.get(key)} now"
        for key in sorted(one.keys() | two.keys())
        if key not in one or key not in two or not isclose(one[key], two[key], rel_tol=NEAR, abs_tol=1e-3)
    ]


def _alike(one: Measures, other: Measures) -> bool:
    sides = all(isclose(a, b, abs_tol=0.02) for a, b in zip(one.box, other.box, strict=True))
    return one.watertight == other.watertight and sides and isclose(one.volume, other.volume, rel_tol=0.001)
