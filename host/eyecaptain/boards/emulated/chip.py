"""The emulated chip's pins and buses, wired to the world as the simulated board's are."""

from collections.abc import Callable
from typing import Any

from eyecaptain.boards.simulated.wiring import (
    CHIPS,
    IN,
    INDEX,
    MOTOR_FAULT,
    MOTOR_IN1,
    MOTOR_IN2,
    MOTOR_SLEEP,
    OUT,
    PIXELS,
    SCL,
    SDA,
    SENSOR_LED,
    SHUNT_CHANNEL,
    SWITCH,
    Gpio,
    Wiring,
)

BYTE = 90_000  # nanoseconds of one byte on the bus: 9 clocks at 100 kHz
MOTOR_HERTZ = 20_000
OUTPUTS = (SENSOR_LED, MOTOR_SLEEP, *CHIPS)
INPUTS = (MOTOR_FAULT, INDEX, SWITCH)


class Chip:
    """A device of rp2040py that connects a chip with a wiring.

    :param look: is called whenever emulated time may have gone on, with the time in seconds.
    """

    def __init__(self, wiring: Wiring, look: Callable[[float], None]) -> None:
        self._wiring = wiring
        self._look = look
        self._out = bytearray()
        self._address = 0
        self._next: Callable[[], None] = lambda: None

    @property
    def now(self) -> float:
        """Seconds of the chip's own time."""
        return float(self._rp.clock.nanos) / 1e9

    def attach(self, rp2040: Any) -> None:
        """Connect; called once by rp2040py."""
        self._rp = rp2040
        self._alarm = rp2040.clock.create_alarm(self._step)
        for number in OUTPUTS:
            rp2040.gpio[number].add_listener(lambda new, _old, number=number: self._pin(number, new))
        for number in (SDA, SCL, *INPUTS):
            rp2040.gpio[number].set_input_value(True)
        self.refresh()
        self._watch_pwm(rp2040.pwm.channels[MOTOR_IN1 // 2 % 8])
        self._watch_adc(rp2040.adc)
        self._watch_bus(rp2040.i2c[0])
        self._watch_pixels(rp2040)

    def refresh(self) -> None:
        """Show the chip what its inputs are now."""
        for number in INPUTS:
            self._rp.gpio[number].set_input_value(bool(self._wiring.read_pin(self.now, number)))

    def _pin(self, number: int, state: Any) -> None:
        self._look(self.now)
        level = int(state.name == "HIGH")
        self._wiring.set_mode(self.now, number, Gpio(OUT if state.name in ("HIGH", "LOW") else IN, 0, level))

    def _watch_pwm(self, channel: Any) -> None:
        """The motor's two inputs are one slice."""
        write = channel.write_register
        before = [-1, -1]

        def written(offset: int, value: int) -> None:
            write(offset, value)
            self._look(self.now)
            top = channel.top + 1
            for side, number in enumerate((MOTOR_IN1, MOTOR_IN2)):
                share = min(1.0, (channel.cc >> 16 * side & 0xFFFF) / top) if channel.csr & 1 else 0.0
                duty = round(share * 65535)
                if duty != before[side]:
                    before[side] = duty
                    self._wiring.set_pwm(self.now, number, duty, MOTOR_HERTZ if channel.csr & 1 else 0)

        channel.write_register = written

    def _watch_adc(self, adc: Any) -> None:
        def read() -> int:
            return self._wiring.read_adc(self.now, SHUNT_CHANNEL) >> 4  # 16 bits are 12 on the chip

        class Values(list[int]):
            def __getitem__(self, channel: Any) -> Any:
                return read() if channel == SHUNT_CHANNEL else super().__getitem__(channel)

        adc.channel_values = Values(adc.channel_values)

    def _watch_pixels(self, rp2040: Any) -> None:
        from rp2040py.external.ws2812 import Ws2812  # noqa: PLC0415 - only on an emulated Pico

        def show(pixels: list[tuple[int, ...]]) -> None:
            self._wiring.shift_pixels(PIXELS, bytes(value for red, green, blue in pixels for value in (green, red, blue)))

        Ws2812(PIXELS, on_pixels=show).attach(rp2040)

    # The bus: each step takes as long as it does on a wire, and the chip asks for each byte.

    def _watch_bus(self, bus: Any) -> None:
        sensor = self._wiring.scene.sensor

        def flush() -> None:
            if self._out:
                self._look(self.now)
                sensor.write(self.now, bytes(self._out))
                self._out.clear()

        def start(_repeated: bool) -> None:
            flush()
            bus.complete_start()

        def connect(address: int, _mode: Any) -> None:
            self._address = address
            self._later(lambda: bus.complete_connect(self._acknowledges()))

        def write(value: int) -> None:
            self._out.append(value)
            self._later(lambda: bus.complete_write(True))

        def read(_acknowledged: bool) -> None:
            flush()
            self._look(self.now)
            value = sensor.read(self.now, 1)[0]
            self._later(lambda: bus.complete_read(value))

        def stop() -> None:
            flush()
            bus.complete_stop()

        bus.on_start, bus.on_connect, bus.on_write_byte, bus.on_read_byte, bus.on_stop = start, connect, write, read, stop

    def _acknowledges(self) -> bool:
        try:
            self._wiring.transfer(self.now, (SCL, SDA), self._address, b"", 0)
        except OSError:
            return False
        return True

    def _step(self) -> None:
        self._next()

    def _later(self, step: Callable[[], None]) -> None:
        self._next = step
        self._alarm.schedule(BYTE)
