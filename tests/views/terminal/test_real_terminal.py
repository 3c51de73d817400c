"""The command in a real terminal, by tmux: keys, a resize, Ctrl-C in each screen, a terminal or a board that goes away."""

import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.sessions import store
from eyecaptain.sessions.log import FILE_NAME
from support import captain, needs_micropython, only_session

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux here: apt install tmux")

PATIENCE = 15.0  # seconds


class Terminal:
    """A terminal of its own with one command in it.

    :param folder: for its socket and the sessions.
    """

    def __init__(
        self, folder: Path, *command: str, size: tuple[int, int] = (80, 24), env: Mapping[str, str] | None = None
    ) -> None:
        self.sessions = folder / "sessions"
        self._server = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        words = {"CAPTAIN_SESSIONS": str(self.sessions), "TERM": "tmux-256color", "COLORTERM": "truecolor", **(env or {})}
        given = " ".join(f"{name}={shlex.quote(value)}" for name, value in words.items())
        line = f"env {given} {shlex.join([sys.executable, '-m', 'eyecaptain', *command])}; echo EXIT $?; sleep 60"
        columns, rows = size
        self._tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), line)

    def _tmux(self, *words: str) -> str:
        done = subprocess.run([*self._server, *words], capture_output=True, text=True, timeout=10, check=True)
        return done.stdout

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def keys(self, *keys: str) -> None:
        for key in keys:
            self._tmux("send-keys", key)

    def sees(self, *words: str) -> str:
        """Wait until all these words are on the screen; return it."""
        end = time.monotonic() + PATIENCE
        while not all(word in self.screen() for word in words):
            assert time.monotonic() < end, f"{words} never came:\n{self.screen()}"
            time.sleep(0.02)
        return self.screen()

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def close(self) -> None:
        subprocess.run([*self._server, "kill-server"], capture_output=True, timeout=10)

    def state(self) -> dict[str, object]:
        """The state by the log's replay; the log is whole."""
        name = only_session(self.sessions).name
        assert captain("sessions", "verify", name, sessions=self.sessions).returncode == 0
        return dict(json.loads(captain("replay", name, "--json", sessions=self.sessions).stdout))

    def logged(self) -> list[str]:
        path = only_session(self.sessions) / FILE_NAME
        return [entry.data["type"] for entry in store.read(path).entries]


Open = Callable[..., Terminal]


