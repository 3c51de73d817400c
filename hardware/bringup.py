"""The bring-up table, as the board itself sees it; nothing moves. Run it with `mpremote run hardware/bringup.py`.

It needs the firmware on the board (`make flash`), whose pins and drivers it uses.
"""

import sys
import time

sys.path.extend(("/slot_a", "/slot_b"))  # where the firmware may be, beside the root

from machine import ADC, I2C, Pin

from eyedeck import pins

ADDRESS = 0x29
KNOWN = (0x44, 0x4D, 0x10)  # TCS34721/25, TCS34723/27, copies
CYCLES = 21  # of 2.4 ms
USABLE = 1024 * CYCLES * 3 // 4  # above it lamps that flicker may saturate the chip unseen
STEPS = 100  # of 2 ms that a conversion may take


def line(name, value, good, expected):
    """Print one line of the table."""
    print("%-22s %-24s %s" % (name, value, "ok" if good else "NOT " + expected))


def conversion(bus, light):
    """Return the clear channel of one conversion with the lamp as `light` says, at gain 4."""
    for reg, value in ((0x80, 1), (0x81, 256 - CYCLES), (0x8F, 1)):
        bus.writeto_mem(ADDRESS, reg, bytes([value]))
    Pin(pins.SENSOR_LED, Pin.OUT, value=light)
    time.sleep_ms(3)
    bus.writeto_mem(ADDRESS, 0x80, b"\x03")
    for _ in range(STEPS):
        time.sleep_ms(2)
        if bus.readfrom_mem(ADDRESS, 0x93, 1)[0] & 1:
            low, high = bus.readfrom_mem(ADDRESS, 0xB4, 2)
            return low | high << 8
    raise OSError("the sensor finishes no conversion")


def sensor():
    """Look for the sensor, and read it dark and lit."""
    bus = I2C(0, scl=Pin(pins.SCL), sda=Pin(pins.SDA), freq=100000)
    found = bus.scan()
    line("I2C devices", [hex(number) for number in found], ADDRESS in found, "0x29: see the guide, sensor")
    if ADDRESS not in found:
        return
    ident = bus.readfrom_mem(ADDRESS, 0x92, 1)[0]
    line("sensor's id", hex(ident), ident in KNOWN, "0x44, 0x4d or 0x10")
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
