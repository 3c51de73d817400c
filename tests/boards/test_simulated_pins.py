"""The simulated Pico's pins and buses: what a firmware does there reaches the world, and the record witnesses it."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from boards.conftest import Start
from boards.line import Line
from eyecaptain.boards.simulated.launcher import SimulatedBoard

# Code comes line by line and is run; what it prints ends with a full stop on a line of its own.
SHELL = """
import sys, time, machine, micropython, neopixel
from machine import Pin, PWM, I2C, ADC, Timer
while True:
    try:
        exec(sys.stdin.readline())
    except Exception as error:
        print(repr(error))
    print(".")
"""


class Shell:
    """A board that runs what it is told."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.line = Line(board.entry.port)

    def run(self, code: str) -> str:
        self.line.write(code.encode() + b"\n")
        return self.line.until(b".\n").decode().strip()

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.board.control.ask("state")
        return state


def lines(record: Path, key: str) -> list[dict[str, Any]]:
    read = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line["t"] for line in read] == sorted(line["t"] for line in read)
    return [line for line in read if key in line]


def test_levels(start: Start) -> None:
    shell = Shell(start(SHELL))
    assert (
        shell.run("Pin(10, Pin.OUT, value=1); a = Pin(11, Pin.OUT); a.on(); b = Pin('GP12', Pin.OUT); b.toggle(); b.toggle()")
        == ""
    )
    assert shell.state()["chips"] == [1, 1, 0, 0, 0, 0]
    assert shell.run("PWM(Pin(13), freq=1000, duty_u16=32768)") == ""
    assert shell.state()["chips"][3] == 0.5
    assert (
        shell.run("print(a.value(), Pin(19, Pin.IN).value(), Pin(3, Pin.IN, Pin.PULL_UP).value(), Pin(3, Pin.IN).value())")
        == "1 1 1 0"
    )
    assert shell.run("print(Pin(21, Pin.IN, Pin.PULL_UP).value())") == "0"
    shell.board.control.ask("switch", on=False)
    assert shell.run("print(Pin(21).value())") == "1"
    assert shell.run("Pin(99)") == "ValueError('invalid pin',)"
    assert shell.run("print(Pin(10) is Pin('GP10'), Pin('LED'))") == "True Pin(GPIO25)"


