"""`captain play`: a game at the table."""

import os
import queue
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import completion, console
from eyecaptain.cli.options import as_json, pick_board, sessions_folder
from eyecaptain.errors import UsageProblem
from eyecaptain.language import _


@click.command()
@click.argument("game", required=False, shell_complete=completion.games)
@click.option("--players", metavar="NAMES", help="Who plays, by seat: Ada,Ben")
@click.option("--bots", metavar="N[:STRENGTH]", help="Add this many bots: easy, medium (default) or hard.")
@click.option(
    "--board",
    metavar="auto|none|sim|PORT",
    default="auto",
    shell_complete=completion.boards,
    help="Which board (auto: the attached one, else sim).",
)
@click.option("--deck", type=click.Choice(["real", "virtual"]), help="Who knows the droppings: people, or the world.")
@click.option("--view", type=click.Choice(["terminal", "plain"]), help="A full screen (the default at a terminal), or lines.")
@click.option("--reduced-motion", is_flag=True, envvar="CAPTAIN_REDUCED_MOTION", help="Nothing moves unless somebody acts.")
@click.option("--start", metavar="SEAT", help="Who begins: a name, or a seat from 0.")
@click.option("--open-corners", type=click.IntRange(0, 4), help="team: how many corners are open (1; more is harder).")
@click.option("--reveal-galley", is_flag=True, help="team: show the colour of what falls into the galley.")
@click.option("--seed", metavar="S", help="The seed of chance: the same seed deals the same game (hex digits, or any text).")
@click.option("--pace", type=click.FloatRange(0.01, 100), default=1.0, help="Scale the time between two pushes of the eye.")
@click.option("--uncalibrated", is_flag=True, help="A simulated board does not know its die: you say its colour.")
@click.option(
    "--resume",
    metavar="[ID]",
    is_flag=False,
    flag_value="",
    shell_complete=completion.recorded,
    help="Go on with a session (default: the latest).",
)
@click.option("--trace", is_flag=True, help="Write every raw line of the link to link.jsonl in the session's folder.")
@sessions_folder
@as_json
def play(game: str | None, resume: str | None, trace: bool, sessions: Path, json: bool, **wishes: Any) -> None:
    """Play GAME (team, solo or captain) at the table, or go on with one (--resume); without GAME you are asked.

    In the terminal view the screen says which keys work. With the plain view people type what happens; `help` says what
    can be typed, and a line that begins with { is an action as in the log. What was shown is always saved: end with q or
    Ctrl-C, and go on with --resume.
    """
    from eyecaptain.cli.evening import Evening
    from eyecaptain.sessions import store
    from eyecaptain.table import sitting as tables

    if game is None and resume is None and not json and _at_a_terminal():
        game, wishes = _asked(wishes)
    manner = _Manner(_screen(wishes["view"], json), json, wishes["reduced_motion"], trace, not wishes["uncalibrated"])
    room = manner.room()
    if resume is not None:
        name = resume or game
        folder = store.find(sessions, name).parent if name else tables.latest_unfinished(sessions)
        sitting = tables.resume(folder, wishes["board"], room)
    else:
        sitting = tables.begin(sessions, _plan(game, wishes), room)
    evening = Evening()
    while _one_game(sitting, room, manner) and sitting.people and not json and _at_a_terminal():
        evening.add(sitting.table.game)
        plan = tables.another(sitting, wishes["board"])
        if not _another(evening, sitting.header["players"][plan.options["start"]], room, manner):
            break
        room = manner.room(room)
        sitting = tables.begin(sessions, plan, room)


