"""What a board can do. A new board is one file in this folder."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from eyecaptain.games.base import Color


class Deck(Protocol):
    """A virtual deck: it knows the layout and answers a lift itself (design.md, two decks)."""

    def deal(self) -> str:
        """Mix and lay out twelve droppings; return the layout."""

    def lay(self, layout: str | None, on_deck: Iterable[int], face: Color | None) -> None:
        """Make the deck agree with a game, after an undo or a resume."""

    def look(self, dropping: int) -> Color:
        """The colour under a dropping."""

    def put_back(self, dropping: int) -> None:
        """A dropping goes back to the centre."""

    def may_recentre(self, reason: str) -> bool:
        """Whether the die lies so that it may be put back for this reason."""

    def recentre(self) -> None:
        """The die goes to the centre."""

    def places(self) -> dict[str, Any]:
        """What anybody at the table can see of it."""


class Board(Protocol):
    """The eye, and what tells the table what happens on the deck."""

    @property
    def deck(self) -> Deck | None:
        """The virtual deck, or None: a real one, of which only people know."""

    @property
    def live(self) -> bool:
        """Whether things happen there by themselves, in real time."""

    @property
    def unseen(self) -> str | None:
        """Why the board does not see the die (protocol.md, `die`); None when it does, or when somebody else knows the face."""

    @property
    def about(self) -> dict[str, Any]:
        """What the session's header keeps of it; `name` at least."""

    def clock(self) -> float:
        """Seconds since the board was opened, never falling."""

    def eye(self, on: bool) -> None:
        """Let the eye roll, or stop it."""

    def chips(self, colors: Sequence[str], fx: str) -> None:
        """Light the victory chips: a colour for each, in order, and an effect (protocol.md, `chips`)."""

    def new_turn(self) -> None:
        """Somebody else has the tongs, or wants to wait: the world may run on."""

    def poll(self) -> list[dict[str, Any]] | None:
        """What happened since the last call, as actions of the log; None: nothing more can be fetched now."""

    def hear(self, message: Any) -> list[dict[str, Any]]:
        """What something that a live board put into the inbox means, as actions of the log."""

    def last_lines(self) -> list[str]:
        """The last raw lines of its link, for an error report; none where there is no link."""

    def close(self) -> None:
        """Stop the eye and let go of the board."""
