"""What mail the log of a game calls for: reports, corrections, moved deadlines; and the clock: reminders.

What was spooled before is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from eyecaptain.games.geieractions import Deadline, Deal, Evaluate, Rollback
from eyecaptain.postal import deadlines, messages

if TYPE_CHECKING:
    from eyecaptain.postal.desk import Desk


def write(desk: Desk) -> None:
    """Spool the reports and notices that the log calls for; what was spooled before is left alone."""
    evaluated: list[tuple[int, int]] = []  # seq and round of those that count
    timed: set[int] = set()  # rounds with a deadline
    for seq, action in list(desk.events):
        match action:
            case Deal():
                evaluated.append((seq, 0))
            case Evaluate():
                evaluated.append((seq, action.round))
            case Rollback():
                evaluated = [(each, number) for each, number in evaluated if number < action.round]
                timed = {number for number in timed if number <= action.round}
                _tell_all(desk, f"correction {action.round}", seq, partial(_rolled_back, action.round))
            case Deadline():
                if action.round in timed and action.round == desk.game.round:
                    _tell_all(desk, f"deadline {action.round}", seq, partial(_moved, desk, action))
                timed.add(action.round)
            case _:
                pass
    for seq, number in evaluated:
        _tell_all(desk, f"report {number}", seq, partial(_report, desk, number))


def _report(desk: Desk, number: int, seat: int) -> Sequence[Any]:
    data = desk.paper(number)
    return (*messages.report(data, desk.roster.players[seat].language), data)


def _moved(desk: Desk, action: Deadline, seat: int) -> Sequence[Any]:
    zone = ZoneInfo(desk.roster.players[seat].zone)
    return messages.moved(action.round, [deadlines.said(datetime.fromisoformat(action.at), zone)])


def _rolled_back(round_: int, seat: int) -> Sequence[Any]:
    del seat  # everybody is told the same
    return messages.rolled_back(round_)


def _tell_all(desk: Desk, what: str, seq: int, content: Callable[[int], Sequence[Any]]) -> None:
    for seat in desk.people():
        desk.tell(seat, what, str(seq), content)


def remind(desk: Desk) -> list[int]:
    """Spool the reminders that are due; returns the seats that are reminded now."""
    key = _due(desk)
    return [seat for seat in to_remind(desk) if desk.tell(seat, "reminder", key, partial(_reminder, desk))]


def to_remind(desk: Desk) -> list[int]:
    """The seats to which a reminder is due that was not written yet."""
    key = _due(desk)
    if not key:
        return []
    seats = [seat for seat in desk.people() if seat in desk.game.missing() and seat not in desk.game.absent]
    return [seat for seat in seats if not desk.spool.has(desk.mail_id(seat, "reminder", key))]


def _due(desk: Desk) -> str:
    """What tells the reminders that are due now from earlier ones; empty when none is due."""
    at = desk.deadline()
    if at is None or desk.game.over or desk.game.needs_deal or desk.passed(at):
        return ""
    hours = [each for each in desk.roster.remind if desk.now() >= at - timedelta(hours=each)]
    return f"{desk.game.round}/{at.isoformat()}/{min(hours)}" if hours else ""


def _reminder(desk: Desk, seat: int) -> tuple[str, str]:
    return messages.reminder(desk.game, seat, desk.deadline_words(seat))
