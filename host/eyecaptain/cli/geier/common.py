"""What the commands of `captain geier` share: the game, the clock, and how mail is sent."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import N_, _

STATES = {
    "sent": N_("{what}: sent"),
    "failed": N_("{what}: not sent ({why}). It is tried again next time."),
    "check": N_("{what}: was it sent? ({why}) Look, then say: captain geier run --resend {id}, or --settled {id}"),
}


def now() -> datetime:
    """The time here."""
    return datetime.now().astimezone()


def game_option(command: Any) -> Any:
    """Add ``--game NAME``; the command gets it as `game`."""
    return click.option("--game", metavar="NAME", help="Which game: its short name or its id (default: the only one).")(command)


def sending(command: Any) -> Any:
    """Add ``--via`` and ``--outbox``: where mail goes out."""
    command = click.option(
        "--outbox",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Send nothing: put what would be sent into this folder. The next call without it sends.",
    )(command)
    return click.option(
        "--via",
        metavar="WHERE",
        help="smtps://user@host, smtp://host, maildir:DIR or folder:DIR (default: as in servers.toml).",
    )(command)


def moment(text: str, zone: str) -> datetime:
    """A deadline that was typed.

    :raises UsageProblem: it is none.
    """
    from eyecaptain.postal import deadlines

    return deadlines.parse(text, deadlines.zone_of(zone), now())


def seat_named(players: Iterable[str], name: str) -> int:
    """The seat of a player.

    :raises UsageProblem: nobody is called so.
    """
    players = list(players)
    for seat, player in enumerate(players):
        if player.casefold() == name.casefold():
            return seat
    raise UsageProblem(
        _("Nobody is called {name}.").format(name=name), _("The players are: {names}.").format(names=", ".join(players))
    )


def send(desks: Iterable[Any], via: str | None, outbox: Path | None) -> list[dict[str, str]]:
    """Send what waits, or put copies into a folder; says what became of each message.

    :raises CaptainError: nobody says where mail goes, or a folder cannot be written.
    """
    from eyecaptain.postal.outboxes import open_outbox

    desks = [desk for desk in desks if any(True for _waiting in desk.spool.waiting())]
    results: list[dict[str, str]] = []
    if outbox is not None:
        for desk in desks:
            for waiting in desk.spool.copies(outbox, desk.name):
                console.say(_("{what}: to be sent").format(what=f"{desk.name}: {waiting.what}"))
                results.append({"game": desk.name, "id": waiting.id, "what": waiting.what, "state": "waiting"})
        return results
    if not desks:
        return results
    post = open_outbox(via)
    try:
        for desk in desks:
            for waiting, state, why in desk.spool.send(post):
                console.say(_(STATES[state]).format(what=f"{desk.name}: {waiting.what}", why=why, id=waiting.id))
                results.append({"game": desk.name, "id": waiting.id, "what": waiting.what, "state": state})
    finally:
        post.close()
    return results


def must_be_open(broken: Sequence[Exception]) -> None:
    """End the command with an error when a game could not be opened; the others have gone on.

    :raises CaptainError, Refused: so it is.
    """
    for error in broken[1:]:
        console.say(_("Error: {error}").format(error=error))
    if broken:
        raise broken[0]


def must_be_sent(results: list[dict[str, str]]) -> None:
    """End the command with an error when a message did not go out for certain.

    :raises CaptainError: so it is.
    """
    left = sum(result["state"] in ("failed", "check") for result in results)
    if left:
        raise CaptainError(
            _("{number} messages were not sent for certain.").format(number=left),
            _("Everything is kept. captain geier status says what waits."),
        )
