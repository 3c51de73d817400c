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
from link.plain import Emulated


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