def _at_a_terminal() -> bool:
    """Whether somebody sits there who can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _asked(wishes: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """What people answer when they only said `captain play`; what they did say on the command line stays."""
    from platformdirs import user_config_path

    from eyecaptain.cli.evening import ask

    answers = ask(user_config_path("eye-eye-captain", appauthor=False) / "evening.json")
    game = answers.pop("game")
    given = click.get_current_context().get_parameter_source
    unset = click.core.ParameterSource.DEFAULT
    return game, wishes | {name: value for name, value in answers.items() if given(name) is unset}


class _Manner:
    """How a game is shown: on a full screen or line by line, and who hears what people should know."""

    def __init__(self, screen: bool, json: bool, still: bool, trace: bool, calibrated: bool) -> None:
        self.screen = screen
        self.trace = trace
        self.calibrated = calibrated
        self.json = json
        self.still = still
        self.speaker = _Speaker()
        self.reads = False  # whether a thread reads lines already

    def room(self, before: Any = None) -> Any:
        """A room to play in; lines that are being read go on into the same inbox."""
        from eyecaptain.link.trace import Trace
        from eyecaptain.table.sitting import Room

        inbox = before.inbox if before is not None and self.reads else queue.Queue()
        show = self.speaker.board_text if console.verbose else None
        trace = Trace(self.speaker) if self.trace else None
        return Room(inbox, self.speaker, show, trace, None if self.json else pick_board(), self.calibrated)


def _one_game(sitting: Any, room: Any, manner: _Manner) -> bool:
    """Play one game, and say how it ended; return whether it is over (else people left)."""
    from eyecaptain.errors import CaptainError, LinkLost

    try:
        with sitting:
            over = _play_on_screen(sitting, room.inbox, manner) if manner.screen else _play(sitting, room.inbox, manner)
    except (KeyboardInterrupt, click.Abort, CaptainError) as error:
        if isinstance(error, LinkLost) and not error.lines:  # it was the board's world, not the line itself
            error.lines = sitting.table.board.last_lines()
        again = (
            _("Nothing is lost. See it again: captain replay {name}")
            if sitting.table.game.over
            else _("Nothing is lost. Go on with: captain play --resume {name}")
        )
        with suppress(OSError):  # the terminal may be what went away
            # The cursor stands behind the prompt, or behind ^C.
            console.say("\n" * sys.stderr.isatty() + again.format(name=sitting.folder.name))
        raise
    if manner.json:
        console.emit(sitting.table.game.summary())
    elif manner.screen:
        _say_how_it_stands(sitting)
    if not over:
        console.say(_("Saved. Go on with: captain play --resume {name}").format(name=sitting.folder.name))
    return over


def _another(evening: Any, starter: str, room: Any, manner: _Manner) -> bool:
    """Say the evening's score, and ask for another game with one key."""
    from eyecaptain.views.vocabulary import english

    console.say(evening.score())
    console.say(_("Another game? {starter} begins it. Enter or y: yes; anything else: no.").format(starter=starter))
    if manner.screen:
        return click.getchar() in ("\r", "\n", "y", "Y")
    line = _line(room.inbox)
    return line is not None and english(line.strip()) in ("", "y", "yes")


def _line(inbox: "queue.Queue[Any]") -> str | None:
    """What somebody types next; None: they have gone. In short waits, because on Windows no long one can be interrupted."""
    from eyecaptain.table.loop import SHORT

    while True:
        with suppress(queue.Empty):
            line = inbox.get(timeout=SHORT)
            if line is None or isinstance(line, str):  # else it is the last words of a board that is closed
                return line


class _Speaker:
    """Says what people should know: on the screen while there is one, else on standard error."""

    def __init__(self) -> None:
        self.say: Callable[[str], None] = console.say

    def __call__(self, text: str) -> None:
        self.say(text)

    def board_text(self, line: str) -> None:
        """A line of the board's console text (a print, a traceback), marked as such."""
        self.say(_("board: {line}").format(line=line))


def _screen(view: str | None, json: bool) -> bool:
    """Whether to use the terminal view; when it cannot be used, people are told why."""
    from eyecaptain.views.terminal import choice

    if view == "plain" or (view is None and json):
        return False
    why = choice.obstacle(sys.stdout)
    if view == "terminal" and (json or why == ""):
        raise UsageProblem(_(choice.NO_TERMINAL), _("Use --view plain."))
    if why:
        console.say(why)
    return why is None


def _plan(game: str | None, wishes: dict[str, Any]) -> Any:
    """The game that was asked for."""
    from eyecaptain.table.sitting import Plan

    if game is None:
        raise UsageProblem(_("Which game? team, solo or captain."), _("Example: captain play team --players You --bots 2"))
    # In a C locale the command line's bytes did not become text: they are UTF-8.
    given = os.fsencode(wishes["players"] or "").decode(errors="surrogateescape")
    people = given.split(",") if given else []
    options: dict[str, Any] = {}
    if wishes["start"] is not None:
        options["start"] = _seat(wishes["start"], people)
    if wishes["open_corners"] is not None:
        options["open_corners"] = wishes["open_corners"]
    if wishes["reveal_galley"]:
        options["reveal_galley"] = True
    bots, strength = _bots(wishes["bots"])
    return Plan(
        game,
        people,
        bots=bots,
        strength=strength,
        board=wishes["board"],
        deck=wishes["deck"],
        options=options,
        seed=wishes["seed"],
        pace=wishes["pace"],
    )


