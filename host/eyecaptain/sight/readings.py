"""A reading of the colour sensor: counts with the board's light on and with it off."""

from typing import NamedTuple

Counts = tuple[int, int, int, int]  # red, green, blue, clear


class Pair(NamedTuple):
    """One pair of conversions."""

    on: Counts
    off: Counts

    @property
    def lit(self) -> Counts:
        """What the light alone adds; noise may make that negative."""
        red, green, blue, clear = (on - off for on, off in zip(self.on, self.off, strict=True))
        return red, green, blue, clear
