"""`make flash` brings a board up to date."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.flash.status import ask
from eyecaptain.link.client import Client
from eyecaptain.link.ports import Port
from support import needs_micropython

ROOT = Path(__file__).parents[2]


@needs_micropython
@pytest.mark.skipif(shutil.which("make") is None, reason="no make here: install make")
@pytest.mark.usefixtures("own_runtime")
def test_make_flash_brings_a_board_up_to_date(tmp_path: Path) -> None:
    older = tmp_path / "older"
    shutil.copytree(ROOT / "device", older, ignore=shutil.ignore_patterns("__pycache__"))
    version = older / "eyedeck" / "__init__.py"
    version.write_text(version.read_text().replace('VERSION = "', 'VERSION = "0.0.0-old-'))
    with SimulatedBoard.start(seed="1", firmware=older) as board:
        with Client(board.entry.port, lambda _: None) as client:
            assert client.hello.fw.startswith("0.0.0-old-")
        # The virtual environment of the tests stands in for the one that make would make.
        make = ["make", "-o", ".venv/.play", "flash", f"PORT={board.entry.port}", f"BIN={Path(sys.executable).parent}"]
        done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        found = ask(Port(board.entry.port, board.entry.serial, "sim", ""))
        assert found.current
        assert not found.fw.startswith("0.0.0-old-")
