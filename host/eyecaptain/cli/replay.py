"""`captain replay`: a recorded session, step by step."""

import time
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.options import as_json, sessions_folder


@click.command()
@click.argument("session", metavar="ID|FILE")
@click.option("--step", is_flag=True, help="Wait for Enter after each action.")
@click.option("--speed", type=click.FloatRange(min=0, min_open=True), help="Keep the time of the game, so many times faster.")
@sessions_folder
@as_json
def replay(session: str, step: bool, speed: float | None, sessions: Path, json: bool) -> None:
    """Replay a session as the table saw it: ID (or its beginning), or the file itself.

    With --json only the state after the last action is printed. A session that breaks the rules stops there: exit code 6.
    """
    from eyecaptain.sessions import replay as replays
    from eyecaptain.sessions import store

    recorded = store.read(store.find(sessions, session))
    if recorded.torn.strip():
        console.say("Note: the last line was cut off by a crash and is left out; nothing of it was ever shown.")
    history = replays.new_history(recorded.header)
    before = 0.0
    for found in replays.steps(recorded, history):
        if json:
            continue
        if speed and found.entry.t is not None:
            time.sleep(max(0.0, found.entry.t - before) / speed)
            before = found.entry.t
        _show(found)
        if step:
            click.prompt("", prompt_suffix="", default="", show_default=False)
    if json:
        console.emit(history.game.summary())
        return
    from eyecaptain.views.plain import status

    click.echo(f"In the end: {history.game.status}. {status(history.game.view(None))}")


def _show(step: Any) -> None:
    """One action and what it brought, in words; an action without news is named."""
    from eyecaptain.games.base import Undo
    from eyecaptain.views.plain import tell

    at = f"{step.entry.t:8.1f} s " if step.entry.t is not None else " " * 11
    texts = [tell(step.game, effect) for effect in step.news if effect.kind != "undo"]
    if isinstance(step.action, Undo):
        texts = [f"Action {step.action.of} is taken back."]
    text = " ".join(text[0].upper() + text[1:] for text in texts) or f"({step.action.type})"
    click.echo(f"{step.entry.key:4d} {at}{text}")
