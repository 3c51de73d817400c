"""Which board to play on: `--board auto|none|sim|PORT` and `--deck real|virtual` (design.md, boards)."""

import queue
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from eyecaptain.boards.base import Board
from eyecaptain.boards.none import RealDeck, VirtualBoard
from eyecaptain.errors import NoBoard, UsageProblem
from eyecaptain.games.draws import Draws, seed_bytes
from eyecaptain.language import _
from eyecaptain.link.ports import Port
from eyecaptain.world.deck import VirtualDeck


@dataclass(frozen=True, slots=True)
class Wish:
    """What kind of board a game wants.

    :param board: auto, none, sim, pico-emulated, or a port or serial number.
    :param deck: real, virtual, or None: as the board has it.
    :param seed: of the virtual deck.
    :param calibrated: whether a simulated board of our own begins with a calibration.
    :param inbox: gets what a board says by itself.
    :param say: is told what a person should know.
    :param pick: asks a person which of several boards it is, when somebody can be asked.
    :param show: is given the board's console text, when somebody wants it.
    :param sink: is given every raw line of the link, for `--trace`.
    """

    board: str = "auto"
    deck: str | None = None
    seed: str = ""
    open_corners: int = 0
    has_die: bool = True
    pace: float = 1.0
    calibrated: bool = True
    inbox: "queue.Queue[Any]" = field(default_factory=queue.Queue)
    say: Callable[[str], None] = lambda _: None
    pick: Callable[[list[Port]], Port] | None = None
    show: Callable[[str], None] | None = None
    sink: Callable[[float, str, str], None] | None = None


def open_board(wish: Wish) -> tuple[Board, str]:
    """Open the board, and return it with the kind of its deck.

    :raises NoBoard: it cannot be had; two are attached and none was named.
    :raises LinkLost: it does not answer.
    :raises UsageProblem: a virtual deck on a real board.
    """
    match wish.board:
        case "none":
            return _none(wish)
        case "sim":
            return _sim(wish)
        case "pico-emulated":
            return _emulated(wish)
        case "auto":
            return _auto(wish)
    from eyecaptain.link import ports  # noqa: PLC0415 - only with a board

    return _attached(wish, ports.choose(wish.board))


def _auto(wish: Wish) -> tuple[Board, str]:
    """The one board that is attached, else a simulated one, else none; a virtual deck needs no real board."""
    from eyecaptain.link import ports  # noqa: PLC0415 - only with a board

    found = [port for port in ports.boards() if not port.owned and (port.kind == "sim" or wish.deck != "virtual")]
    if found:
        port = ports.choose(None, wish.pick, found)
        if len(found) > 1:
            said = _("{number} boards are attached; this is {serial} at {port}. Another one: --board PORT")
            wish.say(said.format(number=len(found), serial=port.serial, port=port.port))
        return _attached(wish, port)
    if wish.deck == "real":
        return _none(wish)
    try:
        return _sim(wish)
    except NoBoard:
        return _none(wish)


def _none(wish: Wish) -> tuple[Board, str]:
    if wish.deck == "real":
        return RealDeck(), "real"
    deck = VirtualDeck(Draws(seed_bytes(wish.seed), b"EEC1"), wish.open_corners, wish.has_die)
    return VirtualBoard(deck, wish.pace), "virtual"


def _sim(wish: Wish) -> tuple[Board, str]:
    """A simulated board of our own, which ends with us."""
    from eyecaptain.boards.simulated.launcher import SimulatedBoard  # noqa: PLC0415 - only with a board

    started = SimulatedBoard.start(seed=wish.seed, pace=wish.pace, calibrated=wish.calibrated)
    try:
        port = Port(started.entry.port, started.entry.serial, "sim", started.entry.description, owned=True)
        return _simulated(wish, port, started.entry.control, started.stop)
    except BaseException:
        started.stop()
        raise


def _emulated(wish: Wish) -> tuple[Board, str]:
    """An emulated Pico of our own, which ends with us; our firmware is put on it first, which takes minutes."""
    from eyecaptain.boards.emulated.launcher import start  # noqa: PLC0415 - only with such a board

    port, control, stop = start(wish.seed, wish.say)
    try:
        return _simulated(wish, port, control, stop)
    except BaseException:
        stop()
        raise


def _attached(wish: Wish, port: Port) -> tuple[Board, str]:
    """A board that was there before us: real, or a simulated one that somebody runs."""
    if port.kind == "sim":
        from eyecaptain.boards.simulated import registry  # noqa: PLC0415 - only with such a board

        control = next((entry.control for entry in registry.running() if entry.serial == port.serial), None)
        if control is None:
            raise NoBoard(
                _("The simulated board at {port} has just ended.").format(port=port.port), _("Start one: captain emulate")
            )
        return _simulated(wish, port, control, lambda: None)
    if wish.deck == "virtual":
        raise UsageProblem(
            _("The board at {port} stands under a real deck: a virtual one cannot be played on it.").format(port=port.port),
            _("Leave out --deck virtual (and bots), or play with --board sim or none."),
        )
    from eyecaptain.boards.attached import AttachedBoard  # noqa: PLC0415 - only with a board

    return AttachedBoard(port, wish.inbox, wish.say, wish.show, wish.sink), "real"


def _simulated(wish: Wish, port: Port, path: str, ends: Callable[[], None]) -> tuple[Board, str]:
    """A simulated board; its world has a virtual deck, unless people want to play on one of their own."""
    from eyecaptain.boards.attached import SimulatedTable, World  # noqa: PLC0415 - only with such a board
    from eyecaptain.boards.simulated.deck import WorldDeck  # noqa: PLC0415
    from eyecaptain.boards.simulated.launcher import Control  # noqa: PLC0415

    hands, eyes = Control(path), Control(path)  # two, so that a question never swallows an event

    def close() -> None:
        hands.close()
        eyes.close()
        ends()

    try:
        deck = None
        if wish.deck != "real":
            deck = WorldDeck(hands, wish.open_corners, wish.has_die, wish.seed)
        board = SimulatedTable(port, wish.inbox, wish.say, wish.show, World(deck, eyes, close), sink=wish.sink)
    except BaseException:
        hands.close()
        eyes.close()
        raise
    return board, "real" if deck is None else "virtual"
