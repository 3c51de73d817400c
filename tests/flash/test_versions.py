"""What is said when a board and the program do not belong together."""

import queue
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.attached import AttachedBoard
from eyecaptain.flash.versions import tell
from eyecaptain.link.messages import Hello
from flash.conftest import DEVICE, Start, port_of

HELLO = Hello((1, 0), "0.1.0", "b", "rp2-pico", "u", "1", "power", "", (500, 1500, 5000), 0, {})


@pytest.mark.parametrize(
    ("fw", "words"),
    [("0.0.9", "older"), ("0.1.0", None), ("0.1.1", "newer"), ("0.10.0", "newer"), ("0.0.9-old", "older"), ("dev", None)],
)
def test_older_and_newer_firmwares_are_named(fw: str, words: str | None) -> None:
    said = tell(replace(HELLO, fw=fw), "0.1.0")
    assert len(said) == (words is not None)
    if words:
        assert words in said[0]
        assert fw in said[0]


def test_a_firmware_on_trial_is_named() -> None:
    assert "on trial" in tell(replace(HELLO, raw={"trial": 1}), "0.1.0")[0]


def test_an_old_board_is_named_when_a_game_begins(start: Start, tmp_path: Path) -> None:
    files = {path.relative_to(DEVICE).as_posix(): path.read_text() for path in DEVICE.rglob("*.py")}
    files["eyedeck/__init__.py"] = 'VERSION = "0.0.1"\nBUILD = "dev"\n'
    board = start(files)
    said: list[str] = []
    inbox: queue.Queue[Any] = queue.Queue()
    attached = AttachedBoard(port_of(board), inbox, said.append, None)
    attached.close()
    assert "older than this program" in said[0]
    assert "captain flash" in said[0]
    assert tmp_path.is_dir()
