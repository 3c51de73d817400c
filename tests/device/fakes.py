"""A clock, a motor and the rest of a board, for the firmware's pure parts."""

import json
from pathlib import Path
from typing import Any

from eyecaptain.sight import fit, store
from eyecaptain.sight.fit import Face
from eyedeck.core import die

PERIOD = 1 << 30  # ticks_ms begins again here, as on a Pico


class Clock:
    """A clock that stands still unless told to go on; it is near its end, so that every test sees it wrap."""

    def __init__(self) -> None:
        self.ms = PERIOD - 824
        assert self.ms % 1000 == 0

    def ticks_ms(self) -> int:
        return self.ms % PERIOD

    def ticks_add(self, ticks: int, delta: int) -> int:
        assert 0 <= ticks < PERIOD
        return (ticks + delta) % PERIOD

    def ticks_diff(self, a: int, b: int) -> int:
        assert 0 <= a < PERIOD
        assert 0 <= b < PERIOD
        return (a - b + PERIOD // 2) % PERIOD - PERIOD // 2


class Motor:
    """A motor and its bridge."""

    def __init__(self) -> None:
        self.awake = False
        self.duty = 0

    @property
    def on(self) -> bool:
        return self.awake and self.duty != 0

    def off(self) -> None:
        self.awake = False
        self.duty = 0

    def wake(self) -> None:
        self.awake = True

    def drive(self, duty: int) -> None:
        assert -100 <= duty <= 100
        self.duty = duty


def palette() -> dict[str, list[int]]:
    """A calibration under which the fake sensor's faces have their colours: matt, evenly lit, about as bright as each other."""
    shares = {"red": (600, 220), "green": (250, 480), "blue": (180, 340), "yellow": (470, 360)}
    faces = []
    for name, parts in shares.items():
        red, green = (die.SHARE * part // 1000 for part in parts)
        points = [(red + wide, green - wide, die.ln(1994) + wide) for wide in (-20, 0, 20)]
        faces.append(Face(die.FACES.index(name), points))
    return {"exp": [21, 4], "dark": [0, 0, 0, 0], "white": [4096, 4096, 4096], **fit.values(faces)}


class Sensor:
    """A colour sensor that needs 57 ms for a conversion of 21 cycles."""

    ident = 0x44
    trouble: str | None = None

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.lit = False
        self.broken = False
        self.stuck = False
        self.on = (1200, 440, 360, 2000)  # red
        self.off = (2, 2, 2, 6)
        self.log: list[str] = []
        self.begun = clock.ms
        self.exposure = (0, 0)

    def _try(self, what: str) -> None:
        self.log.append(what)
        if self.broken:
            raise OSError(5)

    def setup(self) -> None:
        self._try("setup")

    def begin(self, light: bool) -> None:
        self._try("begin")
        self.lit = light
        self.begun = self.clock.ms

    def expose(self, cycles: int, gain: int) -> None:
        self.exposure = (cycles, gain)

    def ready(self) -> bool:
        self._try("ready")
        return not self.stuck and self.clock.ms - self.begun >= (self.exposure[0] + 1) * 2.6

    def read(self, counts: list[int]) -> None:
        self._try("read")
        counts[:] = self.on if self.lit else self.off

    def rest(self) -> None:
        self.lit = False
        self._try("rest")


class Switch:
    """The eye switch, already debounced."""

    def __init__(self) -> None:
        self.on = True
        self.changed = False

    def step(self, _now: int) -> bool:
        changed, self.changed = self.changed, False
        return changed

    def turn(self, on: bool) -> None:
        self.on, self.changed = on, True


class Bus:
    errors = 0
    clears = 0

    def clear(self) -> None:
        self.clears += 1


class Lights:
    def __init__(self) -> None:
        self.frame: list[tuple[int, int, int]] = []

    def show(self, frame: list[tuple[int, int, int]]) -> None:
        assert len(frame) == 6
        self.frame = frame


UID = "0011223344556677"


def calibrate(place: Path) -> str:
    """Put the fakes' calibration there; return the place as the firmware takes it."""
    place.write_text(json.dumps(store.on_board(UID, palette())))
    return str(place)


class Hardware:
    """All of it."""

    def __init__(self, clock: Clock) -> None:
        self.motor = Motor()
        self.sensor = Sensor(clock)
        self.switch = Switch()
        self.bus = Bus()
        self.lights = Lights()
        self.turning: Any = None
        self.driver_ok = 1
        self.uid = UID
        self.reset_cause = "power"
        self.resets = 0

    def fault(self) -> int:
        return self.driver_ok

    def reset(self) -> None:
        self.resets += 1
