"""Measures the motor free and blocked; THE ARM MOVES. Run it with `mpremote run hardware/bringup_motor.py`.

It drives the motor for 1.5 s, twice, at 60 % of the supply. Hold the arm, with two fingers at its hub, when told to.
"""

import sys
import time

sys.path.extend(("/slot_a", "/slot_b"))  # where the firmware may be, beside the root

from machine import ADC, Pin

from eyedeck import pins
from eyedeck.drivers.drv8833 import Motor

DUTY = 60  # percent
SHUNT = 0.68  # ohm
RUN = 1500  # ms
COUNT = 3  # seconds to take hold of the arm

sleep = Pin(pins.MOTOR_SLEEP, Pin.OUT, value=0)
motor = Motor(Pin(pins.MOTOR_IN1), Pin(pins.MOTOR_IN2), sleep, 100)
shunt = ADC(Pin(pins.MOTOR_SENSE))
fault = Pin(pins.MOTOR_FAULT, Pin.IN, Pin.PULL_UP)


def current():
    """Return the mean current through the shunt in mA: of the second half of a run."""
    total, count = 0, 0
    try:
        motor.wake()
        motor.drive(DUTY)
        begun = time.ticks_ms()
        while time.ticks_diff(time.ticks_ms(), begun) < RUN:
            if time.ticks_diff(time.ticks_ms(), begun) > RUN // 2:
                total += shunt.read_u16()
                count += 1
            time.sleep_ms(2)
        ok = fault.value()
    finally:
        motor.off()
    return total / count * 3300 / 65535 / SHUNT, ok


for what in ("free", "blocked"):
    if what == "blocked":
        for left in range(COUNT, 0, -1):
            print("hold the arm:", left)
            time.sleep(1)
    amps, ok = current()
    print("%-8s %5.1f mA at %d %% duty%s" % (what, amps, DUTY, "" if ok else ", and the driver reports a FAULT"))
