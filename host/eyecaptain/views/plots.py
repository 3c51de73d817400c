"""Pictures of figures, as PNG or SVG (matplotlib, extra `plot`)."""

from __future__ import annotations

import importlib.util
import itertools
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import _

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = (".png", ".svg")
# Told apart also by people who see colours differently (Okabe and Ito), and by their place in the picture.
INK, FILL, OTHER = "#333333", "#0072B2", "#E69F00"


def check(path: Path) -> None:
    """Find out before the work whether a picture can be drawn.

    :raises UsageProblem: it is neither PNG nor SVG, or matplotlib is not there.
    """
    if path.suffix.lower() not in KINDS:
        raise UsageProblem(
            _("--plot {path}: a plot is a .png or an .svg file.").format(path=path), _("Example: --plot wins.svg")
        )
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageProblem(_("A plot needs matplotlib, which is not installed."), "pip install 'eye-eye-captain[plot]'")


def simulation(figures: Mapping[str, Any], lengths: Mapping[int, int], path: Path) -> None:
    """Wins of each bot with their confidence intervals, and how long games were."""
    figure = _figure(10, 4)
    wins, long = figure.subplots(1, 2)
    team = figures["game"] == "team"
    bots = figures["bots"][:1] if team else figures["bots"]
    _wins(wins, figures, bots, [_("all together")] if team else _names(bots))
    long.bar(list(lengths), list(lengths.values()), width=1.0, color=OTHER)
    _name(long, _("Length"), _("lifts in a game"), _("games"))
    _save(figure, path)


def simulation_by_mail(figures: Mapping[str, Any], path: Path) -> None:
    """Wins and points of each bot with their confidence intervals."""
    bots = figures["bots"]
    figure = _figure(max(10, 2 * len(bots)), 4)
    wins, points = figure.subplots(1, 2)
    _wins(wins, figures, bots, _names(bots))
    means = [bot["points"] for bot in bots]
    _bars(points, [mean["mean"] for mean in means], [mean["low"] for mean in means], [mean["high"] for mean in means], OTHER)
    points.set_xticks(range(len(bots)), _names(bots), rotation=30, ha="right")
    points.axhline(0, color=INK, linewidth=0.8)
    _name(points, _("Points"), "", _("points in a game (interval: 95 %)"))
    _save(figure, path)


def _names(bots: Sequence[Mapping[str, Any]]) -> list[str]:
    words = _("{strength} (bot {number})")
    return [words.format(strength=_(bot["strength"]), number=number) for number, bot in enumerate(bots, start=1)]


def _wins(axes: Axes, figures: Mapping[str, Any], bots: Sequence[Mapping[str, Any]], names: Sequence[str]) -> None:
    """How many of its games each bot won."""
    rates, low, high = ([100 * bot["wins"][key] for bot in bots] for key in ("rate", "low", "high"))
    _bars(axes, rates, low, high, FILL)
    axes.set_xticks(range(len(bots)), names, rotation=30, ha="right")
    axes.set_ylim(0, 100)
    title = _("{game}: {number} games").format(game=figures["game"], number=figures["games"])
    _name(axes, title, "", _("games won, % (interval: 95 %)"))


def _bars(axes: Axes, values: Sequence[float], low: Sequence[float], high: Sequence[float], color: str) -> None:
    """Bars with their intervals."""
    errors = [
        [max(0.0, value - end) for value, end in zip(values, low, strict=True)],
        [max(0.0, end - value) for value, end in zip(values, high, strict=True)],
    ]
    axes.bar(range(len(values)), values, yerr=errors, color=color, ecolor=INK, capsize=6)


