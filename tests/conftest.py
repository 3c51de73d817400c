"""What tests of several folders are given."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from eyecaptain import language
from tmux import Open, Terminal

os.environ |= {"LANGUAGE": "en", "LC_ALL": "C.UTF-8"}  # whatever the language of whoever runs the tests


def pytest_configure(config: pytest.Config) -> None:
    """Compile the catalogues that have changed; an install does it, too, but tests need the newest."""
    if hasattr(config, "workerinput"):
        return
    for source in Path(language.FOLDER).glob("*/LC_MESSAGES/*.po"):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as po, compiled.open("wb") as mo:
                write_mo(mo, read_po(po))


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a test choose a language; afterwards English is spoken again."""
    monkeypatch.setenv("LANGUAGE", "en")
    yield
    language.use("en")


@pytest.fixture
def own_runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which a test sees no other boards; its name is short, because sockets are made in it."""
    with tempfile.TemporaryDirectory(prefix="eec") as folder:
        monkeypatch.setenv("CAPTAIN_RUNTIME", folder)
        yield Path(folder)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered from one command to the next, and error reports, are the test's own."""
    home = str(tmp_path_factory.mktemp("home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, home)


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
