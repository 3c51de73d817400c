"""A sensor bus that fails, on the real firmware: it is freed and set up again, counted, and the eye rolls on."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from link.plain import Emulated, Plain


@pytest.fixture(scope="module")
def board(emulate: Callable[..., Emulated]) -> Emulated:
    return emulate("--seed", "bus")


@pytest.fixture
def line(board: Emulated) -> Iterator[Plain]:
    """A host that watches the die, which lies still: the eye has no power, only the firmware's word that it rolls."""
    with Plain(board.port) as plain:
        plain.hello(f"b{time.monotonic_ns() % 10**6}", lease=5000)
        board.world("face", color="red")
        plain.ask("watch", on=True)
        plain.event("die", face="red")
        plain.ask("arm")
        plain.ask("eye", mode="steady", power=0, ms=60000)
        plain.events.clear()
        yield plain
        for name in ("sda_stuck", "i2c_nak"):
            board.world("fault", what=name, value=0)


def counts(line: Plain) -> tuple[int, int]:
    stats = line.ask("stats")
    return stats["i2c"], stats["clr"]


def rolls(line: Plain) -> bool:
    return bool(line.ask("state")["eye"][0] == "steady")


def sees(line: Plain, face: str, within: float = 10.0) -> None:
    """The newest reading becomes this face, and is a fresh one."""
    deadline = time.monotonic() + within
    while not ((die := line.ask("die"))["face"] == face and die["age"] < 400):
        assert time.monotonic() < deadline, die
        time.sleep(0.05)


@pytest.mark.parametrize("clocks", [1, 5, 9])
def test_a_bus_that_a_chip_holds_is_freed_and_nobody_need_know(clocks: int, board: Emulated, line: Plain) -> None:
    errors, clears = counts(line)
    board.world("fault", what="sda_stuck", clocks=clocks)
    deadline = time.monotonic() + 10
    while counts(line)[1] == clears:
        assert time.monotonic() < deadline
    time.sleep(0.4)
    after = counts(line)
    assert after[0] >= errors + 2
    assert after[1] == clears + 1
    sees(line, "red")
    assert rolls(line)
    line.quiet(0.1)
    assert not [event for event in line.events if event["ev"] == "fault"]


def test_a_bus_that_nothing_frees_is_told_once_and_the_eye_rolls_on(board: Emulated, line: Plain) -> None:
    board.world("fault", what="sda_stuck", clocks=100000)
    assert line.event("die", face=None)["why"] == "bus"
    assert line.event("fault")["code"] == "sensor"
    before = counts(line)
    line.quiet(1.5)
    assert not [event for event in line.events if event["ev"] in ("fault", "die")]
    assert 2 <= counts(line)[1] - before[1] <= 5, "it is tried again, and not all the time"
    assert rolls(line)
    board.world("fault", what="sda_stuck", clocks=0)
    line.event("die", 3.0, face="red")


@pytest.mark.parametrize("fault", [{"i2c_nak": 0.1}, {"sda_stuck": 0.03}, {"i2c_nak": 0.05, "sda_stuck": 0.02}])
def test_a_bus_that_fails_now_and_then(fault: dict[str, float], board: Emulated, line: Plain) -> None:
    errors, _ = counts(line)
    for name, rate in fault.items():
        board.world("fault", what=name, value=rate)
    line.quiet(2.0)
    wrong = [event for event in line.events if event["ev"] == "die" and event["d"]["face"] not in ("red", None)]
    assert wrong == []
    assert rolls(line)
    for name in fault:
        board.world("fault", what=name, value=0)
    sees(line, "red")
    assert counts(line)[0] > errors


def test_a_bus_that_was_held_before_the_board_began(board: Emulated) -> None:
    """A reset in the middle of a transfer resets the chip but not the sensor."""
    boots: Any = board.world("state")["boots"]
    with Plain(board.port) as line:
        line.hello("held", lease=5000)
        board.world("face", color="blue")
        board.world("fault", what="sda_stuck", clocks=9)
        board.world("fault", what="reboot")  # before the firmware could free it
    deadline = time.monotonic() + 20
    while board.world("state")["boots"] == boots:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    while True:
        try:
            with Plain(board.port) as line:
                line.hello("freed", lease=5000)
                sees(line, "blue")
                assert counts(line)[1] >= 1
        except (OSError, AssertionError):
            assert time.monotonic() < deadline + 3
            time.sleep(0.05)
        else:
            return
