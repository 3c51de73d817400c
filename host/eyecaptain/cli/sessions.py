"""`captain sessions`: what was recorded."""

from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import BrokenSession, UsageProblem


@click.group()
def sessions() -> None:
    """List, show, verify or delete recorded sessions."""


@sessions.command("list")
@sessions_folder
@as_json
def list_(sessions: Path, json: bool) -> None:
    """List all sessions, the newest first."""
    from eyecaptain.sessions import log, store

    rows = [_row(folder / log.FILE_NAME, folder.name) for folder in store.folders(sessions)]
    if json:
        console.emit(rows)
        return
    for row in rows:
        click.echo(f"{row['id']}  {row['game'] or '?':8} {row['status']:8} {', '.join(row['players'])}")
    if not rows:
        console.say(f"No session is in {sessions} yet. Begin one: captain play team --players You --bots 2")


def _row(path: Path, name: str) -> dict[str, Any]:
    """One session in short; one that cannot be read is listed as broken."""
    from eyecaptain.games.base import Refused
    from eyecaptain.sessions import replay, store

    row: dict[str, Any] = {"id": name, "game": None, "players": [], "created": None, "actions": None, "status": "broken"}
    try:
        recorded = store.read(path)
        row |= {key: recorded.header[key] for key in ("game", "players", "created")} | {"actions": len(recorded.entries)}
        row["status"] = replay.replay(recorded).game.status
    except (BrokenSession, Refused) as error:
        row["error"] = str(error)
    return row


@sessions.command()
@click.argument("session", metavar="ID|FILE")
@sessions_folder
@as_json
def show(session: str, sessions: Path, json: bool) -> None:
    """Show what one session is: its game, players, options and how it stands. Layouts stay hidden."""
    from eyecaptain.sessions import replay, store
    from eyecaptain.views.plain import status

    path = store.find(sessions, session)
    recorded = store.read(path)
    game = replay.replay(recorded).game
    header = {key: value for key, value in recorded.header.items() if key not in ("type", "seed")}
    if json:
        console.emit({"header": header, "actions": len(recorded.entries), "state": game.summary(), "file": str(path)})
        return
    for key, value in header.items():
        if value not in (None, {}):
            click.echo(f"{key + ':':9} {_in_words(value)}")
    click.echo(f"actions:  {len(recorded.entries)}")
    click.echo(f"state:    {game.status}. {status(game.view(None))}")
    click.echo(f"file:     {path}")


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join("person" if inner is None else str(inner) for inner in value)
    return str(value)


@sessions.command()
@click.argument("session", metavar="ID|FILE")
@sessions_folder
@as_json
def verify(session: str, sessions: Path, json: bool) -> None:
    """Check every line of a session: format, hash chain and rules. Prints how many lines there are, and the last hash.

    Whole lines that are missing at the end cannot be seen: compare the number and the hash with an earlier check.
    """
    from eyecaptain.sessions import replay, store

    recorded = store.read(store.find(sessions, session))
    game = replay.replay(recorded).game
    link = recorded.hash if recorded.signed else None
    if json:
        result = {"ok": True, "lines": recorded.lines, "hash": link, "torn": bool(recorded.torn), "status": game.status}
        console.emit(result)
        return
    if recorded.torn:
        click.echo("The last line was cut off by a crash; nothing of it was ever shown.")
    click.echo(f"{recorded.lines} lines, last hash {link or '- (unsigned, written by hand)'}: all is well.")


@sessions.command()
@click.argument("session", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@sessions_folder
def delete(session: str, yes: bool, sessions: Path) -> None:
    """Delete a session with all its files."""
    from eyecaptain.sessions import store

    folder = store.find(sessions, session).parent
    if folder.resolve().parent != sessions.resolve():
        raise UsageProblem(f"{session} is not a session in {sessions}.", "Only whole sessions are deleted, by their id.")
    if not yes:
        click.confirm(f"Delete {folder.name} for good?", abort=True, err=True)
    store.delete(folder)
    console.say(f"{folder.name} is deleted.")


@sessions.command()
@click.argument("session", metavar="[ID]", required=False)
@sessions_folder
def path(session: str | None, sessions: Path) -> None:
    """Print where sessions are, or the file of one."""
    from eyecaptain.sessions import store

    click.echo(store.find(sessions, session) if session else sessions)
