"""How the Pico's pins are wired to the chips, by the pin map of the build guide (GP numbers), and what the pins do."""

from dataclasses import dataclass

from eyecaptain.boards.simulated.faults import Faults
from eyecaptain.boards.simulated.record import Record
from eyecaptain.world.chips.drv8833 import ASLEEP, bridge
from eyecaptain.world.chips.tcs34725 import ADDRESS
from eyecaptain.world.chips.ws2812 import Ws2812
from eyecaptain.world.scene import Scene

SDA, SCL = 4, 5
SENSOR_LED = 6
CHIPS = (10, 11, 12, 13, 14, 15)
MOTOR_IN1, MOTOR_IN2, MOTOR_SLEEP, MOTOR_FAULT = 16, 17, 18, 19
INDEX = 20
SWITCH = 21
PIXELS = 22
SHUNT_CHANNEL = 0
PINS = 30

# Modes of a pin, as `machine.Pin` numbers them.
IN, OUT, OPEN_DRAIN = 0, 1, 2
# Resistors on the board: what an undriven pin reads.
PULLED_UP = {SDA, SCL, MOTOR_FAULT, SWITCH}

SHUNT_OHMS = 0.68
ADC_VOLTS = 3.3

EIO = 5  # what the chip's port raises when nobody acknowledges
ETIMEDOUT = 110  # ... and when the bus does not get free
LONGEST_HOLD = 9  # clocks that a chip in the middle of a byte wants at most, with the acknowledge


@dataclass(slots=True)
class Gpio:
    """What the chip does with one pin."""

    mode: int = IN
    pull: int = 0
    level: int = 0
    duty: int = 0  # of 65535
    frequency: int = 0  # hertz; 0: no PWM

    def driven(self) -> float | None:
        """The share of the time that the chip drives the pin high; None when it does not drive it."""
        if self.frequency:
            return self.duty / 65535
        if self.mode == OUT:
            return float(self.level)
        return 0.0 if self.mode == OPEN_DRAIN and not self.level else None


