"""The full screen in a real terminal, at a simulated board whose cable is pulled."""

from pathlib import Path

from bench.screen import Screen
from eyecaptain.boards.simulated.launcher import SimulatedBoard
from support import needs_micropython
from tmux import Open, needs_tmux

pytestmark = needs_tmux


@needs_micropython
def test_a_board_that_is_unplugged_is_told_on_the_screen_and_comes_back(terminal: Open) -> None:
    with SimulatedBoard.start(seed="1", pace=0.2) as board:
        table = terminal("play", "captain", "--players", "Ada,Ben", "--board", board.entry.port)
        table.sees("Tongs: Ada", "simulated board")
        board.control.ask("fault", what="unplug", seconds=2.0)
        table.sees("The board is not there any more")
        table.sees("The board started anew")
        table.until(lambda: abs(float(board.control.ask("state")["speed"])) > 0.05, "the eye rolls again")
        table.keys("q")
        table.sees("EXIT 0")
        assert table.logged().count("link") == 2


@needs_micropython
def test_the_benchmark_of_the_screen_still_finds_one(tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1") as board:
        screen = Screen(board.entry.port, tmp_path)
        assert screen.draws(lambda drawn: b" q " in drawn, 20.0)
        assert screen.close() == 130
