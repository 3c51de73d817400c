"""How the eye moves: a kick, a ramp, and roaming. Pure: a clock and a random number come in, a duty goes out.

Small motors stick: they start with a short kick at full power, then ramp from low power to what was asked for. While
roaming, speed and direction change at random, with a pause before the direction changes.
"""

OFF = "off"
STEADY = "steady"
ROAM = "roam"

_KICK = 80  # ms
_RAMP = 200
_PAUSE = 200
_START = 30  # percent at which a ramp begins
_LEG = (700, 2600)  # ms that one stretch of roaming takes
_SLOWEST = 60  # percent of the power asked for


class Eye:
    """The eye's movement; `rand(a, b)` gives an integer from a to b; `clock` as for the guard."""

    def __init__(self, rand, clock):
        self.mode = OFF
        self.power = 0
        self._rand = rand
        self._diff = clock.ticks_diff
        self._way = 1
        self._target = 0
        self._since = 0  # when this stretch began
        self._leg = 0  # how long it lasts
        self._pause = 0  # ms of standing still at its beginning
        self._rolls = False  # it began in motion: no kick, no ramp

    def start(self, mode, power, now):
        """Begin to move; return the duty for this moment."""
        moving = self.mode != OFF
        self.mode = mode
        self.power = power
        self._stretch(now, moving)
        return self.step(now)

    def stop(self):
        """Stand still."""
        self.mode = OFF
        self.power = 0

    def turn_back(self, now):
        """Go the other way, after a pause."""
        self._turn(now)

    def step(self, now):
        """Return the duty for this moment, -100..100."""
        if self.mode == OFF or not self.power:
            return 0
        at = self._diff(now, self._since)
        if self.mode == ROAM and at >= self._leg:
            self._stretch(now, moving=True)
            at = 0
        return self._way * self._duty(at - self._pause)

    def _duty(self, at):
        if at < 0:
            return 0
        if self._rolls:
            return self._target
        if at < _KICK:
            return 100
        at -= _KICK
        if at >= _RAMP or self._target <= _START:
            return self._target
        return _START + (self._target - _START) * at // _RAMP

    def _stretch(self, now, moving):
        self._target = self.power
        if self.mode == ROAM:
            self._leg = self._rand(*_LEG)
            self._target = max(1, self.power * self._rand(_SLOWEST, 100) // 100)
            if self._rand(0, 1):
                self._turn(now, pause=moving)
                return
        self._since = now
        self._pause = 0
        self._rolls = moving

    def _turn(self, now, pause=True):
        self._way = -self._way
        self._since = now
        self._pause = _PAUSE if pause else 0
        self._rolls = False
