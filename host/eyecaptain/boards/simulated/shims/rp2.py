"""What of `rp2` a board of ours may ask for (MicroPython). There is no PIO here."""


def bootsel_button() -> int:
    """Whether BOOTSEL is pressed: nobody is there to do it."""
    return 0
