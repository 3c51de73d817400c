"""`captain emulate`: one simulated board, its world and its control socket in one process and one loop."""

import os
import secrets
import selectors
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eyecaptain.boards.simulated import INSTALL, calibrated, content, interpreter, registry
from eyecaptain.boards.simulated.badline import BadLine
from eyecaptain.boards.simulated.console import Console
from eyecaptain.boards.simulated.control import Control
from eyecaptain.boards.simulated.faults import Faults
from eyecaptain.boards.simulated.operations import Operations
from eyecaptain.boards.simulated.pico import Pico
from eyecaptain.boards.simulated.record import Record
from eyecaptain.boards.simulated.wiring import Wiring
from eyecaptain.errors import NoBoard, UsageProblem
from eyecaptain.language import _
from eyecaptain.world.scene import Scene

# Seconds that an owned board goes on after its owner has gone, so that it can witness what the board does then.
OUTLIVES = 10.0
# Seconds that an interpreter may take to its first word.
START = 10.0
SERIAL_DIGITS = 16
# The board's file, in the root of its flash.
CALIBRATION = "cal.json"


@dataclass(frozen=True, slots=True)
class Options:
    """What `captain emulate` was asked for.

    :ivar seed: of the world; None: a new one.
    :ivar serial: the USB serial number, 16 hex digits; None: a new one.
    :ivar record: where to write what happens at the pins.
    :ivar pace: scales the seconds between two knocks of the eye.
    :ivar owned: end `OUTLIVES` seconds after the last connection to the control socket.
    :ivar source: another firmware than ours.
    :ivar flash: the file that is its flash; None: it lasts as long as the board.
    :ivar faults: how often each fault happens, of `faults.NAMES`.
    :ivar calibrated: begin with a calibration of this unit.
    """

    seed: str | None = None
    serial: str | None = None
    record: Path | None = None
    pace: float = 1.0
    owned: bool = False
    source: Path | None = None
    flash: Path | None = None
    faults: dict[str, float] = field(default_factory=dict)
    calibrated: bool = True


