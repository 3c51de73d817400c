"""What the board sees of the die: readings, what they mean, and telling it."""

from eyedeck.core import die, pairs
from eyedeck.drivers import tcs34725
from eyedeck.link.args import flag, integer
from eyedeck.link.session import Refused

_SAMPLES = 20
_PAIR = 400  # ms that a pair of readings may take, at the very most
_LONGEST = 0x3FFFFFFF


class Sight:
    """Reads the sensor of `hardware` from the first hello on."""

    def __init__(self, hardware, clock, events, jobs):
        self.awake = False
        self.pair = (None, None)  # the last (on, off)
        self.seen_at = None
        self._clock = clock
        self._events = events
        self._jobs = jobs
        self._pairs = pairs.Pairs(hardware.sensor, clock, hardware.bus.clear, self._seen, self._failed)
        self._vote = die.Vote()
        self._judged = (None, 0, "unstable")
        self._told = None  # the judgement in the last die event
        self._raw = [0, 0, 0, 0]
        self.watch = False
        self._watch_raw = False
        self._sampling = None  # [wanted, done, deadline]

    @property
    def works(self):
        """Does the sensor answer?"""
        return self._pairs.works

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
        """Begin a job that tells so many pairs of readings as they are."""
        wanted = integer(args, "k", 1, _SAMPLES)
        if self._pairs.gone:
            raise Refused("sensor", "the colour sensor does not answer")
        job = self._jobs.begin()
        self._sampling = [wanted, 0, self._clock.ticks_add(self._clock.ticks_ms(), (wanted + 2) * _PAIR)]
        return job

    def begin(self):
        """Begin a link session."""
        self.awake = True
        self.watch = False
        self._sampling = None

    def rest(self):
        """Put the light out until the next link session."""
        self.awake = False
        self._pairs.stop()

    def step(self, now):
        """Do what is due."""
        if self.awake:
            self._pairs.step(now)
        if self._sampling and self._clock.ticks_diff(now, self._sampling[2]) > 0:
            self._end(False, "time")

    def _end(self, ok, why):
        self._sampling = None
        self._jobs.end(ok, why)

    def _age(self):
        if self.seen_at is None:
            return 0
        return max(0, self._clock.ticks_diff(self._clock.ticks_ms(), self.seen_at)) & _LONGEST

    def _seen(self, on, off):
        self.pair = (on, off)
        self.seen_at = self._clock.ticks_ms()
        self._raw = [max(0, on[i] - off[i]) for i in range(4)]
        self._judge(self._vote.add(die.judge(on, off, tcs34725.FULL)))
        if self._sampling:
            self._sampling[1] += 1
            self._events.event("sample", {"i": self._sampling[1], "on": on, "off": off})
            if self._sampling[1] == self._sampling[0]:
                self._end(True, None)

    def _failed(self):
        self._vote.clear()
        self._raw = [0, 0, 0, 0]
        self.pair = (None, None)
        self.seen_at = self._clock.ticks_ms()
        self._judge((None, 0, "bus"))
        self._events.event("fault", {"code": "sensor", "m": "the colour sensor does not answer"})
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
