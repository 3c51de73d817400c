"""`captain doctor` and `captain ports`: this computer, a board, its parts, its settings."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.doctor import attached, computer, examine
from eyecaptain.doctor import board as boards
from eyecaptain.doctor.checks import Check
from eyecaptain.errors import NoBoard, UsageProblem
from eyecaptain.flash import drives, status
from eyecaptain.flash.meet import Met, await_port
from eyecaptain.link.ports import Port
from support import captain, skip_without_micropython, terminal


@pytest.fixture
def board(own_runtime: Path) -> Iterator[SimulatedBoard]:
    skip_without_micropython()
    assert own_runtime.is_dir()
    with ExitStack() as stack:
        yield stack.enter_context(SimulatedBoard.start())


@pytest.fixture
def doctor(board: SimulatedBoard, tmp_path: Path) -> Any:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        report = ("--report", str(tmp_path / "report.txt"))
        return captain("doctor", "--board", board.entry.port, *report, *args, sessions=tmp_path)

    return run


def of(done: subprocess.CompletedProcess[str], section: str) -> dict[str, Any]:
    return {check["key"]: check for check in json.loads(done.stdout)[section]}


def test_a_board_that_is_well(doctor: Any, tmp_path: Path) -> None:
    done = doctor("--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["good"]
    assert of(done, "computer")["python"]["ok"]
    told = of(done, "board")
    assert (told["firmware"]["ok"], told["slot"]["value"], told["heap"]["ok"]) == (True, "a", True)
    parts = of(done, "parts")
    assert {"config", "sensor", "dark", "light", "driver", "switch", "lights"} <= set(parts)
    assert parts["light"]["limit"] == ">= 20"
    people = doctor()
    assert people.stdout.splitlines()[-2] == "All is well."
    report = (tmp_path / "report.txt").read_text()
    assert "All is well." in report
    assert '"op":"selftest"' in report  # the last raw lines


@pytest.mark.parametrize(
    ("faults", "key"),
    [({"i2c_nak": True}, "sensor"), ({"no_die": True, "ambient": 100}, "dark"), ({"no_die": True}, None)],
    ids=["no sensor", "bright sun", "empty window"],
)
def test_a_part_that_is_not_well(faults: dict[str, Any], key: str | None, board: SimulatedBoard, doctor: Any) -> None:
    for what, value in faults.items():
        board.control.ask("fault", what=what, value=value)
    done = doctor("--json")
    failed = [name for name, check in of(done, "parts").items() if check["ok"] is False]
    if key is None:  # an empty window is no fault of the sensor
        assert (done.returncode, failed) == (0, [])
        return
    assert done.returncode == 7
    assert key in failed
    people = doctor()
    assert people.returncode == 7
    assert "NOT OK" in people.stdout
    assert "Not everything is well" in people.stdout


def test_the_motor_turns_only_when_asked(board: SimulatedBoard, doctor: Any, tmp_path: Path) -> None:
    record = tmp_path / "record"
    board.control.ask("record", file=str(record))
    assert doctor("--json").returncode == 0
    assert '"motor":true' not in record.read_text().replace(" ", "")
    done = doctor("--json", "--motor")
    assert done.returncode == 0, done.stderr
    assert of(done, "parts")["motor"]["ok"]
    assert not board.control.ask("state")["motor"]


def test_a_motor_that_may_not_run_is_a_part_that_is_not_well(board: SimulatedBoard, doctor: Any) -> None:
    board.control.ask("switch", on=False)
    done = doctor("--json", "--motor")
    assert done.returncode == 7, done.stderr
    motor = of(done, "parts")["motor"]
    assert motor["ok"] is False
    assert "switched off" in motor["value"]
    assert of(done, "parts")["driver"]["value"] == "yes"  # the others are looked at all the same


@pytest.mark.parametrize("switched", [True, False], ids=["ran", "refused"])
def test_nothing_is_armed_any_more_while_somebody_looks_at_the_lights(
    switched: bool, board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.control.ask("switch", on=switched)

    def lights(met: Met, _seen: object) -> Check:
        return Check("armed", "", str(met.client.request("state")["armed"]))

    monkeypatch.setattr(boards, "lights", lights)
    report = examine.Report()
    port = Port(board.entry.port, board.entry.serial, "sim", "")
    examine.of_board(report, port, motor=True, patience=5.0, seen=lambda: None)
    assert {check.key: check.ok for check in report.sections["parts"]}["motor"] is switched
    assert report.sections["parts"][-1].value == "False"


@pytest.mark.parametrize("blocked", [False, True])
@pytest.mark.parametrize(("setting", "part"), [("sense", "current"), ("index", "index")])
def test_what_measures_the_motor_is_looked_at_while_it_turns(
    setting: str, part: str, blocked: bool, board: SimulatedBoard, doctor: Any
) -> None:
    assert doctor("--set", f"{setting}=true").returncode == 0
    await_port(Port(board.entry.port, board.entry.serial, "sim", ""))
    board.control.ask("fault", what="motor_stall", value=blocked)
    done = doctor("--json", "--motor")
    assert done.returncode == (7 if blocked else 0), done.stderr
    check = of(done, "parts")[part]
    assert check["ok"] is not blocked
    assert check["limit"] == {"current": "<= 74", "index": ">= 1"}[part]
    assert bool(check["help"])


def test_the_lights_are_lit_one_after_the_other(board: SimulatedBoard, doctor: Any, tmp_path: Path) -> None:
    record = tmp_path / "record"
    board.control.ask("record", file=str(record))
    doctor("--json")
    lines = map(json.loads, record.read_text().splitlines())
    lit = [line["pin"] for line in lines if line.get("pin") in range(10, 16) and line.get("level")]
    assert [pin for at, pin in enumerate(lit) if pin not in lit[:at]] == [10, 11, 12, 13, 14, 15]


def test_a_person_is_asked_about_the_lights(board: SimulatedBoard, tmp_path: Path) -> None:
    args = ["doctor", "--board", board.entry.port, "--report", str(tmp_path / "report.txt")]
    out = terminal(args, b"n\n", tmp_path, {"CAPTAIN_RUNTIME": os.environ["CAPTAIN_RUNTIME"]})
    assert b"Did all six lights light up" in out
    assert b"not all seen" in out
    assert b"Not everything is well: Lights." in out


def test_settings_are_changed_and_kept(board: SimulatedBoard, doctor: Any) -> None:
    done = doctor("--set", "cap=77", "--set", "leds=none", "--json")
    assert json.loads(done.stdout) == {"cap": 77, "leds": "none"}
    await_port(Port(board.entry.port, board.entry.serial, "sim", ""))
    said = doctor("--set", "sense=true").stdout
    assert "  leds: none\n  sense: true\n" in said, "as it is typed"
    await_port(Port(board.entry.port, board.entry.serial, "sim", ""))
    doctor("--set", "sense=")
    port = Port(board.entry.port, board.entry.serial, "sim", "")
    await_port(port)
    assert status.ask(port, 5.0).build
    assert json.loads(doctor("--set", "cap=", "--json").stdout) == {"leds": "none"}


@pytest.mark.parametrize("pair", ["cap=777", "leds=neon", "colour=red", "cap", "=5"])
def test_settings_that_the_firmware_would_not_take(pair: str, board: SimulatedBoard, doctor: Any) -> None:
    done = doctor("--set", pair)
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(doctor("--set", "cap=60", "--json").stdout) == {"cap": 60}
    assert board.entry.port


def test_no_board(own_runtime: Path, tmp_path: Path) -> None:
    done = captain("doctor", "--report", str(tmp_path / "report.txt"), sessions=tmp_path)
    assert done.returncode == 3
    assert "This computer is well; no board was looked at." in done.stdout
    assert "captain emulate" in done.stderr
    assert (tmp_path / "report.txt").exists()
    assert own_runtime.is_dir()


def test_a_report_that_cannot_be_written(doctor: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = doctor("--report", str(tmp_path / "file" / "report.txt"))
    assert done.returncode == 2
    assert "All is well." in done.stdout
    assert "report.txt cannot be written" in done.stderr


# This computer, with a root of its own.


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("etc/udev/rules.d", "proc/1", "proc/77"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "proc/1/comm").write_text("systemd\n")
    (tmp_path / "proc/77/comm").write_text("bash\n")
    return tmp_path


def named(checks: list[Any]) -> dict[str, Any]:
    return {check.key: check for check in checks}


@pytest.mark.skipif(sys.platform != "linux", reason="udev and ModemManager are Linux's")
def test_modem_manager_is_told_to_leave_boards_alone(root: Path) -> None:
    assert "modem_manager" not in named(computer.look([], root))
    (root / "proc/77/comm").write_text("ModemManager\n")
    bad = named(computer.look([], root))["modem_manager"]
    assert bad.ok is False
    assert "--install-rules" in bad.help
    assert computer.install_rules(root) == root / "etc/udev/rules.d/60-eye-eye-captain.rules"
    found = named(computer.look([], root))
    assert found["modem_manager"].ok
    assert found["rules"].value == "60-eye-eye-captain.rules"


@pytest.mark.skipif(sys.platform != "linux", reason="groups own serial ports on Linux")
def test_the_group_that_owns_serial_ports_is_named_to_its_members(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import grp

    def named_group(name: str) -> Any:
        if name != "dialout":
            raise KeyError(name)
        return grp.struct_group(("dialout", "x", 4711, []))

    monkeypatch.setattr(grp, "getgrnam", named_group)
    assert "none" in named(computer.look([], root))["groups"].value
    monkeypatch.setattr(os, "getgroups", lambda: [4711])
    assert named(computer.look([], root))["groups"].value == "dialout"


def test_rules_that_may_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(NoBoard, match="cannot be written"):
        computer.install_rules(tmp_path / "nowhere")


def test_rules_are_printed(tmp_path: Path) -> None:
    assert captain("doctor", "--rules", sessions=tmp_path).stdout == computer.RULES


def test_a_port_that_may_not_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may use everything
    check = named(computer.look([Port("/dev/ttyACM0", "E6", "usb", "")], tmp_path))["port"]
    assert check.ok is False


def test_every_kind_of_value_is_said() -> None:
    told: dict[str, dict[str, Any]] = {
        "sensor": {"ok": True, "value": 68, "limit": [68, 77]},
        "light": {"ok": False, "value": 3, "limit": 20},
        "dark": {"ok": True, "value": 0, "limit": 8000},
        "driver": {"ok": True, "value": 1, "limit": 1},
        "switch": {"ok": True, "value": False, "limit": None},
        "something new": {"ok": True, "value": 5, "limit": 1},
    }
    said = [line for check in boards.parts(told) for line in check.lines()]
    assert said[0] == "  Colour sensor, its id: 68 (good: one of 68, 77)  ok"
    assert said[1].endswith("3 (good: >= 20)  NOT OK")
    assert "  Colour sensor, white without its light: 0 (good: <= 8000)  ok" in said
    assert "  Motor driver, no fault: yes  ok" in said
    assert "  Eye switch, on: no  ok" in said
    assert any(line.startswith("  something new: 5") for line in said)
    assert examine.Report({"parts": boards.parts(told)}).failed


# Ports


def test_ports_says_what_runs_and_who_holds_it(board: SimulatedBoard, tmp_path: Path) -> None:
    (one,) = json.loads(captain("ports", "--json", sessions=tmp_path).stdout)
    assert one["port"] == board.entry.port
    assert one["fw"]
    assert one["holders"] == []
    program = "import sys, time, serial; p = serial.Serial(sys.argv[1], exclusive=True); print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", program, board.entry.port], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        (one,) = json.loads(captain("ports", "--json", sessions=tmp_path).stdout)
        people = captain("ports", sessions=tmp_path).stdout
        other.kill()
    if sys.platform == "linux":
        assert one["holders"] == [f"python ({other.pid})"] or str(other.pid) in one["holders"][0]
        assert f"({other.pid}) uses it" in people
    assert one["fw"] == ""


def test_ports_shows_a_pico_in_bootsel_mode_and_other_programs_boards(
    own_runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from serial.tools import list_ports
    from serial.tools.list_ports_common import ListPortInfo

    assert own_runtime.is_dir()
    (tmp_path / "RPI-RP2").mkdir()
    (tmp_path / "RPI-RP2" / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\r\nBoard-ID: RPI-RP2\r\n")
    monkeypatch.setattr(drives, "_mounts", lambda: [tmp_path])
    probe, modem = ListPortInfo("/dev/ttyACM7"), ListPortInfo("/dev/ttyACM8")
    probe.vid, probe.pid, probe.serial_number, probe.product = 0x2E8A, 0x000C, "E66", "Debug Probe"
    modem.vid, modem.pid = 0x1199, 0x9079
    monkeypatch.setattr(list_ports, "comports", lambda: [modem, probe])
    told = [(seen.port.kind, seen.port.port, seen.port.description) for seen in attached.look()]
    assert told == [
        ("drive", str(tmp_path / "RPI-RP2"), "RP2040, BOOTSEL"),
        ("other", "/dev/ttyACM7", "Debug Probe"),
    ]
    assert "captain flash --firmware" in attached.look()[0].runs


def test_settings_need_pairs() -> None:
    from eyecaptain.doctor.settings import parse

    assert parse(("cap=60", "leds=rgb", 'sense={"shunt":500}', "gain=")) == {
        "cap": 60, "leds": "rgb", "sense": {"shunt": 500}, "gain": None,
    }  # fmt: skip
    with pytest.raises(UsageProblem):
        parse(("cap",))
