"""A TCS34725 colour sensor at the level of its registers (datasheet TAOS135, ams-OSRAM DS000425).

It converts in the world's time: whoever changes the light says so first (`expose`), so that a conversion during which
the lamp was switched is a mixture, as on the real part. Where the datasheet contradicts itself (table of integration
times) its formula holds.
"""

from collections.abc import Sequence
from math import pi, sin, sqrt
from random import Random

ADDRESS = 0x29

# Command byte (datasheet, command register): bit 7 always, bits 6:5 the type, bits 4:0 register or special function.
COMMAND = 0x80
TYPE_MASK = 0x60
TYPE_REPEAT = 0x00
TYPE_INCREMENT = 0x20
TYPE_SPECIAL = 0x60
FIELD_MASK = 0x1F
CLEAR_INTERRUPT = 0x06

ENABLE, ATIME, WTIME, AILT, AIHT, PERS, CONFIG, CONTROL, ID, STATUS, CDATA = (
    0x00, 0x01, 0x03, 0x04, 0x06, 0x0C, 0x0D, 0x0F, 0x12, 0x13, 0x14,
)  # fmt: skip
REGISTERS = 0x1C

PON, AEN, WEN, AIEN = 0x01, 0x02, 0x08, 0x10
AVALID, AINT = 0x01, 0x10
WLONG = 0x02

# What a write can change, by register; everything else is read only or reserved.
WRITABLE = {
    ENABLE: 0x1B,
    ATIME: 0xFF,
    WTIME: 0xFF,
    0x04: 0xFF,
    0x05: 0xFF,
    0x06: 0xFF,
    0x07: 0xFF,
    PERS: 0x0F,
    CONFIG: 0x02,
    CONTROL: 0x03,
}

STEP = 0.0024  # one integration or wait cycle in seconds, typical; 2.27 to 2.56 ms by part
GAINS = (1, 4, 16, 60)
COUNTS_A_STEP = 1024
LARGEST = 65535
LONG_WAIT = 12
SHOT_NOISE = 1 / 6  # our figure: 0.8 % at half of full scale with 50 ms
# APERS: how many results out of range in a row raise the interrupt (0: every result does).
PERSISTENCE = (0, 1, 2, 3, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60)

DARK = (0.0, 0.0, 0.0, 0.0)


