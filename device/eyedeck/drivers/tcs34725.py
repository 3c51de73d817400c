"""The colour sensor TCS34725 and its white light: raw counts, one conversion at a time.

AVALID means "a conversion has ended since AEN", not "this one is new", so each conversion begins by setting AEN anew;
that also throws away the one during which the light changed.
"""

import time

from micropython import const

_ADDR = const(0x29)
_COMMAND = const(0x80)
_BURST = const(0xA0)  # with auto-increment

_ENABLE = const(0x00)
_ATIME = const(0x01)
_CONTROL = const(0x0F)
_ID = const(0x12)
_STATUS = const(0x13)
_CDATA = const(0x14)

_PON = const(0x01)
_AEN = const(0x02)
_AVALID = const(0x01)

_CYCLES = const(21)  # of 2.4 ms: 50.4 ms, whole periods of 100 and 120 Hz light
FULL = const(1024 * 21)  # counts at full scale

KNOWN = (0x44, 0x4D, 0x10)  # TCS34721/25, TCS34723/27, clones
_GAINS = (1, 4, 16, 60)


class Sensor:
    """A sensor on `bus`, lit by the pin `light`."""

    def __init__(self, bus, light, gain):
        self.ident = None
        self._bus = bus
        self._light = light
        self._gain = _GAINS.index(gain)
        self._one = bytearray(1)
        self._eight = bytearray(8)

    def setup(self):
        """Wake the sensor and set it up."""
        self._bus.read(_ADDR, _COMMAND | _ID, self._one)
        self.ident = self._one[0]
        self._write(_ENABLE, _PON)
        time.sleep_ms(3)  # the oscillator's start
        self._write(_ATIME, 256 - _CYCLES)
        self._write(_CONTROL, self._gain)

    def begin(self, light):
        """Begin a conversion with the light on or off."""
        self._write(_ENABLE, _PON)
        self._light.value(light)
        self._write(_ENABLE, _PON | _AEN)

    def ready(self):
        """Has it ended?"""
        self._bus.read(_ADDR, _COMMAND | _STATUS, self._one)
        return bool(self._one[0] & _AVALID)

    def read(self):
        """Return (red, green, blue, clear)."""
        raw = self._eight
        self._bus.read(_ADDR, _BURST | _CDATA, raw)
        clear, red, green, blue = [raw[i] | raw[i + 1] << 8 for i in (0, 2, 4, 6)]
        return red, green, blue, clear

    def rest(self):
        """Put the light out and the sensor to sleep."""
        self._light.value(0)
        self._write(_ENABLE, 0)

    def _write(self, reg, value):
        self._one[0] = value
        self._bus.write(_ADDR, _COMMAND | reg, self._one)
