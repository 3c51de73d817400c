"""The board's console: what is asked is answered, also by a board that is slow to let itself be interrupted."""

import pytest

from eyecaptain.flash import console
from flash.conftest import Start


@pytest.mark.parametrize("late", [0.8, 1.3], ids=["second try", "third try"])
def test_late_answers_to_earlier_tries_do_not_disturb(late: float, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    board = start()
    monkeypatch.setattr(console, "ENTER", 0.5)
    board.control.ask("fault", what="stall", seconds=late)
    with console.Repl(board.entry.port) as repl:
        assert repl.ask("print(6 * 7)") == 42
