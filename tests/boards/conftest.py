"""Simulated boards for the tests of this folder, with a firmware of the test's own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from support import skip_without_micropython

Start = Callable[..., SimulatedBoard]


@pytest.fixture
def start(own_runtime: Path, tmp_path: Path) -> Iterator[Start]:
    """Start boards, with `main` (and `boot`) as their whole firmware; they end with the test."""
    skip_without_micropython()
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
