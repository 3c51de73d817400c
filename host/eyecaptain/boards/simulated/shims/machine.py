"""What `machine` is on a Raspberry Pi Pico, as far as a board of ours needs it (MicroPython).

Each bus transfer, pin and PWM write goes to the world over `world_line`. Where the chip's port raises, this raises the same.
"""

import _thread
import gc
import select
import struct
import sys
import time

import micropython
import world_line

PWRON_RESET = 1
WDT_RESET = 3

_PINS = 30
_LED = 25
# The RP2040's watchdog (datasheet 4.7.6): bit 30 of CTRL says that it runs; the scratch registers are kept in every reset
# but power-on.
_WATCHDOG_CTRL = 0x40058000
_WATCHDOG_RUNS = 1 << 30
_SCRATCH = 0x4005800C
_SCRATCH_WORDS = 8
_LONGEST_WATCHDOG = 8388  # ms, RP2040

_cause, _uid, _scratch, _watched = None, None, None, False


def _start() -> None:
    """Fetch what the chip knows of itself; called once, by `start`."""
    global _cause, _uid, _scratch, _watched
    told = world_line.ask(ord("C"), b"")
    _cause, _watched, _uid = told[0], told[1], told[2:10]
    _scratch = list(struct.unpack("<8I", told[10:42]))


def reset_cause() -> int:
    """Why the chip last began anew; a soft reset leaves it as it was."""
    return _cause


def unique_id() -> bytes:
    """The eight bytes of the flash chip's number."""
    return _uid


def reset() -> None:
    """Begin anew, as after a watchdog reset."""
    world_line.note(ord("R"), 0, 0)
    world_line.hang()


def bootloader(timeout: int = 0) -> None:
    """Become a drive until a UF2 file is copied there."""
    world_line.note(ord("R"), 1, 0)
    world_line.hang()


def soft_reset() -> None:
    """Begin the interpreter anew."""
    raise SystemExit


def freq(hz: int | None = None) -> int | None:
    """The clock of the core in hertz."""
    return 125_000_000 if hz is None else None


def idle() -> None:
    """Wait for the next interrupt."""
    time.sleep_ms(1)


_masked = 0


def disable_irq() -> int:
    """Hold interrupts back; return what `enable_irq` wants."""
    global _masked
    before = _masked
    _masked = 1
    return before


def enable_irq(state: int = 0) -> None:
    """Let interrupts through again."""
    global _masked
    _masked = state
    _run_late()


class _Mem32:
    """The watchdog's registers, the only part of the chip's memory that there is here."""

    def _word(self, address: int) -> int:
        word, odd = divmod(address - _SCRATCH, 4)
        if odd or not 0 <= word < _SCRATCH_WORDS:
            raise ValueError("no such register on the simulated board")
        return word

    def __getitem__(self, address: int) -> int:
        if address == _WATCHDOG_CTRL:
            return _WATCHDOG_RUNS if _watched else 0
        return _scratch[self._word(address)]

    def __setitem__(self, address: int, value: int) -> None:
        word = self._word(address)
        _scratch[word] = value & 0xFFFFFFFF
        world_line.note(ord("S"), word, _scratch[word])


mem32 = _Mem32()


class Pin:
    """One GPIO."""

    IN, OUT, OPEN_DRAIN, ALT = 0, 1, 2, 3
    PULL_UP, PULL_DOWN = 1, 2
    IRQ_FALLING, IRQ_RISING = 4, 8
    _known = {}

    def __new__(cls, id: int | str, *args: object, **kwargs: object) -> "Pin":
        """As on the chip, one object for each pin."""
        if isinstance(id, Pin):
            id = id.number
        if id == "LED":
            id = _LED
        elif isinstance(id, str) and id[:2] == "GP":
            id = int(id[2:])
        if not isinstance(id, int) or not 0 <= id < _PINS:
            raise ValueError("invalid pin")
        self = cls._known.get(id)
        if self is None:
            self = cls._known[id] = object.__new__(cls)
            self.number = id
            self._mode = cls.IN
            self._pull = 0
            self._level = 0
        return self

    def __init__(self, id: int | str, mode: int = -1, pull: int | None = None, value: object = None, alt: int = 0) -> None:
        if mode != -1 or pull is not None or value is not None:
            self.init(mode, pull, value)

    def init(self, mode: int = -1, pull: int | None = None, value: object = None, alt: int = 0) -> None:
        """Set mode, pull and level. As on the chip, a pull that is not named is switched off."""
        if mode != -1:
            self._mode = mode
        self._pull = pull or 0
        if value is not None:
            self._level = 1 if value else 0
        world_line.note(ord("P"), self.number, self._mode | self._pull << 8, self._level)

    def value(self, x: object = None) -> int | None:
        """Read the level, or set it."""
        if x is None:
            return self._level if self._mode == Pin.OUT else world_line.ask_level(71, self.number)  # "G"
        self._level = 1 if x else 0
        world_line.note(ord("V"), self.number, self._level)

    def __call__(self, x: object = None) -> int | None:
        """As `value`."""
        return self.value(x)

    def on(self) -> None:
        """Drive high."""
        self.value(1)

    def off(self) -> None:
        """Drive low."""
        self.value(0)

    high = on
    low = off

    def toggle(self) -> None:
        """Drive the other level."""
        self.value(not self._level)

    def __repr__(self) -> str:
        return "Pin(GPIO%d)" % self.number