class Tcs34725:
    """One sensor on the bus.

    :param rng: where its noise comes from.
    :param chip_id: what the ID register says: 0x44 for a TCS34725, 0x4D for a TCS34727, 0x10 for some clones.
    :param step: this part's cycle in seconds.
    :param gains: what this part's four gains really are.
    :param dark: counts that it reads without light at gain 60 and 100 ms.
    """

    def __init__(
        self, rng: Random, chip_id: int = 0x44, step: float = STEP, gains: Sequence[float] = GAINS, dark: float = 2.5
    ) -> None:
        self._rng = rng
        self._step = step
        self._gains = gains
        self._dark = dark
        self._chip_id = chip_id
        self._light: Sequence[float] = DARK
        self._ripple: Sequence[float] = DARK
        self._hertz = 0.0
        self.hints: set[str] = set()
        self.power_on(0.0)

    def power_on(self, now: float) -> None:
        """All registers as after power-on (datasheet, register set)."""
        self._registers = bytearray(REGISTERS)
        self._registers[ATIME] = self._registers[WTIME] = 0xFF
        self._registers[ID] = self._chip_id
        self._pointer = 0
        self._type = TYPE_REPEAT
        self._latched = 0
        self._latched_for = -1
        self._out_of_range = 0
        self._at = now
        self._awake_at = now
        self._phase_end = now
        self._integrating = False
        self._cycles = 1
        self._sums = [0.0, 0.0, 0.0, 0.0]

    @property
    def interrupt(self) -> bool:
        """Whether the INT pin is pulled low."""
        return bool(self._registers[STATUS] & AINT and self._registers[ENABLE] & AIEN)

    def expose(self, now: float, light: Sequence[float], ripple: Sequence[float] = DARK, hertz: float = 0.0) -> None:
        """From `now` on this light falls on the sensor.

        :param light: clear, red, green, blue, each in counts that one cycle yields at gain 1.
        :param ripple: how far each swings around that, as a sine of `hertz`, as lamps on the mains do.
        """
        self.advance(now)
        self._light = light
        self._ripple = ripple
        self._hertz = hertz

    def write(self, now: float, data: bytes) -> None:
        """One write transaction: a command byte and what goes into the registers that it names."""
        self.advance(now)
        if not data:
            return
        command = data[0]
        if not command & COMMAND:
            self.hints.add("a command byte without bit 7 was ignored")
            return
        self._type = command & TYPE_MASK
        if self._type == TYPE_SPECIAL:
            if command & FIELD_MASK == CLEAR_INTERRUPT:
                self._registers[STATUS] &= ~AINT
            return
        self._pointer = command & FIELD_MASK
        for value in data[1:]:
            self._store(now, self._pointer, value)
            self._step_pointer()

    def read(self, now: float, count: int) -> bytes:
        """One read transaction of `count` bytes, from the last addressed register on."""
        self.advance(now)
        result = bytearray()
        start = self._pointer
        if self._type == TYPE_REPEAT and count == 2 and start >= AILT:
            # The datasheet wants the auto-increment type here; the part answers a word read without it all the same.
            self.hints.add("a word was read without the auto-increment bit")
            return bytes((self._fetch(start), self._fetch(start + 1)))
        for _ in range(count):
            result.append(self._fetch(self._pointer))
            self._step_pointer()
        return bytes(result)

    def advance(self, now: float) -> None:
        """Let the converter run up to `now` (seconds of the world's clock)."""
        if not self._running():
            self._at = max(self._at, now)
            return
        self._skip_whole_cycles(now)
        while self._phase_end <= now:
            self._collect(self._phase_end)
            self._next_phase()
        self._collect(now)

    def _running(self) -> bool:
        return self._registers[ENABLE] & (PON | AEN) == PON | AEN

    def _step_pointer(self) -> None:
        if self._type == TYPE_INCREMENT:
            self._pointer = (self._pointer + 1) & FIELD_MASK

    def _fetch(self, register: int) -> int:
        if register >= REGISTERS:
            return 0
        if register >= CDATA:
            # Reading a low byte latches its high byte, so that the two belong to one result.
            if register % 2 == 0:
                self._latched, self._latched_for = self._registers[register + 1], register + 1
            elif register == self._latched_for:
                return self._latched
        return self._registers[register]

    def _store(self, now: float, register: int, value: int) -> None:
        mask = WRITABLE.get(register, 0)
        before = self._registers[register] if register < REGISTERS else 0
        if not mask:
            return
        self._registers[register] = value & mask
        if register == ENABLE:
            self._enabled(now, before, value & mask)

    def _enabled(self, now: float, before: int, after: int) -> None:
        """ENABLE was written: the oscillator needs 2.4 ms, the converter 2.4 ms more before it integrates."""
        if after & PON and not before & PON:
            self._awake_at = now + self._step
        was, runs = before & (PON | AEN) == PON | AEN, after & (PON | AEN) == PON | AEN
        if runs and not was:
            self._registers[STATUS] &= ~AVALID
            self._begin_initialisation(max(now, self._awake_at))
        elif not runs and was and not after & PON:
            self._registers[STATUS] &= ~AVALID

    def _begin_initialisation(self, start: float) -> None:
        self._at = start
        self._integrating = False
        self._phase_end = start + self._step

    def _begin_integration(self, start: float) -> None:
        # The time is taken over here; a new gain acts at once, so the running cycle becomes a mixture.
        self._cycles = 256 - self._registers[ATIME]
        self._sums = [0.0, 0.0, 0.0, 0.0]
        self._integrating = True
        self._phase_end = start + self._cycles * self._step

    def _next_phase(self) -> None:
        """The phase that ended at `_phase_end` is followed by the next one."""
        end = self._phase_end
        if not self._integrating:
            self._begin_integration(end)
            return
        self._publish()
        self._begin_initialisation(end + self._wait())

    def _wait(self) -> float:
        """Seconds between two conversions."""
        if not self._registers[ENABLE] & WEN:
            return 0.0
        long = LONG_WAIT if self._registers[CONFIG] & WLONG else 1
        return (256 - self._registers[WTIME]) * self._step * long

    def _skip_whole_cycles(self, now: float) -> None:
        """Leave out conversions that nobody can tell from the last ones: under one light, and long past."""
        whole = (1 + 256 - self._registers[ATIME]) * self._step + self._wait()
        skipped = int((now - self._phase_end) / whole) - 2
        if skipped > 0 and self._cycles == 256 - self._registers[ATIME]:
            self._at += skipped * whole
            self._phase_end += skipped * whole

    def _collect(self, until: float) -> None:
        """Integrate the present light up to `until`."""
        if until > self._at:
            if self._integrating:
                steps = (until - self._at) / self._step
                gain = self._gains[self._registers[CONTROL]]
                for channel, rate in enumerate(self._light):
                    self._sums[channel] += rate * steps * gain
                if self._hertz:
                    turn = pi * self._hertz
                    swing = sin(turn * (until + self._at)) * sin(turn * (until - self._at)) / turn / self._step
                    for channel, rate in enumerate(self._ripple):
                        self._sums[channel] += rate * swing * gain
            self._at = until

    def _publish(self) -> None:
        """A conversion is complete: noise, full scale, data registers, valid bit, interrupt."""
        full = min(LARGEST, COUNTS_A_STEP * self._cycles)
        gain = self._gains[self._registers[CONTROL]]
        # Dark: 0 to 5 counts at gain 60 and 100 ms (datasheet, operating characteristics).
        dark = self._dark * gain / 60 * self._cycles / 42
        for channel, total in enumerate(self._sums):
            noisy = total + dark + self._rng.gauss(0.0, 0.5 + sqrt(max(0.0, total) * gain) * SHOT_NOISE)
            counts = max(0, min(full, round(noisy)))
            offset = CDATA + 2 * channel
            self._registers[offset : offset + 2] = counts.to_bytes(2, "little")
        self._registers[STATUS] |= AVALID
        self._judge(int.from_bytes(self._registers[CDATA : CDATA + 2], "little"))

    def _judge(self, clear: int) -> None:
        """Raise the interrupt when clear has been out of its thresholds often enough in a row."""
        low = int.from_bytes(self._registers[AILT : AILT + 2], "little")
        high = int.from_bytes(self._registers[AIHT : AIHT + 2], "little")
        needed = PERSISTENCE[self._registers[PERS]]
        self._out_of_range = self._out_of_range + 1 if clear < low or clear > high else 0
        if needed == 0 or self._out_of_range >= needed:
            self._registers[STATUS] |= AINT
