"""Replay: read the log, apply. No random number is drawn, no clock is read."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from eyecaptain import games
from eyecaptain.errors import BrokenSession
from eyecaptain.games.base import Action, BadAction, Effect, Game, Refused, action_from_json
from eyecaptain.games.history import History
from eyecaptain.language import _
from eyecaptain.sessions.log import Entry, Session


class Step(NamedTuple):
    """One action of a replay, what it brought, and the game after it."""

    entry: Entry
    action: Action
    news: tuple[Effect, ...]
    game: Game


def new_history(header: dict[str, Any]) -> History[Game]:
    """The game that a header describes, before its first action.

    :raises BrokenSession: the header names a game, players or options that do not exist.
    """
    try:
        kind = games.find(header["game"])
    except KeyError:
        raise BrokenSession(
            _('Line 1: there is no game "{game}" here.').format(game=header["game"]),
            _("The games are: {names}.").format(names=", ".join(games.names())),
        ) from None
    try:
        return History(lambda: kind(header["players"], header["options"], header["deck"]))
    except ValueError as error:
        raise BrokenSession(
            _("Line 1: {error}.").format(error=error), _("The header of the session was changed by hand.")
        ) from None


def steps(session: Session, history: History[Game]) -> Iterator[Step]:
    """Apply the actions of a session to `history`, one by one.

    :raises BrokenSession: a line is no action.
    :raises Refused: a line is against the rules; its `line` is set.
    """
    for entry in session.entries:
        try:
            action = action_from_json(history.game, entry.data)
            news = history.apply(entry.key, action)
        except BadAction as error:
            raise BrokenSession(
                _("Line {line}: {error}.").format(line=entry.line, error=error), _("The session was changed by hand.")
            ) from None
        except Refused as error:
            error.line = entry.line
            raise
        yield Step(entry, action, news, history.game)


def replay(session: Session) -> History[Game]:
    """The game after the last action of a session.

    :raises BrokenSession: a line is no action.
    :raises Refused: a line is against the rules; its `line` is set.
    """
    history = new_history(session.header)
    for _step in steps(session, history):
        pass
    return history