class PWM:
    """Pulse width modulation on one pin."""

    def __init__(self, dest: Pin | int, freq: int = 0, duty_u16: int = -1, duty_ns: int = -1, invert: bool = False) -> None:
        self._pin = dest if isinstance(dest, Pin) else Pin(dest)
        self._freq = 0
        self._duty = 0
        self.init(freq=freq, duty_u16=duty_u16, duty_ns=duty_ns)

    def init(self, freq: int = 0, duty_u16: int = -1, duty_ns: int = -1, invert: bool = False) -> None:
        """Set what is given."""
        if freq:
            self._check(freq)
            self._freq = freq
        if duty_u16 >= 0:
            self._duty = min(duty_u16, 65535)
        elif duty_ns >= 0:
            self._duty = self._of_ns(duty_ns)
        self._tell()

    def _check(self, freq: int) -> None:
        if freq < 8:  # 125 MHz / 16 bit / 8 bit
            raise ValueError("freq too small")

    def _of_ns(self, ns: int) -> int:
        return min(ns * self._freq * 65535 // 1_000_000_000, 65535)

    def _tell(self) -> None:
        if self._freq:
            world_line.note(ord("W"), self._pin.number, self._duty, self._freq)

    def deinit(self) -> None:
        """Stop; the pin stays at low."""
        self._freq = 0
        self._duty = 0
        world_line.note(ord("W"), self._pin.number, 0, 0)

    def freq(self, value: int | None = None) -> int | None:
        """Hertz."""
        if value is None:
            return self._freq
        self._check(value)
        self._freq = value
        self._tell()

    def duty_u16(self, value: int | None = None) -> int | None:
        """High share of the period, 0 to 65535."""
        if value is None:
            return self._duty
        self._duty = 0 if value < 0 else min(value, 65535)
        self._tell()

    def duty_ns(self, value: int | None = None) -> int | None:
        """High time in nanoseconds."""
        if value is None:
            return self._duty * 1_000_000_000 // (65535 * (self._freq or 1))
        self._duty = self._of_ns(value)
        self._tell()


class I2C:
    """A bus master."""

    def __init__(
        self, id: int = 0, scl: Pin | None = None, sda: Pin | None = None, freq: int = 400_000, timeout: int = 50_000
    ) -> None:
        self._scl = (scl or Pin(5)).number
        self._sda = (sda or Pin(4)).number

    def _transfer(self, addr: int, out: bytes, count: int) -> bytes:
        """Write `out` (None: no write), then after a repeated start read `count` bytes (0: no read)."""
        if count > world_line.DATA:
            raise ValueError("the simulated bus reads at most 256 bytes in a row")
        head = struct.pack("<BBBBH", self._scl, self._sda, addr, out is not None, count)
        return world_line.ask(ord("I"), head + (out or b""))

    def scan(self) -> list[int]:
        """The addresses that answer."""
        found = []
        for addr in range(0x08, 0x78):
            try:
                self._transfer(addr, b"", 0)
            except OSError:
                continue
            found.append(addr)
        return found

    def writeto(self, addr: int, buf: bytes, stop: bool = True) -> int:
        """Write; return how many bytes were acknowledged."""
        self._transfer(addr, bytes(buf), 0)
        return len(buf)

    def writevto(self, addr: int, vector: list[bytes], stop: bool = True) -> int:
        """Write several buffers as one transfer."""
        return self.writeto(addr, b"".join([bytes(part) for part in vector]))

    def readfrom(self, addr: int, nbytes: int, stop: bool = True) -> bytes:
        """Read."""
        return self._transfer(addr, None, nbytes)

    def readfrom_into(self, addr: int, buf: bytearray, stop: bool = True) -> None:
        """Read into a buffer."""
        buf[:] = self._transfer(addr, None, len(buf))

    def _register(self, memaddr: int, addrsize: int) -> bytes:
        return bytes([memaddr >> shift & 255 for shift in range(addrsize - 8, -1, -8)])

    def writeto_mem(self, addr: int, memaddr: int, buf: bytes, *, addrsize: int = 8) -> None:
        """Write to a register."""
        self._transfer(addr, self._register(memaddr, addrsize) + bytes(buf), 0)

    def readfrom_mem(self, addr: int, memaddr: int, nbytes: int, *, addrsize: int = 8) -> bytes:
        """Read from a register."""
        return self._transfer(addr, self._register(memaddr, addrsize), nbytes)

    def readfrom_mem_into(self, addr: int, memaddr: int, buf: bytearray, *, addrsize: int = 8) -> None:
        """Read from a register into a buffer."""
        buf[:] = self._transfer(addr, self._register(memaddr, addrsize), len(buf))


class SoftI2C(I2C):
    """The same by bit-banging."""

    def __init__(self, scl: Pin, sda: Pin, *, freq: int = 400_000, timeout: int = 50_000) -> None:
        I2C.__init__(self, 0, scl=scl, sda=sda)


class ADC:
    """One analogue input: GP26 to GP29, or channel 0 to 4."""

    CORE_TEMP = 4

    def __init__(self, id: Pin | int) -> None:
        number = id.number if isinstance(id, Pin) else id
        self._channel = number - 26 if 26 <= number < 30 else number
        if not 0 <= self._channel <= 4:
            raise ValueError("Pin doesn't have ADC capabilities")

    def read_u16(self) -> int:
        """0 to 65535 for 0 to 3.3 V."""
        return world_line.ask_level(65, self._channel)  # "A"


class Timer:
    """A timer whose callback runs in the main thread, also while that is blocked in a C read.

    `micropython.schedule` alone does not interrupt a blocking read. A thread that schedules the callback and then collects
    garbage does: the collector signals the main thread, the read returns early and pending callbacks run. The thread does
    nothing else, because this interpreter's threads share no lock.
    """

    ONE_SHOT, PERIODIC = 0, 1

    def __init__(self, id: int = -1, **how: object) -> None:
        if id != -1:
            raise ValueError("Timer doesn't exist")
        self._turn = 0
        self._callback = None
        if how:
            self.init(**how)

    def init(
        self, *, mode: int = PERIODIC, freq: float = -1, period: int = -1, callback: object = None, hard: bool = False
    ) -> None:
        """Start: `callback(timer)` every `period` milliseconds or `freq` times a second, or once."""
        self.deinit()
        self._period = max(1, int(1000 / freq) if freq > 0 else period)
        self._mode = mode
        self._callback = callback
        self._hard = hard
        self._due = False
        self._fire = self._run  # bound once: a hard callback may not allocate
        _timers.append(self)
        _thread.start_new_thread(_beat, (self, self._turn))

    def deinit(self) -> None:
        """Stop."""
        self._turn += 1
        self._callback = None
        if self in _timers:
            _timers.remove(self)

    def _run(self, _: object = None) -> None:
        if self._callback is None:
            return
        if world_line.busy or _masked:
            self._due = True
            return
        self._due = False
        callback = self._callback
        if self._mode == Timer.ONE_SHOT:
            self.deinit()
        world_line.begin_callback()
        try:
            if self._hard:
                micropython.heap_lock()
                try:
                    callback(self)
                finally:
                    micropython.heap_unlock()
            else:
                callback(self)
        except KeyboardInterrupt:
            world_line.interrupted = True
        except Exception as error:
            # As on the chip: report it, and let the timer go on only if the callback was a soft one.
            print("Uncaught exception in Timer callback")
            sys.print_exception(error)
            if self._hard:
                self.deinit()
        finally:
            world_line.end_callback()


_timers = []


def _beat(timer: Timer, turn: int) -> None:
    """The thread of one timer. `poll` with nothing to wait for sleeps in C; `sleep_ms` would wake up every millisecond."""
    nothing = select.poll()
    due = time.ticks_ms()
    while timer._turn == turn:
        due = time.ticks_add(due, timer._period)
        left = time.ticks_diff(due, time.ticks_ms())
        while left > 0:
            nothing.poll(left)
            left = time.ticks_diff(due, time.ticks_ms())
        if left < -timer._period:
            due = time.ticks_ms()
        if timer._turn != turn:
            return
        try:
            micropython.schedule(timer._fire, None)
        except RuntimeError:
            pass  # the queue is full: the next beat comes soon
        gc.collect()
        if timer._mode == Timer.ONE_SHOT:
            return


def _run_late() -> None:
    """Let the callbacks run that came while a message to the world was under way."""
    if _masked:
        return
    for timer in _timers:
        if timer._due:
            try:
                micropython.schedule(timer._fire, None)
            except RuntimeError:
                return  # the queue is full: the next beat comes soon
            timer._due = False


world_line.late = _run_late


class WDT:
    """The watchdog. It cannot be stopped, and goes on through a soft reset."""

    def __init__(self, id: int = 0, timeout: int = 5000) -> None:
        if id != 0:
            raise ValueError("WDT(%d) doesn't exist" % id)
        if not 1 <= timeout <= _LONGEST_WATCHDOG:
            raise ValueError("timeout exceeds %d" % _LONGEST_WATCHDOG)
        global _watched
        _watched = True
        world_line.note(ord("D"), 0, timeout)

    def feed(self) -> None:
        """Begin the wait anew."""
        world_line.note(ord("D"), 1, 0)


def bitstream(pin: Pin, encoding: int, timing: tuple[int, ...], buf: bytes) -> None:
    """Send bits to a row of pixels."""
    world_line.tell(ord("X"), bytes((pin.number,)) + bytes(buf))