def test_the_motor_and_its_record(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "record"
    shell = Shell(start(SHELL, record=record))
    shell.run("one, two = PWM(Pin(16), freq=20000, duty_u16=0), PWM(Pin(17), freq=20000, duty_u16=0)")
    shell.run("sleep = Pin(18, Pin.OUT, value=0)")
    shell.run("one.duty_u16(65535); two.duty_u16(26214)")
    assert not shell.state()["motor"]  # asleep
    shell.run("sleep.on()")
    state = shell.state()
    assert state["motor"]
    assert state["drive"] == 0.6
    time.sleep(0.4)
    assert shell.state()["speed"] > 0.5
    assert 0.02 < int(shell.run("print(ADC(26).read_u16())")) / 65535 * 3.3 / 0.68 < 0.1  # amperes, turning freely
    shell.board.control.ask("fault", what="motor_stall")
    assert int(shell.run("print(ADC(Pin(26)).read_u16())")) / 65535 * 3.3 / 0.68 > 0.15
    assert shell.state()["speed"] == 0.0
    shell.run("one.duty_u16(0); two.duty_u16(0)")
    state = shell.state()
    assert not state["motor"]
    assert lines(record, "monotonic")[0]["t"] == 0
    assert [line["port"] for line in lines(record, "port")] == ["plugged", "opened"]
    assert lines(record, "heard")[-1]["t"] < state["t"]
    motor = lines(record, "motor")
    assert [line["motor"] for line in motor if line["drive"] in (0.6, 0.0)] == [True, False] or motor[-1]["motor"] is False
    assert motor[-1]["t"] == state["motor_off_at"]


def test_a_soft_reset_freezes_pwm_and_a_hard_one_lets_go_of_all_pins(start: Start) -> None:
    shell = Shell(start(SHELL))
    shell.run("Pin(18, Pin.OUT, value=1); Pin(10, Pin.OUT, value=1); PWM(Pin(16), freq=20000, duty_u16=60000)")
    shell.run("PWM(Pin(17), freq=20000, duty_u16=10000)")
    shell.line.write(b"raise SystemExit\n")
    shell.line.until(b"soft reboot")
    state = shell.state()
    assert (state["motor"], state["drive"], state["chips"][0]) == (True, 1, 1)
    shell.board.control.ask("fault", what="reboot")
    time.sleep(0.1)
    state = shell.state()
    assert (state["motor"], state["drive"], state["chips"][0]) == (False, 0, 0)


def test_the_bus(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "record"
    shell = Shell(start(SHELL, record=record))
    shell.run("bus = I2C(0, scl=Pin(5), sda=Pin(4), freq=100000, timeout=10000)")
    assert shell.run("print(bus.scan())") == "[41]"
    assert shell.run("print(bus.readfrom_mem(0x29, 0x92, 1))") == "b'D'"
    assert (
        shell.run("data = bytearray(3); bus.readfrom_mem_into(0x29, 0xA0, data); print(data)")
        == "bytearray(b'\\x00\\xff\\x00')"
    )
    assert (
        shell.run("bus.writeto_mem(0x29, 0xA1, b'\\xeb\\x00'); print(bus.writeto(0x29, b'\\xA1'), bus.readfrom(0x29, 2))")
        == "1 b'\\xeb\\x00'"
    )
    assert lines(record, "i2c")[-1] == {"t": lines(record, "i2c")[-1]["t"], "i2c": 41, "r": "eb00"}
    assert shell.run("bus.readfrom(0x30, 1)") == "OSError(5,)"
    assert shell.run("I2C(0, scl=Pin(9), sda=Pin(8)).readfrom(0x29, 1)") == "OSError(5,)"
    shell.board.control.ask("fault", what="i2c_nak")
    assert shell.run("bus.readfrom(0x29, 1)") == "OSError(5,)"
    shell.board.control.ask("fault", what="i2c_nak", value=False)
    assert shell.run("print(bus.readfrom_mem(0x29, 0x92, 1))") == "b'D'"


# One conversion of 50.4 ms with gain 4.
READ = (
    "bus = I2C(0); put = lambda register, value: bus.writeto_mem(0x29, 0x80 | register, bytes([value]));"
    " put(1, 0xEB); put(0x0F, 1); put(0, 0); put(0, 1); time.sleep_ms(3); put(0, 3); time.sleep_ms(70);"
    " data = bus.readfrom_mem(0x29, 0xB4, 8); print([data[n] | data[n + 1] << 8 for n in range(0, 8, 2)])"
)


def test_the_sensor_sees_the_die_and_its_lamp(start: Start) -> None:
    shell = Shell(start(SHELL, seed="5eed"))

    def read() -> list[int]:
        counts: list[int] = json.loads(shell.run(READ))
        return counts

    shell.run("lamp = Pin(6, Pin.OUT, value=0)")
    assert read()[0] < 50
    shell.run("lamp.on()")
    brightest = {}
    for color in ("red", "green", "blue"):
        shell.board.control.ask("face", color=color)
        clear, *rgb = read()
        assert clear > 500
        brightest[color] = ("red", "green", "blue")[rgb.index(max(rgb))]
    assert brightest == {color: color for color in brightest}
    shell.board.control.ask("fault", what="no_die")
    lit = read()[0]
    shell.run("lamp.off()")
    assert lit - read()[0] < 250
    shell.board.control.ask("fault", what="ambient", value=2000)
    assert read()[0] == 21504


def test_pixels(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "record"
    shell = Shell(start(SHELL, record=record))
    shell.run("row = neopixel.NeoPixel(Pin(22), 6); row[0] = (1, 2, 3); row[-1] = (255, 0, 9); row.write()")
    shown = ["010203", "000000", "000000", "000000", "000000", "ff0009"]
    assert shell.state()["pixels"] == shown
    assert lines(record, "pixels")[-1]["pixels"] == shown
    assert shell.run("print(row[5], len(row)); row.fill((7, 7, 7)); row.write()") == "(255, 0, 9) 6"
    assert shell.state()["pixels"] == ["070707"] * 6


def test_timers_run_while_the_program_is_blocked_and_a_hard_one_may_not_allocate(start: Start) -> None:
    shell = Shell(start(SHELL))
    shell.run("count = [0]")
    shell.run("def tick(_): count[0] += 1")
    shell.run("timer = Timer(period=20, mode=Timer.PERIODIC, callback=tick, hard=True)")
    first = int(shell.run("print(count[0])"))
    time.sleep(1.0)  # blocked in readline
    ticks = int(shell.run("print(count[0]); timer.deinit()")) - first
    assert 40 <= ticks <= 60
    assert shell.run("before = count[0]; time.sleep_ms(100); print(count[0] - before)") == "0"
    shell.run("def greedy(_): bytearray(100)")
    said = shell.run("timer.init(period=10, callback=greedy, hard=True); time.sleep_ms(100)")
    assert said.count("Uncaught exception in Timer callback") == 1
    assert "MemoryError" in said
    shell.run("shots = []")
    shell.run("Timer(period=10, mode=Timer.ONE_SHOT, callback=shots.append); time.sleep_ms(100)")
    assert shell.run("print(len(shots))") == "1"


def test_a_hard_timer_that_asks_the_world_does_not_disturb_a_transfer(start: Start) -> None:
    shell = Shell(start(SHELL))
    shell.run("adc, pin, bus, bad, fired = ADC(26), Pin(19, Pin.IN), I2C(0), [], [0]")
    shell.run("def ask(_): fired[0] += 1; adc.read_u16(); pin.value()")
    shell.run("timer = Timer(period=1, callback=ask, hard=True)")
    shell.run("for n in range(5000): bus.readfrom_mem(0x29, 0xB2, 9)[0] == 0x44 or bad.append(n)")
    assert shell.run("timer.deinit(); print(bad, fired[0] > 20)") == "[] True"


@pytest.mark.parametrize("hard", [True, False])
def test_a_ctrl_c_in_a_callback_is_for_the_main_thread(start: Start, hard: bool) -> None:
    main = f"""
import machine, sys
adc, pin, done = machine.ADC(26), machine.Pin(19), [0]
def busy(_):
    for n in range(5):
        adc.read_u16()
        pin.value()
    done[0] += 1
machine.Timer(period=20, callback=busy, hard={hard})
print("ready", sys.stdin.buffer.read(1))
while True:
    try:
        print("got", sys.stdin.buffer.read(1))
    except KeyboardInterrupt:
        print("caught")
"""
    with Line(start(main).entry.port) as line:
        line.write(b"x")
        line.until(b"ready b'x'\n")
        for n in range(6):
            time.sleep(n / 500)
            line.write(b"\x03")
            assert line.until(b"caught\n") == b""


def test_what_the_chip_knows_of_itself(start: Start) -> None:
    shell = Shell(start(SHELL, serial="E66118604B3F2A21"))
    assert shell.run("print(machine.unique_id())") == repr(bytes.fromhex("E66118604B3F2A21"))
    assert shell.run("print(machine.reset_cause() == machine.PWRON_RESET, machine.freq())") == "True 125000000"
    assert shell.run("machine.mem32[0x20000000]") == "ValueError('no such register on the simulated board',)"
    assert shell.run("machine.WDT(timeout=9000)") == "ValueError('timeout exceeds 8388',)"
    assert shell.run("state = machine.disable_irq(); machine.enable_irq(state)") == ""
