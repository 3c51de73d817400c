"""A board for one command: `--board auto|sim|PORT`, its sensor, and hands where the world is simulated."""

import queue
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import click

from eyecaptain.cli import completion, console


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


@contextmanager
def attach(board: str) -> Iterator[Attached]:
    """Open the board that was asked for; a simulated one of our own ends with us.

    :raises NoBoard, LinkLost: it cannot be had.
    """
    from eyecaptain.link.client import Client
    from eyecaptain.link.ports import choose
    from eyecaptain.sight.board import BoardSensor

    events: queue.Queue[Any] = queue.Queue()
    with ExitStack() as stack:
        if board == "sim":
            from eyecaptain.boards.simulated.launcher import SimulatedBoard

            own = stack.enter_context(SimulatedBoard.start())
            port: str = own.entry.port
            control: str | None = own.entry.control
        else:
            found = choose(None if board == "auto" else board)
            port, control = found.port, _control(found)
        client = stack.enter_context(Client(port, events.put, say=console.say))
        yield Attached(client, BoardSensor(client, events), _hands(stack, control))


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
