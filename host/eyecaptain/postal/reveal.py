"""A round is revealed on a board: the eye rolls for suspense, then the chips show who takes a pot."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from eyecaptain.boards.choice import Wish, open_board
from eyecaptain.errors import UsageProblem
from eyecaptain.language import _
from eyecaptain.postal import reporttext
from eyecaptain.table.lights import SEAT_COLORS

SUSPENSE = 3.0  # seconds for which the eye rolls
SHOWN = 4.0  # seconds for which the lights stay
LIGHTS = 6


class Reveal:
    """A board that shows auctions; use it in a `with` statement.

    :param board: auto, sim, or a port or serial number.
    :param wait: sleeps.
    :raises NoBoard, LinkLost, UsageProblem: there is no board that could show anything.
    """

    def __init__(self, board: str, say: Callable[[str], None], wait: Callable[[float], None] = time.sleep) -> None:
        self._wait = wait
        self._board, _deck = open_board(Wish(board, say=say))
        if not self._board.live:
            self._board.close()
            raise UsageProblem(_("There is no board to show it on."), _("Attach one, or name a simulated one: --board sim"))

    def show(self, players: Sequence[str], auction: dict[str, Any]) -> None:
        """Suspense, then a light for each animal in the pot in the colour of its taker; none when it waits or is lost.

        Players beyond the fourth share the colours, in turn.
        """
        self._board.chips([], "steady")
        self._board.eye(True)
        self._wait(SUSPENSE)
        self._board.eye(False)
        self._board.chips(lights(players, auction), "steady")  # the effect of a win would light all of them
        self._wait(SHOWN)

    def __enter__(self) -> Self:
        """Use it in a `with` statement."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop the eye and let go of the board."""
        self._board.close()


def lights(players: Sequence[str], auction: dict[str, Any]) -> list[str]:
    """The lights of an auction."""
    if auction["winner"] is None:
        return []
    color = SEAT_COLORS[list(players).index(auction["winner"]) % len(SEAT_COLORS)]
    return [color] * min(LIGHTS, len(auction["pot"]))


def sentences(auction: dict[str, Any]) -> str:
    """What is said while it is shown."""
    return f"{auction['slot']}: {reporttext.pot_words(auction)}. {reporttext.explanation(auction)}"
