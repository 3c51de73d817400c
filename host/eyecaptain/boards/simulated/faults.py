"""Faults on purpose: how often each one happens, drawn by the seed, and how often it did."""

from random import Random

from eyecaptain.language import _

# What may happen, by when it may: a line of the console goes by (either way), a transfer on the I2C bus, a start of the motor.
OCCASIONS = {
    "line": ("drop", "duplicate", "corrupt", "truncate", "merge", "delay", "stall", "unplug", "kill", "reboot"),
    "bus": ("i2c_nak", "sda_stuck"),
    "motor": ("motor_stall",),
}
NAMES = tuple(name for names in OCCASIONS.values() for name in names)


class Faults:
    """How often each fault happens, as a share of its occasions from 0 to 1, and how often it did.

    :param seed: the same one makes the same choices, for each place on its own.
    :param rates: by name, the others 0.
    :raises ValueError: no such fault, or no such share.
    """

    def __init__(self, seed: str, rates: dict[str, float] | None = None) -> None:
        self._seed = seed
        self._chances: dict[str, Random] = {}
        self.rates = dict.fromkeys(NAMES, 0.0)
        self.met = dict.fromkeys(NAMES, 0)
        for name, rate in (rates or {}).items():
            self.set(name, rate)

    def set(self, name: str, rate: float) -> None:
        """From now on this fault happens so often."""
        if name not in self.rates or not 0 <= rate <= 1:
            raise ValueError(f"there is no fault {name!r} with the value {rate!r}")
        self.rates[name] = rate

    def any(self, occasion: str) -> bool:
        """Whether anything may happen then."""
        return any(self.rates[name] for name in OCCASIONS[occasion])

    def strike(self, occasion: str, place: str = "") -> str | None:
        """Draw what happens on this occasion, and count it; None: nothing."""
        if not self.any(occasion):
            return None
        draw = self.chance(occasion, place).random()
        for name in OCCASIONS[occasion]:
            draw -= self.rates[name]
            if draw < 0:
                self.met[name] += 1
                return name
        return None

    def chance(self, occasion: str, place: str = "") -> Random:
        """Where the draws of this place come from."""
        key = f"{self._seed}/{occasion}{place}"
        return self._chances.setdefault(key, Random(key))  # noqa: S311 - faults, not secrets


def parse(text: str) -> dict[str, float]:
    """Read `corrupt=0.01,drop=0.01`.

    :raises ValueError: it is no such thing; the text says what would be.
    """
    rates: dict[str, float] = {}
    for part in text.split(","):
        name, _equals, rate = part.strip().partition("=")
        try:
            Faults("", {name: float(rate)})
        except ValueError:
            words = _("{given!r} is no fault; a fault is NAME=SHARE, 0 to 1, of {names}")
            raise ValueError(words.format(given=part.strip(), names=" ".join(NAMES))) from None
        rates[name] = float(rate)
    return rates
