"""The eye's bridge and motor."""

from itertools import pairwise

import pytest

from eyecaptain.world.chips.drv8833 import CHOP_CURRENT, HALF_TURN, EyeMotor, bridge


@pytest.mark.parametrize(
    ("in1", "in2", "awake", "drive", "brake"),
    [
        (0.0, 0.0, True, 0.0, 0.0),
        (1.0, 0.0, True, 1.0, 0.0),
        (0.0, 1.0, True, -1.0, 0.0),
        (1.0, 1.0, True, 0.0, 1.0),
        (1.0, 0.0, False, 0.0, 0.0),
        (0.6, 0.0, True, 0.6, 0.0),  # fast decay
        (1.0, 0.4, True, 0.6, 0.4),  # slow decay
    ],
)
def test_truth_table(in1: float, in2: float, awake: bool, drive: float, brake: float) -> None:
    shares = bridge(in1, in2, awake)
    assert shares.drive == pytest.approx(drive)
    assert shares.brake == pytest.approx(brake)
    assert shares.energised == (drive != 0)
    assert sum(shares) == pytest.approx(1.0)


def test_it_runs_up_coasts_and_brakes() -> None:
    motor = EyeMotor()
    motor.drive(0.0, bridge(0.6, 0.0, True))
    assert 0.2 < motor.advance(0.05) < 0.4
    assert motor.advance(1.0) == pytest.approx(0.6, abs=0.01)
    motor.drive(1.0, bridge(0.0, 0.0, True))
    assert motor.turning(1.2)
    assert not motor.turning(2.0)
    motor.drive(2.0, bridge(0.0, 0.6, True))
    assert motor.advance(3.0) == pytest.approx(-0.6, abs=0.01)
    motor.drive(3.0, bridge(1.0, 1.0, True))
    assert not motor.turning(3.1)


def test_a_weak_drive_does_not_break_away_but_keeps_a_turning_motor_turning() -> None:
    motor = EyeMotor()
    motor.drive(0.0, bridge(0.2, 0.0, True))
    assert motor.advance(1.0) == 0.0
    motor.drive(1.0, bridge(1.0, 0.0, True))
    motor.advance(1.1)
    motor.drive(1.1, bridge(0.2, 0.0, True))
    assert motor.turning(2.0)


def test_a_blocked_motor_draws_what_the_bridge_allows() -> None:
    motor = EyeMotor()
    motor.drive(0.0, bridge(0.6, 0.0, True))
    motor.advance(1.0)
    free = motor.current(1.0)
    motor.blocked = True
    assert motor.advance(1.1) == 0.0
    assert motor.current(1.1) == pytest.approx(CHOP_CURRENT * 0.6), "the shunt has its share of time only"
    assert free < motor.current(1.1) / 3


def halves(motor: EyeMotor, seconds: float) -> int:
    """How often the index changes, looked at every 10 ms."""
    levels = [motor.index(number / 100) for number in range(round(seconds * 100))]
    return sum(before != after for before, after in pairwise(levels))


@pytest.mark.parametrize("in1", [0.36, 0.6, 1.0])
def test_the_index_changes_with_each_half_turn(in1: float) -> None:
    motor = EyeMotor()
    motor.drive(0.0, bridge(in1, 0.0, True))
    assert halves(motor, 6.0) == pytest.approx(6.0 * in1 / HALF_TURN, abs=2)


def test_the_index_of_a_blocked_motor_does_not_change() -> None:
    motor = EyeMotor()
    motor.blocked = True
    motor.drive(0.0, bridge(1.0, 0.0, True))
    assert halves(motor, 3.0) == 0


@pytest.mark.parametrize("what", ["shorted", "hot"])
def test_a_bridge_in_trouble_pulls_nfault_and_turns_nothing(what: str) -> None:
    motor = EyeMotor()
    motor.drive(0.0, bridge(1.0, 0.0, True))
    faults = [motor.fault]
    setattr(motor, what, True)
    assert [*faults, motor.fault] == [False, True]
    assert motor.current(0.1) == 0
    assert abs(motor.advance(3.0)) < 0.01
    motor.drive(3.0, bridge(1.0, 0.0, False))
    assert not motor.fault, "asleep it says nothing"
    motor.drive(3.0, bridge(1.0, 1.0, True))
    assert motor.fault == (what == "hot"), "a brake draws nothing that is short"
