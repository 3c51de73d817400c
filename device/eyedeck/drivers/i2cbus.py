"""An I2C bus that survives: errors are counted, and a stuck bus is freed.

A chip that was stopped in the middle of a byte holds SDA low for ever. Nine clocks with SDA released let it finish;
then comes a stop, and the bus is made anew.
"""

import time

from machine import I2C, Pin
from micropython import const

_HALF = const(5)  # us, half a clock at 100 kHz


class Bus:
    """I2C number `number` on the pins `sda` and `scl`; methods raise OSError after counting it."""

    def __init__(self, number, sda, scl):
        self.errors = 0
        self.clears = 0
        self._number = number
        self._sda = sda
        self._scl = scl
        self._open()

    def _open(self):
        # 100 kHz: the motor's disturbance is worse than the wait.
        self._i2c = I2C(self._number, scl=Pin(self._scl), sda=Pin(self._sda), freq=100000, timeout=10000)

    def read(self, addr, reg, into):
        """Fill `into` from register `reg` on."""
        try:
            self._i2c.readfrom_mem_into(addr, reg, into)
        except OSError:
            self.errors += 1
            raise

    def write(self, addr, reg, data):
        """Write `data` to register `reg`."""
        try:
            self._i2c.writeto_mem(addr, reg, data)
        except OSError:
            self.errors += 1
            raise

    def clear(self):
        """Free a bus that a chip holds; return whether SDA is free now."""
        self.clears += 1
        sda = Pin(self._sda, Pin.OPEN_DRAIN, value=1)
        scl = Pin(self._scl, Pin.OPEN_DRAIN, value=1)
        for _ in range(9):
            time.sleep_us(_HALF)
            if sda.value():
                break
            scl.value(0)
            time.sleep_us(_HALF)
            scl.value(1)
        free = bool(sda.value())
        # A stop: SDA rises while SCL is high.
        scl.value(0)
        sda.value(0)
        time.sleep_us(_HALF)
        scl.value(1)
        time.sleep_us(_HALF)
        sda.value(1)
        time.sleep_us(_HALF)
        self._open()
        return free
