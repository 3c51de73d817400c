"""`captain ports`, and the link, on simulated boards that really run."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from eyecaptain.errors import NoBoard
from eyecaptain.link import ports
from eyecaptain.sessions import store
from eyecaptain.sessions.log import FILE_NAME
from link.plain import Emulated
from support import terminal


def captain(board: Emulated, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "eyecaptain", *arguments], capture_output=True, text=True, env=board.environment, timeout=20
    )


@pytest.fixture(scope="module")
def two(emulate: Callable[..., Emulated]) -> tuple[Emulated, Emulated]:
    return emulate("--serial", "00000000000000A1"), emulate("--serial", "00000000000000B2")


def test_ports_lists_two_boards(two: tuple[Emulated, Emulated]) -> None:
    done = captain(two[0], "ports")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line for line in done.stdout.splitlines() if "  sim  " in line]
    assert len(lines) == 2
    for board, line in zip(two, lines, strict=True):
        assert line.startswith(f"{board.port}  {board.serial}  sim")


def test_ports_as_json(two: tuple[Emulated, Emulated]) -> None:
    done = captain(two[0], "ports", "--json")
    assert done.returncode == 0
    found = [port for port in json.loads(done.stdout) if port["kind"] == "sim"]
    assert [(port["port"], port["serial"], port["owned"]) for port in found] == [
        (board.port, board.serial, False) for board in two
    ]


def test_between_two_nobody_guesses(two: tuple[Emulated, Emulated], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPTAIN_RUNTIME", str(two[0].runtime))
    monkeypatch.setattr(ports, "_usb", list)
    with pytest.raises(NoBoard, match="2 boards"):
        ports.choose()
    assert ports.choose(two[1].serial).port == two[1].port


def test_a_board_that_ended_is_no_longer_listed(
    emulate: Callable[..., Emulated], runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPTAIN_RUNTIME", str(runtime))
    board = emulate()
    assert ports.find(board.serial) is not None
    board.process.kill()
    board.process.wait()
    assert ports.find(board.serial) is None


def test_nothing_is_attached(tmp_path: Path) -> None:
    program = (
        "import sys; from eyecaptain.link import ports; ports._usb = list; from eyecaptain.cli import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "ports"],
        capture_output=True,
        text=True,
        env={"PATH": "", "CAPTAIN_RUNTIME": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "captain emulate" in done.stderr


def test_help_needs_no_pyserial() -> None:
    program = "import sys; sys.modules['serial'] = None; from eyecaptain.cli import main; sys.exit(main(['ports', '--help']))"
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--json" in done.stdout
    assert time.monotonic() - began < 2


def test_at_a_terminal_people_are_asked_once_which_of_two(
    two: tuple[Emulated, Emulated], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    play = ["play", "solo", "--players", "Ada,Ben", "--deck", "real", "--view", "plain"]
    environment = {"CAPTAIN_RUNTIME": str(two[0].runtime)}
    said = terminal(play, b"2\nq\n", tmp_path / "s", environment)
    assert b"2 boards are attached:" in said
    assert b"Which one?" in said
    again = terminal(play, b"q\n", tmp_path / "s", environment)
    assert b"Which one?" not in again
    assert b"2 boards are attached; this is " in again
    uids = {store.read(folder / FILE_NAME).header["board"]["uid"].upper() for folder in (tmp_path / "s").iterdir()}
    assert len(uids) == 1
    assert uids <= {board.serial for board in two}
