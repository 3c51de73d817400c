"""What each pin of an RP2040 can do: the function table of its datasheet (2.19.2), and the ADC's inputs (4.9).

The table is regular, so it is written as its rules: I2C on F3 goes SDA, SCL, SDA, SCL with the bus changing every two
pins; PWM on F4 gives two pins in a row one slice; both PIO blocks (F6, F7) reach every pin.
"""

PINS = range(30)
NOT_ON_HEADER = (23, 24, 25, 29)  # the Pico's own regulator, VBUS sense, LED, VSYS sense; different on a Pico W
FIRST_ADC = 26


def abilities(gpio: int) -> frozenset[str]:
    """Return what GP `gpio` can be: "gpio", "pio", "adc0".."adc3", "i2c0 sda".., "pwm 0a"...

    :raises ValueError: an RP2040 has no such pin.
    """
    if gpio not in PINS:
        raise ValueError(f"an RP2040 has no GP{gpio}")
    found = {"gpio", "pio"}
    found.add(f"i2c{gpio // 2 % 2} {'scl' if gpio % 2 else 'sda'}")
    found.add(f"pwm {gpio // 2 % 8}{'b' if gpio % 2 else 'a'}")
    if gpio >= FIRST_ADC:
        found.add(f"adc{gpio - FIRST_ADC}")
    return frozenset(found)


def where(ability: str) -> list[int]:
    """Return the pins on the Pico's header that can do it, in order."""
    return [gpio for gpio in PINS if gpio not in NOT_ON_HEADER and ability in abilities(gpio)]
