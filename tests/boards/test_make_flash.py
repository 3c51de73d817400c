"""`make flash` copies the firmware to a board with the real mpremote, and the board runs it."""

import contextlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.link.client import Client
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
            boot = client.hello.boot
        # The virtual environment of the tests stands in for the one that make would make.
        make = ["make", "-o", ".venv/.play", "flash", f"PORT={board.entry.port}", f"BIN={Path(sys.executable).parent}"]
        done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        hello = None
        end = time.monotonic() + 10.0
        while hello is None and time.monotonic() < end:  # the port closes and opens again when the board resets
            with contextlib.suppress(LinkLost, NoBoard), Client(board.entry.port, lambda _: None) as client:
                hello = client.hello if client.hello.boot != boot else None
        assert hello is not None
        assert not hello.fw.startswith("0.0.0-old-")
