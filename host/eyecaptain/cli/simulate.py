"""`captain simulate`: bots against bots, many games, with figures."""

import csv
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import completion, console
from eyecaptain.cli.options import as_json
from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import N_, _, ngettext

ENDS = {
    "lost by conceded": N_("lost, given up"),
    "lost by count": N_("lost by count"),
    "lost by die": N_("lost by the die"),
    "won by count": N_("won by count"),
}


@click.command()
@click.argument("game", shell_complete=completion.games)
@click.option("--games", type=click.IntRange(1, 10_000_000), default=1000, show_default=True, help="How many games.")
@click.option(
    "--bots",
    default="medium,medium",
    show_default=True,
    help="2 to 4 bots (geier: more): easy, medium, hard.",
)
@click.option("--seed", metavar="S", help="The same seed gives the same games, whatever the number of jobs.")
@click.option("--open-corners", type=click.IntRange(0, 4), help="team: how many corners are open (1; more is harder).")
@click.option("--jobs", type=click.IntRange(1, 256), help="How many processes (default: one for each core).")
@click.option("--csv", "table", type=click.Path(dir_okay=False, path_type=Path), help="Write a row for each game to this file.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw a picture: a .png or .svg file.")
@as_json
def simulate(
    game: str,
    games: int,
    bots: str,
    seed: str | None,
    open_corners: int | None,
    jobs: int | None,
    table: Path | None,
    plot: Path | None,
    json: bool,
) -> None:
    """Let bots play GAME (team, solo, captain or geier) against each other, and say who wins, how often and how fast.

    Every seating comes equally often, so that no bot has the better seat. Intervals are confidence intervals (95 %). One game
    of it, with its seed, can be seen with: captain play GAME --bots 2:hard --board none --seed SEED-NUMBER.
    """
    if game == "geier":
        from eyecaptain.cli.geier.simulation import simulate_by_mail

        simulate_by_mail(_strengths(bots), games, seed, table, plot, json, {"open_corners": open_corners, "jobs": jobs})
        return
    from eyecaptain.simulate.figures import Figures
    from eyecaptain.simulate.run import Series, cores, run
    from eyecaptain.views import plots

    if plot is not None:
        plots.check(plot)
    options = {} if open_corners is None else {"open_corners": open_corners}
    series = Series(game, _strengths(bots), games, seed or secrets.token_hex(8), options)
    _check(series)
    figures = Figures(series)
    began = time.monotonic()
    with ExitStack() as stack:
        write = stack.enter_context(_table(table, series)) if table is not None else None
        parts = stack.enter_context(closing(run(series, jobs or cores())))
        for part in stack.enter_context(_progress(parts, games)):
            figures.add(part)
            if write is not None:
                write(part)
    if console.verbose or sys.stderr.isatty():
        console.say(_("{rate:.0f} games a second.").format(rate=games / (time.monotonic() - began)))
    result = figures.as_json()
    if plot is not None:
        plots.simulation(result, figures.lifts, plot)
    if json:
        console.emit(result)
    else:
        for line in _in_words(result):
            click.echo(line)


def _strengths(wish: str) -> tuple[str, ...]:
    """The strengths of --bots."""
    from eyecaptain.games.bots import STRENGTHS

    bots = tuple(strength.strip() for strength in wish.split(","))
    for strength in bots:
        if strength not in STRENGTHS:
            raise UsageProblem(
                _('--bots {wish}: there is no strength "{strength}".').format(wish=wish, strength=strength),
                _("There is: {strengths}.").format(strengths=", ".join(STRENGTHS)),
            )
    return bots


def _check(series: Any) -> None:
    """Whether there is such a game for so many bots with such options."""
    from eyecaptain.table.sitting import kind_of

    try:
        kind_of(series.game)([f"Bot {number}" for number in range(1, len(series.bots) + 1)], series.options)
    except ValueError as error:
        raise UsageProblem(f"{error}.", _("Example: captain simulate captain --bots hard,medium --games 1000")) from None


@contextmanager
def _progress(parts: Any, games: int) -> Iterator[Iterator[Any]]:
    """The parts of a series, with a bar on standard error while they come, if that is a terminal that can draw one."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield parts
        return
    with click.progressbar(length=games, label=_("Playing"), file=sys.stderr) as bar:

        def shown() -> Iterator[Any]:
            for part in parts:
                yield part
                bar.update(len(part))

        yield shown()


@contextmanager
def _table(path: Path, series: Any) -> Iterator[Callable[[Any], None]]:
    """A CSV file that is written as the games come."""
    from eyecaptain.simulate import table

    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(table.header(series))
            yield lambda played: writer.writerows(table.rows(series, played))
    except OSError as error:
        raise CaptainError(
            _("{path} cannot be written: {error}.").format(path=path, error=error.strerror or error), _("Name another file.")
        ) from None


def _in_words(result: dict[str, Any]) -> Iterator[str]:
    """The figures, line by line."""
    words = _("{game}: {number} games, seed {seed}. In brackets: confidence intervals (95 %).")
    yield words.format(game=result["game"], number=result["games"], seed=result["seed"])
    if (corners := result["options"].get("open_corners")) is not None:
        yield ngettext("{number} open corner.", "{number} open corners.", corners).format(number=corners)
    if result["game"] == "team":
        yield _("Team of {strengths}:").format(strengths=", ".join(_(bot["strength"]) for bot in result["bots"]))
        yield from _aligned((_(ENDS.get(end, end)), _percent(share)) for end, share in result["ends"].items())
    else:
        yield from _aligned(_wins(result))
    lifts = result["lifts"]
    words = _("Length: {mean:.1f} lifts ({low:.1f} to {high:.1f}), shortest {shortest}, median {median}, longest {longest}.")
    yield words.format(**lifts)
    if result["calls"]["of"]:
        calls = result["calls"]
        words = _("Calls: {right} right, {wrong} wrong; right {share}.")
        yield words.format(right=calls["count"], wrong=calls["of"] - calls["count"], share=_percent(calls))
        yield _("Rounds: {mean:.2f} ({low:.2f} to {high:.2f}), most {longest}.").format(**result["rounds"])


def _wins(result: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Who won how often: each bot, each seat."""
    for number, bot in enumerate(result["bots"], start=1):
        said = _("wins {share}").format(share=_percent(bot["wins"]))
        if bot["alone"] != bot["wins"]:
            said += ", " + _("alone {share}").format(share=_percent(bot["alone"]))
        if bot["calls"]["of"]:
            words = _("{number} calls, right {share}")
            said += "; " + words.format(number=bot["calls"]["of"], share=_percent(bot["calls"]))
        yield _("bot {number}, {strength}").format(number=number, strength=_(bot["strength"])), said
    for seat, share in enumerate(result["seats"]):
        yield _("seat {seat}").format(seat=seat), _("wins {share}").format(share=_percent(share))
    if result["ends"].get("unfinished"):
        yield _("unfinished"), _percent(result["ends"]["unfinished"])


def _aligned(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Two columns."""
    rows = list(rows)
    width = max((len(head) for head, words in rows), default=0)
    return (f"  {head:{width}}  {words}" for head, words in rows)


def _percent(share: dict[str, Any]) -> str:
    words = _("{rate:5.1f} % ({low:.1f} to {high:.1f})")
    return words.format(**{key: 100 * share[key] for key in ("rate", "low", "high")})