@pytest.fixture(name="terminal")
def fixture_terminal(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    opened = []
    monkeypatch.setenv("CAPTAIN_RUNTIME", str(tmp_path_factory.mktemp("r")))

    def start(*command: str, **more: object) -> Terminal:
        opened.append(Terminal(tmp_path_factory.mktemp("t"), *command, **more))  # type: ignore[arg-type] # as it takes them
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


PLAY = ("play", "team", "--players", "Ada,Ben", "--board", "none", "--seed", "5eed", "--pace", "0.01")


def test_a_game_by_keys_with_a_wrong_key_an_undo_and_a_resize(terminal: Open) -> None:
    table = terminal(*PLAY)
    table.sees("Tongs: Ada", "sought")
    table.keys("z")
    table.sees("The key z does nothing now.")
    table.keys("5")
    table.sees("Tongs: Ben")
    table.keys("u")
    table.sees("Taken back.", "Tongs: Ada")
    table.keys("Enter", "1", "0")
    table.sees("lifted dropping 10")
    table.resize(40, 10)
    table.sees("on the deck:")
    table.resize(80, 24)
    table.sees("open ━", "Tongs: Ben")
    table.keys("Down", "Right", "Enter")
    table.sees("Tongs: Ada")
    table.keys("?")
    table.sees("Any key closes this page.")
    table.keys("x", "q")
    shown = table.sees("EXIT 0")
    assert "captain play --resume" in shown
    assert [kind for kind in table.logged() if kind not in ("die", "fall")] == ["deal", "lift", "undo", "lift", "lift"]
    state = table.state()
    assert f"Team {state['team']}, galley {state['galley']}." in " ".join(shown.split())


WAYS = {
    "menu": (PLAY, [], "Type a number"),
    "question": (PLAY, ["t"], "Who has the tongs?"),
    "help": (PLAY, ["?"], "Any key closes this page."),
    "number": (PLAY, ["1"], "1_"),
    "pause": (PLAY, ["p"], "the eye stands still"),
    "secret": (("play", "captain", "--players", "Ada", "--bots", "1", *PLAY[4:]), ["5"], "Tongs: "),
    "real deck": (("play", "captain", "--players", "Ada,Ben", "--deck", "real", "--board", "none"), ["d"], "Look at the die"),
    "the end": (("play", "team", "--players", "Ada,Ben", "--deck", "real", "--board", "none"), ["o"], "The game is over"),
}


@pytest.mark.parametrize("name", WAYS)
def test_ctrl_c_ends_every_screen_cleanly(name: str, terminal: Open) -> None:
    command, keys, words = WAYS[name]
    table = terminal(*command)
    table.sees("Tongs: ")
    table.keys(*keys)
    table.sees(words)
    table.keys("C-c")
    shown = table.sees("EXIT 130")
    assert "Interrupted." in shown
    assert f"captain play --resume {only_session(table.sessions).name}" in shown
    assert "Traceback" not in shown
    table.state()


def test_a_game_goes_on_where_it_was_left(terminal: Open) -> None:
    table = terminal(*PLAY)
    table.sees("Tongs: Ada")
    table.keys("5")
    table.sees("Tongs: Ben")
    table.keys("C-c")
    table.sees("EXIT 130")
    again = terminal("play", "--resume", "--board", "none", env={"CAPTAIN_SESSIONS": str(table.sessions)})
    again.sees("Tongs: Ben")
    again.keys("q")
    again.sees("EXIT 0")


def test_a_terminal_that_goes_away_leaves_a_whole_log(terminal: Open) -> None:
    table = terminal(*PLAY)
    table.sees("Tongs: Ada")
    table.keys("5")
    table.sees("Tongs: Ben")
    table.close()
    folder = only_session(table.sessions)
    end = time.monotonic() + PATIENCE
    while captain("sessions", "delete", folder.name, "--yes", sessions=table.sessions).returncode and folder.exists():
        assert time.monotonic() < end, "the process still plays"


def test_a_terminal_that_takes_nothing_any_more_does_not_keep_it_from_ending(tmp_path: Path) -> None:
    """Nobody reads what it writes, as after Ctrl-S: it ends all the same, and the log is whole."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (60, 200))
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path), "TERM": "xterm-256color"}
    process = subprocess.Popen([sys.executable, "-m", "eyecaptain", *PLAY], stdin=slave, stdout=slave, stderr=slave, env=env)
    try:
        end = time.monotonic() + PATIENCE
        while not list(tmp_path.glob("*/session.jsonl")):
            assert time.monotonic() < end
            time.sleep(0.05)
        time.sleep(1.0)  # the screen is written into a terminal that nobody reads: its buffer fills
        process.send_signal(signal.SIGHUP)
        assert process.wait(10) == 130
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)
    assert captain("sessions", "verify", only_session(tmp_path).name, sessions=tmp_path).returncode == 0


def test_the_replay_in_a_terminal(terminal: Open) -> None:
    example = Path(__file__).parents[2] / "sessions" / "examples" / "e08-right-call-with-nothing.jsonl"
    table = terminal("replay", str(example), "--view", "terminal")
    table.sees("as the table saw it")
    table.keys(".")
    table.sees("called: right!")
    table.keys("v")
    table.sees("all revealed")
    table.keys("C-c")
    table.sees("EXIT 130")


@pytest.mark.parametrize(("size", "says"), {(60, 20): "60x20", (79, 24): "79x24"}.items())
def test_a_small_terminal_gets_the_plain_view_and_a_word(size: tuple[int, int], says: str, terminal: Open) -> None:
    table = terminal(*PLAY, size=size)
    shown = table.sees("Type help to see what you can say.")
    assert f"The terminal has {says} cells" in " ".join(shown.split())
    table.keys("q", "Enter")
    table.sees("EXIT 0")


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"CAPTAIN_THEME": "light"}, {"CAPTAIN_REDUCED_MOTION": "1"}])
def test_manners_of_the_screen(env: dict[str, str], terminal: Open) -> None:
    table = terminal(*PLAY, env=env)
    table.sees("Tongs: Ada", "sought")
    colors = table._tmux("capture-pane", "-p", "-e")
    grounds = re.findall(r"48;2;(\d+);(\d+);(\d+)", colors)
    assert any(len(set(ground)) > 1 for ground in grounds) == ("NO_COLOR" not in env), colors[:2000]  # grey at most
    table.keys("q")
    table.sees("EXIT 0")


@needs_micropython
def test_ctrl_c_stops_the_motor_and_a_killed_board_keeps_the_game(terminal: Open) -> None:
    with SimulatedBoard.start(seed="1", pace=0.2) as board:
        env = {"CAPTAIN_RUNTIME": os.environ["CAPTAIN_RUNTIME"]}
        command = ("play", "captain", "--players", "Ada,Ben", "--board", board.entry.port)
        table = terminal(*command, env=env)
        table.sees("Tongs: Ada", "simulated board")
        end = time.monotonic() + 5.0
        while speed(board) < 0.05:
            assert time.monotonic() < end, "the motor never ran"
        table.keys("C-c")
        table.sees("EXIT 130")
        end = time.monotonic() + 1.0  # it coasts
        while speed(board) > 0.01:
            assert time.monotonic() < end, "the motor runs on"
        again = terminal("play", "--resume", "--board", board.entry.port, env=env | {"CAPTAIN_SESSIONS": str(table.sessions)})
        again.sees("Tongs: Ada", "simulated board")
        os.kill(board.entry.pid, signal.SIGKILL)
        shown = again.sees("EXIT 4")
        words = " ".join(shown.split())
        assert "Nothing is lost. Go on with: captain play --resume" in words
        assert "lines between this computer and the board are in" in words
        third = terminal("play", "--resume", "--board", "none", env={"CAPTAIN_SESSIONS": str(table.sessions)})
        third.sees("Tongs: Ada")
        third.keys("q")
        third.sees("EXIT 0")


@needs_micropython
def test_a_board_that_is_unplugged_is_told_on_the_screen_and_comes_back(terminal: Open) -> None:
    with SimulatedBoard.start(seed="1", pace=0.2) as board:
        env = {"CAPTAIN_RUNTIME": os.environ["CAPTAIN_RUNTIME"]}
        table = terminal("play", "captain", "--players", "Ada,Ben", "--board", board.entry.port, env=env)
        table.sees("Tongs: Ada", "simulated board")
        board.control.ask("fault", what="unplug", seconds=2.0)
        table.sees("The board is not there any more")
        table.sees("The board started anew")
        end = time.monotonic() + 5.0
        while speed(board) < 0.05:
            assert time.monotonic() < end, "the eye does not roll again"
        table.keys("q")
        table.sees("EXIT 0")
        assert table.logged().count("link") == 2


def speed(board: SimulatedBoard) -> float:
    time.sleep(0.02)
    return abs(float(board.control.ask("state")["speed"]))
