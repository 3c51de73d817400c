"""The format of `session.jsonl` (design.md, sessions): a header line, then one action a line, chained by hashes.

Format 1. A line is written once and never changed; everything here is pure: bytes in, values out.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from eyecaptain.errors import BrokenSession
from eyecaptain.language import N_, _

FORMAT = 1
FILE_NAME = "session.jsonl"
HEADER_DEFAULTS: dict[str, Any] = {
    "id": None,
    "bots": None,
    "deck": "virtual",
    "options": {},
    "seed": None,
    "created": None,
    "host": None,
    "board": None,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One action of a session.

    :param line: its line in the file, the header being line 1.
    :param key: what an undo names it by: its seq, or its line when it has none.
    :param t: seconds since the session was created, or None.
    :param data: the action's own keys.
    """

    line: int
    key: int
    t: float | None
    data: dict[str, Any]


@dataclass(slots=True)
class Session:
    """A session as read from its file.

    :param header: the header with its defaults filled in.
    :param signed: whether the actions carry hashes (a session without any action is signed if it has an id).
    :param torn: the bytes of a last line that was cut off by a crash; nothing of it was ever shown.
    :param size: how many bytes of the file are whole.
    :param hash: the last link of the chain.
    """

    header: dict[str, Any]
    entries: list[Entry] = field(default_factory=list)
    signed: bool = True
    torn: bytes = b""
    size: int = 0
    hash: str = ""

    @property
    def lines(self) -> int:
        """How many whole lines there are, with the header."""
        return 1 + len(self.entries)


def dump(data: dict[str, Any]) -> bytes:
    """One object as a line of the log, without its LF."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def first_hash(header: bytes) -> str:
    """h(0): over the header line without its LF."""
    return sha256(header).hexdigest()[:16]


def next_hash(before: str, body: bytes) -> str:
    """h(n): over the digits of h(n-1), then the line's bytes up to its last ``,"hash":``."""
    return sha256(before.encode() + body).hexdigest()[:16]


def sign(before: str, seq: int, t: float, action: dict[str, Any]) -> tuple[bytes, str]:
    """The line (with LF) of an action, and the link that it adds to the chain."""
    body = dump({"seq": seq, "t": round(t, 3), **action})[:-1]
    link = next_hash(before, body)
    return body + b',"hash":"' + link.encode() + b'"}\n', link


def read(data: bytes, name: str = "the session") -> Session:
    """Read a session file.

    A torn last line (no LF, NULs, half an object) is set aside in `Session.torn`. A file written by hand may leave out
    seq, t, hash and the last LF.

    :param name: what to call the file in an error.
    :raises BrokenSession: anything else that is wrong, with the number of its line.
    """
    if not data:
        raise BrokenSession(
            _("{name} is empty.").format(name=name), _("Nothing was recorded in it; start a new game with captain play.")
        )
    lines = data.split(b"\n")
    tail = lines.pop()  # what follows the last LF
    by_hand = not lines  # a header alone, without LF
    if by_hand:
        lines, tail = [tail], b""
    header = _header(lines[0], name)
    signed = header["id"] is not None and not by_hand
    session = Session(header, signed=signed, size=len(lines[0]) + 1, hash=first_hash(lines[0]))
    if tail and "hash" not in (_object(tail) or {"hash": None}):
        # A whole action without LF is one by hand: what we write ends with its hash, and is torn without its LF.
        lines.append(tail)
        tail = b""
    elif not tail and len(lines) > 1 and not lines[-1].rstrip(b"\r").endswith(b"}"):  # half an object, or NULs
        tail = lines.pop() + b"\n"
    session.torn = tail
    for number, line in enumerate(lines[1:], start=2):
        _add(session, number, line, name)
    return session


def _header(line: bytes, name: str) -> dict[str, Any]:
    """Check the header and fill in its defaults."""
    found = _object(line)
    if found is None:
        raise BrokenSession(
            _("{name}, line 1: this is not a session: its first line is no JSON object.").format(name=name), _(_OTHER)
        )
    if found.get("type") != "session":
        raise BrokenSession(
            _('{name}, line 1: this is not a session: it does not begin with {{"type":"session"}}.').format(name=name),
            _(_OTHER),
        )
    number = found.get("format")
    if type(number) is not int or number < 1:
        raise BrokenSession(
            _("{name}, line 1: the format must be a number from 1, not {number!r}.").format(name=name, number=number), _(_OTHER)
        )
    if number > FORMAT:
        raise BrokenSession(
            _("{name}, line 1: format {number} was written by a newer captain; this one reads formats up to {FORMAT}.").format(
                name=name, number=number, FORMAT=FORMAT
            ),
            _("Update it: pip install --upgrade eye-eye-captain"),
        )
    header = HEADER_DEFAULTS | found
    players = header.get("players")
    problem = None
    if not isinstance(header.get("game"), str):
        problem = _('"game" must be the name of a game')
    elif not isinstance(players, list) or not all(isinstance(player, str) for player in players):
        problem = _('"players" must be a list of names')
    elif header["deck"] not in ("real", "virtual"):
        problem = _('"deck" must be "real" or "virtual"')
    elif not isinstance(header["options"], dict):
        problem = _('"options" must be an object')
    elif not _are_bots(header["bots"], players):
        problem = _('"bots" must have null or a strength for each player')
    elif not all(header[key] is None or isinstance(header[key], str) for key in ("id", "seed", "created", "host")):
        problem = _('"id", "seed", "created" and "host" must be text')
    if problem:
        raise BrokenSession(_("{name}, line 1: {problem}.").format(name=name, problem=problem), _(_OTHER))
    return header


_OTHER = N_("Is it a session.jsonl? captain sessions list shows those that can be read.")


def _are_bots(bots: Any, players: Sequence[str]) -> bool:
    if bots is None:
        return True
    return isinstance(bots, list) and len(bots) == len(players) and all(bot is None or isinstance(bot, str) for bot in bots)


def _object(line: bytes) -> dict[str, Any] | None:
    """The JSON object in a line, or None."""
    try:
        found = json.loads(line.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _add(session: Session, number: int, line: bytes, name: str) -> None:
    """Check one action line and add it to the session."""

    def broken(what: str) -> BrokenSession:
        return BrokenSession(
            _("{name}, line {number}: {what}.").format(name=name, number=number, what=what),
            _("The lines before it are whole: captain replay shows how far they go."),
        )

    data = _object(line)
    if data is None:
        raise broken(_("this is no JSON object"))
    signed = "hash" in data
    if not session.entries:
        session.signed = signed
    elif signed != session.signed:
        raise broken(_("either every action has a hash or none has; lines were added or changed by hand"))
    if signed:
        at = line.rfind(b',"hash":')
        link = next_hash(session.hash, line[:at])
        if at < 0 or data["hash"] != link or line[at:] != b',"hash":"' + link.encode() + b'"}':
            raise broken(_("the hash does not fit; this line was changed, or one before it is missing or moved"))
        session.hash = link
    seq, t = data.pop("seq", None), data.pop("t", None)
    data.pop("hash", None)
    if (signed or seq is not None) and (type(seq) is not int or seq != number - 1):
        raise broken(_('"seq" must be {number}, not {seq!r}').format(number=number - 1, seq=seq))
    last = next((entry.t for entry in reversed(session.entries) if entry.t is not None), 0.0)
    if (signed or t is not None) and (type(t) not in (int, float) or not last <= t < float("inf")):
        raise broken(_('"t" must be a number of seconds, and never fall: {t!r} comes after {last}').format(t=t, last=last))
    session.entries.append(Entry(number, seq if seq is not None else number, t, data))
    session.size += len(line) + 1