def sessions(stats: Mapping[str, Any], path: Path) -> None:
    """Games played and won, calls, and times of turns, by player."""
    figure = _figure(12, 4)
    wins, calls, times = figure.subplots(1, 3)
    players = stats["players"]
    names = [player["name"].replace("$", r"\$") for player in players]  # a name is no formula
    _pair(wins, names, [player["games"] for player in players], [player["wins"] for player in players], (_("games"), _("won")))
    _name(wins, _("Games over"), "", _("games"))
    right, wrong = ([player[key] for player in players] for key in ("calls_right", "calls_wrong"))
    _pair(calls, names, right, wrong, (_("right"), _("wrong")))
    _name(calls, _("Calls"), "", _("calls"))
    times.bar(range(len(players)), [player["turn_seconds"] or 0.0 for player in players], color=FILL)
    times.set_xticks(range(len(players)), names, rotation=30, ha="right")
    _name(times, _("Time of a turn"), "", _("seconds (median)"))
    _save(figure, path)


# By the words that the classifier uses; what is none of them is drawn in grey.
DIE_COLORS = {"red": "#D55E00", "green": "#009E73", "blue": "#0072B2", "yellow": "#F0E442"}
MARKS = {"red": "o", "green": "s", "blue": "^", "yellow": "D"}
OTHER_MARKS = "x+1234"


def colors(points: Sequence[tuple[str, str, float, float]], curve: Sequence[Mapping[str, float]], path: Path) -> None:
    """Shares of red and green of judged readings, and what being stricter costs.

    :param points: (label, answer, share of red, share of green).
    :param curve: `wrong` and `unknown`, as shares.
    """
    figure = _figure(12, 6)
    scatter, price = figure.subplots(1, 2)
    labels = list(dict.fromkeys(point[0] for point in points))
    others = dict(zip((label for label in labels if label not in MARKS), itertools.cycle(OTHER_MARKS), strict=False))
    for label in labels:
        mine = [point for point in points if point[0] == label]
        style = {"color": DIE_COLORS.get(label, "#999999"), "marker": (MARKS | others)[label]}
        scatter.scatter([point[2] for point in mine], [point[3] for point in mine], s=14, label=label, **style)
    odd = [point for point in points if point[0] in MARKS and point[1] != point[0]]
    scatter.scatter(
        [point[2] for point in odd],
        [point[3] for point in odd],
        s=60,
        facecolors="none",
        edgecolors=INK,
        label="not known, or wrong",
    )
    scatter.legend()
    _name(scatter, "Readings", "share of red", "share of green")
    price.plot([100 * step["unknown"] for step in curve], [100 * step["wrong"] for step in curve], marker="o", color=FILL)
    _name(price, "From lenient to strict", "unknown, %", "wrong, %")
    _save(figure, path)


def _pair(axes: Axes, names: Sequence[str], one: Sequence[int], other: Sequence[int], legend: tuple[str, str]) -> None:
    """Two bars beside each other for each name."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - an extra, and slow to import

    axes.bar([place - 0.2 for place in range(len(names))], one, width=0.4, color=FILL, label=legend[0])
    axes.bar([place + 0.2 for place in range(len(names))], other, width=0.4, color=OTHER, label=legend[1])
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend()


def _name(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set_title(title, parse_math=False)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def _figure(width: float, height: float) -> Figure:
    """An empty picture, drawn without any screen."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra, and slow to import

    return Figure(figsize=(width, height), layout="constrained")


def _save(figure: Figure, path: Path) -> None:
    """Write it; the same figures give the same file."""
    import matplotlib as mpl  # noqa: PLC0415 - as above

    svg = path.suffix.lower() == ".svg"
    try:
        with warnings.catch_warnings(), mpl.rc_context({"svg.hashsalt": "eye-eye-captain", "svg.fonttype": "none"}):
            warnings.simplefilter("ignore")  # a name with characters that the font does not have
            figure.savefig(path, metadata={"Date": None} if svg else {"Software": None})
    except OSError as error:
        raise CaptainError(
            _("{path} cannot be written: {error}.").format(path=path, error=error.strerror or error), _("Name another file.")
        ) from None
