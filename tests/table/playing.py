"""People at a table with a simulated board, played step by step in the test's own thread; the world is at hand."""

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.table.loop import Loop
from eyecaptain.table.sitting import Plan, Room, Sitting, begin
from eyecaptain.views.plain import PlainView
from table.sittings import check_replay


@contextmanager
def seated(root: Path, board: SimulatedBoard, *people: str, game: str = "team", deck: str | None = None) -> Iterator[Any]:
    """A sitting of people on a running board; yields a function that plays on until a condition holds."""
    said: list[str] = []
    room = Room(say=said.append)
    sitting = begin(root, Plan(game, list(people), board=board.entry.port, deck=deck, seed="5eed"), room)
    lines: list[str] = []

    class Out:
        def write(self, text: str) -> None:
            lines.append(text)

        def flush(self) -> None:
            pass

        def isatty(self) -> bool:
            return False

    view = PlainView(Out(), sitting.people)  # type: ignore[arg-type]
    with sitting:
        yield Player(sitting, room.inbox, view, lines, said)
    check_replay(sitting)


class Player:
    """Plays a sitting step by step, in this thread."""

    def __init__(self, sitting: Sitting, inbox: "queue.Queue[Any]", view: PlainView, shown: list[str], said: list[str]) -> None:
        self.sitting = sitting
        self.shown = shown
        self.said = said  # notes for people
        self._view = view
        self._loop = Loop(sitting.table, view, sitting.bots, inbox, 0.1)
        self._inbox = inbox
        sitting.table.begin()

    @property
    def game(self) -> Any:
        return self.sitting.table.game

    def say(self, line: str) -> None:
        self._loop._granted(self._view.hear(line, self.sitting.table))

    def until(self, condition: Callable[[], object], seconds: float = 20.0) -> None:
        """Hear the board until the condition holds."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "".join(self.shown[-20:])
            try:
                message = self._inbox.get(timeout=0.02)
            except queue.Empty:
                continue
            for event in self.sitting.table.board.hear(message):
                self.sitting.table.reported(event)


def speed(board: SimulatedBoard) -> float:
    return float(board.control.ask("state")["speed"])


def rolling(board: SimulatedBoard) -> bool:
    return abs(speed(board)) > 0.05
