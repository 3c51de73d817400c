"""What tests of several folders are given."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def own_runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which a test sees no other boards; its name is short, because sockets are made in it."""
    with tempfile.TemporaryDirectory(prefix="eec") as folder:
        monkeypatch.setenv("CAPTAIN_RUNTIME", folder)
        yield Path(folder)
