"""`captain sessions`: what was recorded."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from eyecaptain import language
from eyecaptain.cli import completion, console
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import BrokenSession, UsageProblem
from eyecaptain.language import N_, _, ngettext

HEADS = {
    "bots": N_("bots"),
    "board": N_("board"),
    "created": N_("created"),
    "deck": N_("deck"),
    "format": N_("format"),
    "game": N_("game"),
    "options": N_("options"),
    "players": N_("players"),
}


@click.group()
def sessions() -> None:
    """List, show, verify, export, count or delete recorded sessions."""


@sessions.command("list")
@sessions_folder
@as_json
def list_(sessions: Path, json: bool) -> None:
    """List all sessions, the newest first."""
    from eyecaptain.sessions import log, store

    if json:
        language.use("en")  # why a session cannot be read stands in it, for programs
    rows = [_row(folder / log.FILE_NAME, folder.name) for folder in store.folders(sessions)]
    if json:
        console.emit(rows)
        return
    for row in rows:
        click.echo(f"{row['id']}  {row['game'] or '?':8} {_(row['status']):10} {', '.join(row['players'])}")
    if not rows:
        console.say(
            _("No session is in {sessions} yet. Begin one: captain play team --players You --bots 2").format(sessions=sessions)
        )


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
    rows = [(_(HEADS.get(key, key)), _in_words(value)) for key, value in header.items() if value not in (None, {})]
    state = f"{_(game.status)}. {status(game.view(None))}"
    rows += [(_("actions"), str(len(recorded.entries))), (_("state"), state), (_("file"), str(path))]
    width = max(len(key) for key, words in rows) + 1
    for key, words in rows:
        click.echo(f"{key + ':':{width}} {words}")


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(_("person") if inner is None else str(inner) for inner in value)
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
        click.echo(_("The last line was cut off by a crash; nothing of it was ever shown."))
    words = (
        _("{number} lines, last hash {hash}: all is well.")
        if link
        else _("{number} lines, without hashes (by hand): all is well.")
    )
    click.echo(words.format(number=recorded.lines, hash=link))


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
    if recorded.header["game"] == "geier":
        raise UsageProblem(_("A game by mail has reports of its own."), "captain geier export FOLDER")
    if anonymous:
        player = N_("Player {number}")
        recorded = exports.anonymous(recorded, player if kind == "csv" else _(player))
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
        raise CaptainError(
            _("{output} cannot be written: {error}.").format(output=output, error=error.strerror or error),
            _("Name another file."),
        ) from None


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
        console.say(
            _("No session is in {sessions} yet. Begin one: captain play team --players You --bots 2").format(sessions=sessions)
        )
        return
    for line in _stats_in_words(result):
        click.echo(line)


def _stats_in_words(result: dict[str, Any]) -> Iterator[str]:
    """The figures, line by line; names stand last, because nobody knows how wide they are."""
    number, finished = result["sessions"], result["finished"]
    words = ngettext("{number} session, {finished} finished.", "{number} sessions, {finished} finished.", number)
    yield words.format(number=number, finished=finished)
    if broken := result["broken"]:
        yield ngettext("{number} session cannot be read.", "{number} sessions cannot be read.", broken).format(number=broken)
    for game, counts in result["games"].items():
        number, finished = counts["sessions"], counts["finished"]
        words = ngettext("{number} session, {finished} finished", "{number} sessions, {finished} finished", number)
        lifts = ngettext("{n} lift", "{n} lifts", counts["lifts"]).format(n=counts["lifts"])
        yield f"  {game:8} {words.format(number=number, finished=finished)}, {lifts}"
    yield ""
    heads = [_("games"), _("won"), _("calls right"), _("calls wrong"), _("lifts"), _("matches"), _("turn")]
    yield "  ".join([*heads, _("player")])
    for player in result["players"]:
        turn = f"{player['turn_seconds']:.1f} s" if player["turn_seconds"] is not None else "-"
        keys = ("games", "wins", "calls_right", "calls_wrong", "lifts", "matches")
        cells = [*(player[key] for key in keys), turn]
        name = player["name"] if player["bot"] is None else _("bots, {strength}").format(strength=_(player["bot"]))
        yield "  ".join([*(f"{cell:>{len(head)}}" for cell, head in zip(cells, heads, strict=True)), name])
    yield ""
    for key, words in (("found", _("Colours found: {counts}.")), ("die", _("Colours of the die: {counts}."))):
        yield words.format(counts=", ".join(f"{_(color)} {number}" for color, number in result["colors"][key].items()))
    longest = result["longest"]
    if longest["lifts"]:
        yield _("Longest game: {lifts} lifts ({game}, {id}).").format(**longest["lifts"])
    if longest["time"]:
        yield _("Longest time: {seconds:.0f} s ({game}, {id}).").format(**longest["time"])


@sessions.command()
@click.argument("session", metavar="ID", shell_complete=completion.recorded)
@click.option("--yes", is_flag=True, help="Do not ask.")
@sessions_folder
def delete(session: str, yes: bool, sessions: Path) -> None:
    """Delete a session with all its files."""
    from eyecaptain.sessions import store

    folder = store.find(sessions, session).parent
    if folder.resolve().parent != sessions.resolve():
        raise UsageProblem(
            _("{session} is not a session in {sessions}.").format(session=session, sessions=sessions),
            _("Only whole sessions are deleted, by their id."),
        )
    if not yes:
        click.confirm(_("Delete {name} for good?").format(name=folder.name), abort=True, err=True)
    store.delete(folder)
    console.say(_("{name} is deleted.").format(name=folder.name))


@sessions.command()
@click.argument("session", metavar="[ID]", required=False, shell_complete=completion.recorded)
@sessions_folder
def path(session: str | None, sessions: Path) -> None:
    """Print where sessions are, or the file of one."""
    from eyecaptain.sessions import store

    click.echo(store.find(sessions, session) if session else sessions)