def _bots(wish: str | None) -> tuple[int, str]:
    """How many bots, and of which strength."""
    from eyecaptain.games.bots import DEFAULT, STRENGTHS

    number, _colon, strength = (wish or "0").partition(":")
    if not number.isdecimal() or int(number) > 4:
        raise UsageProblem(_("--bots {wish}: say how many, 0 to 4.").format(wish=wish), _("Example: --bots 2"))
    if strength and strength not in STRENGTHS:
        raise UsageProblem(
            _('--bots {wish}: there is no strength "{strength}".').format(wish=wish, strength=strength),
            _("There is: {strengths}.").format(strengths=", ".join(STRENGTHS)),
        )
    return int(number), strength or DEFAULT


def _seat(wish: str, people: list[str]) -> int:
    """The seat that --start names."""
    if wish.isdecimal():
        return int(wish)
    for seat, name in enumerate(people):
        if name.strip().casefold() == wish.strip().casefold():
            return seat
    raise UsageProblem(
        _("--start {wish}: nobody of that name plays.").format(wish=wish), _("Give a name of --players, or a seat from 0.")
    )


def _play(sitting: Any, inbox: "queue.Queue[Any]", manner: _Manner) -> bool:
    """Show and hear until the game is over (True) or people leave."""
    from eyecaptain.table.loop import THINKING, Loop
    from eyecaptain.views.lines import read_into
    from eyecaptain.views.plain import PlainView

    out = sys.stderr if manner.json else sys.stdout
    live = out.isatty() and sys.stdin.isatty()
    wipes = live and os.environ.get("TERM") != "dumb"
    view = PlainView(out, sitting.people, colored=console.want_color(out), live=live, wipes=wipes)
    header = sitting.header
    words = _("Eye Eye Captain, game {game}: {players}, {where}.")
    view.write(words.format(game=header["game"], players=", ".join(header["players"]), where=_where(header["deck"], sitting)))
    done = sitting.writer.seq
    words = _("Session {name}, going on after action {number}.") if done else _("Session {name}.")
    view.write(words.format(name=sitting.folder.name, number=done))
    if sitting.torn:
        console.say(_("A line that a crash had cut off was moved to session.torn; nothing of it was ever shown."))
    if sitting.people:
        view.write(_("Type help to see what you can say."))
        if not manner.reads:
            read_into(inbox)
            manner.reads = True
    pace = (header["board"] or {}).get("pace", 1.0)
    return Loop(sitting.table, view, sitting.bots, inbox, THINKING * pace).run()


def _play_on_screen(sitting: Any, inbox: "queue.Queue[Any]", shown: _Manner) -> bool:
    """Play on a full screen until the game is over (True) or people leave."""
    from eyecaptain.table.loop import THINKING
    from eyecaptain.views.terminal import choice
    from eyecaptain.views.terminal.seat import Manner, Seat

    pace = (sitting.header["board"] or {}).get("pace", 1.0)
    manner = Manner(THINKING * pace, 0.0 if shown.still else pace, still=shown.still, light=choice.light())
    about = sitting.table.board.about
    decks = {"real": _("real deck"), "virtual": _("virtual deck")}
    boards = {"none": _("no board"), "sim": _("simulated board")}
    board = boards.get(about["name"]) or _("board {uid}").format(uid=about["uid"])
    seat = Seat(sitting, inbox, f"{decks[sitting.header['deck']]} · {board}", manner)
    shown.speaker.say = seat.say
    try:
        return seat.run()
    finally:
        shown.speaker.say = console.say


def _say_how_it_stands(sitting: Any) -> None:
    """The screen has gone: leave one line where people look for it."""
    from eyecaptain.views.plain import status

    click.echo(status(sitting.table.game.view(None)))


def _where(deck: str, sitting: Any) -> str:
    """Which deck and board it is."""
    about = sitting.table.board.about
    match about["name"], deck:
        case "none", "virtual":
            return _("on the virtual deck, without a board")
        case "none", _deck:
            return _("on a real deck, without a board")
        case "sim", "virtual":
            return _("on the virtual deck of a simulated board")
        case "sim", _deck:
            return _("on a real deck, with a simulated board")
        case _board:
            return _("on a real deck, with the board {uid}").format(uid=about["uid"])
