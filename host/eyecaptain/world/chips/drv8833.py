"""One bridge of a DRV8833 and the small motor of the eye behind it.

The bridge follows the datasheet's truth table (SLVSAR1, table 1); the motor is a first-order lag with friction. That is
enough for what a firmware can do wrong: start too weakly, forget to stop, brake where it should coast, fight a blocked
eye.
"""

from math import exp
from typing import NamedTuple

# Time constants of the motor in seconds: driven, left to coast (both outputs open), braked (both outputs low).
DRIVEN = 0.08
COAST = 0.25
BRAKE = 0.03
# Friction as a share of full drive: what it takes to break away from standing, and to keep turning.
BREAK_AWAY = 0.30
KEEP_TURNING = 0.15
# Below this share of full speed the eye moves nothing on the deck.
TURNING = 0.10
# A blocked small motor at 5 V draws about this many amperes; a freely turning one about a tenth of it.
STALL_CURRENT = 0.7
FREE_SHARE = 0.1
# Seconds for half a turn of the eye's wheel at full speed; its index is high for one half and low for the other.
HALF_TURN = 0.12
# What the bridge chops at, with a sense resistor of 0.68 ohm: 200 mV / R (datasheet 7.3.2).
CHOP_CURRENT = 0.294


class Bridge(NamedTuple):
    """How the two inputs and nSLEEP split a PWM period: shares of 0 to 1 that add up to 1."""

    forward: float
    reverse: float
    brake: float
    coast: float

    @property
    def drive(self) -> float:
        """Mean drive, -1 to 1: forward is positive."""
        return self.forward - self.reverse

    @property
    def energised(self) -> bool:
        """Whether the supply drives the motor in any part of the period."""
        return self.forward > 0 or self.reverse > 0


ASLEEP = Bridge(0.0, 0.0, 0.0, 1.0)


def bridge(in1: float, in2: float, awake: bool) -> Bridge:
    """What the outputs do, from the high shares of the two inputs (0 to 1) and nSLEEP.

    Truth table: 00 coast, 10 forward, 01 reverse, 11 brake; nSLEEP low: all outputs open. The two inputs are on one PWM
    slice, so their periods begin together and the shorter pulse lies within the longer one.
    """
    if not awake:
        return ASLEEP
    return Bridge(max(in1 - in2, 0.0), max(in2 - in1, 0.0), min(in1, in2), 1.0 - max(in1, in2))


class EyeMotor:
    """The eye's motor behind its bridge.

    :ivar blocked: something holds the eye.
    :ivar shorted: its wires touch: the bridge cuts the current as often as it is driven (datasheet 7.3.5.1).
    :ivar hot: the bridge has shut itself down until it has cooled (7.3.5.2).
    """

    def __init__(self) -> None:
        self.bridge = ASLEEP
        self.blocked = False
        self.shorted = False
        self.hot = False
        self._speed = 0.0
        self._turned = 0.0  # half turns
        self._at = 0.0

    def drive(self, now: float, bridge: Bridge) -> None:
        """From `now` on the bridge does this."""
        self.advance(now)
        self.bridge = bridge

    def advance(self, now: float) -> float:
        """Let time pass up to `now` (seconds) and return the speed: -1 to 1, of a free motor at full drive."""
        elapsed, self._at = now - self._at, max(now, self._at)
        if elapsed <= 0:
            return self._speed
        target, constant = self._settles()
        if self.blocked:
            self._speed = target = 0.0
        lead, left = self._speed - target, exp(-elapsed / constant)
        self._turned += (target * elapsed + lead * constant * (1 - left)) / HALF_TURN
        self._speed = target + lead * left
        return self._speed

    def index(self, now: float) -> bool:
        """Whether the half of the wheel that reads high is at its index sensor."""
        self.advance(now)
        return int(self._turned // 1) % 2 == 1

    @property
    def fault(self) -> bool:
        """Whether the bridge pulls nFAULT low; asleep it never does."""
        return self.bridge is not ASLEEP and (self.hot or (self.shorted and self.bridge.energised))

    def turning(self, now: float) -> bool:
        """Whether the eye moves fast enough to push things about."""
        return abs(self.advance(now)) >= TURNING

    def current(self, now: float) -> float:
        """Amperes at the shunt behind its filter: the motor's, times the share of time that it is driven."""
        drive, speed = self.bridge.drive, self.advance(now)
        if not self.bridge.energised or self.fault:
            return 0.0
        # Counter voltage takes the drive away as the motor gets up to speed; friction keeps a tenth.
        return abs(drive) * min(STALL_CURRENT * max(abs(drive) - abs(speed), FREE_SHARE * abs(drive)), CHOP_CURRENT)

    def _settles(self) -> tuple[float, float]:
        """The speed that the motor tends to, and how fast (time constant in seconds)."""
        if self.fault:
            return 0.0, COAST
        drive = self.bridge.drive
        friction = KEEP_TURNING if abs(self._speed) >= TURNING else BREAK_AWAY
        if self.bridge.energised and abs(drive) >= friction:
            return drive, DRIVEN
        return 0.0, BRAKE if self.bridge.brake > 0.5 else COAST
