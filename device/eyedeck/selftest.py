"""The self-test: each part is looked at, and each look told as a `test` event."""

from eyedeck.core import guard
from eyedeck.drivers import tcs34725
from eyedeck.link.args import flag

_PAIR = 400  # ms that a pair of readings may take
_DARK = 8000  # counts of clear with the light off, at most
_LIGHT = 20  # counts that the light adds at least, even over an empty window
_SPIN = 400  # ms that the motor runs at least, at this percentage:
_POWER = 60


class SelfTest:
    """Tests `hardware` and its settings."""

    def __init__(self, hardware, problem, clock, events, jobs, motion, sight):
        self._hw = hardware
        self._problem = problem  # what is wrong with the settings, or None
        self._clock = clock
        self._events = events
        self._jobs = jobs
        self._motion = motion
        self._sight = sight
        self._looks = None  # those that are left of a test

    def op_selftest(self, args):
        """Begin a self-test, with the motor or without."""
        motor = flag(args, "motor", False)
        if motor:
            self._motion.check()
        job = self._jobs.begin()
        self._looks = self._look(motor)
        return job

    @property
    def running(self):
        """Is a test going on?"""
        return self._looks is not None

    def cancel(self):
        """Give it up, if it runs; who calls this ends the job."""
        self._looks = None

    def step(self):
        """Go on with a test, if one runs, until it waits for something."""
        if not self._looks:
            return
        try:
            next(self._looks)
        except StopIteration:
            self._looks = None
        except Exception as error:  # noqa: BLE001 - whatever it is, the job has to end
            self._looks = None
            self._motion.halt("fault")
            self._events.log("e", "%s: %s" % (type(error).__name__, error))
            self._jobs.end(False, "fault")

    def _look(self, motor):
        """Take one look after the other; yields while it waits."""
        results = [self._tell("config", not self._problem, self._problem or "ok", "ok")]
        on, off = yield from self._fresh_pair()
        results.append(self._tell("sensor", self._sight.works, self._hw.sensor.ident, list(tcs34725.KNOWN)))
        dark = off[3] if off else -1
        light = on[3] - off[3] if on and off else -1
        results.append(self._tell("dark", 0 <= dark <= _DARK, dark, _DARK))
        results.append(self._tell("light", light >= _LIGHT, light, _LIGHT))
        results.append(self._tell("driver", bool(self._hw.fault()), self._hw.fault(), 1))
        results.append(self._tell("switch", True, self._hw.switch.on, None))
        if motor:
            turning = self._hw.turning
            wanted = max(_SPIN, turning.enough(_POWER) * guard.PERIOD) if turning else _SPIN
            ms = yield from self._spin(wanted)
            results.append(self._tell("motor", ms >= wanted, ms, wanted))
            if turning:
                results.append(self._tell(turning.name, *turning.seen(_POWER)))
        good = all(results)
        self._jobs.end(good, None if good else "failed")

    def _tell(self, name, ok, value, limit):
        self._events.event("test", {"name": name, "ok": ok, "value": value, "limit": limit})
        return ok

    def _fresh_pair(self):
        before = self._sight.seen_at
        until = self._clock.ticks_add(self._clock.ticks_ms(), _PAIR)
        while self._sight.seen_at == before and self._clock.ticks_diff(until, self._clock.ticks_ms()) > 0:
            yield
        return self._sight.pair

    def _spin(self, wanted):
        """Run the motor for so many ms; return how many it was let."""
        watch = self._motion.guard
        if self._hw.turning:
            self._hw.turning.begin()
        begun = self._clock.ticks_ms()
        watch.run(wanted + guard.PERIOD, _POWER)
        while watch.running and self._hw.switch.on:
            if self._clock.ticks_diff(self._clock.ticks_ms(), begun) >= wanted:
                watch.stop()
                return wanted
            yield
        watch.stop()
        return min(wanted - 1, self._clock.ticks_diff(self._clock.ticks_ms(), begun))
