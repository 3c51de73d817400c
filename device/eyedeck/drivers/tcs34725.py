"""The colour sensor TCS34725 and its white light: raw counts, one conversion at a time.

What a colour sensor must have, so that another chip is one more file like this one, and one line in `hardware.py`:
`ident` and `trouble` (after `setup`), `setup()`, `expose(cycles, gain)` for the conversions that begin from then on,
`begin(light)`, `ready()`, `read(counts)` into a list of red, green, blue, clear, and `rest()`. A conversion takes
(cycles + 1) * 2.4 ms, 2.27 to 2.56 by part. Errors of the bus are OSError. After `setup` nothing is allocated.

AVALID means "a conversion has ended since AEN", not "this one is new", so each conversion begins by setting AEN anew;
that also throws away the one during which the light, the time or the gain changed.
"""

import time

from micropython import const

_ADDR = const(0x29)
_COMMAND = const(0x80)
_BURST = const(0xA0)  # with auto-increment: all eight bytes belong to one conversion

_ENABLE = const(0x00)
_ATIME = const(0x01)
_CONTROL = const(0x0F)
_ID = const(0x12)
_STATUS = const(0x13)
_CDATA = const(0x14)

_PON = const(0x01)
_AEN = const(0x02)
_AVALID = const(0x01)

_CLONE = const(0x10)
KNOWN = (0x44, 0x4D, _CLONE)  # TCS34721/25, TCS34723/27, clones
_GAINS = (1, 4, 16, 60)


class Sensor:
    """A sensor on `bus`, lit by the pin `light`."""

    def __init__(self, bus, light):
        self.ident = None
        self.trouble = None  # what is odd about it, for people
        self._bus = bus
        self._light = light
        self._cycles = 21  # 50.4 ms: whole periods of 100 and 120 Hz light
        self._control = 1  # gain 4
        self._set = False  # has the chip been told these two?
        self._one = bytearray(1)
        self._eight = bytearray(8)

    def setup(self):
        """Wake the sensor and set it up."""
        self._bus.read(_ADDR, _COMMAND | _ID, self._one)
        self.ident = self._one[0]
        self.trouble = None
        if self.ident not in KNOWN:
            self.trouble = "another chip answers in the colour sensor's place (id 0x%02x)" % self.ident
            raise OSError(self.trouble)
        if self.ident == _CLONE:
            self.trouble = "the colour sensor is a clone (id 0x10): its tolerances are anybody's guess"
        self._write(_ENABLE, _PON)
        time.sleep_ms(3)  # the oscillator's start
        self._set = False

    def expose(self, cycles, gain):
        """Integrate over so many cycles of 2.4 ms at this gain, from the next conversion on."""
        self._cycles = cycles
        self._control = _GAINS.index(gain)
        self._set = False

    def begin(self, light):
        """Begin a conversion with the light on or off."""
        self._write(_ENABLE, _PON)
        if not self._set:
            self._write(_ATIME, 256 - self._cycles)
            self._write(_CONTROL, self._control)
            self._set = True
        self._light.value(light)
        self._write(_ENABLE, _PON | _AEN)

    def ready(self):
        """Has it ended?"""
        self._bus.read(_ADDR, _COMMAND | _STATUS, self._one)
        return bool(self._one[0] & _AVALID)

    def read(self, counts):
        """Fill `counts` with red, green, blue, clear."""
        raw = self._eight
        self._bus.read(_ADDR, _BURST | _CDATA, raw)
        counts[0] = raw[2] | raw[3] << 8
        counts[1] = raw[4] | raw[5] << 8
        counts[2] = raw[6] | raw[7] << 8
        counts[3] = raw[0] | raw[1] << 8

    def rest(self):
        """Put the light out and the sensor to sleep."""
        self._light.value(0)
        self._write(_ENABLE, 0)

    def _write(self, reg, value):
        self._one[0] = value
        self._bus.write(_ADDR, _COMMAND | reg, self._one)
