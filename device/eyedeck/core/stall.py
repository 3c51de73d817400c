"""What to do about an eye that stands although it is driven: back, back once more, then give up. Pure.

A board that measures the motor knows it within a second. One that does not can only see that the die over its window has
not stirred for minutes of rolling; a deck without a die in sight tells nothing, and such an eye is left alone.
"""

BACK = "back"
GIVE_UP = "give up"

_BACKS = 2
_FREE = 2500  # ms without being blocked after which the eye counts as free again
# ms of rolling without a stir of the die. The eye knocks one of up to thirteen things at a time: three times as long without
# any knock of the die, at one knock in five seconds, is one chance in three hundred even if people do nothing all the while.
STILL = 120000
_SAME = 16  # a reading within one part in so many is the same


class Stall:
    """Looks at a run; `sensed`: the motor itself is measured; `clock` as for the guard."""

    def __init__(self, clock, sensed):
        self._diff = clock.ticks_diff
        self._sensed = sensed
        self._blocked = False
        self._backs = 0
        self._quiet = 0  # ms: free (measured), or rolling without a stir of the die
        self._last = clock.ticks_ms()
        self._face = None
        self._clear = 0

    def saw(self, face, clear):
        """Take note of the die over the window: its face (None: none can be seen) and how bright it is."""
        if self._sensed:
            return
        if face is None or face != self._face or abs(clear - self._clear) * _SAME > self._clear:
            self._face = face
            self._clear = clear
            self._forget()

    def step(self, now, blocked, driven):
        """Return BACK, GIVE_UP or None; `blocked`: the motor is, as measured; `driven`: it has power just now."""
        gone = self._diff(now, self._last)
        self._last = now
        before, self._blocked = self._blocked, blocked
        if blocked:
            return None if before else self._answer()
        if driven:
            self._quiet += gone
        if self._sensed:
            if self._quiet > _FREE:
                self._forget()
        elif self._face is None:
            self._quiet = 0
        elif self._quiet > STILL:
            return self._answer()
        return None

    def _answer(self):
        self._quiet = 0
        if self._backs == _BACKS:
            self._backs = 0
            return GIVE_UP
        self._backs += 1
        return BACK

    def _forget(self):
        self._backs = 0
        self._quiet = 0
