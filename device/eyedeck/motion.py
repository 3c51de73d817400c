"""The eye on request: from arming it to telling why it stopped."""

import random

from eyedeck.core import eye, guard, stall
from eyedeck.link.args import integer, one_of
from eyedeck.link.session import Refused

_WELL = ("host", "time", "replaced")  # ends of a run that are no failure

_FAULTS = {
    "stall": ("stall", "the eye is stuck: it does not turn, also not backwards"),
    "fault": ("driver", "the motor driver reports a fault"),
    "guard": ("guard", "the motor's guard failed: the motor stays off until the next start"),
}


class Motion:
    """Moves the eye of `hardware`; the guard stops it when nobody else does."""

    def __init__(self, hardware, clock, events, jobs):
        self.guard = guard.Guard(hardware.motor, clock, hardware.turning, hardware.fault)
        self._stall = stall.Stall(clock, hardware.turning is not None)
        self._switch = hardware.switch
        self._clock = clock
        self._events = events
        self._jobs = jobs
        self._eye = eye.Eye(random.randint, clock)

    @property
    def running(self):
        """Is a run going on?"""
        return self._eye.mode != eye.OFF

    def state(self):
        """Return mode, power and ms left."""
        return [self._eye.mode, self._eye.power, self.guard.left()]

    def op_arm(self, _args):
        """Let the motor run when asked."""
        no = self.guard.arm()
        if no:
            raise Refused(*no)
        return {}

    def op_stop(self, _args):
        """Off and disarmed, whatever was."""
        self.halt("host")
        return {}

    def op_eye(self, args):
        """Begin a run, or end it."""
        mode = one_of(args, "mode", (eye.OFF, eye.ROAM, eye.STEADY))
        replaces = self.running
        if mode == eye.OFF:
            job = self._jobs.number if replaces else 0
            if replaces:
                self._end("host")
            return {"job": job}
        power = integer(args, "power", 0, 100)
        ms = integer(args, "ms", 1, guard.LONGEST)
        self.check()
        if replaces:
            self._jobs.end(True, "replaced")
        job = self._jobs.begin()
        self.guard.run(ms, self._eye.start(mode, power, self._clock.ticks_ms()))
        self._events.event("eye", {"mode": mode, "why": "replaced" if replaces else "host"})
        return job

    def check(self):
        """Refuse when the motor may not run now."""
        no = self.guard.refuse()
        if no:
            raise Refused(*no)
        if not self._switch.on:
            raise Refused("switch", "the eye is switched off")

    def halt(self, why):
        """Motor off at once, and disarmed."""
        self.guard.disarm()
        if self.running:
            self._end(why)

    def saw(self, face, clear):
        """Take note of the die over the window: one that stirs shows that the eye turns."""
        self._stall.saw(face, clear)

    def step(self, now):
        """Do what is due."""
        self.guard.tick()  # a second look at the limits, should the interrupt ever be gone
        if self._switch.step(now):
            if not self._switch.on and self.running:
                self._end("switch")
            self._events.event("switch", {"on": self._switch.on})
        rolls = self.running  # else it is a self-test, which goes its own ways
        what = self._stall.step(now, rolls and self.guard.blocked, rolls and self.guard.driven)
        if rolls and what == stall.GIVE_UP:
            self.guard.stalls += 1
            self._stopped("stall")
        elif rolls:
            if what == stall.BACK:
                self._eye.turn_back(now)
            self.guard.drive(self._eye.step(now))

    def report(self):
        """Tell what the guard's interrupt has done; return why it did, or None."""
        why = self.guard.cause
        if not why:
            return None
        self.guard.cause = None
        self._stopped(why)
        if why == "lease":
            self._events.event("lease", {"lost": self.guard.lost})
        return why

    def _stopped(self, why):
        if self.running:
            self._end("fault" if why == "guard" else why)
        if why in _FAULTS:
            code, text = _FAULTS[why]
            self._events.event("fault", {"code": code, "m": text})

    def _end(self, why):
        self.guard.stop()
        self._eye.stop()
        self._events.event("eye", {"mode": eye.OFF, "why": why})
        self._jobs.end(why in _WELL, why)
