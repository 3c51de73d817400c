"""What tests of several folders are given."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tmux import Open, Terminal


@pytest.fixture
def own_runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which a test sees no other boards; its name is short, because sockets are made in it."""
    with tempfile.TemporaryDirectory(prefix="eec") as folder:
        monkeypatch.setenv("CAPTAIN_RUNTIME", folder)
        yield Path(folder)


@pytest.fixture(name="terminal")
def fixture_terminal(tmp_path_factory: pytest.TempPathFactory, own_runtime: Path) -> Iterator[Open]:
    """Opens real terminals, which are closed in the end; what runs in them sees no other boards."""
    opened = []

    def start(*command: str, **more: object) -> Terminal:
        env = {"CAPTAIN_RUNTIME": str(own_runtime), **more.pop("env", {})}  # type: ignore[dict-item] # names and values
        opened.append(Terminal(tmp_path_factory.mktemp("t"), *command, env=env, **more))  # type: ignore[arg-type] # as it takes them
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()
