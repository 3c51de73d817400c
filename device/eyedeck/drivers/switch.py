"""The eye switch: closed to ground means that the eye may run, so a broken wire reads as off."""

from micropython import const

_SETTLE = const(40)  # ms; contacts bounce


class Switch:
    """A debounced switch on `pin` (None: no switch, always on); `clock` is the module time."""

    def __init__(self, pin, clock):
        self._pin = pin
        self._clock = clock
        self.on = self._raw()
        self._since = None  # when it began to differ

    def step(self, now):
        """Look at it; return True when it has changed."""
        if self._raw() == self.on:
            self._since = None
        elif self._since is None:
            self._since = now
        elif self._clock.ticks_diff(now, self._since) >= _SETTLE:
            self.on = not self.on
            self._since = None
            return True
        return False

    def _raw(self):
        return self._pin is None or not self._pin.value()
