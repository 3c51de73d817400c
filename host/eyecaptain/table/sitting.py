"""A sitting: people, bots, a board and a log come together to begin a game, or to go on with one."""

import queue
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from eyecaptain import __version__, games
from eyecaptain.boards.base import Board
from eyecaptain.boards.choice import Wish, open_board
from eyecaptain.errors import BrokenSession, UsageProblem
from eyecaptain.games.base import Game
from eyecaptain.games.bots import DEFAULT, bot_for
from eyecaptain.games.bots.base import Bot
from eyecaptain.games.history import History
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import _
from eyecaptain.link.ports import Pick
from eyecaptain.link.trace import Trace
from eyecaptain.sessions import log, replay, store
from eyecaptain.sessions.writer import Writer
from eyecaptain.table.names import checked
from eyecaptain.table.referee import Table


@dataclass(slots=True)
class Sitting:
    """Everything that a game needs while it is played; `close` it.

    :param header: the session's header.
    :param bots: the bots by seat.
    :param torn: whether a line that a crash had cut off was set aside.
    :param trace: what writes down the link's raw lines, if anything does.
    """

    header: dict[str, Any]
    table: Table
    bots: dict[int, Bot]
    folder: Path
    writer: Writer
    torn: bool = False
    trace: Trace | None = None

    @property
    def people(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat in range(len(self.header["players"])) if seat not in self.bots]

    def close(self) -> None:
        """Stop the eye, let go of the board and of the log."""
        try:
            self.table.board.close()
        finally:
            self.writer.close()
            if self.trace is not None:
                self.trace.close()

    def __enter__(self) -> Self:
        """Use it in a `with` statement."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close it, however it ended."""
        self.close()


@dataclass(frozen=True, slots=True)
class Plan:
    """What people want to play.

    :param people: their names, one a seat; bots come after them, all of one strength.
    :param board: auto, none, sim, or a port or serial number.
    :param deck: real, virtual, or None: as the board has it.
    :param options: those of the game, as in the session's header.
    :param seed: the seed of chance on a virtual deck; None draws one.
    :param pace: scales the time between two pushes of the eye.
    """

    game: str
    people: list[str]
    bots: int = 0
    strength: str = DEFAULT
    board: str = "auto"
    deck: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None
    pace: float = 1.0


@dataclass(frozen=True, slots=True)
class Room:
    """Where a game is played.

    What boards say goes to `inbox`, what people should know to `say`, console text to `show`, the link's raw lines to `trace`;
    `pick` asks which of several boards it is, when somebody can be asked. A simulated board of its own
    begins `calibrated`, or not.
    """

    inbox: "queue.Queue[Any]" = field(default_factory=queue.Queue)
    say: Callable[[str], None] = lambda _: None
    show: Callable[[str], None] | None = None
    trace: Trace | None = None
    pick: Pick | None = None
    calibrated: bool = True


def begin(root: Path, plan: Plan, room: Room) -> Sitting:
    """Begin a new session below `root`.

    :raises UsageProblem: a game, a name, a number of players or an option that does not exist.
    :raises NoBoard, LinkLost: the board cannot be had.
    :raises CaptainError: the session cannot be written.
    """
    kind = kind_of(plan.game)
    players = checked([*plan.people, *(f"Bot {number}" for number in range(1, plan.bots + 1))])
    if plan.bots and plan.deck == "real":
        raise UsageProblem(
            _("Bots need a virtual deck: on a real one they cannot lift."), _("Leave out --deck real, or --bots.")
        )
    try:
        game = kind(players, plan.options)
    except ValueError as error:
        raise UsageProblem(f"{error}.", _("Example: captain play team --players Ada,Ben --bots 1")) from None
    seed = plan.seed or secrets.token_hex(8)
    wanted = "virtual" if plan.bots else plan.deck
    board, deck = open_board(_wish(game, room, plan.board, deck=wanted, seed=seed, pace=plan.pace))
    now = datetime.now().astimezone()
    name = store.new_id(now)
    header = {
        "type": "session",
        "format": log.FORMAT,
        "id": name,
        "game": plan.game,
        "players": players,
        "bots": [None] * len(plan.people) + [plan.strength] * plan.bots,
        "deck": deck,
        "options": dict(plan.options),
        "seed": seed,
        "created": now.isoformat(timespec="seconds"),
        "host": __version__,
        "board": {**board.about, "pace": plan.pace},
    }
    try:
        writer = Writer.create(root / name, header)
    except BaseException:
        board.close()
        raise
    history = History(lambda: kind(players, plan.options, deck))
    return _seated(header, history, writer, board, since=0.0, trace=room.trace)


