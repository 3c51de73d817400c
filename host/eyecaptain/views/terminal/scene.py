"""What there is to show at one moment: plain values, taken in the loop's thread and never changed afterwards."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from eyecaptain.games.base import Color, Die
from eyecaptain.games.twelve import PER_COLOR, TwelveGame
from eyecaptain.table.referee import News, Table

FRESH = 1.5  # seconds: a face that is younger makes the table ask which colour was meant (design.md, two decks)


class Change(NamedTuple):
    """The die turned from `before` to `after` at a monotonic time; it matters for `FRESH` seconds."""

    before: Color
    after: Color
    at: float


class Scene(NamedTuple):
    """A moment of a game, as everybody at the table may see it.

    :param kind: the game; for its actions and words.
    :param view: the public projection.
    :param looks: the last secret look of each person who has one; shown only when that person asks for it.
    :param unseen: why the board does not see the die, where it is asked to.
    :param reports: how many lifts of this round people have told: they can be mended.
    :param gone: whether the count says that a colour is gone. Only on a real deck, and only to compare it with a call.
    """

    kind: type[TwelveGame]
    view: Mapping[str, Any]
    deck_kind: str
    people: tuple[int, ...]
    eye: bool
    held: bool = False
    can_undo: bool = False
    places: Mapping[str, Any] | None = None
    looks: Mapping[int, Mapping[str, Any]] = {}
    gone: bool = False
    reveals: bool = False
    change: Change | None = None
    unseen: str | None = None
    reports: int = 0

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.view["status"] != "running")

    @property
    def players(self) -> list[str]:
        """The names by seat."""
        return list(self.view["players"])

    @property
    def sought(self) -> Color | None:
        """The face of the die, where there is one."""
        return self.view.get("die")

    def doubt(self, now: float) -> Change | None:
        """The turn of the die that makes it unclear which colour a report means."""
        return self.change if self.change is not None and now - self.change.at < FRESH else None


class Watch:
    """Remembers, between the scenes, when the die turned."""

    def __init__(self) -> None:
        self._face: Color | None = None
        self._change: Change | None = None

    def notice(self, news: News) -> None:
        """Look at one action: only a die that the board or the world saw turning leaves doubt."""
        if not isinstance(news.action, Die):
            return
        face = news.action.face
        if face is not None and self._face is not None and face != self._face:
            told = news.action.by == "table"
            self._change = None if told else Change(self._face, face, time.monotonic())
        self._face = face or self._face

    def scene(self, table: Table, people: Sequence[int], *, held: bool) -> Scene:
        """The moment that is now."""
        game, deck = table.game, table.board.deck
        return Scene(
            kind=type(game),
            view=game.view(None),
            deck_kind=game.deck_kind,
            people=tuple(people),
            eye=game.eye,
            held=held,
            can_undo=table.latest is not None,
            places=deck.places() if deck is not None else None,
            looks={seat: look for seat in people if (look := game.view(seat).get("look"))},
            gone=game.deck_kind == "real" and (PER_COLOR in game.gone.values() or not game.deck),
            reveals=bool(game.options.get("reveal_galley")),
            change=self._change,
            unseen=table.board.unseen,
            reports=table.reports,
        )
