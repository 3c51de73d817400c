"""Whole games on the real firmware while everything goes wrong: they go on, they end, and their log is whole."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from link.plain import Emulated
from support import captain, only_session, runs

PACE = "0.01"
FAULTS = {
    "line": {"drop": 0.02, "corrupt": 0.02, "truncate": 0.01, "duplicate": 0.02, "merge": 0.01, "delay": 0.02},
    "bus": {"i2c_nak": 0.02, "sda_stuck": 0.005, "motor_stall": 0.1},
    "board": {"drop": 0.01, "stall": 0.01, "unplug": 0.02, "reboot": 0.02, "kill": 0.005},
}
GAMES = range(max(1, runs(20) // 50))


@pytest.mark.soak
@pytest.mark.parametrize("number", GAMES)
@pytest.mark.parametrize("what", FAULTS)
def test_a_game_survives(what: str, number: int, own_runtime: Path, tmp_path: Path) -> None:
    board = Emulated(own_runtime, "--seed", f"{what} {number}", "--pace", PACE)
    wishes = ("--bots", "2", "--pace", PACE, "--seed", f"{number}", "--board", board.serial, "--json", "--trace")
    try:
        with ThreadPoolExecutor(1) as pool:
            game = pool.submit(captain, "play", "captain", *wishes, sessions=tmp_path, timeout=120)
            while not board.turning():  # it has begun
                assert not game.done(), game.result().stderr
                time.sleep(0.01)
            for name, rate in FAULTS[what].items():
                board.world("fault", what=name, value=rate)
            done = game.result()
        met = board.world("state")["met"]
    finally:
        board.close()
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "over"
    assert sum(met.values()) > 0, met
    verified = captain("sessions", "verify", only_session(tmp_path).name, sessions=tmp_path)
    assert verified.returncode == 0, verified.stderr
