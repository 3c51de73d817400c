"""Between loop and screen: without a board nothing happens in real time, so news stay for a while."""

import threading
from pathlib import Path

import pytest

from eyecaptain.games.bots import seat_view
from eyecaptain.views.terminal.bridge import STEPS, TerminalView
from table.sittings import sit


class Left(threading.Event):
    """Remembers for how long it was waited for, without waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout or 0.0)
        return False


@pytest.mark.parametrize(("pace", "seconds"), [(1.0, STEPS["lift"]), (0.5, STEPS["lift"] / 2), (0.0, None)])
def test_what_a_bot_does_stays_before_the_next_as_the_pace_says(pace: float, seconds: float | None, tmp_path: Path) -> None:
    left = Left()
    with sit(tmp_path, "solo", [], bots=2) as sitting:
        table, bot = sitting.table, sitting.bots[0]
        table.begin()
        view = TerminalView(table, [], lambda _: None, pace, left)
        table.listen(view.show)
        action = bot.move(seat_view(table.game, 0, None))
        assert action is not None
        table.wanted(action)
    assert left.waits == ([] if seconds is None else [seconds])
    assert STEPS["lift"] >= 1
