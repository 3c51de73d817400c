"""Every screen in a real terminal is left by Ctrl-C and survives `kill -9`; the simulated board is the witness."""

import json
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.views.terminal.panels import PIECE
from support import captain, needs_micropython, only_session, runs
from tmux import Open, Terminal, needs_tmux

pytestmark = [needs_tmux, needs_micropython]

TEAM = ("play", "team", "--players", "Ada,Ben", "--seed", "5eed", "--pace", "0.2")
ALONE = ("play", "captain", "--players", "Ada", "--bots", "1", *TEAM[4:])
REAL = ("play", "captain", "--players", "Ada,Ben,Cleo", "--deck", "real", *TEAM[4:])
REAL_TEAM = ("play", "team", "--players", "Ada,Ben", "--deck", "real", *TEAM[4:])


class Way(NamedTuple):
    """How to come to a screen, how to know that it is there, and whether the eye rolls then."""

    command: Sequence[str]
    keys: Sequence[str]
    there: Callable[[Terminal], object]
    rolls: bool = True
    size: tuple[int, int] = (80, 24)


def asks(table: Terminal) -> bool:
    """Every question can be left with Escape."""
    return "Esc" in table.screen()


WAYS = {
    "menu": Way(TEAM, [], lambda table: "┗" in table.screen()),
    "question": Way(TEAM, ["t"], asks),
    "help": Way(TEAM, ["?"], lambda table: "┗" not in table.screen()),
    "number": Way(TEAM, ["1"], lambda table: " 1_ " in table.screen()),
    "refusal": Way(TEAM, ["z"], lambda table: " z " in table.screen()),
    "pause": Way(TEAM, ["p"], lambda table: "pause" in table.logged(), rolls=False),
    "undone": Way(TEAM, ["5", "u"], lambda table: "undo" in table.logged()),
    "secret": Way(ALONE, ["5"], lambda table: "lift" in table.logged()),
    "real deck": Way(REAL, ["x"], lambda table: "lift" in table.logged()),
    "missed": Way(REAL, ["x", "i"], asks),
    "mended": Way(REAL, ["x", "i", "x"], lambda table: "undo" in table.logged()),
    "real die": Way(REAL, ["d"], asks),
    "who called": Way(REAL, ["c"], asks),
    "table's look": Way(REAL, ["c", "1"], lambda table: "Enter" in table.screen() and asks(table)),
    "count differs": Way(REAL, ["c", "1", "y"], lambda table: "Enter" not in table.screen() and asks(table)),
    "end": Way(REAL_TEAM, ["o"], lambda table: "die_fell" in table.logged(), rolls=False),
    "small": Way(TEAM, [], lambda table: "┗" not in table.screen(), size=(40, 10)),
}


class Witness:
    """A board, and what was at its motor."""

    def __init__(self, board: SimulatedBoard, record: Path) -> None:
        self.port = board.entry.port
        self._board = board
        self._record = record

    def face(self) -> str:
        """What the die in its world shows."""
        return str(self._board.control.ask("state")["die"]["face"])

    def motor(self) -> bool:
        """Whether there is voltage at the motor, by the world's record."""
        levels = [line["motor"] for line in map(json.loads, self._record.read_text().splitlines()) if "motor" in line]
        return bool(levels and levels[-1])


@pytest.fixture
def witness(own_runtime: Path, tmp_path: Path) -> Iterator[Witness]:
    assert own_runtime.is_dir()
    with SimulatedBoard.start(seed="1", record=tmp_path / "record", pace=0.2) as board:
        yield Witness(board, tmp_path / "record")


def come_to(way: Way, terminal: Open, witness: Witness) -> Terminal:
    """Open a terminal and press keys until this screen is there."""
    table = terminal(*way.command, "--board", witness.port)
    table.sees(" q ")  # the keys stand there
    if way.size != (80, 24):
        table.resize(*way.size)
    for key in way.keys:
        if key in ("u", "i"):
            table.sees(f" {key} ")  # there is something to take back, or to mend
        table.keys(key)
    table.until(lambda: way.there(table), "the screen")
    table.until(lambda: witness.motor() == way.rolls, "the eye")
    return table


@pytest.mark.parametrize("name", WAYS)
def test_ctrl_c_ends_every_screen_cleanly_with_the_motor_off(name: str, terminal: Open, witness: Witness) -> None:
    table = come_to(WAYS[name], terminal, witness)
    table.keys("C-c")
    shown = table.sees("EXIT 130")
    assert not witness.motor()
    assert "Traceback" not in shown
    way_on = f"captain {'replay' if name == 'end' else 'play --resume'} {only_session(table.sessions).name}"
    assert way_on.replace(" ", "") in "".join(shown.split())
    table.state()


