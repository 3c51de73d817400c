"""`captain simulate`: bots against bots, many games, with figures."""

import csv
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.options import as_json
from eyecaptain.errors import CaptainError, UsageProblem


@click.command()
@click.argument("game")
@click.option("--games", type=click.IntRange(1, 10_000_000), default=1000, show_default=True, help="How many games.")
@click.option("--bots", default="medium,medium", show_default=True, help="2 to 4 bots: easy, medium or hard, with commas.")
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
    """Let bots play GAME (team, solo or captain) against each other, and say who wins, how often and how fast.

    Every seating comes equally often, so that no bot has the better seat. Intervals are confidence intervals (95 %). One game
    of it, with its seed, can be seen with: captain play GAME --bots 2:hard --board none --seed SEED-NUMBER.
    """
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
        console.say(f"{games / (time.monotonic() - began):.0f} games a second.")
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
            raise UsageProblem(f'--bots {wish}: there is no strength "{strength}".', f"There is: {', '.join(STRENGTHS)}.")
    return bots


def _check(series: Any) -> None:
    """Whether there is such a game for so many bots with such options."""
    from eyecaptain.table.sitting import kind_of

    try:
        kind_of(series.game)([f"Bot {number}" for number in range(1, len(series.bots) + 1)], series.options)
    except ValueError as error:
        raise UsageProblem(f"{error}.", "Example: captain simulate captain --bots hard,medium --games 1000") from None


@contextmanager
def _progress(parts: Any, games: int) -> Iterator[Iterator[Any]]:
    """The parts of a series, with a bar on standard error while they come, if that is a terminal that can draw one."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield parts
        return
    with click.progressbar(length=games, label="Playing", file=sys.stderr) as bar:

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
        raise CaptainError(f"{path} cannot be written: {error.strerror or error}.", "Name another file.") from None


def _in_words(result: dict[str, Any]) -> Iterator[str]:
    """The figures, line by line."""
    options = "".join(f", {value} {name.replace('_', ' ')}" for name, value in result["options"].items())
    yield f"{result['game']}: {result['games']} games{options}, seed {result['seed']}. In brackets: 95 % confidence intervals."
    if result["game"] == "team":
        yield f"Team of {', '.join(bot['strength'] for bot in result['bots'])}:"
        for end, share in result["ends"].items():
            yield f"  {end:14} {_percent(share)}"
    else:
        for number, bot in enumerate(result["bots"], start=1):
            alone = f", alone {_percent(bot['alone'])}" if bot["alone"] != bot["wins"] else ""
            calls = bot["calls"]
            right = f"; {calls['of']} calls, right {_percent(calls)}" if calls["of"] else ""
            yield f"  bot {number}, {bot['strength']:6}  wins {_percent(bot['wins'])}{alone}{right}"
        for seat, share in enumerate(result["seats"]):
            yield f"  seat {seat}         wins {_percent(share)}"
        if result["ends"].get("unfinished"):
            yield f"  unfinished     {_percent(result['ends']['unfinished'])}"
    lifts = result["lifts"]
    yield (
        f"Length: {lifts['mean']:.1f} lifts ({lifts['low']:.1f} to {lifts['high']:.1f}), "
        f"shortest {lifts['shortest']}, median {lifts['median']}, longest {lifts['longest']}."
    )
    if result["calls"]["of"]:
        calls = result["calls"]
        rounds = result["rounds"]
        yield f"Calls: {calls['count']} right, {calls['of'] - calls['count']} wrong; right {_percent(calls)}."
        yield f"Rounds: {rounds['mean']:.2f} ({rounds['low']:.2f} to {rounds['high']:.2f}), most {rounds['longest']}."


def _percent(share: dict[str, Any]) -> str:
    return f"{100 * share['rate']:5.1f} % ({100 * share['low']:.1f} to {100 * share['high']:.1f})"
