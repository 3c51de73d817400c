"""The actions of Hol's der Geier by mail, as the log holds them (design.md, sessions). `player` is a seat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from eyecaptain.games.auction import ANIMALS, ROUNDS
from eyecaptain.games.base import FLAG, TEXT, Action, Check, is_int, is_one_of
from eyecaptain.language import N_

SEAT: Check = (is_int(0, 2**31), N_("the number of a player, from 0"))
CARD: Check = (is_int(-(2**31), 2**31), N_("a whole number"))
ID: Check = (lambda value: isinstance(value, str) and 0 < len(value) <= 64, N_("a text of 1 to 64 characters"))


def _is_deck(value: Any) -> bool:
    return isinstance(value, list) and all(type(animal) is int for animal in value) and sorted(value) == sorted(ANIMALS)


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """The animals in the order of their auctions, A1, B1, A2, ...; private."""

    type: ClassVar[str] = "deal"
    checks: ClassVar = {"cards": (_is_deck, N_("the sixteen animals, each once"))}
    cards: list[int]


@dataclass(frozen=True, slots=True)
class Nonce(Action):
    """What a player adds to the seed after its commitment (A10)."""

    type: ClassVar[str] = "nonce"
    checks: ClassVar = {"player": SEAT}
    player: int
    text: str


@dataclass(frozen=True, slots=True)
class FileOrder(Action):
    """A player's order for a round; it replaces an earlier one (H12), and with neither card takes it back.

    `late`: it came after the deadline.
    """

    type: ClassVar[str] = "order"
    checks: ClassVar = {"player": SEAT, "a": CARD, "b": CARD, "late": FLAG}
    player: int
    round: int
    a: int | None = None
    b: int | None = None
    late: bool | None = None


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """A player wants the round to be evaluated at its deadline, not before (H19)."""

    type: ClassVar[str] = "wait"
    checks: ClassVar = {"player": SEAT, "on": FLAG}
    player: int
    on: bool


@dataclass(frozen=True, slots=True)
class Absence(Action):
    """A player has said to be away: no reminders, and a missing order is excused."""

    type: ClassVar[str] = "absence"
    checks: ClassVar = {"player": SEAT, "on": FLAG}
    player: int
    on: bool


@dataclass(frozen=True, slots=True)
class Deadline(Action):
    """When the orders of a round must be in (`round` 0: what players add to the seed)."""

    type: ClassVar[str] = "deadline"
    checks: ClassVar = {
        "round": (is_int(0, ROUNDS), N_("a whole number from 0 to 8")),
        "at": (_is_time, N_("a date and time with its offset, as 2026-12-20T20:00:00+01:00")),
    }
    round: int
    at: str


@dataclass(frozen=True, slots=True)
class Press(Action):
    """Something for the next report; without a player it is the game master's."""

    type: ClassVar[str] = "press"
    checks: ClassVar = {"player": SEAT, "text": TEXT}
    text: str
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Evaluate(Action):
    """The round is evaluated with the orders on file."""

    type: ClassVar[str] = "evaluate"
    round: int


@dataclass(frozen=True, slots=True)
class Standby(Action):
    """Somebody else plays on in a seat (H15)."""

    type: ClassVar[str] = "standby"
    checks: ClassVar = {
        "player": SEAT,
        "name": (lambda value: isinstance(value, str) and 0 < len(value) <= 20, N_("a name of 1 to 20 characters")),
    }
    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Rollback(Action):
    """Back to the beginning of a round (H20)."""

    type: ClassVar[str] = "rollback"
    round: int


@dataclass(frozen=True, slots=True)
class Mail(Action):
    """What became of a message; never an address, a code or a word of it.

    :param dir: in or out.
    :param id: tells messages apart, by a digest.
    :param what: what it was: order, report 3 seat 2, ...
    :param state: in: taken, done, refused, ignored; out: sending, sent, failed, check.
    """

    type: ClassVar[str] = "mail"
    checks: ClassVar = {
        "dir": (is_one_of("in", "out"), N_("in or out")),
        "id": ID,
        "what": ID,
        "state": (
            is_one_of("taken", "done", "refused", "ignored", "sending", "sent", "failed", "check"),
            N_("one of taken, done, refused, ignored, sending, sent, failed, check"),
        ),
    }
    dir: str
    id: str
    what: str
    state: str
