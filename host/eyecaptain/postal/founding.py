"""A game by mail begins: players with addresses, a committed shuffle, the first deadline, a welcome for everybody."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from eyecaptain import __version__
from eyecaptain.errors import UsageProblem
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import Deadline
from eyecaptain.games.history import History
from eyecaptain.language import _
from eyecaptain.postal import roster
from eyecaptain.postal.desk import Clock, Desk
from eyecaptain.postal.office import games
from eyecaptain.postal.outboxes import sender
from eyecaptain.postal.paper import short_name
from eyecaptain.postal.roster import Correspondent, Roster
from eyecaptain.sessions import log, store
from eyecaptain.sessions.writer import Writer
from eyecaptain.table.names import checked

USUAL = (5, 9)  # players, H17


@dataclass(frozen=True, slots=True)
class Plan:
    """What the game master wants.

    :param people: name, address, time zone and language of each.
    :param bots: how strong each empty seat plays.
    :param deadline: of round 1, or of the words for the shuffle when `nonces`.
    :param seed: as hex digits; None draws one.
    """

    people: Sequence[tuple[str, str, str, str]]
    zone: str
    language: str
    bots: Sequence[str] = ()
    deadline: datetime | None = None
    days: int = 0
    remind: Sequence[int] = (72, 24)
    nonces: bool = False
    master: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None


def unusual(number: int) -> str | None:
    """What to say of a number of players that the game is not made for (H17), or None."""
    low, high = USUAL
    if low <= number <= high:
        return None
    return _("{number} players: the game is at its best with {low} to {high}.").format(number=number, low=low, high=high)


def begin(root: Path, plan: Plan, now: Clock) -> Desk:
    """Begin a game; its welcome mails wait in the spool. Close what comes back.

    :raises UsageProblem: a name twice, an address that is missing or is there twice, an option that does not exist, or nobody
        says which address mail comes from.
    :raises CaptainError: it cannot be written.
    """
    names = checked([*(name for name, *_rest in plan.people), *(f"Bot {number}" for number in range(1, len(plan.bots) + 1))])
    for name, address, *_rest in plan.people:
        if not address:
            raise UsageProblem(
                _("{name} has no address.").format(name=name),
                _("Write --player {name}=somebody@example.org, or let a bot play: --bots 1").format(name=name),
            )
    addresses = [roster.address_of(address) for _name, address, *_rest in plan.people]
    for at, address in enumerate(addresses):
        if address in addresses[:at]:
            other = names[addresses.index(address)]
            raise UsageProblem(
                _("{other} and {name} have the same address.").format(other=other, name=names[at]),
                _("A player is known by it: each needs an own one."),
            )
    if plan.nonces and plan.deadline is None:
        raise UsageProblem(_("Until when can words for the shuffle come?"), _("Say --deadline, too."))
    sender()  # before anything is written: what is wrong with it
    try:
        GeierGame(names, plan.options)
    except ValueError as error:
        raise UsageProblem(f"{error}.", _("captain geier new --help says what there is.")) from None
    codes = [roster.new_code() for _person in plan.people]
    players = [
        Correspondent(address, roster.hashed(code), zone, language)
        for address, code, (_name, _address, zone, language) in zip(addresses, codes, plan.people, strict=True)
    ]
    players += [Correspondent(zone=plan.zone, language=plan.language) for _bot in plan.bots]
    created = now()
    header = {
        "type": "session",
        "format": log.FORMAT,
        "id": _new_id(root, created),
        "game": GeierGame.name,
        "players": names,
        "bots": [*(None for _person in plan.people), *plan.bots],
        "options": dict(plan.options),
        "seed": plan.seed or secrets.token_hex(32),
        "created": created.isoformat(timespec="milliseconds"),
        "host": __version__,
    }
    writer = Writer.create(root / str(header["id"]), header)
    try:
        writer.folder.chmod(0o700)  # the log has the orders and the shuffle
        roster.save(writer.folder, Roster(players, plan.zone, plan.language, plan.master, plan.days, list(plan.remind)))
        desk = Desk(writer, log.HEADER_DEFAULTS | header, History(lambda: GeierGame(names, plan.options)), [], now)
        if plan.deadline is not None:
            desk.happen(Deadline(0 if plan.nonces else 1, plan.deadline.isoformat()))
        for seat, code in enumerate(codes):
            desk.welcome(seat, code)
    except BaseException:
        writer.close()
        raise
    return desk


def _new_id(root: Path, at: datetime) -> str:
    """An id whose short name no other game has."""
    taken = {short_name(folder.name) for folder in games(root)}
    while short_name(found := store.new_id(at)) in taken:
        pass
    return found
