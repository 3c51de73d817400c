"""The host's board on the real firmware in a real MicroPython behind a real pseudo-terminal."""

import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from eyecaptain.boards import serial
from eyecaptain.boards.serial import SerialBoard
from eyecaptain.errors import NoBoard
from eyecaptain.link import ports
from eyecaptain.link.client import Client
from eyecaptain.link.errors import BoardRefused
from eyecaptain.link.messages import Event
from eyecaptain.link.ports import Port
from link.plain import Emulated


@pytest.fixture(scope="module")
def sim(emulate: Callable[..., Emulated]) -> Emulated:
    return emulate("--seed", "board")


class Table:
    """Who holds the other end of the queue."""

    def __init__(self, sim: Emulated) -> None:
        self.sim = sim
        self.events: queue.Queue[Event] = queue.Queue()
        self.said: list[str] = []
        self.shown: list[str] = []
        self.board = SerialBoard(ports.choose(sim.serial), self.events, say=self.said.append, show=self.shown.append)

    def next(self, what: str, within: float = 15.0, **data: Any) -> Event:
        deadline = time.monotonic() + within
        while True:
            event = self.events.get(timeout=max(deadline - time.monotonic(), 0.001))
            if event.what == what and data.items() <= event.data.items():
                return event


@pytest.fixture
def table(sim: Emulated, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("CAPTAIN_RUNTIME", str(sim.runtime))
    it = Table(sim)
    try:
        yield it
    finally:
        it.board.close()


def test_the_die_the_chips_and_the_eye(sim: Emulated, table: Table) -> None:
    assert table.events.get(timeout=15).what == "state"
    assert table.board.hello.uid.upper() == sim.serial
    for face in ("red", "green", "blue", "yellow"):
        before = time.monotonic()
        sim.world("face", color=face)
        assert before < table.next("die", face=face).at < before + 2
    table.board.chips(["white", "cyan", "magenta"], "steady")
    assert table.board.state()["chips"] == ["white", "cyan", "magenta"]
    table.board.eye(on=True)
    table.next("eye", mode="roam")
    time.sleep(2)  # longer than the lease
    assert sim.roaming()
    table.board.eye(on=False)
    assert not sim.turning()
    assert not any(table.board.counts.values())


def test_a_renewal_goes_unnoticed(sim: Emulated, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "RENEW", 0.3)
    monkeypatch.setattr(serial, "RUN", 800)
    table.board.eye(on=True)
    time.sleep(2)  # more than two runs
    assert sim.roaming()
    table.board.eye(on=False)
    kinds = [event for event in table.events.queue if event.what == "eye"]
    assert [event.data["mode"] for event in kinds] == ["roam", "off"]


def test_the_switch(sim: Emulated, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "RENEW", 0.2)
    table.board.eye(on=True)
    sim.world("switch", on=False)
    try:
        assert table.next("eye", mode="off").data["why"] == "switch"
        assert table.next("switch").data == {"on": False}
        time.sleep(0.5)
        with pytest.raises(BoardRefused) as caught:
            table.board.eye(on=True)
        assert caught.value.code == "switch"
    finally:
        sim.world("switch", on=True)
    table.next("switch", on=True)
    time.sleep(0.5)
    assert not sim.turning()
    table.board.eye(on=True)
    assert sim.roaming()


def test_a_board_that_is_unplugged_comes_back(sim: Emulated, table: Table) -> None:
    table.board.chips(["white"])
    table.board.eye(on=True)
    sim.world("fault", what="unplug", seconds=0.5)
    table.next("lost")
    event = table.next("rebooted", 8)  # it had no power meanwhile
    assert event.data["port"] == sim.port
    assert event.data["motor"] is True
    assert table.said == []
    table.board.eye(on=True)
    assert sim.roaming()


def test_a_board_that_resets_comes_back_and_is_told_what_it_has_to_know(sim: Emulated, table: Table) -> None:
    table.board.chips(["white", "orange"])
    table.board.eye(on=True)
    sim.world("fault", what="reboot")
    table.next("lost")
    table.next("rebooted", 8)
    time.sleep(0.3)
    assert not sim.turning()
    state = table.board.state()
    assert state["chips"] == ["white", "orange"]
    assert state["watch"] is True
    sim.world("face", color="blue")
    table.next("die", face="blue")


def test_a_soft_reset_under_the_open_port(sim: Emulated, table: Table) -> None:
    """Somebody types Ctrl-C and Ctrl-D into the same port."""
    table.board.eye(on=True)
    table.board._client._line.write(b"\x03")
    time.sleep(0.2)
    assert not sim.turning()
    table.board._client._line.write(b"\x04")
    event = table.next("rebooted", 8)
    assert event.data["reset"] == "soft"
    table.board.eye(on=True)
    assert sim.roaming()


def test_a_suspended_host_loses_the_lease_and_can_go_on(sim: Emulated, table: Table) -> None:
    table.board.eye(on=True)
    assert sim.roaming()
    with table.board._client._line._writing:  # nothing goes out, as while a laptop sleeps
        time.sleep(1.8)  # the lease, and a tick of the guard
        assert not sim.turning()
    table.next("lease")
    table.board.eye(on=True)
    assert sim.roaming()
    assert table.board.state()["watch"] is True


def test_a_board_that_mpremote_left_at_its_prompt_is_brought_back(sim: Emulated) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", sim.port, "exec", "print(6*7)"],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stdout.strip() == "42"
    said: list[str] = []
    with Client(sim.port, lambda _: None, say=said.append) as client:
        assert client.hello.reset == "soft"
    assert len(said) == 1
    assert "prompt" in said[0]


@pytest.mark.usefixtures("table")
def test_a_taken_port_is_named(sim: Emulated) -> None:
    with pytest.raises(NoBoard, match="is taken"):
        SerialBoard(Port(sim.port, "", "sim", ""), queue.Queue())


ROLL = """
import queue, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell in the background ignores it
from eyecaptain.boards.serial import SerialBoard
from eyecaptain.link.ports import Port
with SerialBoard(Port(sys.argv[1], "", "sim", ""), queue.Queue()) as board:
    board.eye(on=True)
    print("rolling", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize(("number", "within"), [(signal.SIGINT, 0.5), (signal.SIGKILL, 1.6)])
def test_the_motor_stops_when_the_host_ends(number: signal.Signals, within: float, sim: Emulated) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ROLL, sim.port], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=sim.environment
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"rolling\n"
        time.sleep(0.3)
        assert sim.roaming()
        ended = sim.world("state")["t"]
        child.send_signal(number)
        child.wait(5)
    deadline = time.monotonic() + 2.5
    while sim.turning():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert sim.world("state")["motor_off_at"] - ended <= within
