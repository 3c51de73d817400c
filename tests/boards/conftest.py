"""Simulated boards for the tests of this folder, with a firmware of the test's own."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.simulated import interpreter
from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.errors import NoBoard

Start = Callable[..., SimulatedBoard]


def needs_micropython() -> None:
    """Skip a test where there is no MicroPython to run."""
    try:
        interpreter.command()
    except NoBoard as error:
        pytest.skip(f"{error.message} {error.hint}")


@pytest.fixture
def own_runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which a test sees no other boards; its name is short, because sockets are made in it."""
    with tempfile.TemporaryDirectory(prefix="eec") as folder:
        monkeypatch.setenv("CAPTAIN_RUNTIME", folder)
        yield Path(folder)


@pytest.fixture
def start(own_runtime: Path, tmp_path: Path) -> Iterator[Start]:
    """Start boards, with `main` (and `boot`) as their whole firmware; they end with the test."""
    needs_micropython()
    assert own_runtime.is_dir()
    with ExitStack() as boards:

        def go(main: str | None = None, boot: str | None = None, **options: Any) -> SimulatedBoard:
            if main is not None:
                folder = tmp_path / f"firmware{len(list(tmp_path.iterdir()))}"
                folder.mkdir()
                (folder / "main.py").write_text(main)
                if boot is not None:
                    (folder / "boot.py").write_text(boot)
                options["firmware"] = folder
            return boards.enter_context(SimulatedBoard.start(**options))

        yield go
