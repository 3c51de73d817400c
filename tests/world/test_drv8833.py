"""The eye's bridge and motor."""

import pytest

from eyecaptain.world.chips.drv8833 import CHOP_CURRENT, EyeMotor, bridge


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
    assert motor.current(1.1) == CHOP_CURRENT
    assert free < CHOP_CURRENT / 3