class Emulator:
    """One simulated board.

    :raises NoBoard: there is no MicroPython, or it is too old, or the board cannot be registered.
    :raises UsageProblem: an option cannot be used.
    """

    def __init__(self, options: Options) -> None:
        self.seed = options.seed or secrets.token_hex(4)
        serial = (options.serial or secrets.token_hex(SERIAL_DIGITS // 2)).upper()
        if len(serial) != SERIAL_DIGITS or set(serial) - set("0123456789ABCDEF"):
            raise UsageProblem(_("{serial} is no serial number of a Pico.").format(serial=serial), _("It has 16 hex digits."))
        start = interpreter.command()
        self._options = options
        self._place = registry.claim(serial)
        self._shown = False
        try:
            self._began = time.monotonic()
            self._selector = selectors.DefaultSelector()
            self.record = Record()
            if options.record is not None:
                self._start_record(options.record)
            self._scene = Scene(self.seed, options.pace)
            self._faults = Faults(self.seed, options.faults)
            self._wiring = Wiring(self._scene, self.record, self._faults)
            self._console = Console(self._place / "port", self._watch, self._port)
            self._control = Control(self._place / "control", self._watch, self._do)
            content.fill(self._place / "content", options.source)
            if options.calibrated:
                (self._place / "content" / CALIBRATION).write_text(calibrated.document(self.seed, serial), encoding="utf-8")
            self._line = BadLine(self._faults, self._type, self._console.write, self._happen)
            self._pico = Pico(
                start,
                options.flash or self._place / "flash",
                self._place / "content",
                uid=bytes.fromhex(serial),
                wiring=self._wiring,
                console=self._console,
                say=self._line.outward.take,
                record=self.record,
                watch=self._watch,
            )
            self._operations = Operations(
                self.seed,
                self._scene,
                self._wiring,
                self._pico,
                record=self.record,
                faults=self._faults,
                line=self._line,
            )
        except BaseException:
            registry.release(self._place)
            raise

    @property
    def met(self) -> dict[str, int]:
        """How often each fault has happened."""
        return self._faults.met

    # -- running --

    def start(self) -> None:
        """Switch the board on and wait until its interpreter has said that it runs; then show it to others.

        :raises NoBoard: it does not, or is too old.
        """
        self._pico.power_on(self._now())
        end = self._now() + START
        while self._pico.version is None:
            if self._now() > end or self._pico.boots > 1:
                said = self._pico.said.decode(errors="replace").strip().splitlines()
                words = (
                    _("The MicroPython that is installed here does not run: {said}")
                    if said
                    else _("The MicroPython that is installed here does not run.")
                )
                raise NoBoard(words.format(said=said[-1] if said else ""), _(INSTALL))
            self._turn(0.05)
        if self._pico.version < interpreter.OLDEST:
            have, need = (".".join(map(str, version)) for version in (self._pico.version, interpreter.OLDEST))
            raise NoBoard(
                _("The MicroPython that is installed here is {have}; {need} is needed.").format(have=have, need=need),
                _(INSTALL),
            )
        self._shown = True
        registry.register(self._place, self.entry)

    @property
    def entry(self) -> registry.Entry:
        """The board as others see it."""
        control, owned = str(self._place / "control"), self._options.owned
        return registry.Entry(str(self._console.path), control, self._pico.serial, os.getpid(), owned)

    def run(self) -> None:
        """Run until the owner has been gone for `OUTLIVES` seconds; without an owner, until interrupted."""
        alone_since = self._now()
        while True:
            if not self._options.owned or self._control.held:
                alone_since = self._now()
            elif self._now() >= alone_since + OUTLIVES:
                return
            self._turn(alone_since + OUTLIVES - self._now() if self._options.owned else None)

    def close(self) -> None:
        """End the board and remove what it left behind."""
        self._pico.power_off()
        self._control.close()
        self.record.stop()
        registry.release(self._place)

    def _now(self) -> float:
        return time.monotonic() - self._began

    def _turn(self, longest: float | None) -> None:
        """Wait for what happens next, and let it happen."""
        self._pico.refresh(self._now())
        times = [self._scene.due(), self._console.due(), self._pico.due(), self._line.due()]
        waits = [due - self._now() for due in times if due is not None]
        if longest is not None:
            waits.append(longest)
        wait = max(0.0, min(waits)) if waits else None
        ready = self._selector.select(wait)
        now = self.record.now = self._now()
        self._scene.advance(now)
        for key, _events in ready:
            self._serve(now, key.fd)
        self._console.wake(now)
        self._pico.wake(now)
        self._line.wake(now)
        news, self._scene.news = self._scene.news, []
        for event in news:
            self._control.tell(event)

    def _serve(self, now: float, descriptor: int) -> None:
        """One descriptor is ready. What was closed by an earlier one of the same turn is nobody's any more."""
        if descriptor == self._pico.line:
            self._pico.hear(now)
        elif descriptor == self._pico.terminal:
            self._pico.talk(now)
        elif descriptor == self._console.descriptor:
            if self._pico.takes_more:
                self._line.inward.take(now, self._console.read(now))
        elif self._control.owns(descriptor):
            self._control.wake(descriptor)

    def _type(self, now: float, data: bytes) -> None:
        del now
        self._pico.type(data)

    def _happen(self, now: float, fault: str) -> None:
        """A fault strikes that is not of the line alone."""
        self.record.write(fault=fault)
        self._pico.suffer(now, fault)

    def _watch(self, descriptor: int, read: bool, write: bool) -> None:
        """Wait for these on a descriptor from now on; for neither: forget it."""
        events = (selectors.EVENT_READ if read else 0) | (selectors.EVENT_WRITE if write else 0)
        known = self._selector.get_map().get(descriptor)
        if known is None:
            if events:
                self._selector.register(descriptor, events)
        elif not events:
            self._selector.unregister(descriptor)
        elif known.events != events:
            self._selector.modify(descriptor, events)

    def _do(self, request: dict[str, Any]) -> Any:
        """Carry out one request of the control socket, now."""
        now = self.record.now = self._now()
        self._scene.advance(now)
        return self._operations.do(now, request)

    def _port(self, what: str) -> None:
        """Tell others what has become of the port, as USB does."""
        self.record.write(port=what)
        if what in {"unplugged", "closed"}:
            self._line.clear()
        if self._shown and what == "plugged":
            registry.register(self._place, self.entry)
        elif what == "unplugged":
            registry.withdraw(self._place)

    def _start_record(self, path: Path) -> None:
        try:
            self.record.start(path)
            self.record.write(seed=self.seed, monotonic=self._began)
        except OSError as error:
            raise UsageProblem(_("{path} cannot be written: {error}.").format(path=path, error=error.strerror)) from None
