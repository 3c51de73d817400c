"""From readings of known faces to a calibration: means and scatter of each kind of face, as `eyedeck.core.palette` takes them.

A kind's scatter is its own, mixed with the common one as far as there are few readings of it, and never less than a floor
(regularised discriminant analysis, Friedman 1989): a die that lies down once more reads a little differently, which a few
readings of one evening cannot show.
"""

from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

from eyedeck.core import die
from eyedeck.core.palette import KINDS

Point = tuple[float, float, float]  # as `die.features` returns them
Matrix = list[list[float]]

# Found on the first six tenths of the recordings and on simulated units of other seeds than those that tests judge by.
FLOOR: Point = (0.005 * die.SHARE, 0.005 * die.SHARE, 0.025 * die.LN)
COMMON = 80  # readings that the common scatter counts for
WIDTH = 0.5  # how much of the logarithm of a scatter's determinant counts: a normal density asks for all of it
GATE = 36  # squared standard deviations: what lies farther off is none of the faces
MARGIN = 3  # ... and the nearest face must be so much nearer than any of another colour; more if it lies farther off
ABSENT = 0.4  # of the darkest face's light: less means that nothing lies there
AMBIENT = 0.5  # of the darkest face's light: a room that adds more leaves no difference to trust
ALIKE = 36.0  # squared floors: faces nearer than that are one kind
_WIDEST = 65536


class Face(NamedTuple):
    """Readings of one face: the colour on top (0 to 3) and the features of each reading."""

    top: int
    points: Sequence[Point]


def mean(points: Sequence[Point]) -> Point:
    """The middle of some points."""
    red, green, bright = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    return red, green, bright


def far(a: Point, b: Point) -> float:
    """Squared distance of two points, in floors."""
    return sum(((x - y) / floor) ** 2 for x, y, floor in zip(a, b, FLOOR, strict=True))


def values(faces: Sequence[Face], *, gate: float = GATE, margin: float = MARGIN) -> dict[str, list[int]]:
    """The keys `c0`... and `gate` of a calibration.

    :raises ValueError: more than eight kinds of face.
    """
    grouped = _grouped(faces)
    if len(grouped) > len(KINDS):
        raise ValueError("a die has eight faces")
    scatters = [_scatter(points) for _, points in grouped]
    common = _sum([(1 / len(scatters), scatter) for scatter in scatters])
    found: dict[str, list[int]] = {}
    mixed = []
    for (_, points), scatter in zip(grouped, scatters, strict=True):
        share = len(points) / (len(points) + COMMON)
        mixed.append(_cholesky(_sum([(share, scatter), (1 - share, common)])))
    widths = [WIDTH * 2 * sum(log(lower[axis][axis]) for axis in range(3)) for lower in mixed]
    darkest = 65535.0
    for key, (top, points), lower, width in zip(KINDS, grouped, mixed, widths, strict=False):
        middle = mean(points)
        darkest = min(darkest, _clear(middle[2]))
        wider = round((width - min(widths)) * die.SIGMA**2)
        found[key] = [top, *map(round, middle), *_whitening(lower), min(wider, _WIDEST)]
    scale = die.SIGMA**2
    found["gate"] = [
        max(1, round(darkest * ABSENT)),
        max(1, round(darkest * AMBIENT)),
        round(gate * scale),
        round(margin * scale),
    ]
    return found


def separation(found: Mapping[str, Sequence[int]]) -> tuple[float, int, int]:
    """How many standard deviations apart the two colours are that are most alike, and which two."""
    listed = [tuple(found[key]) for key in KINDS if key in found]
    pairs = [(sqrt(die.distance(a[1], a[2], a[3], b)) / die.SIGMA, a[0], b[0]) for a in listed for b in listed if a[0] != b[0]]
    return min(pairs, default=(0.0, 0, 0))


def _grouped(faces: Sequence[Face]) -> list[tuple[int, list[Point]]]:
    groups: list[tuple[int, list[Point]]] = []
    for face in faces:
        for top, points in groups:
            if top == face.top and far(mean(points), mean(face.points)) < ALIKE * 4:
                points.extend(face.points)
                break
        else:
            groups.append((face.top, list(face.points)))
    return groups


def _clear(bright: float) -> float:
    """The count whose `die.ln` this is."""
    low, high = 1, 65535
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if die.ln(middle) >= bright else (middle + 1, high)
    return float(low)


def _scatter(points: Sequence[Point]) -> Matrix:
    """The covariance of some points."""
    middle = mean(points)
    count = max(1, len(points) - 1)
    return [
        [sum((point[i] - middle[i]) * (point[j] - middle[j]) for point in points) / count for j in range(3)] for i in range(3)
    ]


def _sum(parts: Sequence[tuple[float, Matrix]]) -> Matrix:
    return [[sum(share * matrix[i][j] for share, matrix in parts) for j in range(3)] for i in range(3)]


def _cholesky(matrix: Matrix) -> Matrix:
    """The lower triangle L with L L' = matrix (3 by 3); given those before it, no feature scatters less than its floor."""
    lower = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = max(sqrt(max(0.0, rest)), FLOOR[i]) if i == j else rest / lower[j][j]
    return lower


def _whitening(lower: Matrix) -> list[int]:
    """The six numbers of the inverse of L, row by row, as `die.distance` takes them."""
    (a, _, _), (b, c, _), (d, e, f) = lower
    inverse = (1 / a, -b / (a * c), 1 / c, (b * e - c * d) / (a * c * f), -e / (c * f), 1 / f)
    return [round(number * die.SIGMA * 2**die.SHIFT) for number in inverse]
