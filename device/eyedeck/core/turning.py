"""Whether the motor turns, as a sensor of it tells: its current, or an index on its wheel. Pure; a pin's read is handed in.

The guard's interrupt calls these every PERIOD ms, so nothing here allocates.
"""

from eyedeck.core.guard import PERIOD

_START = 9  # ticks, 450 ms: longer than any start or reversal takes
_LONGEST = 30  # ticks, 1.5 s: what has not made half a turn by then stands


class Current:
    """A motor stands when its shunt reads more than `limit` for each percent of duty; `read()` has 16 bits."""

    def __init__(self, read, limit):
        self._read = read
        self._limit = limit

    def stands(self, duty):
        """Does it look like standing now?"""
        return self._read() > self._limit * duty

    def enough(self, _duty):
        """Return how many such ticks in a row make it sure."""
        return _START


class Index:
    """A motor stands when its index (half of the wheel 0, half 1) does not change; `half`: ms of half a turn at full power."""

    def __init__(self, read, half):
        self._read = read
        self._half = half
        self._last = read()

    def stands(self, _duty):
        """Does it look like standing now?"""
        level = self._read()
        same = level == self._last
        self._last = level
        return same

    def enough(self, duty):
        """Return how many such ticks in a row make it sure: three times as many as it should take."""
        return min(_LONGEST, _START + 300 * self._half // (duty * PERIOD))
