"""A mail comes to a game: who it is from, what it wants, what becomes of it. Every mail counts once, whatever happens.

The log gets `taken` before the first of its actions and `done` after its answer was spooled; the actions in between are its
own. So a program that was killed in the middle finds out how far it had come when the mail is read again, and goes on there.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from eyecaptain.games.base import Action, Refused, action_to_json
from eyecaptain.games.geieractions import Absence, FileOrder, Mail, Nonce, Press, Wait
from eyecaptain.language import N_, Text
from eyecaptain.postal import messages, orders, roster
from eyecaptain.postal.desk import Desk
from eyecaptain.postal.letters import Letter
from eyecaptain.postal.orders import Context, Reading, Unclear

WRONG_CODE = Text(
    N_("Your secret code is missing in it, or it is wrong. If you did not write that mail, somebody else did in your name.")
)
VANISHED = Text(N_("a mail that was being read when the program ended is not there any more"))
MOST_REFUSALS = 5  # to one player between two evaluations: nobody talks with a machine for ever


class Outcome(NamedTuple):
    """What became of a mail, for the game master. It names no address and no code.

    :param state: done, refused, ignored or duplicate.
    :param reasons: order, press, ..., or why it was refused or ignored.
    :param suspicious: whether the game master should look at it.
    """

    game: str | None
    player: str | None
    state: str
    reasons: Sequence[Text]
    suspicious: bool = False

    @property
    def words(self) -> str:
        """What it was, or why it was refused or ignored, in the language of people."""
        return ", ".join(map(str, self.reasons))

    def as_json(self) -> dict[str, Any]:
        """The same for programs, in English."""
        found = self._asdict()
        found["what"] = ", ".join(reason.english for reason in found.pop("reasons"))
        return found


def seen(desk: Desk, letter: Letter) -> bool:
    """Whether a mail, or a copy of it, was dealt with in this game."""
    halves = (letter.id[:16], letter.id[16:])
    return any(
        isinstance(action, Mail)
        and action.dir == "in"
        and action.state != "taken"
        and (action.id[:16] == halves[0] or action.id[16:] == halves[1])
        for __, action in desk.events
    )


def unfinished(desk: Desk) -> tuple[str, list[Action]] | None:
    """The mail that was being dealt with when the program was killed, and those of its actions that were done."""
    done: list[Action] = []
    for __, action in reversed(desk.events):
        if isinstance(action, Mail) and action.dir == "in":
            return (action.id, done[::-1]) if action.state == "taken" else None
        if isinstance(action, FileOrder | Wait | Absence | Press | Nonce):
            done.append(action)
    return None


def give_up(desk: Desk) -> Outcome | None:
    """What was being dealt with is not in the mailbox any more: the game master has to look."""
    found = unfinished(desk)
    if found is None:
        return None
    desk.happen(Mail("in", found[0], "interrupted", "check"))
    return Outcome(
        desk.name, None, "refused", [Text(N_("a mail that was being read when the program ended is not there any more"))], True
    )


def handle(desk: Desk, letter: Letter, arrived: datetime) -> Outcome:
    """Deal with a mail.

    :param arrived: when it reached the mailbox: an order is late if that is after the deadline.
    :raises CaptainError: the disk does not take it; run again, and it goes on where it was.
    """
    if seen(desk, letter):
        return Outcome(desk.name, None, "duplicate", [Text(N_("a mail that was dealt with before"))])
    seat = desk.roster.seat_of(letter.sender)
    if seat is None:
        return _put_aside(desk, letter, None, Text(N_("a stranger's address")))
    kept = desk.roster.players[seat].code
    if not any(_is_code(code, kept) for code in orders.codes(f"{letter.subject}\n{letter.text}")):
        _refuse(desk, letter, seat, WRONG_CODE)
        return _put_aside(desk, letter, seat, Text(N_("without the right code")))
    return _from_player(desk, letter, seat, arrived)


@lru_cache(maxsize=256)
def _is_code(code: str, kept: str) -> bool:
    return roster.is_code(code, kept)


def _put_aside(desk: Desk, letter: Letter, seat: int | None, why: Text) -> Outcome:
    """A mail that changes nothing; the game master is told, also by mail (but not for ever)."""
    player = None if seat is None else desk.game.players[seat]
    if desk.told("notice") < MOST_REFUSALS:
        desk.tell_master(letter.id, lambda: messages.suspicious(player))
    desk.happen(Mail("in", letter.id, why.english, "refused"))
    return Outcome(desk.name, player, "refused", [why], suspicious=True)


def _refuse(desk: Desk, letter: Letter, seat: int, why: Text) -> None:
    """Say why, in the player's language: to the player's own address, and not for ever."""
    if desk.told(f"refusal seat {seat}") >= MOST_REFUSALS:
        return
    desk.tell(
        seat,
        "refusal",
        letter.id,
        lambda each: messages.refused(desk.game, each, str(why), desk.deadline_words(each)),
        letter.message_id,
    )


def context(desk: Desk, seat: int, expected: int | None = None) -> Context:
    """What a reader of orders has to know of a game."""
    game = desk.game
    known = game.animals(game.round) if game.round <= game.shown() else None
    return Context(game.players, seat, game.round, known, (desk.name, desk.header["id"]), expected)


def _from_player(desk: Desk, letter: Letter, seat: int, arrived: datetime) -> Outcome:
    """A mail that is a player's for certain."""
    game = desk.game
    player = game.players[seat]
    left = unfinished(desk)
    if left is not None and left[0] != letter.id:
        give_up(desk)
        left = None
    if left is None:
        desk.happen(Mail("in", letter.id, f"mail seat {seat}", "taken"))
    tag = orders.TAG.search(letter.subject)
    try:
        if game.over:
            raise Unclear(N_("The game is over."))
        reading = orders.read(letter.text, context(desk, seat, int(tag[2]) if tag and tag[2] else None))
        if reading.empty:
            raise Unclear(N_("No order was found in it."))
        apply(desk, seat, reading, late=is_late(desk, arrived), done=left[1] if left else [])
    except Unclear as unclear:
        _refuse(desk, letter, seat, unclear.text)
        desk.happen(Mail("in", letter.id, f"unclear seat {seat}", "refused"))
        return Outcome(desk.name, player, "refused", [unclear.text])
    except Refused as refused:
        _refuse(desk, letter, seat, refused.text)
        desk.happen(Mail("in", letter.id, f"against the rules seat {seat}", "refused"))
        return Outcome(desk.name, player, "refused", [refused.text])
    desk.tell(seat, "answer", letter.id, lambda each: _answer(desk, each, reading), letter.message_id)
    done = [Text(N_("order for round {round}"), round=number) for number in sorted(reading.orders)]
    done += [Text("{word}", word=word) for word in reading.says]
    done += [Text(N_("press")) for __ in reading.press]
    done += [Text(N_("a word for the shuffle"))] if reading.nonce else []
    desk.happen(Mail("in", letter.id, f"understood seat {seat}", "done"))
    return Outcome(desk.name, player, "done", done)


