"""The cable is pulled, or the host dies, at any moment of a flash: the board starts the old or the new firmware, and takes
the next one.

A moment is one write to the serial line, so there are some in every command that the board is given, and in every file.
"""

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.errors import CaptainError
from eyecaptain.flash import status, update
from flash.conftest import CALIBRATION, Start, build_of, port_of, variant
from flash.test_power_cut import prepared
from flash.test_update_on_board import on_board
from support import runs

Use = Callable[[dict[str, Path]], str]

# The command, which does to itself what is asked at a certain write to the serial line.
DYING = """
import os, signal, sys
import serial
at, how = int(sys.argv.pop(1)), sys.argv.pop(1)
write, count = serial.Serial.write, [0]
def dying(self, data):
    count[0] += 1
    if count[0] == at:
        os.kill(os.getpid(), getattr(signal, how))
    return write(self, data)
serial.Serial.write = dying
from eyecaptain.cli import main
sys.exit(main())
"""


@contextlib.contextmanager
def at_write(number: int, act: Callable[[], Any]) -> Iterator[list[int]]:
    """Let something happen just before a write to any serial line of this process."""
    write, count = serial.Serial.write, [0]

    def counting(self: Any, data: bytes) -> Any:
        count[0] += 1
        if count[0] == number:
            act()
        return write(self, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serial.Serial, "write", counting)
        yield count


def running(board: SimulatedBoard, within: float = 20.0) -> status.Status:
    """What the board runs, as soon as it answers."""
    end = time.monotonic() + within
    while True:
        with contextlib.suppress(CaptainError):
            found = status.ask(port_of(board))
            if found.build:
                return found
        assert time.monotonic() < end, "neither the old nor the new firmware answers"
        time.sleep(0.05)


def moments(seed: str, writes: int) -> list[int]:
    """Some of so many moments; all of them in a long run."""
    return random.Random(seed).sample(range(1, writes + 1), min(runs(3), writes))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the image of a board with settings and a calibration is kept."""
    return tmp_path_factory.mktemp("base") / "image"


def fresh(start: Start, base: Path, image: Path) -> SimulatedBoard:
    if not base.exists():
        prepared(start, base)
    shutil.copyfile(base, image)
    return start(flash=image)


@pytest.fixture
def writes(start: Start, flashing: Use, tmp_path: Path, base: Path) -> int:
    """How many writes a flash has, counted once; it varies a little with the machine."""
    known = base.with_name("writes")
    if not known.exists():
        flashing(variant(tmp_path / "counted", "1.0.0"))
        board = fresh(start, base, tmp_path / "image")
        with at_write(0, lambda: None) as count:
            update.update(update.Wish(port_of(board)), update.Voice())
        board.stop()
        known.write_text(str(count[0]))
    return int(known.read_text())


@pytest.mark.soak
@pytest.mark.parametrize("powered", [False, True], ids=["unplugged", "with power from elsewhere"])
def test_the_cable_is_pulled_at_any_moment(
    powered: bool, start: Start, flashing: Use, tmp_path: Path, base: Path, writes: int
) -> None:
    files = variant(tmp_path, "1.0.0")
    new = flashing(files)
    for moment in moments(f"cable {powered}", writes):
        board = fresh(start, base, tmp_path / "image")
        try:
            old = running(board).build

            def pull(board: SimulatedBoard = board) -> None:
                board.control.ask("fault", what="unplug", seconds=0.3, powered=powered)

            with at_write(moment, pull), contextlib.suppress(CaptainError):
                update.update(update.Wish(port_of(board)), update.Voice())
            if powered:  # it may have been left at its prompt: nobody but the next flash starts it again
                time.sleep(0.5)  # the cable is back
            else:
                assert running(board).build in (old, new), moment
            update.update(update.Wish(port_of(board)), update.Voice())
            assert running(board).build == new, moment
            assert running(board).trial is None, moment
            assert on_board(board, "print(json.dumps(open('/cal.json').read()))") == CALIBRATION, moment
        finally:
            board.stop()


@pytest.mark.soak
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT"])
def test_the_host_dies_at_any_moment(how: str, start: Start, tmp_path: Path, base: Path, writes: int) -> None:
    files = variant(tmp_path, "1.0.0")
    new = build_of(files)
    command = [sys.executable, "-c", DYING]
    environment = {**os.environ, "PYTHONPATH": str(files["main.py"].parent)}
    for moment in moments(f"host {how}", writes):
        board = fresh(start, base, tmp_path / "image")
        try:
            old = running(board).build
            flash = ["flash", "--board", board.entry.port]
            died = subprocess.run([*command, str(moment), how, *flash], capture_output=True, text=True, env=environment)
            if how == "SIGINT":
                # Interrupted, or it came too late; either way the board runs again without anybody's help.
                assert died.returncode in (0, 130), died.stderr
                assert "Traceback" not in died.stderr
                print(f"moment {moment}: {died.returncode}")
                assert running(board).build in (old, new), moment
            again = subprocess.run([*command, "0", how, *flash], capture_output=True, text=True, env=environment)
            assert again.returncode == 0, (moment, again.stderr)
            assert running(board).build == new, moment
            assert running(board).trial is None, moment
            assert on_board(board, "print(json.dumps(open('/cal.json').read()))") == CALIBRATION, moment
        finally:
            board.stop()
