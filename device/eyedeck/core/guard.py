"""The motor never outlives its reason: run time, lease, a blocked or faulty motor. Pure; the motor is handed in.

`tick` is called by a hard timer interrupt every 50 ms, also while the main loop is blocked. It must not allocate, so
everything that it calls is bound beforehand and every number is a small one. What it did is left in `cause` for the
main loop to tell.
"""

PERIOD = 50  # ms between two ticks

LEASE_MIN = 500
LEASE = 1500
LEASE_MAX = 5000
LONGEST = 600000  # ms that one run may last

# Blocked time is counted in 1/60 ms and leaks away at 1/60: four seconds at once and one more over
# the next minute make the five seconds in any minute. A motor that used up its budget rests for a minute.
_BUDGET = 4000 * 60
_REST = 1000 * 60


class Guard:
    """Holds the reasons for which the motor may run, and the only way to start it.

    `motor` has off(), wake() and drive(duty); `clock` is the module time, or has its ticks_ms, ticks_diff, ticks_add;
    `turning` tells whether the motor turns, as `core.turning` does (None: not measured); `fault()` is 0 when the driver
    reports a fault (None: no such pin).
    """

    def __init__(self, motor, clock, turning=None, fault=None):
        self.armed = False
        self.safe = False
        self.running = False
        self.cause = None  # why the guard stopped the motor or disarmed it, until the main loop has told
        self.lease = LEASE
        self.lost = 0  # ms without a request when the lease was lost
        self.stalls = 0
        self.blocked = False
        self.refusal = None  # a fault that forbids the motor until the next boot
        self._motor = motor
        self._off = motor.off
        self._ticks = clock.ticks_ms
        self._diff = clock.ticks_diff
        self._add = clock.ticks_add
        self._turning = turning
        self._fault = fault
        self._duty = 0
        self._row = 0  # ticks of this stretch with power and without a sign of turning
        self._still = 0  # the same of all stretches since the last sign
        self._low = 0  # ticks in a row with nFAULT low
        self._heat = 0
        self._rest = False
        self._end = self._ticks()
        self._renewed = self._ticks()

    # What the main loop calls.

    def begin(self, lease):
        """Begin a link session: leave SAFE, not armed, with this lease (None: the usual one)."""
        self.disarm()
        self.cause = None
        self.safe = False
        self.lease = LEASE if lease is None else min(max(lease, LEASE_MIN), LEASE_MAX)

    def renew(self):
        """Renew the lease, unless it has just run out."""
        if self.armed:
            self.tick()
        self._renewed = self._ticks()

    def arm(self):
        """Let the motor run from now on; return None, or the error's (code, text)."""
        if self.safe:
            return ("lease", "the link was lost: say hello first")
        if self.refusal:
            return ("fault", self.refusal)
        self._renewed = self._ticks()
        self.armed = True
        return None

    def disarm(self):
        """Switch the motor off at once and forbid it."""
        self.armed = False
        self.stop()

    def stop(self):
        """Switch the motor off at once."""
        self.running = False
        self._duty = 0
        self._off()

    def refuse(self):
        """Return why the motor may not start, as an error's (code, text), or None."""
        if self.safe:
            return ("lease", "the link was lost: say hello first")
        if self.refusal:
            return ("fault", self.refusal)
        if not self.armed:
            return ("not_armed", "arm first")
        if self._rest:
            return ("fault", "the motor was blocked and has to cool down")
        return None

    def run(self, ms, duty):
        """Start the motor for at most `ms`: the only place that does."""
        if self.refuse():
            return
        self._end = self._add(self._ticks(), ms)
        self.running = True
        self.drive(duty)
        self._motor.wake()
        if not self.armed:  # the interrupt came between
            self.stop()

    def drive(self, duty):
        """Set the duty, -100..100 percent of what the motor may have; without effect when it is off."""
        if self.running:
            self._duty = abs(duty)
            self._motor.drive(duty)
            if not self.running:  # the interrupt came between
                self._off()

    @property
    def driven(self):
        """Does the motor have power just now?"""
        return self.running and self._duty > 0

    def left(self):
        """Return how many ms of the run are left."""
        return max(0, self._diff(self._end, self._ticks())) if self.running else 0

    # The interrupt.

    def tick(self, _timer=None):
        """Enforce the limits; called every PERIOD ms."""
        now = self._ticks()
        if self.armed and self._diff(now, self._renewed) > self.lease:
            self.lost = self._diff(now, self._renewed)
            self.safe = True
            self._cut("lease")
            self.armed = False
        elif self.running and self._diff(now, self._end) >= 0:
            self._cut("time")
        if _timer is not None:  # the counts below are ticks of the clock
            self._watch_driver()
            self._watch_motor()

    def broken(self):
        """Survive a fault of ours in the interrupt: no motor until the next boot."""
        self.refusal = "the motor's guard failed"
        self._cut("guard")
        self.armed = False

    def _watch_driver(self):
        if self._fault is None or not self.running or self._fault():
            self._low = 0
            return
        self._low += 1
        if self._low >= 2:
            self._cut("fault")

    def _watch_motor(self):
        if self._turning is None:
            return
        if not self.driven:
            self._row = 0
            self._cool()
        elif self._turning.stands(self._duty):
            self._row += 1
            self._still += 1
            self._heat += PERIOD * 60  # at once, so that also short runs count, none of which would show it
            self.blocked = self._row >= self._turning.enough(self._duty)
        else:
            if self._still < self._turning.enough(self._duty):  # it only took its time to start
                self._heat = max(0, self._heat - self._still * PERIOD * 60)
            self._row = self._still = 0
            self._cool()
        if self._heat >= _BUDGET:
            if not self._rest:
                self.stalls += 1
                self._rest = True
            if self.running:
                self._cut("stall")
        elif self._heat < _BUDGET - _REST:
            self._rest = False

    def _cool(self):
        self.blocked = False
        self._heat = max(0, self._heat - PERIOD)

    def _cut(self, cause):
        self._off()
        self.running = False
        self._duty = 0
        self.cause = cause
