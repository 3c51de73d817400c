"""Whatever becomes of the link: the table says so, keeps the game, comes back by itself, and has eye and chips as before."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.boards.simulated.registry import running
from support import needs_micropython, only_session
from table.playing import Player, rolling, seated
from table.sittings import recorded

pytestmark = [needs_micropython, pytest.mark.usefixtures("own_runtime")]

Happen = Callable[[SimulatedBoard, Player, pytest.MonkeyPatch], None]

GONE = "The board is not there any more"
BACK = "The board is back"
ANEW = "The board started anew"
AWAY = "This computer was away"


def replug_under_a_new_name(board: SimulatedBoard, play: Player, _: pytest.MonkeyPatch) -> None:
    board.control.ask("fault", what="unplug", seconds=0.5, name="port7", powered=True)
    play.until(lambda: any(entry.port.endswith("port7") for entry in running()), 5)


def reset(board: SimulatedBoard, _play: Player, _: pytest.MonkeyPatch) -> None:
    board.control.ask("fault", what="reboot")


def collapse_of_the_supply(board: SimulatedBoard, play: Player, _: pytest.MonkeyPatch) -> None:
    assert play.sitting.table.board._board._rolling  # type: ignore[attr-defined]
    board.control.ask("fault", what="unplug", seconds=0.3)


def another_program(board: SimulatedBoard, play: Player, _: pytest.MonkeyPatch) -> None:
    """Somebody else opens the port without asking for a lock, reads what is ours, and breaks in, as an editor does."""
    thief = os.open(board.entry.port, os.O_RDWR | os.O_NOCTTY)
    end = time.monotonic() + 2.0
    try:
        os.write(thief, b"\r\x03\x03")
        while time.monotonic() < end:
            os.read(thief, 4096)
            play.until(lambda: True)
    finally:
        os.close(thief)


def ten_minutes_of_sleep(board: SimulatedBoard, play: Player, patch: pytest.MonkeyPatch) -> None:
    """Nothing is written or read meanwhile, and afterwards all clocks of the host are ten minutes on."""
    line = play.sitting.table.board._board._client._line  # type: ignore[attr-defined]
    with line._writing:
        time.sleep(1.7)
        now = time.monotonic
        patch.setattr(time, "monotonic", lambda: now() + 600)
    del board


@pytest.mark.parametrize(
    ("happen", "words", "links"),
    [
        (replug_under_a_new_name, [GONE, BACK], ["lost", "back"]),
        (reset, [GONE, ANEW], ["lost", "rebooted"]),
        (collapse_of_the_supply, [GONE, "its supply collapsed"], ["lost", "rebooted"]),
        (another_program, [ANEW], ["rebooted"]),
        (ten_minutes_of_sleep, [AWAY], ["lost", "back"]),
    ],
)
def test_the_table_says_it_and_goes_on(
    happen: Happen, words: list[str], links: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SimulatedBoard.start(seed="1") as board, seated(tmp_path, board, "Ada", "Ben", game="captain") as play:
        play.until(lambda: rolling(board))
        play.say("call Ada")  # a chip
        before = (play.game.round, list(play.game.chips), play.game.layout)
        play.until(lambda: rolling(board))
        happen(board, play, monkeypatch)
        play.until(lambda: all(any(word in line for line in play.said) for word in words), 25)
        play.until(lambda: rolling(board), 15)
        assert (play.game.round, list(play.game.chips), play.game.layout) == before
        told = [entry.data["what"] for entry in recorded(play.sitting).entries if entry.data["type"] == "link"]
        assert told[-len(links) :] == links
        state = play.sitting.table.board._board.state()
        if GONE in words:
            assert play.sitting.table.board._board.counts["reconnects"] == 1
        assert (state["chips"], state["watch"], state["eye"][0]) == (["cyan"], True, "roam")
        board.control.ask("face", color="red" if play.game.die != "red" else "blue")
        face = board.control.ask("state")["die"]["face"]
        play.until(lambda: play.game.die == face or board.control.ask("state")["die"]["face"] != face)


@pytest.mark.parametrize("what", ["i2c_nak", "sda_stuck"])
@pytest.mark.parametrize("deck", ["real", "virtual"])
def test_a_sensor_that_fails_is_told_and_the_game_goes_on(what: str, deck: str, tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1", pace=100.0) as board, seated(tmp_path, board, "Ada", "Ben", deck=deck) as play:
        face = board.control.ask("state")["die"]["face"]
        play.until(lambda: play.game.die == face)
        if what == "sda_stuck":
            board.control.ask("fault", what=what, clocks=10**6)  # more than anybody gives it: only power would help
        else:
            board.control.ask("fault", what=what, value=1.0)
        play.until(lambda: any("cannot see the die" in line for line in play.said))
        play.until(lambda: rolling(board))
        if deck == "real":
            assert play.game.die is None
            play.say(face)
            play.say(face)  # the colour that was found, and that of the die
            assert play.game.team == 1
        else:
            assert play.game.die == face, "the world knows it"
        if what == "sda_stuck":
            board.control.ask("fault", what=what, clocks=0)
        else:
            board.control.ask("fault", what=what, value=0.0)
        play.until(lambda: any("see the die again" in line for line in play.said))
        play.until(lambda: play.game.die == board.control.ask("state")["die"]["face"])
        stats = play.sitting.table.board._board._client.request("stats")
        assert stats["i2c"] >= 3
        assert stats["clr"] >= 1
        play.until(lambda: rolling(board))


def test_a_host_that_is_stopped_for_a_while_goes_on(tmp_path: Path) -> None:
    """The real command, asleep for three seconds: the board stops the eye in time, and the game goes on afterwards."""
    with SimulatedBoard.start(seed="1", pace=0.2) as board:
        command = [sys.executable, "-m", "eyecaptain", "play", "team", "--players", "Ada,Ben", "--view", "plain"]
        environment = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)}
        with subprocess.Popen(
            [*command, "--board", board.entry.port],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        ) as host:
            assert host.stdin is not None
            assert host.stderr is not None
            notes: list[str] = []
            reader = threading.Thread(target=lambda: notes.extend(host.stderr or ()))
            reader.start()
            until(lambda: rolling(board))
            host.send_signal(signal.SIGSTOP)
            until(lambda: not board.control.ask("state")["motor"], 1.5 + 0.5)
            time.sleep(1.0)
            assert not board.control.ask("state")["motor"]
            host.send_signal(signal.SIGCONT)
            until(lambda: rolling(board))
            host.stdin.close()
            assert host.wait(10) == 0
            reader.join()
    assert AWAY in "".join(notes)
    text = (only_session(tmp_path) / "session.jsonl").read_text()
    assert text.count('"what":"lost"') == text.count('"what":"back"') == 1


def until(condition: Callable[[], Any], seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
