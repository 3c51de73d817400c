"""Faults on purpose: each does what its name says, by the seed, and is counted."""

import socket
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.conftest import Start
from boards.line import Line, opened_again
from eyecaptain.boards.simulated.badline import BadLine
from eyecaptain.boards.simulated.faults import NAMES, OCCASIONS, Faults, parse
from eyecaptain.boards.simulated.pico import Pico
from support import captain

ECHO = """
import sys
while True:
    sys.stdout.buffer.write(sys.stdin.buffer.read(1))
"""
WATCHED = """
import machine, sys
from machine import Pin, PWM
dog = machine.WDT(timeout=800)
Pin(18, Pin.OUT, value=machine.reset_cause() == 1)
PWM(Pin(16), freq=20000, duty_u16=40000)
feeder = machine.Timer(-1, period=100, callback=lambda _: dog.feed())
sys.stdin.buffer.read(1)
print('cause', machine.reset_cause())
sys.stdin.buffer.read(1)
"""


class Bench:
    """A line, and what came through it."""

    def __init__(self, **rates: float) -> None:
        self.faults = Faults("seed", rates)
        self.arrived: list[tuple[float, bytes]] = []
        self.happened: list[str] = []
        self.line = BadLine(self.faults, self.arrive, self.arrive, lambda _, fault: self.happened.append(fault))

    def arrive(self, now: float, data: bytes) -> None:
        self.arrived.append((now, data))

    def through(self, data: bytes, now: float = 0.0) -> bytes:
        self.line.inward.take(now, data)
        arrived, self.arrived = b"".join(piece for _, piece in self.arrived), []
        return arrived


def test_what_the_command_line_says() -> None:
    assert parse("corrupt=0.01, drop=1") == {"corrupt": 0.01, "drop": 1.0}


@pytest.mark.parametrize("text", ["", "drop", "drop=", "drop=2", "drop=-1", "drop=nan", "noise=0.1", "drop=0.1,,"])
def test_what_it_must_not_say(text: str) -> None:
    with pytest.raises(ValueError, match="NAME=SHARE"):
        parse(text)


def test_the_command_line_names_what_there_is(tmp_path: Any) -> None:
    done = captain("emulate", "--faults", "noise=1", sessions=tmp_path)
    assert done.returncode == 2
    assert "noise=1" in done.stderr
    assert "sda_stuck" in done.stderr


@given(st.lists(st.binary(max_size=40)))
def test_without_faults_everything_arrives_in_the_same_pieces(pieces: list[bytes]) -> None:
    bench = Bench()
    for piece in pieces:
        bench.line.outward.take(0.0, piece)
    assert [data for _, data in bench.arrived] == [piece for piece in pieces if piece]


@given(st.lists(st.binary(max_size=40)), st.sampled_from(OCCASIONS["bus"]))
def test_a_fault_elsewhere_does_nothing_to_the_line(pieces: list[bytes], name: str) -> None:
    bench = Bench(**{name: 1.0})
    assert b"".join(bench.through(piece) for piece in pieces) == b"".join(pieces)
    assert not any(bench.faults.met.values())


@pytest.mark.parametrize(
    ("fault", "arrives"),
    [("drop", b""), ("duplicate", b"#abc\n#abc\n"), ("merge", b"#abc"), ("unplug", b""), ("kill", b""), ("reboot", b"")],
)
def test_what_becomes_of_a_line(fault: str, arrives: bytes) -> None:
    bench = Bench(**{fault: 1.0})
    assert bench.through(b"#ab") == b""
    assert bench.through(b"c\n") == arrives
    assert bench.faults.met[fault] == 1
    assert bench.happened == ([fault] if fault in {"unplug", "kill", "reboot"} else [])


@given(st.binary(min_size=1, max_size=40).filter(lambda line: b"\n" not in line), st.sampled_from(["truncate", "corrupt"]))
def test_a_line_is_cut_or_has_one_wrong_byte_that_is_no_interrupt(line: bytes, fault: str) -> None:
    arrives = Bench(**{fault: 1.0}).through(line + b"\n")
    if fault == "truncate":
        assert line.startswith(arrives)
    else:
        differ = [(was, is_) for was, is_ in zip(line + b"\n", arrives, strict=True) if was != is_]
        assert len(differ) == 1
        assert differ[0][1] != 3


