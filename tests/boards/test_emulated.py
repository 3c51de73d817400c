"""`--board pico-emulated` where something that it needs is missing; the rest is in tests/pico, which takes an hour."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import captain

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
PLAY = ("play", "team", "--players", "Ada,Ben", "--board", "pico-emulated")


def test_without_a_micropython_it_says_where_to_get_one(tmp_path: Path) -> None:
    done = captain(*PLAY, sessions=tmp_path, env={"CAPTAIN_UF2": ""})
    assert done.returncode == 2
    assert "CAPTAIN_UF2 names no UF2 file" in done.stderr
    assert "micropython.org/download/RPI_PICO" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_the_emulator_it_says_what_to_install(tmp_path: Path) -> None:
    """Also where it is installed: this process is told that it is not."""
    code = "import sys; sys.modules['rp2040py'] = None; from eyecaptain.cli import main; sys.exit(main())"
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path), "CAPTAIN_UF2": str(tmp_path / "image.uf2")}
    done = subprocess.run([sys.executable, "-c", code, *PLAY], capture_output=True, text=True, env=env)
    assert done.returncode == 3, done.stderr
    assert "pip install rp2040py" in done.stderr
    assert list(tmp_path.iterdir()) == []
