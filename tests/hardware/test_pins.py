"""The pins: what an RP2040's can do, and that firmware, boot file, simulated board and wiring name the same ones."""

import ast
import re
import sys
from types import SimpleNamespace

import pytest

from eyecaptain.boards.simulated import wiring as simulated
from tools import checks, pins, rp2040
from tools.wiring import HERE, Wiring

DEVICE = HERE.parent / "device"
# RP2040 datasheet, 2.19.2, columns F3 (I2C) and F4 (PWM), GP0 to GP29, copied line by line.
F3 = "0sda 0scl 1sda 1scl " * 7 + "0sda 0scl"
F4 = "0A 0B 1A 1B 2A 2B 3A 3B 4A 4B 5A 5B 6A 6B 7A 7B 0A 0B 1A 1B 2A 2B 3A 3B 4A 4B 5A 5B 6A 6B"
ADC = {26: 0, 27: 1, 28: 2, 29: 3}


@pytest.fixture
def firmware(monkeypatch: pytest.MonkeyPatch) -> dict[str, int | tuple[int, ...]]:
    """The names in the firmware's pins.py and their values."""
    monkeypatch.setitem(sys.modules, "micropython", SimpleNamespace(const=lambda value: value))
    scope: dict[str, object] = {}
    exec((DEVICE / "eyedeck" / "pins.py").read_text(encoding="utf-8"), scope)
    return {name: value for name, value in scope.items() if name.isupper() and isinstance(value, int | tuple)}


def test_the_function_table_is_that_of_the_datasheet() -> None:
    for gpio, (i2c, pwm) in enumerate(zip(F3.split(), F4.split(), strict=True)):
        expected = {"gpio", "pio", f"i2c{i2c[0]} {i2c[1:]}", f"pwm {pwm.lower()}"}
        expected |= {f"adc{ADC[gpio]}"} if gpio in ADC else set()
        assert rp2040.abilities(gpio) == expected
    with pytest.raises(ValueError, match="no GP30"):
        rp2040.abilities(30)


def test_every_pin_of_the_firmware_is_in_the_netlist_and_the_other_way_round(
    wiring: Wiring, firmware: dict[str, int | tuple[int, ...]]
) -> None:
    wired: dict[str, list[int]] = {}
    for gpio, net in wiring.pico_nets():
        wired.setdefault(net.firmware, []).append(gpio)
    assert {name: (value,) if isinstance(value, int) else value for name, value in firmware.items()} == {
        name: tuple(numbers) for name, numbers in wired.items()
    }


def test_no_pin_of_the_firmware_is_used_twice_and_each_is_on_the_header(wiring: Wiring) -> None:
    numbers = [gpio for gpio, _ in wiring.pico_nets()]
    assert len(numbers) == len(set(numbers))
    assert not set(numbers) & set(rp2040.NOT_ON_HEADER)


def test_every_pin_can_do_what_the_firmware_asks_of_it(wiring: Wiring) -> None:
    for gpio, net in wiring.pico_nets():
        assert net.needs in rp2040.abilities(gpio), net.name


def test_the_needs_are_those_of_the_drivers(wiring: Wiring) -> None:
    """What hardware.py makes of each pin is what the wiring says that it must be able to do."""
    code = (DEVICE / "eyedeck" / "drivers" / "hardware.py").read_text(encoding="utf-8")
    needs = {net.firmware: net.needs for _, net in wiring.pico_nets()}
    assert "ADC(Pin(pins.MOTOR_SENSE))" in code
    assert needs["MOTOR_SENSE"] == "adc0"
    assert "Bus(0, pins.SDA, pins.SCL)" in code
    assert (needs["SDA"], needs["SCL"]) == ("i2c0 sda", "i2c0 scl")
    assert "Motor(Pin(pins.MOTOR_IN1), Pin(pins.MOTOR_IN2)" in code
    assert {needs["MOTOR_IN1"][:-1], needs["MOTOR_IN2"][:-1]} == {"pwm 0"}  # one slice


def test_the_generated_module_says_what_a_hand_would_write(wiring: Wiring) -> None:
    made = ast.parse(pins.render(wiring))
    assert ast.get_docstring(made)
    assert max(map(len, pins.render(wiring).splitlines())) <= 128


def test_the_first_statement_of_boot_holds_the_pin_that_lets_the_motor_sleep(wiring: Wiring) -> None:
    sleep = next(gpio for gpio, net in wiring.pico_nets() if net.firmware == "MOTOR_SLEEP")
    code = (DEVICE / "boot.py").read_text(encoding="utf-8")
    found = re.search(r"^Pin\((\d+), Pin.OUT, value=0\)$", code, re.MULTILINE)
    assert found
    assert int(found[1]) == sleep


def test_the_simulated_board_is_wired_like_the_real_one(wiring: Wiring) -> None:
    numbers = {net.firmware: gpio for gpio, net in wiring.pico_nets() if net.firmware != "CHIPS"}
    for name, gpio in numbers.items():
        assert getattr(simulated, name, gpio if name == "MOTOR_SENSE" else None) == gpio, name
    chips = tuple(gpio for gpio, net in wiring.pico_nets() if net.firmware == "CHIPS")
    assert chips == simulated.CHIPS
    assert numbers["MOTOR_SENSE"] - rp2040.FIRST_ADC == simulated.SHUNT_CHANNEL
    assert checks.ohms(wiring.parts["R9"].value) == simulated.SHUNT_OHMS


def test_what_the_simulated_board_pulls_up_has_a_resistor_to_3v3(wiring: Wiring) -> None:
    pulled = set()
    for part in wiring.parts.values():
        nets = [wiring.net_of(part.ref, pin) for pin in part.kind.pins] if part.kind.id == "resistor" else []
        if any(net and net.name == "3V3" for net in nets):
            pulled |= {wiring.gpio(net) for net in nets if net and net.name != "3V3"}
    assert pulled >= simulated.PULLED_UP
    assert pulled - simulated.PULLED_UP <= {20}  # the optional index


def test_what_must_be_off_at_reset_has_a_resistor_to_ground(wiring: Wiring) -> None:
    for name in ("MOTOR_SLEEP", "MOTOR_IN1", "MOTOR_IN2", "SENSOR_LED"):
        net = next(net for _, net in wiring.pico_nets() if net.firmware == name)
        resistors = [end.part for end in net.ends if wiring.parts[end.part].kind.id == "resistor"]
        others = {other.name for ref in resistors for pin in ("1", "2") if (other := wiring.net_of(ref, pin))}
        assert "GND" in others, name


def test_the_firmwares_pins_are_not_stale(wiring: Wiring) -> None:
    assert (DEVICE / "eyedeck" / "pins.py").read_text(encoding="utf-8") == pins.render(wiring), "run make hardware"
