"""The guide's bring-up scripts, run by the real mpremote on the simulated board with the real firmware."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.flash.meet import await_port
from eyecaptain.link.ports import Port
from support import captain, skip_without_micropython
from tools.wiring import HERE

CHECKS = ("driver's nFAULT", "eye switch", "shunt, motor off", "I2C devices", "sensor's id", "dark, counts", "lamp adds")


@pytest.fixture
def board(own_runtime: Path, tmp_path: Path) -> Iterator[SimulatedBoard]:
    skip_without_micropython()
    assert own_runtime.is_dir()
    with SimulatedBoard.start(record=tmp_path / "record.jsonl") as started:
        yield started


def run(board: SimulatedBoard, script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", board.entry.port, "run", str(HERE / script)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def moved(tmp_path: Path) -> list[int]:
    """What the record says of the bridge's nSLEEP: every level that was written to GP18."""
    lines = [json.loads(line) for line in (tmp_path / "record.jsonl").read_text(encoding="utf-8").splitlines()]
    return [line["level"] for line in lines if line.get("pin") == 18]


def test_a_good_board_is_ok_in_every_line_and_nothing_moves(board: SimulatedBoard, tmp_path: Path) -> None:
    lines = run(board, "bringup.py").splitlines()
    for check in CHECKS:
        (line,) = [line for line in lines if line.startswith(check)]
        assert line.endswith("ok"), line
    assert not any(moved(tmp_path))


def test_the_motor_is_measured_free_and_blocked_and_is_off_afterwards(board: SimulatedBoard, tmp_path: Path) -> None:
    said = run(board, "bringup_motor.py")
    free, blocked = (float(found) for found in re.findall(r"(?:free|blocked) +([\d.]+) mA", said))
    assert free > 0
    assert blocked > 0
    assert "FAULT" not in said
    levels = moved(tmp_path)
    assert 1 in levels
    assert levels[-1] == 0


@pytest.mark.parametrize(
    ("fault", "value", "said"),
    [
        ("i2c_nak", True, r"I2C devices +\[\] +NOT 0x29: see the guide, sensor"),
        ("ambient", 100000, r"dark, counts +\d+ +NOT below 16128: the room's light gets in"),
    ],
)
def test_what_is_wrong_is_said_and_where_to_look(board: SimulatedBoard, fault: str, value: object, said: str) -> None:
    board.control.ask("fault", what=fault, value=value)
    assert re.search(said, run(board, "bringup.py"))


def test_a_board_that_was_told_what_the_guide_says_ends_with_a_green_doctor(board: SimulatedBoard, tmp_path: Path) -> None:
    """Step 4 of the guide by its own commands, then the last rows of its bring-up table."""
    (found,) = re.findall(r"^ +(\{\"leds\".*\})$", (HERE / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    (tmp_path / "board.json").write_text(found, encoding="utf-8")
    for words in (["fs", "cp", str(tmp_path / "board.json"), ":board.json"], ["reset"]):
        command = [sys.executable, "-m", "mpremote", "connect", board.entry.port, *words]
        subprocess.run(command, capture_output=True, check=True, timeout=60)
    await_port(Port(board.entry.port, board.entry.serial, "sim", ""))
    report = tmp_path / "report.txt"
    done = captain(
        *("doctor", "--motor", "--json", "--board", board.entry.port, "--report", str(report)), sessions=tmp_path, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["good"]
    assert json.loads(found)["leds"] == "rgb"
    assert '"pixels"' in (tmp_path / "record.jsonl").read_text(encoding="utf-8"), "the strip of these settings was lit"
