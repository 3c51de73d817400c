"""The simulated Pico's console and resets, as a terminal program and mpremote meet them on a real one."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import serial

from boards.conftest import Start
from boards.line import Line, opened_again
from eyecaptain.boards.simulated import registry

ECHO = """
import sys
print("main runs")
try:
    while True:
        print(sys.stdin.buffer.read(1))
finally:
    print("finally")
"""
PROMPT = b">>> "
RAW = b"raw REPL; CTRL-B to exit\r\n>"


def talking(line: Line) -> None:
    """Wait until the program echoes: what it said before somebody listened is lost, as on a Pico."""
    line.write(b"x")
    line.until(b"b'x'\n")


def test_the_program_has_the_console_and_ctrl_c_interrupts_it(start: Start) -> None:
    with Line(start(ECHO).entry.port) as line:
        talking(line)
        line.write(b"\x1c\x1a\x11\x13\r\x04")  # keys that mean something to other terminals
        line.until(b"b'\\x1c'\nb'\\x1a'\nb'\\x11'\nb'\\x13'\nb'\\r'\nb'\\x04'\n")
        line.write(b"\x03")
        said = line.until(PROMPT)
        assert said.startswith(
            b'finally\nTraceback (most recent call last):\n  File "main.py", line 6, in <module>\nKeyboardInt'
        )
        line.write(b"1 + 1\r")
        line.until(b"\r\n2\n>>> ")


def test_a_burst_of_interrupts_is_one_and_what_follows_it_is_not_lost(start: Start) -> None:
    with Line(start(ECHO).entry.port) as line:
        talking(line)
        line.write(b"half a line\x03\x03\x03\x01")
        said = line.until(RAW)
        assert said.count(b"KeyboardInterrupt") == 1
        line.write(b"print(6 * 7)\x04")
        line.until(b"OK42\n\x04\x04>")


def test_an_interrupt_that_the_program_catches(start: Start) -> None:
    caught = """
import sys
while True:
    try:
        print(sys.stdin.buffer.read(1))
    except KeyboardInterrupt:
        print("caught")
"""
    with Line(start(caught).entry.port) as line:
        talking(line)
        line.write(b"\x03y")
        line.until(b"caught\nb'y'\n")


def test_a_soft_reset_runs_main_in_friendly_mode_only(start: Start) -> None:
    with Line(start(ECHO, boot="print('boot runs')").entry.port) as line:
        talking(line)
        line.write(b"\x03")
        line.until(PROMPT)
        line.write(b"x = 1\r\x04")
        line.until(b"MPY: soft reboot\r\nboot runs\nmain runs\n")
        talking(line)
        line.write(b"\x03\x01")
        line.until(RAW)
        line.write(b"\x04")
        line.until(b"OK\r\nMPY: soft reboot\r\nboot runs\nraw REPL; CTRL-B to exit\r\n>")
        line.write(b"print('x' in globals(), __name__)\x04")
        line.until(b"OKFalse __main__\n\x04\x04>")
        line.write(b"\x02")
        line.until(PROMPT)
        line.write(b"\x04")
        line.until(b"MPY: soft reboot\r\nboot runs\nmain runs\n")


@pytest.mark.parametrize("ending", ["import machine; machine.soft_reset()", "import sys; sys.exit(3)", "raise SystemExit"])
def test_a_program_that_ends_by_itself_begins_anew(start: Start, ending: str) -> None:
    with Line(start(ECHO.replace("print(sys.stdin.buffer.read(1))", f"sys.stdin.buffer.read(1); {ending}")).entry.port) as line:
        line.write(b"x")
        line.until(b"MPY: soft reboot\r\nmain runs\n")


def test_a_boot_that_fails_leaves_main_out(start: Start) -> None:
    with Line(start(ECHO, boot="import time; time.sleep(0.2)\n1 / 0").entry.port) as line:
        assert b"ZeroDivisionError" in line.until(PROMPT)


def test_the_flash_is_the_root(start: Start) -> None:
    main = "import os, sys\nsys.stdin.buffer.read(1)\nprint(os.getcwd(), sorted(os.listdir('/')), sys.path, sys.argv)"
    with Line(start(main, boot="").entry.port) as line:
        line.write(b"x")
        line.until(b"/ ['boot.py', 'cal.json', 'main.py'] ['', '.frozen', '/lib'] []\n")


def test_what_is_said_while_nobody_listens_is_lost(start: Start) -> None:
    main = "import time, sys\nn = 0\nwhile True:\n    n += 1\n    print('line', n)\n    time.sleep(0.01)"
    board = start(main)
    with Line(board.entry.port) as line:
        line.until(b"line")
    time.sleep(0.5)
    with Line(board.entry.port) as line:
        line.until(b"line ")
        assert int(line.until(b"\n")) > 30


def test_a_reader_that_takes_nothing_holds_the_program_up_for_half_a_second_at_most(start: Start) -> None:
    main = "import time, machine\npin = machine.Pin(10, machine.Pin.OUT)\nwhile True:\n    print('x' * 2000)\n    pin.toggle()"
    board = start(main)
    with Line(board.entry.port) as line:
        line.until(b"x")
        time.sleep(1.0)  # nobody reads now: the buffers fill
        levels: set[float] = set()
        limit = time.monotonic() + 10.0
        while levels != {0.0, 1.0}:
            assert time.monotonic() < limit
            levels.add(board.control.ask("state")["chips"][0])
        line.until(b"x" * 1000)


def test_machine_reset_takes_the_port_away_and_brings_it_back(start: Start) -> None:
    main = """