def is_late(desk: Desk, arrived: datetime) -> bool:
    """Whether what arrived then came after the deadline of the current round."""
    at = None if desk.game.needs_deal else desk.deadline()
    return at is not None and arrived > at


def _answer(desk: Desk, seat: int, reading: Reading) -> tuple[str, str]:
    count = 1 + sum(
        isinstance(action, Mail) and action.what == f"understood seat {seat}" and action.state == "done"
        for __, action in desk.events
    )
    return messages.understood(desk.game, seat, reading, count, desk.deadline_words(seat))


def actions(desk: Desk, seat: int, reading: Reading, *, late: bool) -> list[Action]:
    """What a reading comes to, as actions."""
    round_ = desk.game.round
    found: list[Action] = [
        FileOrder(seat, number, a, b, late=True if late and number == round_ else None)
        for number, (a, b) in sorted(reading.orders.items())
    ]
    if "clear" in reading.says:
        found.append(FileOrder(seat, round_))
    found += [Wait(seat, on=word == "wait") for word in reading.says if word in ("wait", "nowait")]
    found += [Absence(seat, on=word == "absent") for word in reading.says if word in ("absent", "back")]
    found += [Press(text, seat) for text in reading.press]
    if reading.nonce:
        found.append(Nonce(seat, reading.nonce))
    return found


def apply(desk: Desk, seat: int, reading: Reading, *, late: bool = False, done: list[Action] | None = None) -> None:
    """Let what was read happen: all of it or nothing.

    :param done: what of it happened before the program was killed.
    :raises Refused: one of it is against the rules.
    """
    left = [action_to_json(action) for action in done or ()]
    wanted = []
    for action in actions(desk, seat, reading, late=late):
        if left and left[0] == action_to_json(action):
            left.pop(0)
        else:
            wanted.append(action)
    trial = desk.game.copy()
    for action in wanted:
        trial.apply(action)
    for action in wanted:
        desk.happen(action)


def line(desk: Desk, text: str, player: str | None) -> tuple[int, Reading]:
    """What the game master types for a player, as the player would write it: ``R3 Ada: A=12 B=4``.

    :raises Unclear: it cannot be read, or does not say whose order it is.
    """
    names = [player] if player is not None else desk.game.players
    for seat in sorted(range(len(desk.game.players)), key=lambda each: -len(desk.game.players[each])):
        name = desk.game.players[seat]
        if name.casefold() not in (each.casefold() for each in names):
            continue
        if player is not None:
            return seat, orders.read(text, context(desk, seat))
        before, found, rest = _split_at_name(desk, text, name)
        if found:
            return seat, orders.read(f"{before} {rest}", context(desk, seat))
    raise Unclear(N_("Whose order is it? Write the name before it, as in {example}"), example="R3 Ada: A=12 B=4")


def _split_at_name(desk: Desk, text: str, name: str) -> tuple[str, bool, str]:
    """The round before a player's name at the beginning of a line, whether the name is there, and what follows its colon."""
    game = rf"(?:\[?(?:geier )?(?:{re.escape(desk.name)}|{re.escape(desk.header['id'])})\]?\s+)?"
    found = re.match(
        rf"\s*{game}(r[^\W\d_]*\s*\d+)?\s*{re.escape(name)}\s*(?:{orders.CODE.pattern})?\s*:(.*)$",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    return (found[1] or "", True, found[3]) if found else ("", False, "")
