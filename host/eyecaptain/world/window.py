"""What the sensor sees through its window: the die's lower face, or the open deck, in lamp light and in the room's.

All light is in counts that one cycle of a TCS34725 yields at gain 1, as `chips.tcs34725` takes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from eyecaptain.games.base import Color


class Light(NamedTuple):
    """Light on the four channels of the sensor."""

    clear: float
    red: float
    green: float
    blue: float

    def plus(self, other: "Light", share: float = 1.0) -> "Light":
        """Both lights, of the other one a share."""
        return Light(*(mine + share * theirs for mine, theirs in zip(self, other, strict=True)))

    def times(self, factors: Sequence[float]) -> "Light":
        """Each channel by its own factor."""
        return Light(*(mine * factor for mine, factor in zip(self, factors, strict=True)))


def light(clear: float, red: float, green: float, blue: float) -> Light:
    """Light of this strength in the clear channel; the colours are shares of red + green + blue."""
    return Light(clear, clear * red, clear * green, clear * blue)


# What comes back from a face under the breakout's white lamp: round figures for matt paint, not measured on a real die.
# The brightest face comes to 70 % of full scale with gain 16 and 50.4 ms.
FACES: dict[Color, Light] = {
    "red": light(34.0, 0.605, 0.215, 0.180),
    "green": light(28.0, 0.245, 0.485, 0.270),
    "blue": light(24.0, 0.185, 0.340, 0.475),
    "yellow": light(46.0, 0.465, 0.365, 0.170),
}
# Nothing over the window: the lamp's stray light from the window's rim.
EMPTY = light(1.6, 0.330, 0.370, 0.300)
# The room's light on an open window; a die that lies flat over it lets one part in thirty past.
ROOM = light(3.0, 0.400, 0.360, 0.240)
COVERED = 1 / 30
# While the die rolls over the window its faces stand off at an angle.
TILTED = 0.45

RESPONSIVITY = 0.15  # from part to part, and from lamp to lamp
CHANNEL = 0.06  # of one channel against the others
SITTING = 0.02  # of the same die each time it comes to rest


@dataclass(frozen=True, slots=True)
class Unit:
    """What makes one built board differ from the next: factors on clear, red, green, blue."""

    factors: tuple[float, float, float, float]

    @classmethod
    def of(cls, rng: Random) -> "Unit":
        """Draw a unit."""
        all_channels = 1 + rng.uniform(-RESPONSIVITY, RESPONSIVITY)
        clear, red, green, blue = (all_channels * (1 + rng.uniform(-CHANNEL, CHANNEL)) for _ in range(4))
        return cls((clear, red, green, blue))


def sitting(rng: Random) -> float:
    """How brightly a die that has just come to rest shows: a factor around 1."""
    return min(1.05, max(0.95, rng.gauss(1.0, SITTING)))


def through_window(unit: Unit, faces: Sequence[Color], lamp: bool, ambient: float = 1.0, seat: float = 1.0) -> Light:
    """The light that falls on the sensor.

    :param faces: what is over the window: nothing, one face that lies flat, or the two between which it rolls.
    :param lamp: whether the sensor's white LED is on.
    :param ambient: the room's light, 1 for a living room in the evening, about 100 for the sun on the table.
    :param seat: of `sitting`.
    """
    rolling = len(faces) > 1
    seen = light(0.0, 0.0, 0.0, 0.0)
    if lamp:
        for face in faces:
            seen = seen.plus(FACES[face], seat * (TILTED / len(faces) if rolling else 1.0))
        seen = seen.plus(EMPTY)
    open_share = COVERED if len(faces) == 1 else 0.5 if rolling else 1.0
    return seen.plus(ROOM, ambient * open_share).times(unit.factors)
