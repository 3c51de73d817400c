"""The deck, the die, the eye and the sensor of one board, in the world's time (seconds of a clock that begins at 0).

Whoever runs it calls `advance` at the times that `due` names and whenever something is about to change, and takes
`news`.
"""

from random import Random
from typing import Any

from eyecaptain.games.base import COLORS, Color
from eyecaptain.world.chips.drv8833 import Bridge, EyeMotor
from eyecaptain.world.chips.tcs34725 import Tcs34725
from eyecaptain.world.deck import CENTRE, MIDDLE, SLOW_TICK_SECONDS, TICK_SECONDS, TICKS_A_TURN, VirtualDeck
from eyecaptain.world.die import RollingDie
from eyecaptain.world.spectra import SURFACES
from eyecaptain.world.window import NOTHING, Evening, Unit, View, flat, rolling, through_window, tilted

# How often to look whether a motor that was switched on or off has begun or ceased to move the eye.
CHANGES = 0.05
# Shares of the bus's transfers that the running motor's sparks spoil: nobody acknowledges, or one bit is read wrongly.
EMI_NAK, EMI_BIT = 0.001, 0.0005
# What a hand may put over the window instead of the die.
COVERS = (*(name for name in SURFACES if name not in COLORS), "nothing")
# Sums of times are this exact: a tick must not be due again at a time that has already come.
ROUNDING = 1e-6


