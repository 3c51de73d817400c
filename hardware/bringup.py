"""The bring-up table, as the board itself sees it; nothing moves. Run it with `mpremote run hardware/bringup.py`.

It needs the firmware on the board (`make flash`), whose pins and drivers it uses.
"""

import sys
import time

sys.path.extend(("/slot_a", "/slot_b"))  # where the firmware may be, beside the root

from machine import ADC, I2C, Pin

from eyedeck import pins
from eyedeck.drivers.i2cbus import Bus
from eyedeck.drivers.tcs34725 import FULL, KNOWN

ADDRESS = 0x29
USABLE = FULL * 3 // 4  # above it lamps that flicker may saturate the chip unseen
STEPS = 100  # of 2 ms that a conversion may take


def line(name, value, good, expected):
    """Print one line of the table."""
    print("%-22s %-24s %s" % (name, value, "ok" if good else "NOT " + expected))


def conversion(bus, light):
    """Return the clear channel of one conversion with the lamp as `light` says, at the lowest gain but one."""
    for reg, value in ((0x80, 1), (0x81, 256 - 21), (0x8F, 1)):
        bus.write(ADDRESS, reg, bytes([value]))
    Pin(pins.SENSOR_LED, Pin.OUT, value=light)
    time.sleep_ms(3)
    bus.write(ADDRESS, 0x80, b"\x03")
    one, two = bytearray(1), bytearray(2)
    for _ in range(STEPS):
        time.sleep_ms(2)
        bus.read(ADDRESS, 0x93, one)
        if one[0] & 1:
            bus.read(ADDRESS, 0xB4, two)
            return two[0] | two[1] << 8
    raise OSError("the sensor finishes no conversion")


def sensor():
    """Look for the sensor, and read it dark and lit."""
    found = I2C(0, scl=Pin(pins.SCL), sda=Pin(pins.SDA), freq=100000).scan()
    line("I2C devices", [hex(number) for number in found], ADDRESS in found, "0x29: see the guide, sensor")
    if ADDRESS not in found:
        return
    bus, ident = Bus(0, pins.SDA, pins.SCL), bytearray(1)
    bus.read(ADDRESS, 0x92, ident)
    line("sensor's id", hex(ident[0]), ident[0] in KNOWN, "0x44, 0x4d or 0x10")
    try:
        dark, lit = conversion(bus, 0), conversion(bus, 1)
    finally:
        Pin(pins.SENSOR_LED, Pin.OUT, value=0)
    line("dark, counts", dark, dark < USABLE, "below %d: the room's light gets in" % USABLE)
    line("lamp adds, counts", lit - dark, lit - dark >= 20 and lit < USABLE, "20 to %d" % USABLE)


def inputs():
    """Look at what else can be seen without moving anything."""
    fault = Pin(pins.MOTOR_FAULT, Pin.IN, Pin.PULL_UP).value()
    line("driver's nFAULT", fault, fault == 1, "1: no supply at VM, or a short")
    switch = Pin(pins.SWITCH, Pin.IN, Pin.PULL_UP).value()
    line("eye switch", "off" if switch else "on", True, "")
    millivolts = sum([ADC(Pin(pins.MOTOR_SENSE)).read_u16() for _ in range(16)]) / 16 * 3300 / 65535
    line("shunt, motor off, mV", "%.1f" % millivolts, millivolts < 20, "below 20: R9, R10 or C1")


Pin(pins.MOTOR_SLEEP, Pin.OUT, value=0)
inputs()
sensor()
