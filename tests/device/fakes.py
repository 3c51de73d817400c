"""A clock, a motor and the rest of a board, for the firmware's pure parts."""

from typing import Any

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


class Sensor:
    """A colour sensor that needs 57 ms for a conversion."""

    ident = 0x44

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.lit = False
        self.broken = False
        self.stuck = False
        self.on = (1200, 440, 360, 2000)  # red
        self.off = (2, 2, 2, 6)
        self.log: list[str] = []
        self.begun = clock.ms

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

    def ready(self) -> bool:
        self._try("ready")
        return not self.stuck and self.clock.ms - self.begun >= 57

    def read(self) -> tuple[int, int, int, int]:
        self._try("read")
        return self.on if self.lit else self.off

    def rest(self) -> None:
        self._try("rest")
        self.lit = False


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
        self.uid = "0011223344556677"
        self.reset_cause = "power"
        self.resets = 0

    def fault(self) -> int:
        return self.driver_ok

    def reset(self) -> None:
        self.resets += 1
