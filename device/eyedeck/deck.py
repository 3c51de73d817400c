"""The deck: what each operation of the protocol does, and what happens by itself.

Everything that moves or shines goes through here; the parts that can be switched on are handed in as `hardware`.
"""

import asyncio
import gc
import os
import random

from eyedeck import BUILD, VERSION, config
from eyedeck.core import chips, die, eye, guard, pairs
from eyedeck.drivers import tcs34725
from eyedeck.link import frame
from eyedeck.link.session import Refused, Session

_WRAP = 0x3FFFFFFF  # ticks_ms on the wire: as on a Pico, on every port

_MODES = (eye.OFF, eye.ROAM, eye.STEADY)
_WELL = ("host", "time", "replaced")  # ends of a run that are no failure

_SAMPLES = 20
_PAIR = 400  # ms that a pair may take, at the very most
_DARK = 8000  # counts of clear with the light off, in a self-test
_LIGHT = 20  # counts that the light adds at least, even over an empty window
_SPIN = 400  # ms that the self-test runs the motor, at this percentage:
_SPIN_POWER = 60


def _integer(args, key, low, high):
    value = args.get(key)
    if type(value) is not int or not low <= value <= high:
        raise Refused("bad_arg", "%s must be %d to %d" % (key, low, high))
    return value


def _flag(args, key, default=None):
    value = args.get(key, default)
    if type(value) is not bool:
        raise Refused("bad_arg", key + " must be true or false")
    return value


