"""A Pico made of an interpreter, a console and the wiring: resets, the REPL's modes, the watchdog, the line of the shims."""

import contextlib
import os
import struct
from collections.abc import Callable
from pathlib import Path

from eyecaptain.boards.simulated.bootloader import Bootloader
from eyecaptain.boards.simulated.console import Console
from eyecaptain.boards.simulated.interpreter import Interpreter
from eyecaptain.boards.simulated.record import Record
from eyecaptain.boards.simulated.wiring import EIO, PINS, Gpio, Wiring

POWER_ON, WATCHDOG = 1, 3  # of machine.reset_cause()
# Seconds that the port is away after a hard reset (USB enumeration).
REPLUG = 0.25
# Seconds that a board is pulled out when nobody says for how long.
AWAY = 0.5
# An interpreter that ends sooner than this after its start is begun anew only after as long a pause.
BREATH = 0.2

RAW_REPL = b"raw REPL; CTRL-B to exit\r\n"
FRIENDLY_REPL = b'Type "help()" for more information.\r\n'
BANNER = b"MicroPython "
CTRL_A, CTRL_C = b"\x01", b"\x03"
# The unix port raises KeyboardInterrupt in the signal's own handler, wherever that comes. So a signal is sent while the main
# thread sleeps, or after so many seconds if it never does, and not in a timer's callback; how often to look. A program that
# never sleeps and keeps allocating may be met in the midst of a collection: its heap stays locked then, unlike a chip's.
ASLEEP, TRY = 0.1, 0.001
# Seconds that a program then has to come to its end.
INTERRUPT = 2.0
# Bytes of its last words that are kept, for the REPL's mode and for error messages.
REMEMBERED = 400

# Answers on the shims' line have this many bytes (shims/world_line.py).
REPLY = 260


