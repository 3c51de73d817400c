"""Makes the board's parts, from the pins up: what the rest is handed."""

import sys
import time

import machine
from machine import ADC, WDT, Pin, Timer
from micropython import const

from eyedeck import pins
from eyedeck.core import chips, turning
from eyedeck.drivers import pixels
from eyedeck.drivers.drv8833 import Motor
from eyedeck.drivers.i2cbus import Bus
from eyedeck.drivers.switch import Switch
from eyedeck.drivers.tcs34725 import Sensor

_WATCHDOG = const(5000)  # ms
_CTRL = const(0x40058000)  # the watchdog's control register: bit 30 is set while it runs
_CTRL_RP2350 = const(0x400D8000)


def _soft_reset():
    # A running watchdog survives a soft reset and nothing else.
    where = _CTRL_RP2350 if "RP2350" in getattr(sys.implementation, "_machine", "") else _CTRL
    try:
        return bool(machine.mem32[where] & (1 << 30))
    except (AttributeError, ValueError):
        return False


class Hardware:
    """The parts of one board, as `config` says; `soft`: was this a soft reset, or None: find out."""

    def __init__(self, config, soft=None):
        if soft is None:
            soft = _soft_reset()
        self.reset_cause = "soft" if soft else "watchdog" if machine.reset_cause() == 3 else "power"
        self.uid = machine.unique_id().hex()
        sleep = Pin(pins.MOTOR_SLEEP, Pin.OUT, value=0)  # first of all
        self.motor = Motor(Pin(pins.MOTOR_IN1), Pin(pins.MOTOR_IN2), sleep, config.cap)
        self.motor.off()
        self.fault = Pin(pins.MOTOR_FAULT, Pin.IN, Pin.PULL_UP).value
        self.turning = self._make_turning(config)
        self.switch = Switch(Pin(pins.SWITCH, Pin.IN, Pin.PULL_UP) if config.switch else None, time)
        self.bus = Bus(0, pins.SDA, pins.SCL)
        self._light = Pin(pins.SENSOR_LED, Pin.OUT, value=0)
        self.sensor = Sensor(self.bus, self._light)
        self.lights = self._make_lights(config)
        self._timer = None
        self._dog = None
        self.feed = lambda: None

    def _make_turning(self, config):
        # The index decides where both are fitted: it also finds a motor that slips.
        if config.index:
            return turning.Index(Pin(pins.INDEX, Pin.IN, Pin.PULL_UP).value, config.half)
        if config.sense:
            return turning.Current(ADC(Pin(pins.MOTOR_SENSE)).read_u16, config.stall, config.shunt)
        return None

    def _make_lights(self, config):
        if config.leds == "plain":
            return pixels.Plain([Pin(number, Pin.OUT, value=0) for number in pins.CHIPS])
        if config.leds == "rgb":
            from neopixel import NeoPixel  # noqa: PLC0415 - costs memory only where it is used

            return pixels.Pixels(NeoPixel(Pin(pins.PIXELS), chips.LEDS), config.bright)
        return pixels.Nothing()

    def start(self, period, tick):
        """Call `tick` every `period` ms from a hard interrupt, and start the watchdog.

        Return False when this MicroPython has no hard timer interrupts: then there is no guard.
        """
        self._dog = WDT(timeout=_WATCHDOG)
        self.feed = self._dog.feed
        try:
            self._timer = Timer(-1, period=period, mode=Timer.PERIODIC, callback=tick, hard=True)
        except TypeError:
            return False
        return True

    def stop(self):
        """Everything off. The watchdog cannot be stopped: from here on an interrupt of its own feeds it."""
        self.motor.off()
        self._light.value(0)
        if self._timer:
            self._timer.deinit()
            self._timer = None
        if self._dog:
            feed = self.feed
            self._timer = Timer(-1, period=1000, mode=Timer.PERIODIC, callback=lambda _: feed())

    def reset(self):
        """Restart the board."""
        machine.reset()