def test_what_is_late_holds_up_what_comes_behind_it() -> None:
    bench = Bench(delay=1.0)
    assert bench.through(b"#1\n") == b""
    bench.faults.set("delay", 0)
    assert bench.through(b"2\n>>> ") == b""
    due = bench.line.due()
    assert due is not None
    assert 0.02 <= due <= 0.4
    bench.line.wake(due)
    assert b"".join(data for _, data in bench.arrived) == b"#1\n2\n>>> "


def test_a_stalled_line_passes_nothing_until_it_is_over() -> None:
    bench = Bench()
    bench.line.stall(1.0, 2.0)
    assert bench.through(b"a", 1.5) == b""
    bench.line.wake(2.9)
    assert bench.arrived == []
    bench.line.wake(3.0)
    assert bench.arrived == [(3.0, b"a")]
    assert bench.through(b"b", 3.1) == b"ab"


def test_a_port_that_goes_takes_with_it_what_was_under_way() -> None:
    bench = Bench()
    bench.line.stall(0.0)
    bench.through(b"a")
    bench.line.clear()
    assert bench.through(b"b") == b"b"


def test_the_seed_decides() -> None:
    lines = [b"#%d\n" % number for number in range(400)]
    rates = {"drop": 0.05, "duplicate": 0.05, "corrupt": 0.05, "truncate": 0.05}
    one, two = Bench(**rates), Bench(**rates)
    assert [one.through(line) for line in lines] == [two.through(line) for line in lines]
    assert all(5 < one.faults.met[name] < 45 for name in rates)


def test_prompts_and_interrupts_do_not_wait_for_an_end() -> None:
    bench = Bench(drop=0.5)
    for data in (b"\r\x03", b">>> ", b"\x04"):
        assert bench.through(data) == data


def test_a_board_with_a_bad_line_counts_what_happened(start: Start) -> None:
    board = start(ECHO)
    with Line(board.entry.port) as line:
        line.write(b"#1\n")
        line.until(b"#1\n")
        board.control.ask("fault", what="duplicate", value=1)
        line.write(b"#2\n")
        line.until(b"#2\n#2\n#2\n#2\n")
        state = board.control.ask("state")
        assert state["faults"]["duplicate"] == 1
        assert state["met"] == {**dict.fromkeys(NAMES, 0), "duplicate": 3}
        board.control.ask("fault", what="duplicate", value=0)
        board.control.ask("fault", what="stall", seconds=0.5)
        line.write(b"#3\n")
        assert line.silence(0.3) == b""
        line.until(b"#3\n")


def test_a_chip_that_hangs_keeps_its_outputs_until_its_watchdog_bites(start: Start) -> None:
    board = start(WATCHED)
    with Line(board.entry.port) as line:
        deadline = time.monotonic() + 20
        while not board.control.ask("state")["motor"]:
            assert time.monotonic() < deadline
        board.control.ask("fault", what="kill")
        time.sleep(0.4)
        assert board.control.ask("state")["motor"]
        time.sleep(0.6)
        assert not board.control.ask("state")["motor"]
        del line
    with opened_again(board.entry.port) as line:
        line.write(b"x")
        line.until(b"cause 3")


@pytest.mark.parametrize("fault", ["unplug", "reboot"])
def test_a_board_that_goes_with_a_line_comes_back(fault: str, start: Start) -> None:
    board = start(ECHO)
    with Line(board.entry.port) as line:
        board.control.ask("fault", what=fault, value=1)
        line.write(b"#1\n")
        deadline = time.monotonic() + 20
        while board.control.ask("state")["boots"] == 1:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        board.control.ask("fault", what=fault, value=0)
    with opened_again(board.entry.port) as line:
        line.write(b"#2\n")
        line.until(b"#2\n")


def test_an_interpreter_that_ended_in_the_middle_of_a_question_to_its_world() -> None:
    """The answer then finds nobody: that ended the world, and looked like an orderly end."""
    ours, theirs = socket.socketpair()
    pico = Pico.__new__(Pico)
    pico._interpreter = SimpleNamespace(line=ours)  # type: ignore[assignment]
    theirs.close()
    with ours:
        pico._answer(1, b"data")