class Pico:
    """The board.

    :param start: how to start the interpreter, of `interpreter.command`.
    :param flash, content: as of `Interpreter`.
    :param uid: eight bytes, `machine.unique_id()` and the USB serial number.
    :param say: says something at the console.
    :param watch: as of `Console`.
    """

    def __init__(
        self,
        start: list[str],
        flash: Path,
        content: Path,
        *,
        uid: bytes,
        wiring: Wiring,
        console: Console,
        say: Callable[[float, bytes], None],
        record: Record,
        watch: Callable[[int, bool, bool], None],
    ) -> None:
        self._start = start
        self._flash = flash
        self._content = content
        self._uid = uid
        self._wiring = wiring
        self._console = console
        self._say = say
        self._record = record
        self._watch = watch
        self.version: tuple[int, ...] | None = None
        self.boots = 0
        self.said = b""  # the last of what it said, for an error message
        self.cause = POWER_ON
        self._scratch = [0] * 8
        self._watchdog: tuple[float, float] | None = None  # timeout and when it ends
        self._raw = False
        self._hidden: bytes | None = None  # what a soft reset in raw mode said so far
        self._reset_cause: int | None = None
        self._plug_at: float | None = None
        self._begin_at: float | None = None
        self._interpreter: Interpreter | None = None
        self._began = 0.0
        self._drive = Bootloader(content.with_name("drive"))
        self._input = b""
        self._ready = False  # it listens: boot.py begins
        self._in_callback = False  # of a timer, which Ctrl-C does not interrupt
        self._interrupt_by: float | None = None  # when to deliver a Ctrl-C at the latest
        self._try_at: float | None = None  # when to look next whether it can be delivered
        self._interrupted_until: float | None = None
        self._heard = b""

    # -- from outside --

    def power_on(self, now: float) -> None:
        """The board is plugged in."""
        self._begin(now)
        self._console.plug(now)

    def power_off(self) -> None:
        """The board is pulled out."""
        if self._interpreter is not None:
            self._interpreter.kill()
            self._end()
        self._console.unplug()

    def reset(self, now: float, cause: int = WATCHDOG) -> None:
        """Begin anew at once, as the watchdog does it."""
        if self._interpreter is not None:
            self._reset_cause = cause
            self._interpreter.kill()  # its end tells the rest
        else:
            self._hard_reset(now, cause)

    def unplug(self, now: float, seconds: float, name: str | None = None, *, powered: bool = False) -> None:
        """Pull the board out and plug it in again, under another name when one is given.

        :param powered: it has power from elsewhere, and goes on.
        """
        self._console.unplug()
        if name is not None:
            self._console.path = self._console.path.with_name(name)
        self._plug_at = now + seconds
        if not powered:
            self.reset(now, POWER_ON)

    def hang(self) -> None:
        """The chip stops in its tracks, interrupts and all: its outputs stay as they are until the watchdog bites."""
        if self._interpreter is not None:
            self._interpreter.freeze()

    def suffer(self, now: float, fault: str) -> None:
        """One of the faults `unplug kill reboot`."""
        match fault:
            case "unplug":
                self.unplug(now, AWAY)
            case "kill":
                self.hang()
            case "reboot":
                self.reset(now)

    @property
    def serial(self) -> str:
        """The USB serial number."""
        return self._uid.hex().upper()

    @property
    def terminal(self) -> int | None:
        """The descriptor of the interpreter's terminal."""
        return self._interpreter.terminal if self._interpreter else None

    @property
    def line(self) -> int | None:
        """The descriptor of the shims' line."""
        return self._interpreter.line.fileno() if self._interpreter else None

    def due(self) -> float | None:
        """When `wake` has something to do."""
        times = [self._plug_at, self._begin_at, self._try_at, self._interrupted_until, self._drive.look_at]
        if self._watchdog is not None:
            times.append(self._watchdog[1])
        return min((time for time in times if time is not None), default=None)

    def wake(self, now: float) -> None:
        """The watchdog, and what comes back after a reset."""
        if self._starved(now):
            self._hear(now)  # what it said in the meantime comes first
        if self._starved(now):
            self._watchdog = None
            self._record.write(watchdog="bites")
            self.reset(now)
        if self._drive.done(now):
            self._begin_at = self._plug_at = now
        if self._begin_at is not None and now >= self._begin_at:
            self._begin(now)
        if self._plug_at is not None and now >= self._plug_at:
            self._plug_at = None
            self._console.plug(now)

    def type(self, data: bytes) -> None:
        """Bytes arrive at the console."""
        if data:
            self._record.write(heard=len(data))
        self._input += data

    @property
    def takes_more(self) -> bool:
        """Whether the console's buffer has room."""
        return not self._input

    # -- from the interpreter --

    def talk(self, now: float) -> None:
        """Its terminal has something to read."""
        if self._interpreter is None:
            return
        try:
            data = os.read(self._interpreter.terminal, 4096)
        except BlockingIOError:
            return
        except OSError:  # EIO: it has ended
            data = b""
        if data:
            self._said(now, data)
        else:
            self._ended(now)

    def refresh(self, now: float) -> None:
        """Hand on what was typed, and say what to wait for: the buffers are small, and each side waits for the other."""
        self._feed(now)
        if self._interpreter is not None:
            holds = (self._interrupt_by, self._interrupted_until, self._hidden)
            types = bool(self._input) and self._ready and all(hold is None for hold in holds)
            self._watch(self._interpreter.terminal, self._console.takes_more, types)

    def hear(self, now: float) -> None:
        """The shims' line has something to read."""
        if not self._hear(now) and self._interpreter is not None:
            # The line ends with the process; its terminal tells the rest.
            self._watch(self._interpreter.line.fileno(), False, False)

    # -- inside --

    def _begin(self, now: float) -> None:
        self._begin_at = None
        self._began = now
        self.boots += 1
        self._heard = b""
        self._hidden = b"" if self._raw else None
        self._interpreter = Interpreter(self._start, self._flash, self._content, self._raw)
        self._watch(self._interpreter.line.fileno(), True, False)

    def _end(self) -> int:
        assert self._interpreter is not None
        self._watch(self._interpreter.terminal, False, False)
        self._watch(self._interpreter.line.fileno(), False, False)
        code = self._interpreter.wait()
        self._interpreter, self._ready, self._in_callback = None, False, False
        self._interrupt_by = self._try_at = self._interrupted_until = None
        return code

    def _ended(self, now: float) -> None:
        """The interpreter has ended: a soft reset, unless somebody asked for more or it crashed."""
        self._hear(now)
        code = self._end()
        cause = WATCHDOG if self._reset_cause is None and code < 0 else self._reset_cause
        self._reset_cause = None
        if cause is None:
            self._record.write(reset="soft")
            self._say(now, b"MPY: soft reboot\r\n")
            self._wiring.soft_reset(now)
        else:
            self._hard_reset(now, cause)
        if now - self._began < BREATH:
            self._begin_at = now + BREATH
        else:
            self._begin(now)

    def _hard_reset(self, now: float, cause: int) -> None:
        self._record.write(reset="power" if cause == POWER_ON else "watchdog")
        self.cause = cause
        if cause == POWER_ON:
            self._scratch = [0] * 8
            self._wiring.power_cycle(now)
        self._watchdog = None
        self._raw = False
        self._input = b""
        self._wiring.hard_reset(now)
        self._console.unplug()
        if self._plug_at is None:
            self._plug_at = now + REPLUG

    def _feed(self, now: float) -> None:
        """Hand on what was typed, as far as the interpreter takes it."""
        if self._interpreter is None or self._hidden is not None or not self._ready:
            return
        if self._interrupt_by is not None or self._interrupted_until is not None:
            if self._interpreter.runs_program and not self._interrupted(now):
                return
            self._interrupt_by = self._try_at = self._interrupted_until = None
        if not self._input:
            return
        end = self._input.find(CTRL_C) + 1 if self._interpreter.runs_program else 0
        if end:
            # As on the chip, what was typed before it and not yet read is gone.
            self._input = self._input[end:].lstrip(CTRL_C)
            self._interrupt_by = now + ASLEEP
            self._feed(now)
        else:
            self._input = self._input[self._interpreter.type(self._input) :]

    def _interrupted(self, now: float) -> bool:
        """Deliver Ctrl-C; then wait for the program's end, because the REPL forgets what was typed when it takes over.

        A program that goes on gets what is typed next when that wait is over.
        """
        assert self._interpreter is not None
        if self._interrupt_by is not None:
            self._hear(now)
            wait = self._in_callback or not self._interpreter.asleep
            if wait and now < self._interrupt_by + (ASLEEP if self._in_callback else 0.0):
                self._try_at = now + TRY
                return False
            self._interpreter.interrupt()
            self._interrupt_by, self._try_at = None, None
            self._interrupted_until = now + INTERRUPT
        return self._interrupted_until is not None and now >= self._interrupted_until

    def _said(self, now: float, data: bytes) -> None:
        """Hand on what it said, and learn from it which mode its REPL is in."""
        if self._hidden is not None:
            data = self._unhide(data)
        if data:
            self._record.write(said=data.decode("latin-1"))
        self._say(now, data)
        self.said = (self.said + data)[-REMEMBERED:]
        raw, friendly = self.said.rfind(RAW_REPL), self.said.rfind(FRIENDLY_REPL)
        if raw != friendly:
            self._raw = raw > friendly

    def _unhide(self, data: bytes) -> bytes:
        """After a soft reset in raw mode the REPL is taken to raw mode again; return what of all that the port's reader sees.

        That is what boot.py prints and then the raw REPL's own line, but not the friendly REPL between them.
        """
        assert self._hidden is not None
        assert self._interpreter is not None
        before, self._hidden = self._hidden, self._hidden + data
        if RAW_REPL in self._hidden:
            shown = self._hidden[self._hidden.rfind(RAW_REPL) :]
            self._hidden = None
            return shown
        if FRIENDLY_REPL in self._hidden and FRIENDLY_REPL not in before:
            self._interpreter.type(CTRL_A)
            return self._hidden[: self._hidden.rfind(BANNER)]
        return b""

    # -- the shims' line --

    def _hear(self, now: float) -> bool:
        """Read and act on what the shims say; False at its end."""
        if self._interpreter is None:
            return False
        alive = True
        try:
            data = self._interpreter.line.recv(65536)
            alive = bool(data)
            self._heard += data
        except BlockingIOError:
            pass
        except OSError:
            alive = False
        while len(self._heard) >= 4:
            kind, number, length = struct.unpack_from("<cBH", self._heard)
            if len(self._heard) < 4 + length:
                break
            body, self._heard = self._heard[4 : 4 + length], self._heard[4 + length :]
            self._do(now, kind, number, body)
        return alive

    def _do(self, now: float, kind: bytes, number: int, body: bytes) -> None:
        match kind:
            case b"P":
                pin, how, level = struct.unpack("<HII", body)
                self._wiring.set_mode(now, pin % PINS, Gpio(how & 255, how >> 8, level))
            case b"V":
                pin, level, _ = struct.unpack("<HII", body)
                self._wiring.set_level(now, pin % PINS, level)
            case b"W":
                pin, duty, frequency = struct.unpack("<HII", body)
                self._wiring.set_pwm(now, pin % PINS, duty, frequency)
            case b"I":
                scl, sda, address, writes, count = struct.unpack_from("<BBBBH", body)
                try:
                    data = self._wiring.transfer(now, (scl, sda), address, body[6:] if writes else None, count)
                except OSError as error:
                    self._answer(number, b"", error.errno or EIO)
                else:
                    self._answer(number, data)
            case b"G":
                self._answer(number, struct.pack("<H", self._wiring.read_pin(now, body[0] % PINS)))
            case b"A":
                self._answer(number, struct.pack("<H", self._wiring.read_adc(now, body[0])))
            case b"X":
                self._wiring.shift_pixels(body[0], body[1:])
            case b"F":
                self._wrote(body)
            case b"D":
                self._watch_over(now, *struct.unpack("<HII", body)[:2])
            case b"S":
                word, value, _ = struct.unpack("<HII", body)
                self._scratch[word % 8] = value
            case b"C":
                fixed = bytes((self.cause, self._watchdog is not None)) + self._uid
                self._answer(number, fixed + struct.pack("<8I", *self._scratch))
            case b"B":
                self.version = tuple(body)
                self._ready = True
            case b"T":
                self._in_callback = bool(body[0])
            case b"K":
                self._interrupt_by = now + ASLEEP
            case b"R" if body[0]:
                self._become_drive(now)
            case b"R":
                self.reset(now)

    def _wrote(self, body: bytes) -> None:
        """A write to the flash; without data: an erased block."""
        block, offset = struct.unpack_from("<HH", body)
        self._record.write(flash=block, at=offset, data=body[4:].hex())

    def _become_drive(self, now: float) -> None:
        """The chip's own bootloader runs instead of MicroPython, and appears as a drive."""
        self.power_off()
        self._watchdog, self._raw, self._input = None, False, b""
        self._wiring.hard_reset(now)
        self._record.write(reset="bootloader")
        self._drive.appear(now)

    def _starved(self, now: float) -> bool:
        return self._watchdog is not None and now >= self._watchdog[1]

    def _watch_over(self, now: float, feeds: int, milliseconds: int) -> None:
        """The watchdog is set up, or fed."""
        if not feeds:
            self._watchdog = (milliseconds / 1000, now + milliseconds / 1000)
        elif self._watchdog is not None:
            self._watchdog = (self._watchdog[0], now + self._watchdog[0])

    def _answer(self, number: int, data: bytes, error: int = 0) -> None:
        assert self._interpreter is not None
        reply = struct.pack("<BBH", number, error, len(data)) + data
        # 260 bytes always fit: the shim waits for each answer before it asks again. It may have ended since it asked.
        with contextlib.suppress(OSError):
            self._interpreter.line.send(reply.ljust(REPLY, b"\0"))
