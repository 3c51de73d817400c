"""One unit on one evening, without a deck and in its own time: readings of its sensor by the registers, as the firmware takes
them. For what needs thousands of readings, and for the calibration with which a simulated board begins.
"""

from random import Random

from eyecaptain.world.chips.tcs34725 import (
    AEN,
    ATIME,
    CDATA,
    COMMAND,
    CONTROL,
    ENABLE,
    GAINS,
    PON,
    TYPE_INCREMENT,
    Tcs34725,
)
from eyecaptain.world.window import NOTHING, Evening, Unit, View, through_window

Counts = tuple[int, int, int, int]  # red, green, blue, clear

BETWEEN = 0.004  # seconds from the end of a conversion to the beginning of the next


class Rig:
    """A sensor with something over its window.

    :param rng: where noise comes from.
    """

    def __init__(self, unit: Unit, evening: Evening, rng: Random) -> None:
        self._unit = unit
        self._evening = evening
        self._now = rng.random()
        self._chip = Tcs34725(rng, step=unit.step, gains=unit.gains, dark=unit.dark)
        self._chip.power_on(self._now)
        self.view: View = NOTHING
        self.ambient = 1.0

    def pair(self, cycles: int, gain: int) -> tuple[Counts, Counts]:
        """Read once with the light off and once with it on; return the counts with it on and with it off."""
        off = self._convert(cycles, gain, lamp=False)
        return self._convert(cycles, gain, lamp=True), off

    def _convert(self, cycles: int, gain: int, *, lamp: bool) -> Counts:
        self._now += BETWEEN
        self._store(ENABLE, PON)
        self._store(ATIME, 256 - cycles)
        self._store(CONTROL, GAINS.index(gain))
        light, ripple = through_window(self._unit, self.view, lamp, self._evening, self.ambient)
        self._chip.expose(self._now, light, ripple, self._evening.hertz)
        self._store(ENABLE, PON | AEN)
        self._now += (cycles + 3) * self._unit.step
        self._chip.write(self._now, bytes((COMMAND | TYPE_INCREMENT | CDATA,)))
        data = self._chip.read(self._now, 8)
        clear, red, green, blue = (int.from_bytes(data[at : at + 2], "little") for at in (0, 2, 4, 6))
        return red, green, blue, clear

    def _store(self, register: int, value: int) -> None:
        self._chip.write(self._now, bytes((COMMAND | register, value)))
