"""A board on which a recorded session is played again: eye, chips and, in a simulated world, the die."""

from collections.abc import Callable
from typing import Self

from eyecaptain.boards.choice import Wish, open_board
from eyecaptain.boards.simulated.deck import WorldDeck
from eyecaptain.errors import UsageProblem
from eyecaptain.games.base import Action, Die
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import _
from eyecaptain.table.lights import lights

STILL = 100.0  # the pace of a world in which only the replay turns the die


class Stage:
    """Shows every step of a replay on a board; use it in a `with` statement.

    :param board: auto, sim, or a port or serial number.
    :raises NoBoard, LinkLost: the board cannot be had.
    :raises UsageProblem: there is none to show anything on.
    """

    def __init__(self, board: str, say: Callable[[str], None]) -> None:
        self._board, _deck = open_board(Wish(board, pace=STILL, say=say))
        if not self._board.live:
            raise UsageProblem(_("There is no board to replay on."), _("Attach one, or name a simulated one: --board sim"))
        if self._board.deck is not None:
            self._board.deck.lay("RRRGGGBBBYYY", [], None)  # an empty deck, with the die in its centre

    def show(self, action: Action, game: TwelveGame) -> None:
        """Have the board do what it did after `action`."""
        if isinstance(action, Die) and action.face is not None and isinstance(self._board.deck, WorldDeck):
            self._board.deck.turn_die(action.face)
        self._board.eye(game.eye)
        self._board.chips(*lights(game))

    def __enter__(self) -> Self:
        """Use it in a `with` statement."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop the eye and let go of the board."""
        self._board.close()
