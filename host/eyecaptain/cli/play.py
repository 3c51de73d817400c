"""`captain play`: a game at the table."""

import os
import queue
import sys
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import UsageProblem


@click.command()
@click.argument("game", required=False)
@click.option("--players", metavar="NAMES", help="Who plays, by seat: Ada,Ben")
@click.option("--bots", metavar="N[:STRENGTH]", help="Add this many bots; the strength is medium.")
@click.option("--board", metavar="auto|none|sim|PORT", default="auto", help="Which board (auto: the attached one, else sim).")
@click.option("--deck", type=click.Choice(["real", "virtual"]), help="Who knows the droppings: people, or the world.")
@click.option("--view", type=click.Choice(["plain"]), default="plain", help="How to show it: plain is line by line.")
@click.option("--start", metavar="SEAT", help="Who begins: a name, or a seat from 0.")
@click.option("--open-corners", type=click.IntRange(0, 4), help="team: how many corners are open (1; more is harder).")
@click.option("--reveal-galley", is_flag=True, help="team: show the colour of what falls into the galley.")
@click.option("--seed", metavar="S", help="The seed of chance: the same seed deals the same game (hex digits, or any text).")
@click.option("--pace", type=click.FloatRange(0.01, 100), default=1.0, help="Scale the time between two pushes of the eye.")
@click.option("--resume", metavar="[ID]", is_flag=False, flag_value="", help="Go on with a session (default: the latest).")
@click.option("--trace", is_flag=True, help="Write every raw line of the link to link.jsonl in the session's folder.")
@sessions_folder
@as_json
def play(game: str | None, resume: str | None, trace: bool, sessions: Path, json: bool, **wishes: Any) -> None:
    """Play GAME (team, solo or captain) at the table, or go on with one (--resume).

    With the plain view people type what happens; `help` says what can be typed. A line that begins with { is an action
    as in the log. What was shown is always saved: end with q or Ctrl-C, and go on with --resume.
    """
    from eyecaptain.errors import CaptainError
    from eyecaptain.link.trace import Trace
    from eyecaptain.sessions import store
    from eyecaptain.table import sitting as tables

    tracing = Trace(console.say) if trace else None
    room = tables.Room(say=console.say, show=console.board_text if console.verbose else None, trace=tracing)
    if resume is not None:
        name = resume or game
        folder = store.find(sessions, name).parent if name else tables.latest_unfinished(sessions)
        sitting = tables.resume(folder, wishes["board"], room)
    else:
        sitting = tables.begin(sessions, _plan(game, wishes), room)
    try:
        with sitting:
            over = _play(sitting, room.inbox, json)
    except (KeyboardInterrupt, click.Abort, CaptainError):
        if sys.stderr.isatty():  # the cursor stands behind the prompt, or behind ^C
            console.say("")
        console.say(f"Nothing is lost. Go on with: captain play --resume {sitting.folder.name}")
        raise
    if json:
        console.emit(sitting.table.game.summary())
    if not over:
        console.say(f"Saved. Go on with: captain play --resume {sitting.folder.name}")


def _plan(game: str | None, wishes: dict[str, Any]) -> Any:
    """The game that was asked for."""
    from eyecaptain.table.sitting import Plan

    if game is None:
        raise UsageProblem("Which game? team, solo or captain.", "Example: captain play team --players You --bots 2")
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
    return Plan(
        game,
        people,
        bots=_bots(wishes["bots"]),
        board=wishes["board"],
        deck=wishes["deck"],
        options=options,
        seed=wishes["seed"],
        pace=wishes["pace"],
    )


def _bots(wish: str | None) -> int:
    """How many bots; the strength is checked, and is always the same one so far."""
    from eyecaptain.games.bots import STRENGTHS

    number, _, strength = (wish or "0").partition(":")
    if not number.isdecimal() or int(number) > 4:
        raise UsageProblem(f"--bots {wish}: say how many, 0 to 4.", "Example: --bots 2")
    if strength and strength not in STRENGTHS:
        raise UsageProblem(f'--bots {wish}: there is no strength "{strength}".', f"There is: {', '.join(STRENGTHS)}.")
    return int(number)


def _seat(wish: str, people: list[str]) -> int:
    """The seat that --start names."""
    if wish.isdecimal():
        return int(wish)
    for seat, name in enumerate(people):
        if name.strip().casefold() == wish.strip().casefold():
            return seat
    raise UsageProblem(f"--start {wish}: nobody of that name plays.", "Give a name of --players, or a seat from 0.")


def _play(sitting: Any, inbox: "queue.Queue[Any]", json: bool) -> bool:
    """Show and hear until the game is over (True) or people leave."""
    from eyecaptain.table.loop import THINKING, Loop
    from eyecaptain.views.lines import read_into
    from eyecaptain.views.plain import PlainView

    out = sys.stderr if json else sys.stdout
    live = out.isatty() and sys.stdin.isatty()
    wipes = live and os.environ.get("TERM") != "dumb"
    view = PlainView(out, sitting.people, colored=console.want_color(out), live=live, wipes=wipes)
    header = sitting.header
    view.write(f"Eye Eye Captain, game {header['game']}: {', '.join(header['players'])}, {_where(header['deck'], sitting)}.")
    done = sitting.writer.seq
    view.write(f"Session {sitting.folder.name}" + (f", going on after action {done}." if done else "."))
    if sitting.torn:
        console.say("A line that a crash had cut off was moved to session.torn; nothing of it was ever shown.")
    if sitting.people:
        view.write("Type help to see what you can say.")
        read_into(inbox)
    pace = (header["board"] or {}).get("pace", 1.0)
    return Loop(sitting.table, view, sitting.bots, inbox, THINKING * pace).run()


def _where(deck: str, sitting: Any) -> str:
    """Which deck and board it is."""
    on = "on the virtual deck" if deck == "virtual" else "on a real deck"
    match sitting.table.board.about["name"]:
        case "none":
            return f"{on}, without a board"
        case "sim":
            return f"{on} of a simulated board"
        case _:
            return f"{on}, with the board {sitting.table.board.about['uid']}"
