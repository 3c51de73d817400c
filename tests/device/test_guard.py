from itertools import cycle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.fakes import Clock, Motor
from eyedeck.core import guard as module
from eyedeck.core.guard import PERIOD, Guard
from eyedeck.core.turning import Current, Index

TIMER = object()


class Rig:
    """A guard whose interrupt comes every PERIOD ms, at a phase of its own."""

    def __init__(self, *, sense: bool = False, index: bool = False, phase: int = 0) -> None:
        self.clock = Clock()
        self.motor = Motor()
        self.shunt = 0
        self.level = 0
        self.driver_ok = 1
        turning = Index(lambda: self.level, 200) if index else Current(self.read, 100, 680) if sense else None
        self.guard = Guard(self.motor, self.clock, turning, lambda: self.driver_ok)
        self.next = self.clock.ms + PERIOD - phase
        self.on_time = 0

    def read(self) -> Any:
        return self.shunt

    def go(self, ms: int) -> None:
        for _ in range(ms):
            self.clock.ms += 1
            self.on_time += self.motor.on
            if self.clock.ms >= self.next:
                self.next += PERIOD
                self.guard.tick(TIMER)

    def start(self, ms: int = 600000, duty: int = 50) -> None:
        assert self.guard.arm() is None
        self.guard.run(ms, duty)


def test_it_runs_only_while_armed() -> None:
    rig = Rig()
    assert rig.guard.refuse()[0] == "not_armed"
    rig.guard.run(1000, 50)
    assert not rig.motor.on
    rig.start()
    assert rig.motor.on
    rig.guard.disarm()
    assert not rig.motor.on
    rig.guard.drive(80)
    rig.go(PERIOD)
    assert not rig.motor.on


def test_a_run_ends_by_its_time() -> None:
    rig = Rig()
    rig.start(ms=300)
    assert rig.guard.left() == 300
    rig.go(299)
    assert rig.motor.on
    assert rig.guard.left() == 1
    rig.go(1 + PERIOD)
    assert not rig.motor.on
    assert rig.guard.cause == "time"
    assert rig.guard.armed
    assert rig.guard.left() == 0


