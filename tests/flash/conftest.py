"""Simulated boards to flash, and other firmwares than ours."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.flash import firmware
from eyecaptain.link.ports import Port
from support import skip_without_micropython

DEVICE = Path(__file__).parents[2] / "device"
CALIBRATION = '{"red":[600,220,180]}'
SETTINGS = '{"cap":55}'

Start = Callable[..., SimulatedBoard]


def variant(folder: Path, name: str, **changed: str) -> dict[str, Path]:
    """Another firmware: ours with some of its files replaced; files are named by their last part."""
    place = folder / name
    shutil.copytree(DEVICE, place, ignore=shutil.ignore_patterns("__pycache__", "mypy.ini"))
    (place / "eyedeck" / "__init__.py").write_text(f'VERSION = "{name}"\nBUILD = "dev"\n')
    for part, text in changed.items():
        (file,) = place.rglob(f"{part}.py")
        file.write_text(text)
    return firmware.below(place)


def build_of(files: dict[str, Path]) -> str:
    return firmware.build_of(firmware.read(files))


def port_of(board: SimulatedBoard) -> Port:
    return Port(board.entry.port, board.entry.serial, "sim", board.entry.description)


@pytest.fixture
def flashing(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Path]], str]:
    """Let this be the firmware that is flashed from now on; its build."""

    def use(files: dict[str, Path]) -> str:
        monkeypatch.setattr(firmware, "sources", lambda: files)
        return build_of(files)

    return use


@pytest.fixture
def start(own_runtime: Path, tmp_path: Path) -> Iterator[Start]:
    """Start boards that end with the test: with our firmware, or with a folder of files."""
    skip_without_micropython()
    assert own_runtime.is_dir()
    with ExitStack() as boards:

        def go(files: dict[str, str] | None = None, **options: Any) -> SimulatedBoard:
            if files is not None:
                folder = tmp_path / f"files{len(list(tmp_path.iterdir()))}"
                for name, text in files.items():
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).write_text(text)
                options["firmware"] = folder
            return boards.enter_context(SimulatedBoard.start(**options))

        yield go
