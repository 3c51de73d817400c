"""`captain replay`: a recorded session, step by step."""

import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import completion, console
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.language import _

CURTAIN = 3.0  # seconds for which a board shows the end


@click.command()
@click.argument("session", metavar="ID|FILE", shell_complete=completion.recorded)
@click.option("--step", is_flag=True, help="Wait for Enter after each action.")
@click.option("--speed", type=click.FloatRange(min=0, min_open=True), help="Keep the time of the game, so many times faster.")
@click.option(
    "--board",
    metavar="auto|sim|PORT",
    shell_complete=completion.boards,
    help="Play it again on a board too: eye, chips and the die's colour.",
)
@click.option("--view", type=click.Choice(["terminal", "plain"]), default="plain", help="A full screen, or lines.")
@sessions_folder
@as_json
def replay(session: str, step: bool, speed: float | None, board: str | None, view: str, sessions: Path, json: bool) -> None:
    """Replay a session as the table saw it: ID (or its beginning), or the file itself.

    With --json only the state after the last action is printed. A session that breaks the rules stops there: exit code 6.
    With --board the time of the game is kept (--speed 1). The terminal view has a time line, and shows what was hidden.
    """
    from eyecaptain.sessions import replay as replays
    from eyecaptain.sessions import store

    recorded = store.read(store.find(sessions, session))
    if recorded.torn.strip():
        console.say(_("Note: the last line was cut off by a crash and is left out; nothing of it was ever shown."))
    if view == "terminal" and not json:
        _on_screen(session, recorded, speed, board)
        return
    history = replays.new_history(recorded.header)
    with ExitStack() as stack:
        stage = stack.enter_context(_stage(board)) if board else None
        before = 0.0
        for found in replays.steps(recorded, history):
            if json and stage is None:
                continue
            if (speed or stage) and found.entry.t is not None:
                time.sleep(max(0.0, found.entry.t - before) / (speed or 1.0))
                before = found.entry.t
            if stage is not None:
                stage.show(found.action, found.game)
            if not json:
                _show(found)
            if step:
                click.prompt("", prompt_suffix="", default="", show_default=False, err=True)
        if stage is not None:
            time.sleep(CURTAIN)
    if json:
        console.emit(history.game.summary())
        return
    from eyecaptain.views.plain import status

    words = _("In the end: {result}. {status}")
    click.echo(words.format(result=_(history.game.status), status=status(history.game.view(None))))


def _on_screen(session: str, recorded: Any, speed: float | None, board: str | None) -> None:
    """Replay on a full screen; what breaks the rules is said there too, and ends the command as always."""
    from eyecaptain.errors import CaptainError, UsageProblem
    from eyecaptain.games.base import Refused
    from eyecaptain.sessions import replay as replays
    from eyecaptain.views.terminal import choice

    if (why := choice.obstacle(sys.stdout)) is not None:
        raise UsageProblem(why or _(choice.NO_TERMINAL), _("Leave out --view terminal."))
    from eyecaptain.views.terminal import recording
    from eyecaptain.views.terminal import replay as screen

    fault: CaptainError | Refused | None = None
    steps: list[replays.Step] = []
    try:
        steps.extend(replays.steps(recorded, replays.new_history(recorded.header)))
    except (CaptainError, Refused) as error:
        fault = error
    moments = recording.moments(steps)
    if not moments:
        if fault is not None:
            raise fault
        raise UsageProblem(_("There is nothing in this session that a screen could show."))
    with ExitStack() as stack:
        stage = stack.enter_context(_stage(board)) if board else None
        show = (lambda moment: stage.show(moment.action, moment.game)) if stage is not None else None
        name = str(recorded.header.get("id") or Path(session).stem)
        screen.run(
            screen.ReplayApp(moments, name, speed=speed or (1.0 if board else None), stage=show, broken=str(fault or ""))
        )
    if fault is not None:
        raise fault


def _stage(board: str) -> Any:
    """The board to play it again on."""
    from eyecaptain.table.stage import Stage

    return Stage(board, console.say)


def _show(step: Any) -> None:
    """One action and what it brought, in words; an action without news is named."""
    from eyecaptain.games.base import Undo
    from eyecaptain.views.plain import tell

    at = f"{step.entry.t:8.1f} s " if step.entry.t is not None else " " * 11
    texts = [tell(step.game, effect) for effect in step.news if effect.kind != "undo"]
    if isinstance(step.action, Undo):
        texts = [_("Action {of} is taken back.").format(of=step.action.of)]
    text = " ".join(texts) or f"({step.action.type})"
    click.echo(f"{step.entry.key:4d} {at}{text}")