class Scene:
    """One deck with a board under it.

    :param seed: makes noise, faces and the unit's own tolerances repeatable.
    :param pace: scales the seconds between two knocks of the eye.
    """

    def __init__(self, seed: str, pace: float = 1.0) -> None:
        self._unit = unit_of(seed)
        self._evening = Evening.of(Random(f"{seed}/evening"))  # noqa: S311 - physics, not secrets
        unit = self._unit
        self.sensor = Tcs34725(Random(f"{seed}/noise"), step=unit.step, gains=unit.gains, dark=unit.dark)  # noqa: S311
        self._sparks = Random(f"{seed}/sparks")  # noqa: S311
        self._looks = Random(f"{seed}/looks")  # noqa: S311 - of its own: it is asked whenever the lamp is switched
        self.motor = EyeMotor()
        self._chance = Random(f"{seed}/die")  # noqa: S311
        self.die = RollingDie(self._chance, self._chance.choice(COLORS))
        self.deck: VirtualDeck | None = None
        self.lamp = False
        self.switch = True
        self.ambient = 1.0
        self.no_die = False
        self.cover: str | None = None  # of `COVERS`, instead of the die
        self.tilt = 0.0  # degrees at which the die leans on something
        self.news: list[dict[str, Any]] = []
        self._pace = pace
        self._now = 0.0
        self._ticks = 0
        self._turned = 0.0  # seconds that the eye has turned since its last tick
        self._shine()

    # -- time --

    def advance(self, now: float) -> None:
        """Let time pass up to `now`."""
        turning = self.motor.turning(self._now)
        elapsed, self._now = now - self._now, max(now, self._now)
        if turning and elapsed > 0:
            # An eye that is left to coast soon stands, and is looked at that often.
            self._turned += elapsed if self.motor.bridge.energised else min(elapsed, CHANGES)
            while self._turned > self._interval() - ROUNDING:
                self._turned -= self._interval()
                self._tick()
        if self.die.rests_at is not None and self.die.rests_at <= now:
            self.die.rest()
            self._shine()
            self._tell_die()

    def due(self) -> float | None:
        """When `advance` has something to do next, if nothing changes before."""
        times = [self.die.rests_at] if self.die.rests_at is not None else []
        turning, driven = self.motor.turning(self._now), self.motor.bridge.energised
        if turning and driven:
            times.append(self._now + self._interval() - self._turned)
        elif turning or driven:
            times.append(self._now + CHANGES)
        return min(times, default=None)

    def _interval(self) -> float:
        return self._pace * (TICK_SECONDS if self._ticks < TICKS_A_TURN else SLOW_TICK_SECONDS)

    def _tick(self) -> None:
        """The eye knocks something."""
        self._ticks += 1
        if self.deck is None or self.deck.layout is None:
            self._knock_loose_die()
            return
        news = self.deck.tick()
        self._follow_deck()
        for item in news:
            if item["type"] in {"fall", "die_fell"}:
                self.news.append({"ev": item["type"], **{key: item[key] for key in item if key != "type"}})
        self.news.append({"ev": "tick", "places": self.deck.places()})

    def _knock_loose_die(self) -> None:
        """Without a dealt deck there is only the die: hit now and then, off the window and back again."""
        if self._chance.random() < 0.4:
            self._knock(self._chance.choice(COLORS), self._chance.choice((CENTRE, CENTRE, MIDDLE)))

    def _follow_deck(self) -> None:
        """The die lies where the deck has it."""
        assert self.deck is not None
        self._knock(self.deck.face or self.die.face, self.deck.die.zone if self.deck.die else None)

    def _knock(self, face: Color, zone: int | None) -> None:
        if self.die.knock(self._now, face, zone):
            self._shine()

    def _tell_die(self) -> None:
        self.news.append({"ev": "die", "face": self.die.face, "zone": self.die.zone})

    # -- the board --

    def drive(self, now: float, bridge: Bridge) -> None:
        """The bridge does this from now on."""
        self.advance(now)
        self.motor.drive(now, bridge)

    def power_on(self, now: float) -> None:
        """The supply comes back: the sensor begins anew."""
        self.advance(now)
        self.sensor.power_on(now)

    def light_lamp(self, now: float, on: bool) -> None:
        """The sensor's LED."""
        self.advance(now)
        if on != self.lamp:
            self.lamp = on
            self._shine()

    def spoil(self, data: bytes) -> bytes:
        """What the running motor's sparks make of the bytes of a transfer.

        :raises OSError: the transfer fails.
        """
        if not self.motor.bridge.energised:
            return data
        draw = self._sparks.random()
        if draw < EMI_NAK:
            raise OSError(5, "no acknowledge")
        if draw < EMI_NAK + EMI_BIT and data:
            spoilt = bytearray(data)
            spoilt[self._sparks.randrange(len(data))] ^= 1 << self._sparks.randrange(8)
            return bytes(spoilt)
        return data

    def _view(self) -> View:
        """What lies over the window now."""
        if self.cover is not None:
            return NOTHING if self.cover == "nothing" else flat(self.cover)
        faces = () if self.no_die else self.die.over_window()
        if not faces:
            return NOTHING
        if len(faces) > 1:
            return rolling(faces[0], faces[1], self._looks)
        return tilted(faces[0], self.tilt) if self.tilt else flat(faces[0], self.die.seat)

    def _shine(self) -> None:
        light, ripple = through_window(self._unit, self._view(), self.lamp, self._evening, self.ambient)
        self.sensor.expose(self._now, light, ripple, self._evening.hertz)

    # -- hands --

    def settle(self) -> None:
        """A hand has rearranged the deck: the die rests where the deck has it."""
        if self.deck is None:
            return
        face, zone = self.deck.face or self.die.face, self.deck.die.zone if self.deck.die else None
        if (face, zone) != (self.die.face, self.die.zone) or self.die.rests_at is not None:
            self.put_die(face, zone)

    def put_die(self, face: Color, zone: int | None = CENTRE) -> None:
        """A hand turns the die and puts it there."""
        if self.deck is not None:
            self.deck.face = face
            if self.deck.die is not None and zone is not None:
                self.deck.die.zone = zone
        self.die.put(face, zone)
        self._shine()
        self._tell_die()

    def cover_window(self, what: str | None, tilt: float = 0.0) -> None:
        """A hand lays something else over the window (None: nothing but the die), or lets the die lean on something.

        :raises ValueError: there is no such thing.
        """
        if what is not None and what not in COVERS:
            raise ValueError(f"{what!r} is nothing to lay over the window; there are {', '.join(COVERS)}")
        self.cover, self.tilt = what, tilt
        self._shine()

    def new_turn(self) -> None:
        """The tongs went on: the eye begins its quick ticks again."""
        self._ticks = 0
        self._turned = 0.0

    def disturb(self, what: str, value: Any) -> None:
        """Set a fault: `no_die motor_stall motor_short motor_hot` (bool) or `ambient` (factor of the room's light).

        :raises ValueError: no such fault, or no such value.
        """
        match what, value:
            case "no_die", bool():
                self.no_die = value
            case "motor_stall", bool():
                self.motor.advance(self._now)
                self.motor.blocked = value
            case "motor_short", bool():
                self.motor.advance(self._now)
                self.motor.shorted = value
            case "motor_hot", bool():
                self.motor.advance(self._now)
                self.motor.hot = value
            case "ambient", int() | float():
                self.ambient = float(value)
            case _:
                raise ValueError(f"there is no fault {what!r} with the value {value!r}")
        self._shine()

    def state(self) -> dict[str, Any]:
        """Everything that a test or a table may want to see."""
        return {
            "die": {"face": self.die.face, "zone": self.die.zone, "rolling": self.die.rests_at is not None},
            "places": self.deck.places() if self.deck else None,
            "layout": self.deck.layout if self.deck else None,
            "ticks": self._ticks,
            "cover": self.cover,
            "lamp": self.lamp,
            "switch": self.switch,
            "speed": round(self.motor.advance(self._now), 3),
            "faults": {"no_die": self.no_die, "motor_stall": self.motor.blocked, "ambient": self.ambient},
        }


def unit_of(seed: str) -> Unit:
    """The unit that this seed makes: the same one on every evening."""
    return Unit.of(Random(f"{seed}/unit"))  # noqa: S311 - physics, not secrets
