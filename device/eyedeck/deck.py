"""The deck as a whole: the operations of the protocol, and what is due from moment to moment."""

import gc
import os

from eyedeck import VERSION, calibration, config, slot
from eyedeck.core import chips, guard
from eyedeck.jobs import Jobs
from eyedeck.link import frame
from eyedeck.link.args import one_of
from eyedeck.link.events import Events
from eyedeck.link.session import Refused, Session
from eyedeck.motion import Motion
from eyedeck.selftest import SelfTest
from eyedeck.sight import Sight

_BUSY = 20  # ms until the next step while something moves or is read
_IDLE = 50


class Deck:
    """Answers requests; `step` is to be called often."""

    def __init__(self, hardware, settings, clock, sender, decoder, place=calibration.PLACE, where=None):
        self._hw = hardware
        self._config = settings
        self._clock = clock
        self._sender = sender
        self._decoder = decoder
        self._slot = where or slot.Slot()
        self._requests = 0
        self._events = Events(sender, clock)
        self._jobs = Jobs(self._events)
        self._motion = Motion(hardware, clock, self._events, self._jobs)
        self.guard = self._motion.guard
        self.guard.refusal = settings.problem
        self._sight = Sight(hardware, clock, self._events, self._jobs, lambda: self._motion.running)
        self._calibration = calibration.Calibration(hardware.uid, self._sight.use, lambda: self.guard.armed, place)
        self._selftest = SelfTest(hardware, settings.problem, clock, self._events, self._jobs, self._motion, self._sight)
        self._chips = chips.Chips()
        self._shown = None
        self._chips_json = b"[]"
        self._boot = os.urandom(4).hex()
        self._up = 0
        self._last = clock.ticks_ms()
        self._warn = []  # faults to tell after the reply to hello
        self._reset_at = None
        self.session = Session(self._operations(), self._about, self._begin, self.guard.renew, self.trouble)

    def _operations(self):
        return {
            "hb": self._op_hb,
            "arm": self._motion.op_arm,
            "disarm": self._motion.op_stop,
            "eye": self._motion.op_eye,
            "stop": self._motion.op_stop,
            "die": self._sight.op_die,
            "watch": self._sight.op_watch,
            "sample": self._sight.op_sample,
            "cal": self._calibration.op_cal,
            "chips": self._op_chips,
            "state": self._op_state,
            "stats": self._op_stats,
            "selftest": self._selftest.op_selftest,
            "maint": self._op_maint,
            "confirm": self._op_confirm,
            "reset": self._op_reset,
        }

    # What comes in.

    def message(self, msg):
        """Answer a message."""
        self._requests += 1
        if self.guard.cause:
            self._report()  # what the interrupt did comes before what happens now
        reply = self.session.take(msg)
        if reply:
            self._sender.send("re", reply)

    def line(self, line):
        """Answer a typed line."""
        reply = self.session.typed(line)
        if reply:
            self._sender.send("re", reply)

    def step(self, now):
        """Do what is due now; return the ms until the next call is needed."""
        self._up += self._clock.ticks_diff(now, self._last)
        self._last = now
        self._report()
        self._motion.saw(self._sight.face, self._sight.clear)
        self._motion.step(now)
        self._sight.step(now)
        self._selftest.step()
        if self._sight.between:  # lights that change within a pair of readings would count as the die's
            self._show()
        while self._warn:
            code, text = self._warn.pop(0)
            self._events.event("fault", {"code": code, "m": text})
        if self._reset_at is not None and self._clock.ticks_diff(now, self._reset_at) >= 0:
            self._hw.reset()
        if self._sight.awake:
            return min(_BUSY, self._sight.wait(now))
        return _BUSY if self._motion.running or self._selftest.running else _IDLE

    def refuse_motor(self, why):
        """Forbid the motor until the next boot; each `hello` is told why."""
        self.guard.refusal = why

    def trouble(self, error):
        """Survive a fault of ours: motor off, and say so."""
        self._motion.halt("fault")
        self._events.log("e", "%s: %s" % (type(error).__name__, error))

    def _report(self):
        if self._motion.report() == "lease":
            self._chips.message = "lost"

    # Link session.

    def _about(self):
        about = {
            "fw": VERSION,
            "board": config.BOARD,
            "uid": self._hw.uid,
            "boot": self._boot,
            "reset": self._hw.reset_cause,
            "caps": self._config.caps,
            "lease": [guard.LEASE_MIN, self.guard.lease, guard.LEASE_MAX],
            "now": self._events.now(),
        }
        about.update(self._slot.about())
        return about

    def _begin(self, lease):
        self._motion.halt("host")
        self._sight.begin()
        self._calibration.begin()
        self._selftest.cancel()
        if self._jobs.running:  # of the host that is gone
            self._jobs.end(False, "host")
        self.guard.begin(lease)
        self._chips.message = "broken" if self.guard.refusal else None
        self._warn = [("config", self.guard.refusal)] if self.guard.refusal else []
        if self._calibration.problem:
            self._warn.append(("cal", self._calibration.problem))

    # Operations.

    def _op_hb(self, _args):
        return b'{"now":%d}' % self._events.now()

    def _op_chips(self, args):
        names = args.get("c")
        if not isinstance(names, list) or None in [chips.colour(name) for name in names]:
            raise Refused("bad_arg", "c must be a list of colours")
        fx = one_of(args, "fx", chips.EFFECTS, "steady")
        if self._chips.message == "maint":
            self._chips.message = None
        shown = self._chips.show(names, fx)
        self._chips_json = frame.dumps(self._chips.chips)
        return {"shown": shown}

    def _show(self):
        colours = self._chips.frame(self._up)
        if colours != self._shown:
            self._shown = colours
            self._hw.lights.show(colours)

    def _op_state(self, _args):
        # Put together by hand: a dict that is dumped takes twice as long.
        word = frame.word
        mode, power, left = self._motion.state()
        face, conf, why, age = self._sight.state()
        cal = self._calibration.sum
        pieces = (
            b'{"eye":[',
            word(mode),
            b",%d,%d" % (power, left),
            b'],"die":[',
            word(face),
            b",%d," % conf,
            word(why),
            b",%d" % age,
            b'],"chips":',
            self._chips_json,
            b',"fx":',
            word(self._chips.fx),
            b',"switch":',
            word(self._hw.switch.on),
            b',"armed":',
            word(self.guard.armed),
            b',"safe":',
            word(self.guard.safe),
            b',"n":%d' % self._events.count,
            b',"cal":',
            frame.dumps(cal) if cal else b"null",
            b',"watch":',
            word(self._sight.watch),
            b',"job":[%d,' % self._jobs.number,
            word(self._jobs.state),
            b"]}",
        )
        return b"".join(pieces)

    def _op_stats(self, _args):
        return {
            "up": self._up // 1000,
            "free": gc.mem_free(),
            "alloc": gc.mem_alloc(),
            "crc": self._decoder.crc,
            "bad": self._decoder.bad,
            "rx": self._requests,
            "tx": self._sender.sent,
            "drop": self._sender.dropped,
            "i2c": self._hw.bus.errors,
            "clr": self._hw.bus.clears,
            "stall": self.guard.stalls,
            "disk": slot.free(),
            "slot": self._slot.where(),
        }

    def _op_maint(self, _args):
        self._motion.halt("host")
        self._sight.rest()
        self._chips.message = "maint"
        return {}

    def _op_confirm(self, args):
        if self.guard.armed:
            raise Refused("busy", "no file is written while the motor may run")
        return self._slot.confirm(args)

    def _op_reset(self, _args):
        self._motion.halt("host")
        self._reset_at = self._clock.ticks_add(self._clock.ticks_ms(), 50)  # the reply goes out first
        return {}
