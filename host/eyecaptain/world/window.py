"""What the sensor sees through its window: the die's lower face or whatever else lies there, in lamp light and in the room's.

All light is in counts that one cycle of a TCS34725 yields at gain 1, as `chips.tcs34725` takes it.
"""

from dataclasses import dataclass
from math import exp, radians, sin
from random import Random
from typing import NamedTuple

from eyecaptain.world.spectra import LAMP_PHOSPHOR, LAMPS, SURFACES, responses, seen, white_led


class Light(NamedTuple):
    """Light on the four channels of the sensor."""

    clear: float
    red: float
    green: float
    blue: float

    def plus(self, other: "Light", share: float = 1.0) -> "Light":
        """Both lights, of the other one a share."""
        return Light(*(mine + share * theirs for mine, theirs in zip(self, other, strict=True)))


NO_LIGHT = Light(0.0, 0.0, 0.0, 0.0)

# Our figures, round ones: a yellow face of a middling unit reads about 45 counts a cycle at gain 1.
LAMP_SHINES = 0.49
ROOM_SHINES = 0.021  # through an open window, in a living room in the evening: about 3 counts a cycle
COVERED = 1 / 30  # of that passes a die that lies flat
STRAY = 0.04  # of the lamp's light comes back from rim and walls, as from wood (hardware/sim/optics.py)
STRAY_SPREAD = 0.4
LAMP_SPREAD = 0.15  # from lamp to lamp
PHOSPHOR_SPREAD = 0.08

FACE_AT = 7.0  # mm from the sensor to a face that lies flat, as the printed holder has it
CONTACT = 7.0  # mm from the middle of the face to the edge on which a tilted die stands
FALL = 1.7  # the light that comes back falls with this power of the distance: hardware/sim/optics.py, up to 3 mm
SITTING = 0.015  # scatter of the brightness of the same die each time it comes to rest
ROLLING = (15.0, 40.0)  # degrees at which faces stand while the die rolls over the window

# Datasheet: the cycle takes 2.27 to 2.56 ms; gains 3.8 to 4.2, 15 to 16.8, 58 to 63; dark 0 to 5 counts at gain 60, 100 ms.
STEPS = (0.00227, 0.00256)
GAINS = ((1.0, 1.0), (3.8, 4.2), (15.0, 16.8), (58.0, 63.0))
DARK = 5.0


@dataclass(frozen=True, slots=True)
class Unit:
    """What makes one built board differ from the next.

    :ivar lit: what comes back from each surface that lies flat over the window, under the board's own lamp.
    :ivar stray: what comes back from the rim.
    :ivar room: what an open window lets in of each kind of lamp in the room, on an ordinary evening.
    :ivar step: seconds of one cycle; `gains`: what the four gains really are; `dark`: counts at gain 60 and 100 ms.
    """

    lit: dict[str, Light]
    stray: Light
    room: dict[str, Light]
    step: float
    gains: tuple[float, ...]
    dark: float

    @classmethod
    def of(cls, rng: Random) -> "Unit":
        """Draw a unit."""
        response = responses(rng)
        lamp = white_led(LAMP_PHOSPHOR * _about(rng, PHOSPHOR_SPREAD))
        strength = LAMP_SHINES * _about(rng, LAMP_SPREAD)
        lit = {
            name: Light(*(strength * seen(lamp, surface, channel) for channel in response))
            for name, surface in SURFACES.items()
        }
        stray = NO_LIGHT.plus(lit["wood"], STRAY * _about(rng, STRAY_SPREAD))
        room = {
            name: Light(*(ROOM_SHINES * sum(a * b for a, b in zip(light, channel, strict=True)) for channel in response))
            for name, light in LAMPS.items()
        }
        gains = tuple(rng.uniform(*gain) for gain in GAINS)
        return cls(lit, stray, room, rng.uniform(*STEPS), gains, rng.uniform(0.0, DARK))


@dataclass(frozen=True, slots=True)
class Evening:
    """What makes one evening differ from the next for the same board.

    :ivar lamp: which kind of lamp lights the room, and `room`: how brightly, 1 for an ordinary evening.
    :ivar ripple: how much of the room's light flickers, `hertz`: how fast (0: not at all).
    :ivar warmth: what has become of the board's own lamp and window, since they were new: a factor.
    """

    lamp: str
    room: float
    ripple: float
    hertz: float
    warmth: float

    @classmethod
    def of(cls, rng: Random) -> "Evening":
        """Draw an evening."""
        lamp = rng.choice(tuple(LAMPS))
        ripple = {"bulb": rng.uniform(0.05, 0.2), "led": rng.uniform(0.1, 0.9), "daylight": 0.0}[lamp]
        hertz = rng.choice((100.0, 120.0)) if ripple else 0.0
        return cls(lamp, exp(rng.gauss(0.0, 0.7)), ripple, hertz, min(1.05, max(0.95, rng.gauss(1.0, 0.015))))


STEADY = Evening("daylight", 1.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class View:
    """What lies over the window.

    :ivar surfaces: shares of what comes back of the lamp's light, by surface.
    :ivar room: share of the room's light that gets in.
    """

    surfaces: tuple[tuple[str, float], ...] = ()
    room: float = 1.0


NOTHING = View()


def flat(surface: str, seat: float = 1.0) -> View:
    """A face, or something else, lies flat on the window; `seat` of `sitting`."""
    return View(((surface, seat),), COVERED)


def tilted(surface: str, degrees: float, beside: str | None = None) -> View:
    """The die leans on something: its face is farther off and at an angle, and a neighbouring face is lit, too."""
    back = (FACE_AT / (FACE_AT + CONTACT * sin(radians(degrees)))) ** FALL
    parts = [(surface, back)]
    if beside is not None:
        parts = [(surface, back * 0.7), (beside, back * 0.3)]
    return View(tuple(parts), min(1.0, COVERED + degrees / 60))


def sitting(rng: Random) -> float:
    """How brightly a die that has just come to rest shows: a factor around 1."""
    return min(1.05, max(0.95, rng.gauss(1.0, SITTING)))


def rolling(before: str, after: str, rng: Random) -> View:
    """The die rolls over the window from one face to another."""
    back = (FACE_AT / (FACE_AT + CONTACT * sin(radians(rng.uniform(*ROLLING))))) ** FALL
    part = rng.uniform(0.3, 0.7)
    return View(((before, back * part), (after, back * (1 - part))), 0.5)


def through_window(unit: Unit, view: View, lamp: bool, evening: Evening = STEADY, ambient: float = 1.0) -> tuple[Light, Light]:
    """The light that falls on the sensor: its mean, and how far it swings around that at the evening's frequency.

    :param lamp: whether the board's own lamp is on.
    :param ambient: the room's light, a factor to the evening's: 100 for the sun on the table.
    """
    shines = NO_LIGHT
    if lamp:
        for surface, share in view.surfaces:
            shines = shines.plus(unit.lit[surface], share * evening.warmth)
        shines = shines.plus(unit.stray, evening.warmth)
    room = unit.room[evening.lamp]
    strength = evening.room * ambient * view.room
    return shines.plus(room, strength), NO_LIGHT.plus(room, strength * evening.ripple)


def _about(rng: Random, spread: float) -> float:
    return 1 + rng.uniform(-spread, spread)
