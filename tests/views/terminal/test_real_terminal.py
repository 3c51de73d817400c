"""The command in a real terminal: one that is small, goes away, or takes nothing any more; a replay; manners."""

import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from support import captain, only_session
from tmux import PATIENCE, Open, needs_tmux

pytestmark = needs_tmux

PLAY = ("play", "team", "--players", "Ada,Ben", "--board", "none", "--seed", "5eed", "--pace", "0.01")


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


def test_a_terminal_that_is_closed_without_a_signal_ends_it(tmp_path: Path) -> None:
    """As when it was not the controlling one: nothing can be read or written any more."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path), "TERM": "xterm-256color"}
    words = [sys.executable, "-m", "eyecaptain", *PLAY]
    with subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True) as process:
        os.close(slave)
        try:
            shown = b""
            while b"?1049h" not in shown:
                shown += os.read(master, 65536)
            os.close(master)
            assert process.wait(PATIENCE) == 130
        finally:
            process.kill()
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
    colors = table.tmux("capture-pane", "-p", "-e")
    grounds = re.findall(r"48;2;(\d+);(\d+);(\d+)", colors)
    assert any(len(set(ground)) > 1 for ground in grounds) == ("NO_COLOR" not in env), colors[:2000]  # grey at most
    table.keys("q")
    table.sees("EXIT 0")
