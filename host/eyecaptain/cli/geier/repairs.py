"""`captain geier rollback|standby`: when something went wrong, or somebody leaves."""

from dataclasses import replace
from pathlib import Path

import click

from eyecaptain.cli import console
from eyecaptain.cli.geier import common
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import UsageProblem
from eyecaptain.language import LANGUAGES, _


@click.command()
@click.argument("number", metavar="ROUND", type=click.IntRange(1, 8))
@click.option("--deadline", metavar="'YYYY-MM-DD HH:MM'", help="Until when orders for that round are taken again.")
@common.game_option
@common.sending
@sessions_folder
@as_json
def rollback(
    number: int, deadline: str | None, game: str | None, via: str | None, outbox: Path | None, sessions: Path, json: bool
) -> None:
    """Go back to the beginning of ROUND; everybody gets a notice, and a corrected report after its evaluation.

    Its orders stay on file and can be corrected; those of later rounds are gone. It is not evaluated again before you set a
    deadline or say: captain geier run --now
    """
    from eyecaptain.postal import office
    from eyecaptain.postal.desk import Desk

    with Desk.open(office.find(sessions, game), common.now) as desk:
        at = common.moment(deadline, desk.roster.zone) if deadline else None
        desk.roll_back(number)
        if at is not None:
            desk.set_deadline(at)
        console.say(_("{game}: back at the beginning of round {round}.").format(game=desk.name, round=number))
        sent = common.send([desk], via, outbox)
        if json:
            console.emit({"game": desk.name, "round": number, "mail": sent})
        common.must_be_sent(sent)


@click.command()
@click.argument("player")
@click.option("--name", help="Who plays on (default: the same person, for a new address or a new code).")
@click.option("--address", metavar="ADDRESS", help="Where mail goes from now on.")
@click.option("--zone", help="The time zone of who plays on.")
@click.option("--language", type=click.Choice(LANGUAGES), help="The language of who plays on.")
@common.game_option
@common.sending
@sessions_folder
@as_json
def standby(
    player: str,
    name: str | None,
    address: str | None,
    zone: str | None,
    language: str | None,
    game: str | None,
    via: str | None,
    outbox: Path | None,
    sessions: Path,
    json: bool,
) -> None:
    """Let somebody else play on in PLAYER's seat, with the hand, the animals and the points; or change an address.

    The old code is worth nothing any more; a new one goes to the address.
    """
    from eyecaptain.postal import office, roster
    from eyecaptain.postal.deadlines import zone_of
    from eyecaptain.postal.desk import Desk
    from eyecaptain.table.names import checked

    with Desk.open(office.find(sessions, game), common.now) as desk:
        seat = common.seat_named(desk.game.players, player)
        known = desk.roster.players[seat]
        new = replace(
            known,
            address=roster.address_of(address) if address else known.address,
            zone=zone_of(zone).key if zone else known.zone,
            language=language or known.language,
        )
        if not new.address:
            raise UsageProblem(_("{name} has no address.").format(name=name or player), _("--address zoe@example.org"))
        other = desk.roster.seat_of(new.address)
        if other not in (None, seat):
            raise UsageProblem(_("{name} has the same address.").format(name=desk.game.players[other or 0]))
        desk.stand_by(seat, checked([name or desk.game.players[seat]])[0], new)
        console.say(_("{name} plays on; a new code is on its way.").format(name=desk.game.players[seat]))
        sent = common.send([desk], via, outbox)
        if json:
            console.emit({"game": desk.name, "player": desk.game.players[seat], "mail": sent})
        common.must_be_sent(sent)
