"""The virtual deck over a simulated board: it lies in the board's world, and is asked for over the control socket."""

from collections.abc import Iterable
from typing import Any

from eyecaptain.boards.simulated.launcher import Control
from eyecaptain.games.base import Color


class WorldDeck:
    """The deck of a running world, a `boards.base.Deck`.

    Each function may raise LinkLost when the world is gone.

    :param control: the connection to the world.
    :param open_corners: 0 to 4.
    :param has_die: solo is played without a die.
    :param seed: of the layouts and of what the eye does, in hex; None: the world's own.
    """

    def __init__(self, control: Control, open_corners: int = 0, has_die: bool = True, seed: str | None = None) -> None:
        self._control = control
        control.ask("deck", open_corners=open_corners, die=has_die, seed=seed)

    def deal(self) -> str:
        """Mix and lay out twelve droppings; return the layout."""
        layout: str = self._control.ask("deal")["layout"]
        return layout

    def lay(self, layout: str | None, on_deck: Iterable[int], face: Color | None) -> None:
        """Make the deck agree with a game, after an undo or a resume."""
        self._control.ask("place", layout=layout, on_deck=list(on_deck), face=face)

    def look(self, dropping: int) -> Color:
        """The colour under a dropping."""
        color: Color = self._control.ask("lift", dropping=dropping)["color"]
        return color

    def put_back(self, dropping: int) -> None:
        """A dropping goes back to the centre."""
        self._control.ask("place", dropping=dropping)

    def may_recentre(self, reason: str) -> bool:
        """Whether the die lies so that it may be put back for this reason."""
        may: bool = self._control.ask("recentre", reason=reason, ask=True)["may"]
        return may

    def recentre(self) -> None:
        """The die goes to the centre."""
        self._control.ask("recentre", force=True)

    def places(self) -> dict[str, Any]:
        """What anybody at the table can see of it."""
        places: dict[str, Any] = self._control.ask("state")["places"]
        return places

    def new_turn(self) -> None:
        """The eye has its quick ticks again."""
        self._control.ask("turn")

    def turn_die(self, face: Color) -> None:
        """Put the die over the window with this face up, as a replay does."""
        self._control.ask("face", color=face)
