"""Simulated boards for the tests of this folder."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from link.plain import Emulated


@pytest.fixture(scope="module")
def runtime() -> Iterator[Path]:
    """A folder in which these tests see no other boards; its name is short, because sockets are made in it."""
    with tempfile.TemporaryDirectory(prefix="eec") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def emulate(runtime: Path) -> Iterator[Callable[..., Emulated]]:
    """Start simulated boards that end with the module."""
    with ExitStack() as boards:

        def start(*options: str) -> Emulated:
            board = Emulated(runtime, *options)
            boards.callback(board.close)
            return board

        yield start
