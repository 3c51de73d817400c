"""The whole firmware on a simulated board: what its own folder and its own resets do to it."""

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from device.conftest import DEVICE
from link.plain import Emulated, Plain

Board = tuple[Emulated, Plain]


class Boards:
    """Boards with settings of their own, which end with the test."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.record = folder / "record"
        self.stack = stack

    def start(self, settings: str | None = None) -> Board:
        source = self.folder / "flash"
        shutil.copytree(DEVICE, source, ignore=shutil.ignore_patterns("__pycache__"))
        if settings is not None:
            (source / "board.json").write_text(settings)
        board = Emulated(self.folder, "--seed", "1", "--firmware", str(source), "--record", str(self.record))
        self.stack.callback(board.close)
        line = self.stack.enter_context(Plain(board.port))
        return board, line

    def records(self, key: str) -> list[dict[str, Any]]:
        """What the world has recorded of this kind."""
        return [record for record in map(json.loads, self.record.read_text().splitlines()) if key in record]


@pytest.fixture
def boards() -> Iterator[Boards]:
    # The name is short, because sockets are made in it.
    with tempfile.TemporaryDirectory(prefix="eec") as folder, ExitStack() as stack:
        yield Boards(Path(folder), stack)


@pytest.mark.parametrize(
    ("settings", "word"),
    [('{"cap":', "not JSON"), ('{"cap":200}', '"cap"'), ('{"motor":"big"}', '"motor"'), ('{"leds":"neon"}', '"leds"')],
)
def test_a_broken_board_json_starts_everything_but_the_motor(boards: Boards, settings: str, word: str) -> None:
    board, line = boards.start(settings)
    assert line.hello("a")["board"] == "rp2-pico"
    fault = line.event("fault")
    assert fault["code"] == "config"
    assert word in fault["m"]
    assert line.ask("arm") == "fault"
    assert line.ask("eye", mode="roam", power=100, ms=1000) == "fault"
    assert line.ask("selftest") == {"job": 1}
    assert line.event("test", name="config")["ok"] is False
    assert line.event("job")["ok"] is False
    assert not board.turning()
    line.ask("watch", on=True)
    line.event("die", why=None)


def test_the_motor_never_gets_more_than_its_cap(boards: Boards) -> None:
    _, line = boards.start('{"cap":40}')
    line.hello("a", lease=5000)
    line.ask("arm")
    line.ask("eye", mode="roam", power=100, ms=3000)
    line.event("eye", 4.0, why="time")
    duties, awake = {16: 0, 17: 0}, False
    highest = 0
    for record in map(json.loads, boards.record.read_text().splitlines()):
        if "pwm" in record:
            duties[record["pwm"]] = record["duty"]
        elif record.get("pin") == 18:
            awake = bool(record["level"])
        highest = max(highest, awake * abs(duties[16] - duties[17]))
    assert highest == pytest.approx(65535 * 40 // 100, abs=2)


def test_pixels_instead_of_plain_leds(boards: Boards) -> None:
    _, line = boards.start('{"leds":"rgb","bright":20}')
    assert "r" in line.hello("a")["caps"]
    assert line.ask("chips", c=["ff8000", "cyan"]) == {"shown": 2}
    time.sleep(0.4)
    assert boards.records("pixels")[-1]["pixels"] == ["331900", "003333", *["000000"] * 4]


@pytest.mark.parametrize(("sensor", "power"), [("sense", 60), ("sense", 100), ("index", 60)])
def test_a_blocked_motor_goes_back_twice_and_gives_up(sensor: str, power: int, boards: Boards) -> None:
    board, line = boards.start(json.dumps({sensor: True, "switch": False}))
    assert line.hello("a", lease=5000)["caps"] == {"sense": "c", "index": "i"}[sensor]
    line.ask("arm")
    line.ask("eye", mode="steady", power=power, ms=60000)
    line.quiet(2.5)
    assert line.ask("state")["job"] == [1, "run"], "it turns freely"
    line.ask("eye", mode="off")
    board.world("fault", what="motor_stall", value=True)
    line.ask("eye", mode="steady", power=power, ms=60000)
    begun = board.world("state")["t"]
    while board.world("state")["t"] - begun < 8 and line.ask("state")["job"] == [2, "run"]:
        line.quiet(0.3)
    assert line.event("eye", why="stall")
    assert line.event("job") == {"job": 2, "ok": False, "why": "stall"}
    assert line.event("fault")["code"] == "stall"
    assert 1 < board.world("state")["motor_off_at"] - begun < 6
    ways = [entry["drive"] > 0 for entry in boards.records("motor") if entry["drive"] and entry["t"] > begun - 0.1]
    assert [way for way, _ in groupby(ways)] == [True, False, True], "not back twice"
    assert line.ask("stats")["stall"] == 1


@pytest.mark.parametrize("what", ["motor_short", "motor_hot"])
def test_a_driver_in_trouble_stops_the_eye_and_is_told(what: str, boards: Boards) -> None:
    board, line = boards.start()
    line.hello("a", lease=5000)
    line.ask("arm")
    line.ask("eye", mode="steady", power=80, ms=60000)
    line.quiet(0.3)
    began = board.world("state")["t"]
    board.world("fault", what=what, value=True)
    assert line.event("eye", mode="off", why="fault")
    assert line.event("job") == {"job": 1, "ok": False, "why": "fault"}
    assert line.event("fault")["code"] == "driver"
    state = board.world("state")
    assert not state["motor"]
    assert state["motor_off_at"] - began < 0.25
    board.world("fault", what=what, value=False)
    assert line.ask("eye", mode="steady", power=80, ms=60000) == {"job": 2}
    line.quiet(0.3)
    assert board.turning()


def test_half_a_frame_stops_neither_the_guard_nor_the_watchdog(boards: Boards) -> None:
    board, line = boards.start()
    boot = line.hello("a", lease=500)["boot"]
    line.ask("arm")
    line.ask("eye", mode="steady", power=60, ms=600000)
    assert board.turning()
    line.send(b"#0e0{half")
    begun = time.monotonic()
    while board.turning():
        assert time.monotonic() - begun < 1.0
        time.sleep(0.02)
    time.sleep(6.0)  # longer than the watchdog waits
    reply = line.hello("b")
    assert reply["boot"] == boot
    assert line.ask("state")["job"] == [1, "lease"]


def test_what_began_the_firmware_is_told(boards: Boards) -> None:
    _, line = boards.start()
    first = line.hello("a")
    assert first["reset"] == "power"
    assert line.hello("a")["boot"] == first["boot"]
    line.send(b"\x03")
    line.until(rb"stopped, motor off.*>>> ")
    line.send(b"\x04")
    time.sleep(0.5)
    second = hello_again(line, "a")
    assert second["reset"] == "soft"
    assert second["boot"] != first["boot"]


def test_reset_is_a_hard_one(boards: Boards) -> None:
    board, line = boards.start()
    reply = line.hello("a")
    boot = reply["boot"]
    assert line.ask("reset") == {}
    time.sleep(0.5)
    deadline = time.monotonic() + 20
    while True:  # the port goes and comes back
        assert time.monotonic() < deadline
        try:
            with Plain(board.port) as again:
                reply = hello_again(again, "b")
                if reply["boot"] != boot:
                    break
        except (OSError, AssertionError):
            time.sleep(0.1)
    assert reply["reset"] == "watchdog"


def hello_again(line: Plain, nonce: str) -> Any:
    """Say hello until it is heard: the firmware may just be starting."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return line.hello(nonce)
        except AssertionError:
            assert time.monotonic() < deadline


