"""A game with its past: actions are applied and can be taken back. State = replay without what was taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from eyecaptain.games.base import Action, Deal, Effect, Game, Refused, Undo
from eyecaptain.language import N_

G = TypeVar("G", bound=Game)


class Past(NamedTuple):
    """An action that counts, under the key (seq or line number) by which an undo names it."""

    key: int
    action: Action


class History(Generic[G]):
    """The game after a list of actions, with undo.

    :param new_game: makes the game as it is before its first action.
    """

    def __init__(self, new_game: Callable[[], G]) -> None:
        self._new_game = new_game
        self.game = new_game()
        self.past: list[Past] = []  # without undos and what they took back

    def copy(self) -> History[G]:
        """A history that goes on by itself; the game is the same, and is never changed."""
        other = object.__new__(History)
        other._new_game, other.game, other.past = self._new_game, self.game, list(self.past)
        return other

    def latest(self) -> int | None:
        """The key of the action that an undo would take back, or None."""
        for key, action in reversed(self.past):
            if self.game.undoable(action):
                return key
        return None

    def trial(self, action: Action) -> tuple[G, tuple[Effect, ...]]:
        """The game as it would be after `action`, and the news; this history is as it was.

        :raises Refused: the rules do not allow it now.
        """
        if isinstance(action, Undo):
            return self.rebuilt(self._without(action)), (Effect("undo"),)
        game = self.game.copy()
        return game, game.apply(action)

    def add(self, key: int, action: Action, game: G) -> None:
        """Let an action count; `game` is what `trial` returned for it."""
        if isinstance(action, Undo):
            self.past = self._without(action)
        else:
            self.past.append(Past(key, action))
        self.game = game

    def apply(self, key: int, action: Action) -> tuple[Effect, ...]:
        """Apply an action for good.

        :raises Refused: the rules do not allow it now; nothing has changed.
        """
        game, news = self.trial(action)
        self.add(key, action, game)
        return news

    def _without(self, undo: Undo) -> list[Past]:
        """The past without what `undo` takes back: one action, and the deal that followed only because of it."""
        latest = self.latest()
        if latest is None:
            raise Refused("nothing_to_undo", N_("there is nothing to take back"))
        if undo.of != latest:
            raise Refused(
                "not_the_latest",
                N_("only the latest action can be taken back: that is {latest}, not {of}"),
                latest=latest,
                of=undo.of,
            )
        before = [past for past in self.past if past.key < latest]
        after = [past for past in self.past if past.key > latest and not isinstance(past.action, Deal)]
        return before + after

    def rebuilt(self, past: Sequence[Past]) -> G:
        """The game after these actions alone."""
        game = self._new_game()
        for _, action in past:
            game.apply(action)
        return game
