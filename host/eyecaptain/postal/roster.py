"""Who plays by mail, from where, and how they are known: `mail.toml` in the session's folder, for its owner's eyes only.

Addresses and codes are nowhere else: not in the log, not in reports, not in exports (design.md, sessions).
"""

import json
import os
import re
import secrets
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import scrypt
from hmac import compare_digest
from pathlib import Path
from typing import Any

from eyecaptain.errors import BrokenSession, CaptainError, UsageProblem
from eyecaptain.language import LANGUAGES, _
from eyecaptain.postal.deadlines import zone_of
from eyecaptain.sessions.writer import sync, sync_folder

FILE_NAME = "mail.toml"
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none looks like another
# RFC 5321, less what nobody uses: quoted local parts, address literals.
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Correspondent:
    """How to reach a player, and how to know their mail.

    :param address: in lower case; empty for a bot.
    :param code: the secret code's hash.
    """

    address: str = ""
    code: str = ""
    zone: str = "UTC"
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Roster:
    """The correspondents by seat, and how the game is run.

    :param master: the game master's address, which answers go to; may be empty.
    :param days: from one deadline to the next; 0: the game master sets each.
    :param remind: so many hours before a deadline who has no order on file is reminded.
    """

    players: Sequence[Correspondent]
    zone: str = "UTC"
    language: str = "en"
    master: str = ""
    days: int = 0
    remind: Sequence[int] = field(default_factory=tuple)

    def seat_of(self, address: str) -> int | None:
        """The seat of this address, or None."""
        return next((seat for seat, player in enumerate(self.players) if player.address and player.address == address), None)


def address_of(text: str) -> str:
    """An address as people type it, in lower case.

    :raises UsageProblem: it is none.
    """
    if not _ADDRESS.fullmatch(text.strip()):
        raise UsageProblem(
            _("{text!r} is not an address that mail can be sent to.").format(text=text), _("Example: Ada=ada@example.org")
        )
    return text.strip().lower()


def language_of(text: str) -> str:
    """A language that reports can be in.

    :raises UsageProblem: there are none in this one.
    """
    if text not in LANGUAGES:
        raise UsageProblem(
            _("There are no reports in {text!r}.").format(text=text),
            _("There are: {languages}.").format(languages=", ".join(LANGUAGES)),
        )
    return text


def new_code() -> str:
    """A secret code, such as ``k7fm-2xqp-9dve``: 59 bits of chance."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))


def hashed(code: str, salt: bytes | None = None) -> str:
    """What is kept of a code, by scrypt. A code is 59 bits of chance, no word that people think of: a light cost is enough."""
    salt = salt or secrets.token_bytes(16)
    return f"scrypt${salt.hex()}${scrypt(code.lower().encode(), salt=salt, n=2**12, r=8, p=1, dklen=32).hex()}"


def is_code(code: str, kept: str) -> bool:
    """Whether `code` is the one whose hash was kept."""
    try:
        _, salt, _ = kept.split("$")
        return compare_digest(hashed(code, bytes.fromhex(salt)), kept)
    except ValueError:
        return False


def save(folder: Path, roster: Roster) -> None:
    """Write `mail.toml`, readable by its owner alone; the old one stays until the new one is on the disk.

    :raises CaptainError: it cannot be written.
    """
    fresh = folder / (FILE_NAME + ".new")
    try:
        fresh.unlink(missing_ok=True)
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(_toml(roster).encode())
            file.flush()
            sync(file.fileno())
        fresh.replace(folder / FILE_NAME)
        sync_folder(folder)
    except OSError as error:
        raise CaptainError(
            _("{path} cannot be written: {strerror}.").format(path=folder / FILE_NAME, strerror=error.strerror or error),
            _("Make room first."),
        ) from None


def _toml(roster: Roster) -> str:
    def table(values: dict[str, Any]) -> str:  # text, numbers and lists of them look the same in JSON
        return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())

    top = {"zone": roster.zone, "language": roster.language, "master": roster.master, "days": roster.days}
    text = "# Who plays, and where their mail goes. Keep it to yourself.\n" + table(top | {"remind": list(roster.remind)})
    for player in roster.players:
        text += "\n[[players]]\n" + table({key: getattr(player, key) for key in ("address", "code", "zone", "language")})
    return text


def load(folder: Path) -> Roster:
    """Read `mail.toml`.

    :raises BrokenSession: it is missing, or something in it is not what it must be; the line of the error is named.
    """
    path = folder / FILE_NAME
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        players = [
            Correspondent(
                address_of(player["address"]) if player["address"] else "",
                str(player["code"]),
                zone_of(player["zone"]).key,
                language_of(player["language"]),
            )
            for player in data["players"]
        ]
        days, remind = data["days"], data["remind"]
        if type(days) is not int or not all(type(hours) is int for hours in remind):
            raise BrokenSession(
                _('{path}: "days" must be a number, and "remind" a list of numbers of hours.').format(path=path)
            )
        return Roster(
            players,
            zone_of(data["zone"]).key,
            language_of(data["language"]),
            address_of(data["master"]) if data["master"] else "",
            days,
            remind,
        )
    except OSError as error:
        raise BrokenSession(
            _("{path} cannot be read: {strerror}.").format(path=path, strerror=error.strerror or error),
            _("Without it nobody knows where the players' mail goes."),
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenSession(
            _("{path} is damaged: {name}: {error}.").format(path=path, name=type(error).__name__, error=error),
            _("Correct it with an editor."),
        ) from None
    except UsageProblem as error:
        raise BrokenSession(f"{path}: {error.message}", error.hint) from None
