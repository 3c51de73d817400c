"""A board for one command: `--board auto|sim|PORT`, its sensor, and hands where the world is simulated."""

import queue
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import click

from eyecaptain.cli import completion, console
from eyecaptain.cli.options import pick_board
from eyecaptain.language import _


class Attached(NamedTuple):
    """A board that has answered, and hands that can lay things over its window (None: people have to)."""

    client: Any
    sensor: Any
    hands: Any


def board_option(command: Any) -> Any:
    """Add ``--board``; the command gets it as `board`."""
    return click.option(
        "--board",
        metavar="auto|sim|PORT",
        default="auto",
        shell_complete=completion.boards,
        help="Which board (auto: the one that is attached).",
    )(command)


def patience_option(command: Any) -> Any:
    """Add ``--patience``; the command gets it as `patience`."""
    return click.option(
        "--patience", type=click.FloatRange(1, 1000), default=1.0, metavar="FACTOR", help="Wait so many times as long."
    )(command)


@contextmanager
def port_of(board: str) -> Iterator[Any]:
    """The port of the board that was asked for; a simulated one of our own ends with us.

    :raises NoBoard: it cannot be had; a Pico that waits in BOOTSEL mode is named.
    """
    from eyecaptain.errors import NoBoard
    from eyecaptain.flash import drives
    from eyecaptain.link.ports import Port, choose

    if board == "sim":
        from eyecaptain.boards.simulated.launcher import SimulatedBoard

        with SimulatedBoard.start() as own:
            yield Port(own.entry.port, own.entry.serial, "sim", own.entry.description, owned=True)
        return
    try:
        port = choose(None if board == "auto" else board, pick_board())
    except NoBoard:
        if board == "auto" and (found := drives.find()):
            raise NoBoard(drives.explain(found[0]), _(drives.HINT)) from None
        raise
    yield port


@contextmanager
def attach(board: str) -> Iterator[Attached]:
    """Open the board that was asked for; a simulated one of our own ends with us.

    :raises NoBoard, LinkLost: it cannot be had.
    """
    from eyecaptain.link.client import Client
    from eyecaptain.sight.board import BoardSensor

    events: queue.Queue[Any] = queue.Queue()
    with ExitStack() as stack:
        port = stack.enter_context(port_of(board))
        client = stack.enter_context(Client(port.port, events.put, say=console.say, slow=port.slow))
        yield Attached(client, BoardSensor(client, events), _hands(stack, _control(port)))


def _control(port: Any) -> str | None:
    """The world's socket of a simulated board."""
    if port.kind != "sim":
        return None
    from eyecaptain.boards.simulated import registry

    return next((entry.control for entry in registry.running() if entry.serial == port.serial), None)


def _hands(stack: ExitStack, control: str | None) -> Any:
    if control is None:
        return None
    from eyecaptain.boards.simulated.hands import Hands
    from eyecaptain.boards.simulated.launcher import Control

    world = Control(control)
    stack.callback(world.close)
    hands = Hands(world)
    stack.callback(hands.close)
    return hands