def test_the_repl_keeps_the_motor_off_and_the_watchdog_fed(boards: Boards) -> None:
    board, line = boards.start()
    line.hello("a", lease=5000)
    line.ask("arm")
    line.ask("eye", mode="steady", power=60, ms=600000)
    assert board.turning()
    line.send(b"\x03")
    line.until(rb"stopped, motor off.*>>> ")
    assert not board.turning()
    line.send(b"kept = 41\r")
    time.sleep(6.0)  # longer than the watchdog waits
    line.send(b"print(kept + 1)\r")
    line.until(rb"\n42\r?\n")
    assert not board.turning()


def test_an_exception_at_the_start_leaves_the_motor_off_and_the_repl(boards: Boards) -> None:
    source = boards.folder / "flash"
    shutil.copytree(DEVICE, source, ignore=shutil.ignore_patterns("__pycache__"))
    (source / "eyedeck" / "app.py").write_text("raise RuntimeError('no deck')\n")
    board = Emulated(boards.folder, "--firmware", str(source))
    boards.stack.callback(board.close)
    with Plain(board.port) as line:
        line.send(b"\r")
        line.until(rb">>> ")
        line.send(b"import machine; print('pin', machine.Pin(18).value())\r")
        line.until(rb"pin 0")
    assert not board.turning()


def test_how_much_memory_is_left(boards: Boards) -> None:
    """The words of this MicroPython are twice as long as a Pico's, and the simulated board's own files count, too."""
    _, line = boards.start()
    line.hello("a")
    line.ask("watch", on=True, raw=True)
    for _ in range(200):
        line.ask("state")
    line.send(b"\x03")
    line.until(rb"stopped, motor off.*>>> ")
    line.send(b"import gc; gc.collect(); print('free', gc.mem_free())\r")
    free = int(line.until(rb"free (\d+)\r?\n").split(b"free ")[-1])
    assert free > 230_000