def test_the_longest_run_crosses_the_end_of_the_clock() -> None:
    rig = Rig()
    rig.start(ms=module.LONGEST)
    for _ in range(module.LONGEST // 1000):
        rig.guard.renew()
        rig.go(999)
        assert rig.motor.on
        rig.go(1)
    rig.go(PERIOD)
    assert not rig.motor.on


@pytest.mark.parametrize("phase", [0, 13, 49])
@pytest.mark.parametrize("lease", [None, 500, 5000])
def test_without_requests_the_lease_ends_and_safe_stays(lease: Any, phase: int) -> None:
    rig = Rig(phase=phase)
    rig.guard.begin(lease)
    rig.start()
    rig.go(rig.guard.lease)
    assert rig.motor.on
    rig.go(PERIOD)
    assert not rig.motor.on
    assert (rig.guard.safe, rig.guard.armed, rig.guard.cause) == (True, False, "lease")
    assert rig.guard.lease < rig.guard.lost <= rig.guard.lease + PERIOD
    rig.guard.renew()
    assert rig.guard.arm()[0] == "lease"
    assert rig.guard.refuse()[0] == "lease"
    rig.guard.begin(lease)
    assert not rig.guard.safe
    assert rig.guard.refuse()[0] == "not_armed"


def test_requests_renew_the_lease() -> None:
    rig = Rig()
    rig.start()
    for _ in range(10):
        rig.go(1400)
        rig.guard.renew()
    assert rig.motor.on


def test_a_request_that_comes_too_late_does_not_renew() -> None:
    rig = Rig(phase=49)
    rig.start()
    rig.clock.ms += rig.guard.lease + 1  # the next interrupt is still to come
    rig.guard.renew()
    assert not rig.motor.on
    assert rig.guard.safe


@pytest.mark.parametrize(("asked", "given"), [(None, 1500), (0, 500), (500, 500), (4000, 4000), (60000, 5000)])
def test_the_lease_has_limits(asked: Any, given: Any) -> None:
    rig = Rig()
    rig.guard.begin(asked)
    assert rig.guard.lease == given


def test_while_not_armed_no_lease_is_needed() -> None:
    rig = Rig()
    rig.go(10000)
    assert not rig.guard.safe
    assert rig.guard.cause is None


@pytest.mark.parametrize("where", ["drive", "wake"])
def test_an_interrupt_in_the_middle_of_a_start_wins(where: Any) -> None:
    rig = Rig()
    rig.guard.arm()
    original = getattr(rig.motor, where)

    def late(*args: Any) -> None:
        rig.clock.ms += rig.guard.lease + 1
        rig.guard.tick(TIMER)
        original(*args)

    setattr(rig.motor, where, late)
    rig.guard.run(60000, 50)
    assert not rig.motor.on
    assert rig.guard.cause == "lease"


def test_an_interrupt_in_the_middle_of_a_change_wins() -> None:
    rig = Rig()
    rig.start()
    original = rig.motor.drive

    def late(duty: int) -> None:
        rig.clock.ms += rig.guard.lease + 1
        rig.guard.tick(TIMER)
        original(duty)

    rig.motor.drive = late  # type: ignore[method-assign]
    rig.guard.drive(70)
    assert not rig.motor.on


def test_a_driver_fault_stops_it_but_a_glitch_does_not() -> None:
    rig = Rig()
    rig.start()
    rig.driver_ok = 0
    rig.go(PERIOD)
    rig.driver_ok = 1
    rig.go(PERIOD)
    assert rig.motor.on
    rig.driver_ok = 0
    rig.go(2 * PERIOD)
    assert not rig.motor.on
    assert rig.guard.cause == "fault"


def keep(rig: Any, ms: int) -> None:
    """Let time pass with a host that is there."""
    for _ in range(ms // 500):
        rig.guard.renew()
        rig.go(500)


def test_a_motor_that_turns_freely_is_never_limited() -> None:
    rig = Rig(sense=True)
    rig.start(duty=100)
    for turn in range(200):
        rig.shunt = 20000  # each start or reversal takes much for 300 ms
        rig.go(300)
        rig.shunt = 3000
        rig.go(700)
        rig.guard.renew()
        rig.guard.drive(100 if turn % 2 else -100)
    assert rig.motor.on
    assert rig.guard.stalls == 0


def test_a_blocked_motor_gets_five_seconds_a_minute() -> None:
    rig = Rig(sense=True)
    rig.shunt = 20000
    rig.guard.arm()
    begun = 0
    windows = []
    for _ in range(240):  # two minutes, the host tries again and again
        if rig.guard.refuse() is None:
            rig.guard.run(600000, 60)
        before = rig.on_time
        rig.guard.renew()
        rig.go(500)
        windows.append(rig.on_time - before)
        begun += rig.guard.cause == "stall"
        rig.guard.cause = None
    for at in range(len(windows) - 120):
        assert sum(windows[at : at + 120]) <= 5000 + PERIOD
    assert begun >= 1
    assert rig.guard.stalls == begun


def test_a_blocked_motor_is_known_at_once_and_a_rest_is_asked_for() -> None:
    rig = Rig(sense=True)
    rig.shunt = 20000
    rig.start(duty=60)
    rig.go(400)
    assert not rig.guard.blocked
    rig.go(100)
    assert rig.guard.blocked
    keep(rig, 4000)
    assert not rig.motor.on
    assert rig.guard.refuse()[0] == "fault"
    rig.shunt = 0
    keep(rig, 61000)
    assert rig.guard.refuse() is None


@pytest.mark.parametrize(("duty", "within"), [(100, 1050), (60, 1500), (20, 1500)])
def test_an_index_that_stands_means_blocked(duty: int, within: int) -> None:
    rig = Rig(index=True)
    rig.start(duty=duty)
    rig.go(400)
    assert not rig.guard.blocked
    rig.guard.renew()
    rig.go(within - 400 + PERIOD)
    assert rig.guard.blocked
    rig.level = 1
    rig.go(PERIOD)
    assert not rig.guard.blocked


@pytest.mark.parametrize("duty", [20, 60, 100])
def test_an_index_that_changes_is_never_limited(duty: int) -> None:
    """Half a turn each 200 ms at full power; roaming with a pause now and then, for nine minutes."""
    rig = Rig(index=True)
    rig.start(duty=duty)
    at = 0
    for _ in range(540):
        for _ in range(8):
            at += 100
            rig.level = at * duty // 20000 % 2
            rig.go(100)
        rig.guard.renew()
        rig.guard.drive(0)
        rig.go(200)
        rig.guard.drive(duty)
    assert rig.motor.on
    assert rig.guard.stalls == 0


TURNS = st.lists(st.tuples(st.integers(2, 60), st.integers(1, 20)), min_size=5, max_size=60)


@settings(max_examples=20, deadline=None)
@given(TURNS, st.booleans(), st.integers(30, 100))
def test_whoever_starts_it_how_often_a_blocked_motor_has_five_seconds_a_minute(turns: Any, index: bool, duty: int) -> None:
    """Runs and pauses of any length: short ones would end before the motor is known to be blocked."""
    rig = Rig(sense=not index, index=index)
    rig.shunt = 60000
    rig.guard.arm()
    on: list[int] = []  # the ms with power in each 100 ms
    for run, pause in cycle(turns):
        rig.guard.run(600000, duty)
        for number in range(run + pause):
            if number == run:
                rig.guard.stop()
            before = rig.on_time
            rig.guard.renew()
            rig.go(100)
            on.append(rig.on_time - before)
        if len(on) >= 1300:
            break
    assert max(sum(on[at : at + 600]) for at in range(len(on) - 600)) <= 5000


def test_a_pause_is_not_a_blocked_motor() -> None:
    rig = Rig(sense=True)
    rig.shunt = 5  # noise
    rig.start(duty=0)
    keep(rig, 3000)
    assert not rig.guard.blocked


def test_a_refusal_from_the_settings() -> None:
    rig = Rig()
    rig.guard.refusal = "board.json: not JSON"
    assert rig.guard.arm() == ("fault", "board.json: not JSON")
    assert not rig.guard.armed


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["renew", "arm", "disarm", "run", "drive", "stop", "begin", "wait"]),
        st.integers(1, 3000),
    ),
    max_size=40,
)


