"""`captain simulate geier`: bots against bots by mail, in their thousands."""

import csv
import os
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import _


def simulate_by_mail(
    bots: Sequence[str],
    games: int,
    seed: str | None,
    table: Path | None,
    plot: Path | None,
    json: bool,
    others: dict[str, object],
) -> None:
    """Play the games and say what came of them.

    :param others: options that are for other games; none may be given.
    """
    from eyecaptain.simulate.geier import Figures, means, play
    from eyecaptain.views import plots

    for name, value in others.items():
        if value is not None:
            option = "--" + name.replace("_", "-")
            raise UsageProblem(_("geier has no option {name}.").format(name=option), _("captain simulate --help"))
    if len(bots) < 2:
        raise UsageProblem(_("geier is for 2 or more players."), _("captain simulate geier --bots hard,medium,easy"))
    if plot is not None:
        plots.check(plot)
    by = means()
    figures = Figures(bots, seed := seed or secrets.token_hex(8), by)
    began = time.monotonic()
    done = 0
    with ExitStack() as stack:
        writer = stack.enter_context(_table(table, len(bots))) if table is not None else None
        bar = stack.enter_context(_progress(games))
        for part in play(bots, games, seed, by):
            figures.add(part)
            if writer is not None:
                writer.writerows([done + index, *scores, waits, lost] for index, (scores, waits, lost) in enumerate(part))
            done += len(part)
            bar(len(part))
    if console.verbose or sys.stderr.isatty():
        console.say(
            _("{number} games a second, by {means}.").format(number=round(games / (time.monotonic() - began)), means=by)
        )
    result = figures.as_json()
    if plot is not None:
        plots.simulation_by_mail(result, plot)
    if json:
        console.emit(result)
        return
    for line in _in_words(result):
        click.echo(line)


@contextmanager
def _progress(games: int) -> Iterator[Any]:
    """A bar on standard error, if that is a terminal that can draw one."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _number: None
        return
    with click.progressbar(length=games, label=_("Playing"), file=sys.stderr) as bar:
        yield bar.update


@contextmanager
def _table(path: Path, bots: int) -> Iterator[Any]:
    """A CSV file that is written as the games come."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["game", *(f"points_{seat}" for seat in range(bots)), "waits", "forfeited"])
            yield writer
    except OSError as error:
        raise CaptainError(
            _("{path} cannot be written: {error}.").format(path=path, error=error.strerror or error), _("Name another file.")
        ) from None


def _in_words(result: dict[str, Any]) -> Iterator[str]:
    yield _("geier: {games} games, seed {seed}. In brackets: confidence intervals (95 %).").format(**result)
    for number, bot in enumerate(result["bots"], start=1):
        points = "{mean:+.2f} ({low:+.2f} to {high:+.2f})".format(**bot["points"])
        wins, alone = _percent(bot["wins"]), _percent(bot["alone"])
        strength = f"{bot['strength']:6}"
        yield _("  bot {number}, {strength}  wins {wins}, alone {alone}, points {points}").format(
            number=number, strength=strength, wins=wins, alone=alone, points=points
        )
    yield _("All knocked out: {waits} auctions a game; animals lost in the end: {lost}.").format(
        waits=f"{result['waits']:.2f}", lost=_percent(result["lost"])
    )


def _percent(share: dict[str, Any]) -> str:
    return f"{100 * share['rate']:5.1f} % ({100 * share['low']:.1f} to {100 * share['high']:.1f})"