class Deck:
    """Carries out requests and tells what happens; `step` is to be called often."""

    def __init__(self, hardware, settings, clock, sender, decoder):
        self._hw = hardware
        self._config = settings
        self._clock = clock
        self._sender = sender
        self._decoder = decoder
        self.requests = 0
        self.guard = guard.Guard(hardware.motor, clock, hardware.current, settings.stall, hardware.fault)
        self.guard.refusal = settings.problem
        self._eye = eye.Eye(random.randint, clock)
        self._chips = chips.Chips()
        self._shown = None
        self._pairs = pairs.Pairs(hardware.sensor, clock, hardware.bus.clear, self._seen, self._sensor_failed)
        self._vote = die.Vote()
        self._judged = (None, 0, "unstable")
        self._told = None  # the judgement in the last die event
        self._raw = [0, 0, 0, 0]
        self._seen_at = None
        self._pair = (None, None)  # the last (on, off)
        self._sensing = False  # from the first hello on, but not during maintenance
        self._watch = False
        self._watch_raw = False
        self._job = 0
        self._job_state = "ok"
        self._sampling = None  # [wanted, done, deadline]
        self._testing = None
        self._events = 0
        self._boot = os.urandom(4).hex()
        self._up = 0
        self._last = clock.ticks_ms()
        self._warn: str | None = None  # a fault to tell after the reply to hello
        self._reset_at = None
        self.session = Session(self._operations(), self._about, self._begin, self.guard.renew)

    def _operations(self):
        return {
            "hb": self._op_hb,
            "arm": self._op_arm,
            "disarm": self._op_stop,
            "eye": self._op_eye,
            "stop": self._op_stop,
            "die": self._op_die,
            "watch": self._op_watch,
            "chips": self._op_chips,
            "sample": self._op_sample,
            "state": self._op_state,
            "stats": self._op_stats,
            "selftest": self._op_selftest,
            "maint": self._op_maint,
            "reset": self._op_reset,
        }

    # What comes in.

    def message(self, msg):
        """Answer a message."""
        self.requests += 1
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
        passed = self._clock.ticks_diff(now, self._last)
        self._last = now
        self._up += passed
        self._report()
        if self._hw.switch.step(now):
            self._switched()
        if self._eye.mode != eye.OFF:
            self.guard.drive(self._eye.step(now, self.guard.blocked))
        if self._sensing:
            self._pairs.step(now)
        if self._sampling and self._clock.ticks_diff(now, self._sampling[2]) > 0:
            self._end_job(False, "time")
        if self._pairs.at_start:  # lights that change within a pair of readings would count as the die's
            self._show()
        if self._warn:
            self.event("fault", {"code": "config", "m": self._warn})
            self._warn = None
        if self._reset_at is not None and self._clock.ticks_diff(now, self._reset_at) >= 0:
            self._hw.reset()
        return 20 if self._eye.mode != eye.OFF or self._sensing else 50

    def refuse_motor(self, why):
        """Forbid the motor until the next boot; each `hello` is told why."""
        self.guard.refusal = why

    def trouble(self, error):
        """Survive a fault of ours: motor off, and say so."""
        self._halt("fault")
        self.log("e", "%s: %s" % (type(error).__name__, error))

    # What goes out.

    def event(self, kind, data):
        """Send an event."""
        self._events += 1
        now = self._clock.ticks_ms() & _WRAP
        self._put(kind, {"ev": kind, "n": self._events, "t": now, "d": data})

    def log(self, level, text):
        """Send a log message, level d, i, w or e."""
        self._put("lg", {"lg": level, "m": text[:300]})

    def _put(self, kind, obj):
        try:
            data = frame.encode(obj, frame.REPLY)
        except ValueError:  # texts only can be too long
            data = frame.encode({"lg": "e", "m": kind + ": too long"}, frame.REPLY)
        self._sender.send(kind, data)

    # Link session.

    def _about(self):
        return {
            "fw": VERSION,
            "build": BUILD,
            "board": config.BOARD,
            "uid": self._hw.uid,
            "boot": self._boot,
            "reset": self._hw.reset_cause,
            "caps": self._config.caps,
            "lease": [guard.LEASE_MIN, self.guard.lease, guard.LEASE_MAX],
            "now": self._clock.ticks_ms() & _WRAP,
        }

    def _begin(self, lease):
        self._halt("host")
        if self._job_state == "run":
            self._end_job(False, "host")
        self.guard.begin(lease)
        self._watch = False
        self._sensing = True
        self._chips.message = "broken" if self.guard.refusal else None
        self._warn = self.guard.refusal

    def _op_hb(self, _args):
        return {"now": self._clock.ticks_ms() & _WRAP}

    # Motor.

    def _op_arm(self, _args):
        no = self.guard.arm()
        if no:
            raise Refused(*no)
        return {}

    def _op_stop(self, _args):
        self._halt("host")
        return {}

    def _op_eye(self, args):
        mode = args.get("mode")
        if mode not in _MODES:
            raise Refused("bad_arg", "mode must be one of " + " ".join(_MODES))
        runs = self._eye.mode != eye.OFF
        if mode == eye.OFF:
            job = self._job if runs else 0
            if runs:
                self._eye_off("host")
            return {"job": job}
        power = _integer(args, "power", 0, 100)
        ms = _integer(args, "ms", 1, guard.LONGEST)
        no = self.guard.refuse()
        if no:
            raise Refused(*no)
        if not self._hw.switch.on:
            raise Refused("switch", "the eye is switched off")
        if runs:
            self._end_job(True, "replaced")
        job = self._begin_job()
        self.guard.run(ms, self._eye.start(mode, power, self._clock.ticks_ms()))
        self.event("eye", {"mode": mode, "why": "replaced" if runs else "host"})
        return job

    def _halt(self, why):
        """Motor off at once, and disarmed."""
        self.guard.disarm()
        if self._eye.mode != eye.OFF:
            self._eye_off(why)

    def _eye_off(self, why):
        self.guard.stop()
        self._eye.stop()
        self.event("eye", {"mode": eye.OFF, "why": why})
        self._end_job(why in _WELL, why)

    def _report(self):
        """Tell what the guard's interrupt has done."""
        why = self.guard.cause
        if not why:
            return
        self.guard.cause = None
        if self._eye.mode != eye.OFF:
            self._eye_off(why)
        if why == "lease":
            self._chips.message = "lost"
            self.event("lease", {"lost": self.guard.lost})
        elif why == "stall":
            self.event("fault", {"code": "stall", "m": "the motor was blocked for too long"})
        elif why == "fault":
            self.event("fault", {"code": "driver", "m": "the motor driver reports a fault"})

    def _switched(self):
        on = self._hw.switch.on
        if not on and self._eye.mode != eye.OFF:
            self._eye_off("switch")
        self.event("switch", {"on": on})

    # Die.

    def _op_die(self, _args):
        face, conf, why = self._judged
        return {"face": face, "conf": conf, "why": why, "raw": self._raw, "age": self._age()}

    def _op_watch(self, args):
        on = _flag(args, "on")
        self._watch_raw = _flag(args, "raw", False)
        self._watch = on
        self._told = None
        return {}

    def _op_sample(self, args):
        wanted = _integer(args, "k", 1, _SAMPLES)
        if self._pairs.gone:
            raise Refused("sensor", "the colour sensor does not answer")
        job = self._begin_job()
        self._sampling = [wanted, 0, self._clock.ticks_add(self._clock.ticks_ms(), (wanted + 2) * _PAIR)]
        return job

    def _age(self):
        if self._seen_at is None:
            return 0
        return max(0, self._clock.ticks_diff(self._clock.ticks_ms(), self._seen_at)) & _WRAP

    def _seen(self, on, off):
        self._pair = (on, off)
        self._seen_at = self._clock.ticks_ms()
        self._raw = [max(0, on[i] - off[i]) for i in range(4)]
        self._judge(self._vote.add(die.judge(on, off, tcs34725.FULL)))
        if self._sampling:
            self._sampling[1] += 1
            self.event("sample", {"i": self._sampling[1], "on": on, "off": off})
            if self._sampling[1] == self._sampling[0]:
                self._end_job(True, None)

    def _judge(self, judged):
        self._judged = judged
        if self._watch and (self._watch_raw or self._told is None or not die.same(judged, self._told)):
            self._told = judged
            data = {"face": judged[0], "conf": judged[1], "why": judged[2]}
            if self._watch_raw:
                data["raw"] = self._raw
            self.event("die", data)

    def _sensor_failed(self):
        self._vote.clear()
        self._raw = [0, 0, 0, 0]
        self._pair = (None, None)
        self._seen_at = self._clock.ticks_ms()
        self._judge((None, 0, "bus"))
        self.event("fault", {"code": "sensor", "m": "the colour sensor does not answer"})
        if self._sampling:
            self._end_job(False, "bus")

    # Chips.

    def _op_chips(self, args):
        names = args.get("c")
        fx = args.get("fx", "steady")
        if not isinstance(names, list) or None in [chips.colour(name) for name in names]:
            raise Refused("bad_arg", "c must be a list of colours")
        if fx not in chips.EFFECTS:
            raise Refused("bad_arg", "fx must be one of " + " ".join(chips.EFFECTS))
        if self._chips.message == "maint":
            self._chips.message = None
        return {"shown": self._chips.show(names, fx)}

    def _show(self):
        colours = self._chips.frame(self._up)
        if colours != self._shown:
            self._shown = colours
            self._hw.lights.show(colours)

    # About the board.

    def _op_state(self, _args):
        return {
            "eye": [self._eye.mode, self._eye.power, self.guard.left()],
            "die": [self._judged[0], self._judged[1], self._judged[2], self._age()],
            "chips": self._chips.chips,
            "fx": self._chips.fx,
            "switch": self._hw.switch.on,
            "armed": self.guard.armed,
            "safe": self.guard.safe,
            "n": self._events,
            "cal": None,
            "watch": self._watch,
            "job": [self._job, self._job_state],
        }

    def _op_stats(self, _args):
        return {
            "up": self._up // 1000,
            "free": gc.mem_free(),
            "alloc": gc.mem_alloc(),
            "crc": self._decoder.crc,
            "bad": self._decoder.bad,
            "rx": self.requests,
            "tx": self._sender.sent,
            "drop": self._sender.dropped,
            "i2c": self._hw.bus.errors,
            "clr": self._hw.bus.clears,
            "stall": self.guard.stalls,
        }

    def _op_maint(self, _args):
        self._halt("host")
        self._sensing = False
        self._pairs.stop()
        self._chips.message = "maint"
        return {}

    def _op_reset(self, _args):
        self._halt("host")
        self._reset_at = self._clock.ticks_add(self._clock.ticks_ms(), 50)  # the reply goes out first
        return {}

    # Jobs: one at a time, each ends with exactly one event.

    def _begin_job(self):
        if self._job_state == "run":
            raise Refused("busy", "job %d is running" % self._job)
        self._job += 1
        self._job_state = "run"
        return {"job": self._job}

    def _end_job(self, ok, why):
        self._sampling = None
        if self._testing:
            self._testing.cancel()
            self._testing = None
        self._job_state = "ok" if ok else why
        self.event("job", {"job": self._job, "ok": ok, "why": why})

    def _op_selftest(self, args):
        motor = _flag(args, "motor", False)
        if motor:
            no = self.guard.refuse()
            if no:
                raise Refused(*no)
            if not self._hw.switch.on:
                raise Refused("switch", "the eye is switched off")
        job = self._begin_job()
        self._testing = asyncio.create_task(self._selftest(motor))
        return job

    async def _selftest(self, motor):
        results = [self._test("config", not self._config.problem, self._config.problem or "ok", "ok")]
        on, off = await self._fresh_pair()
        results.append(self._test("sensor", self._pairs.works, self._hw.sensor.ident, list(tcs34725.KNOWN)))
        dark = off[3] if off else -1
        light = on[3] - off[3] if on and off else -1
        results.append(self._test("dark", 0 <= dark <= _DARK, dark, _DARK))
        results.append(self._test("light", light >= _LIGHT, light, _LIGHT))
        results.append(self._test("driver", bool(self._hw.fault()), self._hw.fault(), 1))
        results.append(self._test("switch", True, self._hw.switch.on, None))
        if motor:
            ms = await self._spin()
            results.append(self._test("motor", ms >= _SPIN, ms, _SPIN))
        good = all(results)
        self._testing = None  # it is this task: nothing to cancel
        self._end_job(good, None if good else "failed")

    def _test(self, name, ok, value, limit):
        self.event("test", {"name": name, "ok": ok, "value": value, "limit": limit})
        return ok

    async def _fresh_pair(self):
        before = self._seen_at
        for _ in range(_PAIR // 20 + 1):
            await asyncio.sleep_ms(20)
            if self._seen_at != before:
                break
        return self._pair

    async def _spin(self):
        """Run the motor for a moment; return how long it was let."""
        begun = self._clock.ticks_ms()
        self.guard.run(_SPIN + guard.PERIOD, _SPIN_POWER)
        while self.guard.running and self._clock.ticks_diff(self._clock.ticks_ms(), begun) < _SPIN:
            await asyncio.sleep_ms(20)
        if self.guard.running:
            self.guard.stop()
            return _SPIN
        return self._clock.ticks_diff(self._clock.ticks_ms(), begun) * (not self.guard.blocked) - 1