class Wiring:
    """One Pico on one deck."""

    def __init__(self, scene: Scene, record: Record, faults: Faults) -> None:
        self.scene = scene
        self._record = record
        self._gpio = [Gpio() for _ in range(PINS)]
        self.pixels = Ws2812(len(CHIPS))
        self._faults = faults
        self._held = 0  # clocks until the chip that holds SDA lets go
        self._blocked = False  # the motor, by a fault of this start
        self.motor_on = False
        self.motor_off_at = 0.0

    # -- what the firmware does --

    def set_mode(self, now: float, number: int, gpio: Gpio) -> None:
        """A pin is configured; that takes it away from PWM."""
        self._record.write(pin=number, mode=gpio.mode, level=gpio.level)
        self._gpio[number] = gpio
        self._apply(now, number)

    def set_level(self, now: float, number: int, level: int) -> None:
        """A pin is written. As on the chip, while PWM has the pin that shows only afterwards."""
        self._record.write(pin=number, level=level)
        pin = self._gpio[number]
        if number == SCL and pin.mode == OPEN_DRAIN and level > pin.level and self._held:
            self._held -= 1
        pin.level = level
        self._apply(now, number)

    def set_pwm(self, now: float, number: int, duty: int, frequency: int) -> None:
        """PWM on a pin is set, or ends (frequency 0)."""
        self._record.write(pwm=number, duty=duty, freq=frequency)
        pin = self._gpio[number]
        pin.mode, pin.duty, pin.frequency = OUT, duty, frequency
        if not frequency:
            pin.level = 0
        self._apply(now, number)

    def read_pin(self, now: float, number: int) -> int:
        """The level at a pin."""
        if number == INDEX:
            return int(self.scene.motor.index(now))
        if number == MOTOR_FAULT and self.scene.motor.fault:
            return 0
        if number == SWITCH:
            return 0 if self.scene.switch else 1  # closed to ground when it is on
        if number == SDA and self._held:
            return 0
        driven = self._gpio[number].driven()
        if driven is not None:
            return round(driven)
        return 1 if number in PULLED_UP or self._gpio[number].pull == 1 else 0

    def read_adc(self, now: float, channel: int) -> int:
        """An analogue input, 0 to 65535 for 0 to 3.3 V."""
        volts = self.scene.motor.current(now) * SHUNT_OHMS if channel == SHUNT_CHANNEL else 0.0
        return min(65535, round(volts / ADC_VOLTS * 65535))

    def transfer(self, now: float, pins: tuple[int, int], address: int, out: bytes | None, count: int) -> bytes:
        """One I2C transfer: a write (None: none), then a read of `count` bytes (0: none).

        :param pins: SCL and SDA.
        :raises OSError: nobody acknowledges the address, or SDA is held low.
        """
        self.scene.advance(now)
        fault = self._faults.strike("bus")
        if fault == "sda_stuck":
            self.stick(self._faults.chance("bus").randint(1, LONGEST_HOLD))
        if self._held:
            self._record.write(i2c=address, held=self._held)
            raise OSError(ETIMEDOUT, "SDA is held low")
        data = b""
        answers = pins == (SCL, SDA) and address == ADDRESS and fault != "i2c_nak"
        if answers:
            if out is not None:
                self.scene.sensor.write(now, out)
            if count:
                data = self.scene.sensor.read(now, count)
            data = self.scene.spoil(data)
        self._record.write(
            i2c=address,
            **({"w": out.hex()} if out is not None else {}),
            **({"r": data.hex()} if count else {}),
            **({} if answers else {"nak": True}),
        )
        if not answers:
            raise OSError(EIO, "no acknowledge")
        return data

    def shift_pixels(self, number: int, data: bytes) -> None:
        """A burst of WS2812 bits leaves a pin."""
        if number == PIXELS:
            self.pixels.shift(data)
            self._record.write(pixels=[bytes(pixel).hex() for pixel in self.pixels.pixels])

    # -- what the chip does of itself --

    def stick(self, clocks: int) -> None:
        """A chip was stopped in the middle of a byte: it holds SDA low until it has seen so many clocks."""
        self._held = clocks

    def power_cycle(self, now: float) -> None:
        """The supply was away: the chips forget what they were doing."""
        self._held = 0
        self.scene.power_on(now)

    def soft_reset(self, now: float) -> None:
        """The interpreter began anew: the PWM slices stop where they are, the GPIOs stay as they were."""
        for number, pin in enumerate(self._gpio):
            if pin.frequency:
                self._gpio[number] = Gpio(OUT, 0, round(pin.duty / 65535))
                self._apply(now, number)

    def hard_reset(self, now: float) -> None:
        """The chip began anew: all pins are inputs."""
        self._gpio = [Gpio() for _ in range(PINS)]
        for number in range(PINS):
            self._apply(now, number)

    def _apply(self, now: float, number: int) -> None:
        """What hangs on this pin follows it."""
        if number == SENSOR_LED:
            self.scene.light_lamp(now, self._high(number) > 0.5)
        elif number in {MOTOR_IN1, MOTOR_IN2, MOTOR_SLEEP}:
            self._drive(now)

    def _high(self, number: int) -> float:
        driven = self._gpio[number].driven()
        return float(number in PULLED_UP) if driven is None else driven

    def _drive(self, now: float) -> None:
        shares = bridge(self._high(MOTOR_IN1), self._high(MOTOR_IN2), self._high(MOTOR_SLEEP) > 0.5)
        if shares == self.scene.motor.bridge:
            return
        if shares.energised and not self.motor_on:
            self._start(now)
        self.scene.drive(now, shares)
        if self.motor_on and not shares.energised:
            self.motor_off_at = now
        self.motor_on = shares.energised
        self._record.write(motor=shares.energised, drive=round(shares.drive, 3), asleep=shares == ASLEEP)

    def _start(self, now: float) -> None:
        """The motor gets power: it may be stuck, until it is started once more."""
        blocked = self._faults.strike("motor") is not None
        if blocked or self._blocked:
            self.scene.advance(now)
            self.scene.disturb("motor_stall", blocked)
        self._blocked = blocked

    def state(self) -> dict[str, object]:
        """What the outputs do."""
        return {
            "motor": self.motor_on,
            "motor_off_at": round(self.motor_off_at, 6),
            "drive": round(self.scene.motor.bridge.drive, 3),
            "chips": [round(self._high(number), 3) for number in CHIPS],
            "pixels": [bytes(pixel).hex() for pixel in self.pixels.pixels],
        }
