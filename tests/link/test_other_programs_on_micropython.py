"""What else may run on a board: each is named, and the board is left as it was found."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from eyecaptain.errors import NoBoard
from eyecaptain.link.client import Client
from link.plain import Emulated, Plain

DEVICE = Path(__file__).parents[2] / "device"

Emulate = Callable[..., Emulated]


def other(emulate: Emulate, folder: Path, main: str | None) -> Emulated:
    """A board with this main.py, or without any."""
    if main is not None:
        (folder / "main.py").write_text(main)
    else:
        (folder / "notes.py").write_text("")
    return emulate("--firmware", str(folder))


def refused(board: Emulated) -> NoBoard:
    with pytest.raises(NoBoard) as caught:
        Client(board.port, lambda _: None, patience=0.5)
    assert caught.value.exit_code == 3
    assert "captain flash" in caught.value.hint
    return caught.value


def test_a_board_without_any_program(emulate: Emulate, tmp_path: Path) -> None:
    assert "runs MicroPython, but our firmware does not run" in refused(other(emulate, tmp_path, None)).message


def test_a_firmware_that_does_not_start(emulate: Emulate, tmp_path: Path) -> None:
    error = refused(other(emulate, tmp_path, "from eyedeck import app\n"))
    assert "does not start on it: ImportError: no module named 'eyedeck'" in error.message


def test_a_program_that_talks(emulate: Emulate, tmp_path: Path) -> None:
    board = other(emulate, tmp_path, "import time\nwhile True:\n    print('21.4 C')\n    time.sleep_ms(200)\n")
    error = refused(board)
    assert "another program: it says '21.4 C'" in error.message
    with Plain(board.port) as line:
        line.until(rb"21\.4 C")  # and still says it


def test_a_program_that_keeps_silent(emulate: Emulate, tmp_path: Path) -> None:
    assert "runs another program." in refused(other(emulate, tmp_path, "import time\nwhile True:\n    time.sleep(1)\n")).message


def test_a_program_that_does_not_heed_ctrl_c(emulate: Emulate, tmp_path: Path) -> None:
    program = """
import time
while True:
    try:
        print("busy")
        time.sleep_ms(100)
    except KeyboardInterrupt:
        pass
"""
    board = other(emulate, tmp_path, program)
    assert "another program: it says 'busy'" in refused(board).message
    with Plain(board.port) as line:
        line.until(rb"busy")


def test_a_firmware_of_another_major_version(emulate: Emulate, tmp_path: Path) -> None:
    shutil.copytree(DEVICE, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "typings"))
    session = tmp_path / "eyedeck/link/session.py"
    text = session.read_text()
    assert "PROTO = (1, 0)" in text
    session.write_text(text.replace("PROTO = (1, 0)", "PROTO = (2, 0)"))
    assert "another version" in refused(emulate("--firmware", str(tmp_path))).message
