"""`captain doctor`: who a board is, and how good the link to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.options import as_json
from eyecaptain.language import _

FAILED = 7  # the exit code: the board failed a check


@click.command()
@click.option("--board", metavar="auto|sim|PORT", default="auto", help="Which board (auto: the one that is attached).")
@click.option("--link", is_flag=True, help="Measure the link: round trip, throughput, loss; nothing moves.")
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=3.0, show_default=True, help="How long to measure each.")
@as_json
def doctor(*, board: str, link: bool, seconds: float, json: bool) -> None:
    """Ask a board who it is and how it is; --link measures the link to it.

    Nothing moves. The exit code is 7 when the link is too bad to play with.
    """
    from eyecaptain.link.client import Client
    from eyecaptain.link.health import measure
    from eyecaptain.link.tape import Tape

    bytes_by = [0]

    def count(_at: float, _way: str, text: str) -> None:
        bytes_by[0] += len(text) + 1  # its line feed

    with _port(board) as port, Client(port, lambda _: None, say=console.say, tape=Tape(count)) as client:
        found = client.hello.raw
        health = measure(client, seconds, lambda: bytes_by[0]) if link else None
    if json:
        console.emit({"board": found, **({"link": health.as_json()} if health else {})})
    else:
        words = _("{board} {uid} at {port}, firmware {fw} ({build}) answers.")
        click.echo(words.format(port=port, **{key: found[key] for key in ("board", "uid", "fw", "build")}))
        for line in health.lines() if health else [_("Measure the link: captain doctor --link")]:
            click.echo(line)
    if health is not None and not health.good:
        raise click.exceptions.Exit(FAILED)


@contextmanager
def _port(board: str) -> Iterator[Any]:
    """The port of the board that was asked for; a simulated one of our own ends with us."""
    if board == "sim":
        from eyecaptain.boards.simulated.launcher import SimulatedBoard

        with SimulatedBoard.start() as own:
            yield own.entry.port
        return
    from eyecaptain.link.ports import choose

    yield choose(None if board == "auto" else board).port
