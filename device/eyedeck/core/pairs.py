"""Reads the sensor in pairs, light off and light on, one small step at a time. Pure: the sensor is handed in."""

_IDLE = 0
_OFF = 1
_ON = 2

_SOONEST = 48  # ms that a conversion takes at least; asking earlier is in vain
_DEADLINE = 150  # ms; it takes 57 at most
_RETRY = 500  # ms until a sensor that failed is tried again
_TRIES = 3  # failures in a row before the bus counts as broken


class Pairs:
    """Steps through pairs for ever; `seen(on, off)` is called after each, `failed()` when the sensor is gone.

    `sensor` has setup(), begin(light), ready(), read(), rest(), and raises OSError; `recover()` frees a stuck bus.
    `clock` as for the guard.
    """

    def __init__(self, sensor, clock, recover, seen, failed):
        self.works = False
        self.at_start = True  # between two pairs: the moment to change other lights
        self._sensor = sensor
        self._diff = clock.ticks_diff
        self._recover = recover
        self._seen = seen
        self._failed = failed
        self._phase = _IDLE
        self._since = None
        self._tries = 0
        self._off = None

    @property
    def gone(self):
        """Is the sensor known not to answer?"""
        return self._tries >= _TRIES

    def step(self, now):
        """Do what is due; call often."""
        if not self.works and self._since is not None and self._diff(now, self._since) < _RETRY:
            return
        try:
            self._step(now)
        except OSError:
            self._lost(now)

    def stop(self):
        """Put the light out and wait for the next step."""
        self._phase = _IDLE
        self.at_start = True
        try:
            self._sensor.rest()
        except OSError:
            pass  # the next step will find out

    def _step(self, now):
        if not self.works:
            self._since = now
            self._sensor.setup()
            self.works = True
            self._begin(_OFF, now)
        elif self._phase == _IDLE:
            self._begin(_OFF, now)
        elif self._diff(now, self._since) >= _SOONEST and self._sensor.ready():
            self._tries = 0
            counts = self._sensor.read()
            if self._phase == _OFF:
                self._off = counts
                self._begin(_ON, now)
            else:
                self._begin(_OFF, now)
                self.at_start = True
                self._seen(counts, self._off)
                return
        elif self._diff(now, self._since) > _DEADLINE:
            raise OSError("no conversion")
        self.at_start = False

    def _begin(self, phase, now):
        self._phase = phase
        self._since = now
        self._sensor.begin(phase == _ON)

    def _lost(self, now):
        # The sensor may have lost power, so it is set up again after every error.
        self.works = False
        self.at_start = True
        self._phase = _IDLE
        self._since = now
        self._tries += 1
        if self._tries > 1:  # one error is a disturbance, two in a row may be a bus that is held
            self._recover()
        if self._tries < _TRIES:
            self._since = None  # at once
            return
        if self._tries == _TRIES:
            self._failed()
