"""Reads the sensor in pairs, light off and light on, one small step at a time. Pure: the sensor is handed in.

After the first pair nothing is allocated here: the counts are read into the same two lists again and again.
"""

_IDLE = 0
_OFF = 1
_ON = 2

_RETRY = 500  # ms until a sensor that failed is tried again
_TRIES = 3  # failures in a row before the bus counts as broken
_OFTEN = 3  # ms between two looks whether a conversion has ended


class Pairs:
    """Steps through pairs for ever; `seen()` is called after each, `failed()` when the sensor is gone.

    `on` and `off` are the counts of the last pair. `sensor` is one as `drivers.tcs34725` says; `recover()` frees a stuck bus;
    `clock` as for the guard.
    """

    def __init__(self, sensor, clock, recover, seen, failed):
        self.works = False
        self.at_start = True  # between two pairs: the moment to change other lights
        self.on = [0, 0, 0, 0]
        self.off = [0, 0, 0, 0]
        self._sensor = sensor
        self._diff = clock.ticks_diff
        self._recover = recover
        self._seen = seen
        self._failed = failed
        self._phase = _IDLE
        self._since = None
        self._tries = 0
        self._soonest = self._deadline = 0
        self.expose(21, 4)

    @property
    def gone(self):
        """Is the sensor known not to answer?"""
        return self._tries >= _TRIES

    def expose(self, cycles, gain):
        """Begin a new pair, with so many cycles and this gain."""
        self._sensor.expose(cycles, gain)
        self._soonest = (cycles + 1) * 227 // 100  # ms that a conversion takes at least; asking earlier is in vain
        self._deadline = (cycles + 1) * 5 + 50  # ms; about twice what it takes at most
        self._phase = _IDLE
        self.at_start = True

    def wait(self, now):
        """Return in how many ms the next step is worth while."""
        if not self.works and self._since is not None:
            return _RETRY
        if self._phase == _IDLE:
            return _OFTEN
        return max(_OFTEN, self._soonest - self._diff(now, self._since))

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
        elif self._diff(now, self._since) >= self._soonest and self._sensor.ready():
            self._tries = 0
            if self._phase == _OFF:
                self._sensor.read(self.off)
                self._begin(_ON, now)
            else:
                self._sensor.read(self.on)
                self._begin(_OFF, now)
                self.at_start = True
                self._seen()
                return
        elif self._diff(now, self._since) > self._deadline:
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
            self.stop()  # a light that shines on while nobody looks would dazzle
            self._failed()
