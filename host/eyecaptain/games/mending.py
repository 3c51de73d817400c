"""What people of a real deck notice too late: a report was missed, or one of the last two was wrong (design.md, two decks).

The later reports are taken back, what is right is put in, and they are told again; so the log has nothing but actions,
and a die that has turned meanwhile changes the meaning of none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from eyecaptain.games.base import Action, Color, Deal, Die, Refused, Turn, Undo
from eyecaptain.games.history import History, Past
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import N_


class Mend(NamedTuple):
    """What was missed, or is right.

    :param back: which report of this round: 1 the last one, 2 the one before it.
    :param missed: a report was missed before that one; else it was wrong itself.
    :param color: what is right: that colour. A missed one was a match.
    :param match: what is right without a colour: a match, or none.
    :param seat: what is right: it was by that player.
    """

    back: int = 1
    missed: bool = False
    color: Color | None = None
    match: bool | None = None
    seat: int | None = None


def reports(past: Sequence[Past]) -> list[int]:
    """Where in the past the lifts of this round are."""
    found: list[int] = []
    for at, (_key, action) in enumerate(past):
        if isinstance(action, Deal):
            found.clear()
        elif action.type == "lift":
            found.append(at)
    return found


def mending(history: History[TwelveGame], mend: Mend) -> list[Action]:
    """The actions that mend it, all tried on a copy.

    :raises Refused: there is no such report, or what was told after it contradicts.
    """
    lifts = reports(history.past)
    if history.game.over or history.game.deck_kind == "virtual" or len(lifts) < mend.back:
        raise Refused("nothing_to_mend", N_("there is no such report in this round"))
    at = lifts[-mend.back]
    tail = list(_told_again(history, at))
    trial = history.copy()
    done: list[Action] = []

    def do(action: Action) -> None:
        if action.type == "lift":
            action = replace(action, seat=trial.game.turn)  # type: ignore[call-arg] # the lift of every game has one
        trial.apply(trial.past[-1].key + 1 if trial.past else 1, action)
        done.append(action)

    for key, action in reversed(history.past[at:]):
        if history.game.undoable(action):
            do(Undo(key))
    for action in _right(trial.game, tail[0], mend):
        do(action)
    try:
        for action in tail if mend.missed or mend.seat is not None else tail[1:]:
            do(action)
    except Refused as error:
        raise Refused(
            "contradiction", N_("then what was told after it cannot be: {error}"), error.rule, error=error.text
        ) from None
    face = history.game.die
    if trial.game.die != face:
        do(Die(face, None if face else "absent", by="table"))
    return done


def _told_again(history: History[TwelveGame], at: int) -> Iterator[Action]:
    """What people told from a report on, so that it means the same when they tell it later; not what the die showed."""
    game = history.rebuilt(history.past[:at])
    for _key, action in history.past[at:]:
        if action.type == "lift":
            yield game.frozen(action)
        elif game.undoable(action) and not isinstance(action, Die):
            yield action
        game.apply(action)


def _right(game: TwelveGame, wrong: Action, mend: Mend) -> Iterator[Action]:
    """What goes before, or in the place of, a report."""
    if mend.seat is not None:
        yield Turn(mend.seat)
    elif mend.missed:
        yield game.match_of(mend.color) if mend.color else game.no_match()
    elif mend.color is not None:
        yield game.amended(wrong, mend.color)
    else:
        yield game.no_match() if not mend.match else game.amended(wrong, None)
