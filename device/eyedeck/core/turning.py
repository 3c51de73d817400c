"""Whether the motor turns, as a sensor of it tells: its current, or an index on its wheel. Pure; a pin's read is handed in.

The guard's interrupt calls these every PERIOD ms, so nothing here allocates.
"""

from eyedeck.core.guard import PERIOD

_START = 9  # ticks, 450 ms: longer than any start or reversal takes
_LONGEST = 30  # ticks, 1.5 s: what has not made half a turn by then stands


class Current:
    """A motor stands when its shunt (milliohm) reads more than `limit` for each percent of duty; `read()` has 16 bits."""

    name = "current"

    def __init__(self, read, limit, shunt):
        self._read = read
        self._limit = limit
        self._shunt = shunt
        self._level = 0

    def stands(self, duty):
        """Does it look like standing now?"""
        self._level = self._read()
        return self._level > self._limit * duty

    def begin(self):
        """Begin to look for `seen`."""
        self._level = 0

    def seen(self, duty):
        """Return whether a motor is there and turns, its newest mA (as at full duty), and the most of one that turns."""
        now, most = self._milliamperes(self._level, duty), self._milliamperes(self._limit, 1)
        return 0 < now <= most, now, most

    def _milliamperes(self, level, duty):
        return level * 330000000 // (65535 * self._shunt * duty)

    def enough(self, _duty):
        """Return how many such ticks in a row make it sure."""
        return _START


class Index:
    """A motor stands when its index (half of the wheel 0, half 1) does not change; `half`: ms of half a turn at full power."""

    name = "index"

    def __init__(self, read, half):
        self._read = read
        self._half = half
        self._last = read()
        self._changes = 0

    def stands(self, _duty):
        """Does it look like standing now?"""
        level = self._read()
        same = level == self._last
        self._last = level
        if not same:
            self._changes += 1
        return same

    def begin(self):
        """Begin to look for `seen`."""
        self._last = self._read()
        self._changes = 0

    def seen(self, _duty):
        """Return whether it turns, its half turns since `begin`, and the fewest of one that turns."""
        return self._changes > 0, self._changes, 1

    def enough(self, duty):
        """Return how many such ticks in a row make it sure: three times as many as it should take."""
        return min(_LONGEST, _START + 300 * self._half // (duty * PERIOD))