@pytest.mark.parametrize("keys", [[], ["1"], ["1", "Enter", "Ada", "Enter"]])
def test_ctrl_c_ends_the_questions_before_a_game(keys: list[str], terminal: Open, tmp_path: Path) -> None:
    table = terminal("play", env={"XDG_CONFIG_HOME": str(tmp_path)})
    table.sees("?")
    table.keys(*keys, "C-c")
    assert "Traceback" not in table.sees("EXIT 130")
    assert not list(tmp_path.iterdir())


def test_ctrl_c_ends_the_question_after_a_game(terminal: Open) -> None:
    table = terminal(*REAL_TEAM, "--board", "none")
    table.sees(" q ")
    table.keys("o")
    table.until(lambda: " u " in table.screen(), "the end")
    table.keys("Enter")
    table.sees("Another game?")
    table.keys("C-c")
    assert "Traceback" not in table.sees("EXIT 130")
    table.state()


EXAMPLE = Path(__file__).parents[2] / "sessions" / "examples" / "e10-double-victory.jsonl"
REPLAY = ("replay", str(EXAMPLE), "--view", "terminal", "--speed", "4")


def test_a_replay_on_a_full_screen_and_a_board_to_its_end(terminal: Open, witness: Witness) -> None:
    table = terminal(*REPLAY, "--board", witness.port)
    table.until(witness.motor, "the eye")
    table.sees("■\n")  # the end of the time line
    table.until(lambda: not witness.motor(), "the eye's rest")
    faces = [json.loads(line).get("face") for line in EXAMPLE.read_text().splitlines()]
    assert witness.face() == [face for face in faces if face][-1]
    table.keys("Home", "v", "Right", "q")
    table.sees("EXIT 0")
    assert not witness.motor()


def test_ctrl_c_ends_a_replay_on_a_board_with_the_motor_off(terminal: Open, witness: Witness) -> None:
    table = terminal(*REPLAY[:-1], "0.5", "--board", witness.port)
    table.until(witness.motor, "the eye")
    table.keys("C-c")
    assert "Traceback" not in table.sees("EXIT 130")
    assert not witness.motor()


@pytest.mark.soak
@pytest.mark.parametrize("name", list(WAYS)[:: 1 if runs(1) > 1 else 5])
def test_kill_9_in_every_screen_loses_nothing_that_was_shown(name: str, terminal: Open, witness: Witness) -> None:
    table = come_to(WAYS[name], terminal, witness)
    before = [line.data for line in table.recorded().entries]
    table.kill(signal.SIGKILL)
    table.sees("EXIT 137")
    table.until(lambda: not witness.motor(), "the motor's end, by the lease")
    table.state()
    assert [line.data for line in table.recorded().entries][: len(before)] == before
    over = table.game().over
    which = [only_session(table.sessions).name] if over else []
    again = terminal("play", "--resume", *which, "--board", witness.port, env={"CAPTAIN_SESSIONS": str(table.sessions)})
    if over:
        again.sees(" u ")  # also the last action can be taken back
        again.keys("u")
    again.sees(" q ")
    again.keys("C-c")
    again.sees("EXIT 130")
    assert [line.data for line in table.recorded().entries][: len(before)] == before
    assert captain("sessions", "verify", only_session(table.sessions).name, sessions=table.sessions).returncode == 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(min(200, runs(2))))
def test_kill_9_amid_keys_loses_at_most_what_was_not_shown(seed: int, terminal: Open) -> None:
    rng = random.Random(seed)
    table = terminal(*REAL_TEAM, "--board", "none", size=(120, 40))
    table.sees(" q ")
    pressed = rng.randint(2, 6)
    shown = 0
    for _ in range(pressed):
        table.keys("f")  # one fell: a piece more lies in the galley
        for _ in range(rng.randint(0, 3)):
            shown = table.screen().count(PIECE)
    table.kill(signal.SIGKILL)
    table.sees("EXIT 137")
    galley = table.game().galley if table.logged() else 0
    assert shown <= galley <= pressed
    again = terminal("play", "--resume", "--board", "none", size=(120, 40), env={"CAPTAIN_SESSIONS": str(table.sessions)})
    again.sees(" q ")
    assert again.screen().count(PIECE) == galley
