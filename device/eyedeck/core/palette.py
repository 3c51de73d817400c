"""A calibration: the values of one board and one die, checked, and made ready for `core.die`. Pure.

Values are lists of whole numbers by key. They go over the wire key by key and stand in the calibration file.

* `exp`: cycles of 2.4 ms, gain
* `dark`: red, green, blue, clear: what light on minus light off reads with nothing on the window
* `white`: red, green, blue: weights, 4096 for one, that make white paper's three shares equal
* `gate`: clear below which nothing lies there; clear with the light off above which the room is too bright; largest squared
  distance; smallest lead over another colour of what lies right at its mean (both in 1/1024 of a variance)
* `c0` to `c7`: for a face of the die, or for all that look alike from below: the colour on top (0 to 3, as in `die.FACES`);
  means of the shares of red and green (8192 for one) and of ln clear (1024 for one); the lower triangle of the matrix that
  makes its scatter round; how much wider its scatter is (added to squared distances when they are compared)
"""

import binascii

from eyedeck.core import die

try:
    from collections.abc import Mapping
except ImportError:  # on the board, where annotations are never looked at
    pass

KINDS = ("c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7")
KEYS = ("exp", "dark", "white", "gate") + KINDS

GAINS = (1, 4, 16, 60)
LONGEST = 64  # cycles: more gives no more counts
APART = 36 * die.SIGMA * die.SIGMA  # squared distance of two colours at least: six standard deviations

_RANGES = {
    "exp": ((1, LONGEST), (1, 60)),
    "dark": ((-999, 65535),) * 4,
    "white": ((256, 24000),) * 3,
    "gate": ((1, 65535), (1, 65535), (1, 40960), (1, 65536)),  # so that `die.classify` multiplies small ints
}
_KIND = ((0, 3), (0, 8192), (0, 8192), (0, 12000)) + ((-12000, 12000),) * 6 + ((0, 65536),)


def full(cycles: int) -> int:
    """Return the counts at full scale (datasheet: 1024 a cycle, 16 bits)."""
    return min(65535, 1024 * cycles)


def check(key: str, values: object) -> None:
    """Raise ValueError when these are no values for this key."""
    ranges = _RANGES.get(key) or (_KIND if key in KINDS else None)
    if ranges is None:
        raise ValueError("there is no key %s" % key)
    if not isinstance(values, list) or len(values) != len(ranges):
        raise ValueError("%s must be %d whole numbers" % (key, len(ranges)))
    for value, (low, high) in zip(values, ranges):  # noqa: B905 - MicroPython has no strict
        if type(value) is not int or not low <= value <= high:
            raise ValueError("%s: each of its numbers must be whole and in range" % key)
    if key == "exp" and values[1] not in GAINS:
        raise ValueError("exp: gain must be 1, 4, 16 or 60")


def checksum(values: "Mapping[str, list[int]]") -> str:
    """Return the checksum of a calibration, eight hex digits."""
    text = ";".join(["%s:%s" % (key, ",".join([str(n) for n in values[key]])) for key in KEYS if key in values])
    return "%08x" % (binascii.crc32(text.encode()) & 0xFFFFFFFF)


class Palette:
    """A calibration that can be used.

    Raise ValueError when something is missing, or when two colours lie closer together than `apart`.
    """

    def __init__(self, values: "Mapping[str, list[int]]", apart: int = APART) -> None:
        for key in values:
            check(key, values[key])
        for key in ("exp", "dark", "white", "gate", "c0"):
            if key not in values:
                raise ValueError("%s is missing" % key)
        self.cycles, self.gain = values["exp"]
        self.limit = full(self.cycles) * 3 // 4  # from here on flicker saturates (maker's note DN40)
        self.dark = tuple(values["dark"])
        self.white = tuple(values["white"])
        self.absent, self.ambient, self.gate, self.margin = values["gate"]
        self.kinds = [tuple(values[key]) for key in KINDS if key in values]
        self.sum = checksum(values)
        if self.nearest() < apart:
            raise ValueError("two colours are too much alike")

    def nearest(self) -> int:
        """Return the smallest squared distance of two kinds that show different colours."""
        found = 3 * 8192 * 8192
        for a in self.kinds:
            for b in self.kinds:
                if a[0] != b[0]:
                    found = min(found, die.distance(a[1], a[2], a[3], b))
        return found
