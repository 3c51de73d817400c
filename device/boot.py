"""First of all the motor's bridge to sleep; then, only if a watchdog runs already, somebody who feeds it.

A watchdog survives a soft reset and cannot be stopped. Without a feeder it would cut an upload short.
"""

from machine import Pin

Pin(18, Pin.OUT, value=0)

import sys  # noqa: E402 - the pin comes first
import time  # noqa: E402

import machine  # noqa: E402

# ms; a younger clock means a hard reset: then the watchdog has bitten, and its bit is only a leftover.
YOUNG = 300

feeder = None  # main.py ends it when the deck feeds the watchdog itself


def _watchdog_runs():
    # Bit 30 of the watchdog's control register.
    ctrl = 0x400D8000 if "RP2350" in getattr(sys.implementation, "_machine", "") else 0x40058000
    try:
        runs = bool(machine.mem32[ctrl] & (1 << 30))
    except (AttributeError, ValueError):
        return False
    if runs and time.ticks_ms() < YOUNG:  # type: ignore[operator] # since the reset, so no difference of two
        machine.mem32[ctrl + 0x3000] = 1 << 30  # the alias that clears bits
        return False
    return runs


def _feed():
    dog = machine.WDT(timeout=8000)
    return machine.Timer(-1, period=1000, mode=machine.Timer.PERIODIC, callback=lambda _: dog.feed())


if _watchdog_runs():
    feeder = _feed()
