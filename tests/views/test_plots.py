"""Plots: the same figures give the same file; without matplotlib a clear line before any work."""

import subprocess
import sys
from pathlib import Path

import pytest

from eyecaptain.simulate.figures import Figures
from eyecaptain.simulate.run import Series, run
from eyecaptain.views import plots
from support import captain


@pytest.mark.parametrize("game", ["team", "captain"])
@pytest.mark.parametrize("kind", plots.KINDS)
def test_a_series_of_games_as_a_picture(game: str, kind: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    figures = Figures(Series(game, ("hard", "easy"), 10, "5eed", {}))
    for part in run(figures.series, 1):
        figures.add(part)
    files = [tmp_path / f"{number}{kind}" for number in range(2)]
    for path in files:
        plots.simulation(figures.as_json(), figures.lifts, path)
    first, second = (path.read_bytes() for path in files)
    assert first == second
    assert first.startswith(b"\x89PNG" if kind == ".png" else b"<?xml")
    if kind == ".svg":
        for text in (f"{game}: 10 games", "games won", "hard" if game == "captain" else "all together"):
            assert text in first.decode()


def test_the_command_draws_it(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "wins.SVG"
    done = captain("simulate", "solo", "--games", "2", "--plot", str(path), sessions=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert path.stat().st_size > 1000


def test_without_matplotlib_it_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['matplotlib'] = None; from eyecaptain.cli import main; sys.exit(main())"
    args = ["simulate", "solo", "--games", "2", "--plot", str(tmp_path / "wins.svg")]
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'eye-eye-captain[plot]'" in done.stderr
