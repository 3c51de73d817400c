"""`captain sessions`: what was recorded."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import completion, console
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import BrokenSession, UsageProblem


@click.group()
def sessions() -> None:
    """List, show, verify, export, count or delete recorded sessions."""


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
@click.argument("session", metavar="ID|FILE", shell_complete=completion.recorded)
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
@click.argument("session", metavar="ID|FILE", shell_complete=completion.recorded)
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
@click.argument("session", metavar="ID|FILE", shell_complete=completion.recorded)
@click.option("--as", "kind", type=click.Choice(["cast", "csv", "record"]), required=True, help="What to make of it.")
@click.option("--anonymous", is_flag=True, help="Player 1, Player 2 for the names; no date, no notes.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file (default: standard output).")
@sessions_folder
def export(session: str, kind: str, anonymous: bool, output: Path | None, sessions: Path) -> None:
    """Write a session for others: only what everybody at the table could see.

    record: the game in words. csv: a row for each action. cast: a recording for asciinema players.
    """
    from eyecaptain.errors import CaptainError
    from eyecaptain.sessions import export as exports
    from eyecaptain.sessions import store
    from eyecaptain.views.plain import tell

    recorded = store.read(store.find(sessions, session))
    if anonymous:
        recorded = exports.anonymous(recorded)
    match kind:
        case "cast":
            text = exports.as_cast(recorded, _plainly)
        case "csv":
            text = exports.as_csv(recorded)
        case _:
            text = exports.as_record(recorded, tell)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise CaptainError(f"{output} cannot be written: {error.strerror or error}.", "Name another file.") from None


def _plainly(step: Any) -> str:
    """What the plain view shows of a step to somebody who only watches."""
    import io

    from eyecaptain.table.referee import News
    from eyecaptain.views.plain import PlainView

    out = io.StringIO()
    PlainView(out, [], colored=True).show(News(step.entry.key, step.action, step.news, step.game))
    return out.getvalue()


@sessions.command()
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw a picture: a .png or .svg file.")
@sessions_folder
@as_json
def stats(plot: Path | None, sessions: Path, json: bool) -> None:
    """Say what all sessions together show: wins, calls right and wrong, times of turns, colours, the longest game."""
    from eyecaptain.sessions import log, store
    from eyecaptain.sessions.stats import Stats
    from eyecaptain.views import plots

    if plot is not None:
        plots.check(plot)
    counted = Stats()
    for folder in store.folders(sessions):
        try:
            counted.add_all([(folder.name, store.read(folder / log.FILE_NAME))])
        except BrokenSession:
            counted.add_broken()
    result = counted.as_json()
    if plot is not None:
        plots.sessions(result, plot)
    if json:
        console.emit(result)
        return
    if not result["sessions"]:
        console.say(f"No session is in {sessions} yet. Begin one: captain play team --players You --bots 2")
        return
    for line in _stats_in_words(result):
        click.echo(line)


def _stats_in_words(result: dict[str, Any]) -> Iterator[str]:
    """The figures, line by line; names stand last, because nobody knows how wide they are."""
    broken = f", {result['broken']} cannot be read" if result["broken"] else ""
    yield f"{result['sessions']} sessions, {result['finished']} finished{broken}."
    for game, counts in result["games"].items():
        yield f"  {game:8} {counts['sessions']} sessions, {counts['finished']} finished, {counts['lifts']} lifts"
    yield ""
    yield "games   won  calls right  wrong  lifts  matches  turn  player"
    for player in result["players"]:
        turn = f"{player['turn_seconds']:.1f} s" if player["turn_seconds"] is not None else "-"
        yield (
            f"{player['games']:5} {player['wins']:5} {player['calls_right']:12} {player['calls_wrong']:6} "
            f"{player['lifts']:6} {player['matches']:8} {turn:>5}  {player['name']}"
        )
    yield ""
    for key, words in (("found", "Colours found"), ("die", "Colours of the die")):
        yield f"{words}: {', '.join(f'{color} {number}' for color, number in result['colors'][key].items())}."
    longest = result["longest"]
    if longest["lifts"]:
        yield f"Longest game: {longest['lifts']['lifts']} lifts ({longest['lifts']['game']}, {longest['lifts']['id']})."
    if longest["time"]:
        yield f"Longest time: {longest['time']['seconds']:.0f} s ({longest['time']['game']}, {longest['time']['id']})."


@sessions.command()
@click.argument("session", metavar="ID", shell_complete=completion.recorded)
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
@click.argument("session", metavar="[ID]", required=False, shell_complete=completion.recorded)
@sessions_folder
def path(session: str | None, sessions: Path) -> None:
    """Print where sessions are, or the file of one."""
    from eyecaptain.sessions import store

    click.echo(store.find(sessions, session) if session else sessions)