import machine, sys, time
print("cause", machine.reset_cause())
machine.mem32[0x4005800C] = machine.mem32[0x4005800C] + 1
machine.Pin(10, machine.Pin.OUT, value=1)
try:
    sys.stdin.buffer.read(1)
    print("cause", machine.reset_cause(), "count", machine.mem32[0x4005800C])
    time.sleep_ms(100)  # what the host has not read by then is lost
    machine.reset()
finally:
    print("finally")  # a reset leaves no time for that
"""
    board = start(main)
    line = Line(board.entry.port)
    line.write(b"x")
    line.until(b"cause 1 count 1\n")
    with pytest.raises(serial.SerialException):
        line.until(b"finally")
    assert not Path(board.entry.port).exists()
    with opened_again(board.entry.port) as line:
        assert board.control.ask("state")["boots"] == 2
        line.write(b"x")
        line.until(b"cause 3 count 2\n")


def test_the_watchdog_bites_when_it_is_not_fed_also_after_a_soft_reset(start: Start) -> None:
    main = """
import machine, sys, time
if machine.mem32[0x40058000] & 1 << 30:
    print("watched")
    time.sleep(10)
if machine.reset_cause() == 1:
    dog = machine.WDT(timeout=500)
    for n in range(20):
        dog.feed()
        time.sleep_ms(50)
    print("alive", bool(machine.mem32[0x40058000]))
    machine.soft_reset()
print(sys.stdin.buffer.read(1), "cause", machine.reset_cause())
"""
    board = start(main)
    with Line(board.entry.port) as line:
        line.until(b"alive True\n")
        line.until(b"MPY: soft reboot\r\n")
        line.until(b"watched\n")
        with pytest.raises(serial.SerialException):
            line.until(b"never")
    with opened_again(board.entry.port) as line:
        line.write(b"x")
        line.until(b"b'x' cause 3\n")


def test_unplugged_and_plugged_in_again(start: Start) -> None:
    board = start(ECHO)
    with Line(board.entry.port) as line:
        talking(line)
        board.control.ask("fault", what="unplug", seconds=0.3)
        with pytest.raises(serial.SerialException):
            line.until(b"never")
    with opened_again(board.entry.port) as line:
        talking(line)


def test_plugged_in_again_under_another_name(start: Start) -> None:
    board = start(ECHO)
    old = board.entry.port
    board.control.ask("fault", what="unplug", seconds=0.3, name="port7")
    assert registry.running() == []
    with pytest.raises(ValueError, match="no name for a port"):
        board.control.ask("fault", what="unplug", name="../port")
    limit = time.monotonic() + 20
    while not registry.running():
        assert time.monotonic() < limit
    (entry,) = registry.running()
    assert entry.serial == board.entry.serial
    assert entry.port == old + "7"
    assert not Path(old).exists()
    with Line(entry.port) as line:
        talking(line)


def test_an_interpreter_that_is_killed_is_a_chip_that_hangs_until_its_watchdog(start: Start) -> None:
    main = """
import machine, os, sys, time
sys.stdin.buffer.read(1)
print('cause', machine.reset_cause())
time.sleep_ms(100)
os.system('kill -9 $PPID')
"""
    board = start(main)
    with Line(board.entry.port) as line:
        line.write(b"x")
        line.until(b"cause 1\n")
        with pytest.raises(serial.SerialException):
            line.until(b"never")
    with opened_again(board.entry.port) as line:
        line.write(b"x")
        line.until(b"cause 3\n")


def mpremote(port: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", port, *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_unmodified_mpremote(start: Start, tmp_path: Path) -> None:
    port = start(ECHO).entry.port
    script, library, big = tmp_path / "script.py", tmp_path / "library", tmp_path / "big.txt"
    script.write_text("import sys\nprint('script', sys.implementation.name)")
    library.mkdir()
    (library / "over_there.py").write_text("print('imported')")
    big.write_text("".join(f"line {n}\n" for n in range(1000)))
    assert "main.py" in mpremote(port, "fs", "ls")
    assert mpremote(port, "exec", "print(6 * 7)").strip() == "42"
    assert mpremote(port, "run", str(script)).strip() == "script micropython"
    assert "imported" in mpremote(port, "mount", str(library), "exec", "import over_there")
    mpremote(port, "fs", "cp", str(big), ":big.txt")
    assert mpremote(port, "fs", "cat", ":big.txt") == big.read_text()
    mpremote(port, "soft-reset")
    assert mpremote(port, "resume", "eval", "'left in the REPL'").strip() == "left in the REPL"
    with Line(port) as line:
        line.write(b"\x03\x01")
        line.until(RAW)
        line.write(b"import machine; machine.reset()\x04")
        with pytest.raises(serial.SerialException):
            line.until(b"never")
    with opened_again(port) as line:
        talking(line)


def test_mpremote_breaks_in_while_a_frame_is_half_sent_and_the_firmware_comes_back(start: Start) -> None:
    hello = b'#03c{"id":1,"op":"hello","a":{"proto":[1,0],"nonce":"n"}}'
    port = start().entry.port
    with Line(port) as line:
        line.write(b'\n{"op":"hello"}\n')
        line.until(b'"board"')
        line.write(hello)
    assert mpremote(port, "exec", "print('in')").strip() == "in"
    with Line(port) as line:
        line.write(b"\x02\x04")
        line.until(b"MPY: soft reboot\r\n")
        time.sleep(0.3)
        line.write(b'\n{"op":"hello"}\n')
        assert b'"reset":"soft"' in line.until(b"\n")