def resume(folder: Path, board: str, room: Room) -> Sitting:
    """Go on with the session in `folder` at the very action; where that was the last one it can be taken back.

    :param board: auto, none, sim, or a port or serial number; the deck stays of the kind that it was.
    :raises BrokenSession: it is damaged, unsigned, or played by another process.
    :raises Refused: an action in it is against the rules.
    :raises UsageProblem: the game is not played at the table.
    :raises NoBoard, LinkLost: the board cannot be had.
    """
    writer, session = Writer.reopen(folder)
    try:
        history = replay.replay(session)
        if not isinstance(history.game, TwelveGame):
            raise _by_mail(session.header["game"])
        last = next((entry.t for entry in reversed(session.entries) if entry.t is not None), 0.0)
        since = max(last, _seconds_since(session.header["created"]))
        pace = (session.header["board"] or {}).get("pace", 1.0)
        # What was drawn before must not come again.
        seed = f"{session.header['seed'] or ''}/{writer.seq}" if writer.seq else session.header["seed"] or ""
        opened, _deck = open_board(_wish(history.game, room, board, deck=session.header["deck"], seed=seed, pace=pace))
    except BaseException:
        writer.close()
        raise
    sitting = _seated(session.header, history, writer, opened, since=since, trace=room.trace)  # type: ignore[arg-type] # checked right above
    sitting.torn = bool(session.torn)
    return sitting


def another(sitting: Sitting, board: str) -> Plan:
    """A new game of the same people and bots; who sits to the left of who began this one begins it (E1)."""
    header, game = sitting.header, sitting.table.game
    strengths = [strength for strength in header["bots"] or () if strength]
    return Plan(
        header["game"],
        [game.players[seat] for seat in sitting.people],
        bots=len(strengths),
        strength=strengths[0] if strengths else DEFAULT,
        board=board,
        deck=header["deck"],
        options=game.options | {"start": (game.options["start"] + 1) % len(game.players)},
        pace=(header["board"] or {}).get("pace", 1.0),
    )


def _wish(game: TwelveGame, room: Room, board: str, **rest: Any) -> Wish:
    corners = game.options.get("open_corners", 0)
    return Wish(
        board,
        open_corners=corners,
        has_die=game.has_die,
        inbox=room.inbox,
        say=room.say,
        pick=room.pick,
        show=room.show,
        sink=room.trace,
        calibrated=room.calibrated,
        **rest,
    )


def kind_of(game: str) -> type[TwelveGame]:
    """The game of this name, if it is played at the table.

    :raises UsageProblem: there is none.
    """
    try:
        kind: type[Game] = games.find(game)
    except KeyError:
        raise UsageProblem(
            _('There is no game "{game}".').format(game=game),
            _("The games are: {names}.").format(names=", ".join(games.names())),
        ) from None
    if not issubclass(kind, TwelveGame):
        raise _by_mail(game)
    return kind


def _by_mail(game: str) -> UsageProblem:
    return UsageProblem(_("{game} is not played at the table.").format(game=game), _("It goes by mail: captain geier --help"))


def latest_unfinished(root: Path) -> Path:
    """The newest session that can be resumed at the table.

    :raises UsageProblem: there is none.
    """
    for folder in store.folders(root):
        with suppress(BrokenSession, ValueError):
            session = store.read(folder / log.FILE_NAME)
            if session.signed and isinstance(game := replay.replay(session).game, TwelveGame) and not game.over:
                return folder
    raise UsageProblem(
        _("No unfinished game is in {root}.").format(root=root), _("Begin one: captain play team --players You --bots 2")
    )


def _seated(
    header: dict[str, Any], history: History[TwelveGame], writer: Writer, board: Board, *, since: float, trace: Trace | None
) -> Sitting:
    """Bring board, bots and log together; `since` is the session's time at which this process begins."""
    table = Table(history, writer, board, _clock(board, since))
    strengths = header["bots"] or []
    seed = f"{header['seed'] or ''}/{writer.seq}".encode()
    bots = {seat: bot_for(type(history.game), seat, seed, strength) for seat, strength in enumerate(strengths) if strength}
    if trace is not None:
        trace.open(writer.folder)
    return Sitting(header, table, bots, writer.folder, writer, trace=trace)


def _clock(board: Board, since: float) -> Callable[[], float]:
    return lambda: since + board.clock()


def _seconds_since(created: str | None) -> float:
    try:
        return (datetime.now().astimezone() - datetime.fromisoformat(created or "")).total_seconds()
    except (ValueError, TypeError):
        return 0.0