@given(STEPS, st.integers(0, PERIOD - 1))
def test_whatever_happens_the_motor_is_off_when_its_reason_is_gone(steps: Any, phase: int) -> None:
    rig = Rig(phase=phase)
    heard = rig.clock.ms  # the last valid request
    end = None  # of the last run that was accepted
    for step, number in steps:
        if step == "wait":
            for _ in range(number // 10):
                rig.go(10)
                if rig.motor.on:
                    assert rig.clock.ms - heard <= rig.guard.lease + PERIOD
                    assert end is not None
                    assert rig.clock.ms <= end + PERIOD
                    assert rig.guard.armed
            continue
        rig.guard.renew()
        heard = rig.clock.ms
        if step == "run":
            if rig.guard.refuse() is None:
                end = rig.clock.ms + number
            rig.guard.run(number, 50)
        elif step == "drive":
            rig.guard.drive(number % 201 - 100)
        elif step == "begin":
            rig.guard.begin(number)
        elif step != "renew":
            getattr(rig.guard, step)()
        if step in ("disarm", "stop", "begin"):
            assert not rig.motor.on


def test_a_fault_in_the_interrupt_ends_the_motor_until_the_next_boot() -> None:
    clock, motor = Clock(), Motor()
    watch = Guard(motor, clock)
    watch.begin(None)
    watch.arm()
    watch.run(60000, 60)
    assert motor.on
    watch.broken()
    assert not motor.on
    assert (watch.running, watch.armed, watch.cause) == (False, False, "guard")
    watch.begin(None)
    refusal = watch.arm()
    assert refusal is not None
    assert refusal[0] == "fault"


class Witness(Motor):
    """A motor that gets power only within a run that has an end; `guard` is set afterwards."""

    guard: Any = None

    def drive(self, duty: int) -> None:
        assert not duty or 0 < self.guard.left() <= module.LONGEST, "power without an end"
        super().drive(duty)

    def wake(self) -> None:
        assert 0 < self.guard.left() <= module.LONGEST, "awake without an end"
        super().wake()


@given(STEPS, st.integers(0, PERIOD - 1))
def test_power_has_an_end_set_before_it(steps: Any, phase: int) -> None:
    rig = Rig(phase=phase)
    rig.motor = rig.guard._motor = Witness()
    rig.motor.guard = rig.guard
    rig.guard._off = rig.motor.off
    for step, number in steps:
        match step:
            case "wait":
                rig.go(number)
            case "run":
                rig.guard.run(number, 50)
            case "drive":
                rig.guard.drive(number % 201 - 100)
            case "begin":
                rig.guard.begin(number)
            case _:
                getattr(rig.guard, step)()
