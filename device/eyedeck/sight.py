"""What the board sees of the die: readings, what they mean, and telling it."""

from eyedeck.core import die, pairs, palette
from eyedeck.link.args import flag, integer
from eyedeck.link.session import Refused

_SAMPLES = 20
_PAIR = 400  # ms that a pair of readings may take, at the very most
_LONGEST = 0x3FFFFFFF
_EXPOSURE = (21, 4)  # cycles and gain without a calibration
_NOTHING = (None, 0, "unstable")


class Sight:
    """Reads the sensor of `hardware` from the first hello on; `rolling()`: does the eye run?"""

    def __init__(self, hardware, clock, events, jobs, rolling):
        self.awake = False
        self.seen_at = None
        self.watch = False
        self._sensor = hardware.sensor
        self._clock = clock
        self._events = events
        self._jobs = jobs
        self._rolling = rolling
        self._pairs = pairs.Pairs(hardware.sensor, clock, hardware.bus.clear, self._seen, self._failed)
        self._palette = None
        self._vote = die.Vote()
        self._judged = _NOTHING
        self._told = None  # the judgement in the last die event
        self._raw = [0, 0, 0, 0]
        self._watch_raw = False
        self._sampling = None  # [wanted, done, deadline]
        self._warned = None  # the trouble with the sensor that was told last

    @property
    def works(self):
        """Does the sensor answer?"""
        return self._pairs.works

    @property
    def pair(self):
        """The last (on, off), or two None."""
        return (None, None) if self._judged[2] == "bus" or self.seen_at is None else (self._pairs.on, self._pairs.off)

    @property
    def face(self):
        """The face that is judged to lie over the window, or None."""
        return self._judged[0]

    @property
    def clear(self):
        """How bright it is there, all colours together."""
        return self._raw[3]

    @property
    def between(self):
        """Is this a moment at which other lights may change without being taken for the die's?"""
        return self._pairs.at_start

    def use(self, ready):
        """Judge by this palette from now on; None: there is no calibration."""
        self._palette = ready
        self._forget()
        self._expose()

    def state(self):
        """Return face, confidence, reason and age."""
        return [self._judged[0], self._judged[1], self._judged[2], self._age()]

    def op_die(self, _args):
        """Tell the newest judgement."""
        face, conf, why = self._judged
        return {"face": face, "conf": conf, "why": why, "raw": self._raw, "age": self._age()}

    def op_watch(self, args):
        """Tell each change from now on, or each reading, or nothing."""
        on = flag(args, "on")
        self._watch_raw = flag(args, "raw", False)
        self.watch = on
        self._told = None
        return {}

    def op_sample(self, args):
        """Begin a job that tells so many pairs of readings as they are, exposed as asked."""
        wanted = integer(args, "k", 1, _SAMPLES)
        cycles = integer(args, "cycles", 1, palette.LONGEST) if "cycles" in args else None
        gain = integer(args, "gain", 1, 60) if "gain" in args else None
        if gain and gain not in palette.GAINS:
            raise Refused("bad_arg", "gain must be 1, 4, 16 or 60")
        if self._pairs.gone:
            raise Refused("sensor", self._sensor.trouble or "the colour sensor does not answer")
        job = self._jobs.begin()
        usual = self._exposure()
        self._pairs.expose(cycles or usual[0], gain or usual[1])
        self._sampling = [wanted, 0, self._clock.ticks_add(self._clock.ticks_ms(), (wanted + 2) * _PAIR)]
        return job

    def begin(self):
        """Begin a link session."""
        self.awake = True
        self.watch = False
        if self._sampling:
            self._sampling = None
            self._expose()
        self._warned = None

    def rest(self):
        """Put the light out until the next link session."""
        self.awake = False
        self._pairs.stop()

    def wait(self, now):
        """Return in how many ms the next step is worth while."""
        return self._pairs.wait(now)

    def step(self, now):
        """Do what is due."""
        if self.awake:
            self._pairs.step(now)
        if self._sampling and self._clock.ticks_diff(now, self._sampling[2]) > 0:
            self._end(False, "time")

    def _exposure(self):
        return (self._palette.cycles, self._palette.gain) if self._palette else _EXPOSURE

    def _expose(self):
        self._pairs.expose(*self._exposure())

    def _forget(self):
        self._vote = die.Vote()
        self._judged = _NOTHING

    def _end(self, ok, why):
        self._sampling = None
        self._expose()
        self._jobs.end(ok, why)

    def _age(self):
        if self.seen_at is None:
            return 0
        return max(0, self._clock.ticks_diff(self._clock.ticks_ms(), self.seen_at)) & _LONGEST

    def _seen(self):
        on, off = self._pairs.on, self._pairs.off
        self.seen_at = self._clock.ticks_ms()
        if self._sensor.trouble != self._warned:
            self._warned = self._sensor.trouble
            self._events.log("w", self._warned)
        if self._sampling:  # exposed for somebody else: not for judging
            self._sampling[1] += 1
            self._events.event("sample", {"i": self._sampling[1], "on": on, "off": off})
            if self._sampling[1] == self._sampling[0]:
                self._end(True, None)
            return
        for i in range(4):
            self._raw[i] = max(0, on[i] - off[i])
        self._judge(self._vote.add(die.judge(on, off, self._palette), self._rolling()))

    def _failed(self):
        self._vote = die.Vote()
        self._raw = [0, 0, 0, 0]
        self.seen_at = self._clock.ticks_ms()
        self._judge((None, 0, "bus"))
        self._events.event("fault", {"code": "sensor", "m": self._sensor.trouble or "the colour sensor does not answer"})
        if self._sampling:
            self._end(False, "bus")

    def _judge(self, judged):
        self._judged = judged
        if self.watch and (self._watch_raw or self._told is None or not die.same(judged, self._told)):
            self._told = judged
            data = {"face": judged[0], "conf": judged[1], "why": judged[2]}
            if self._watch_raw:
                data["raw"] = self._raw
            self._events.event("die", data)
