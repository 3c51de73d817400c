"""When the full screen is used, and what is said when it is not."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eyecaptain.views.terminal import choice


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


@pytest.fixture(autouse=True)
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(os, "get_terminal_size", lambda fd: os.terminal_size((80, 24)) if fd == 1 else None)


def test_a_large_terminal_gets_it() -> None:
    assert choice.obstacle(Terminal()) is None


def test_without_a_terminal_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choice.obstacle(io.StringIO()) == ""
    monkeypatch.setenv("TERM", "dumb")
    assert choice.obstacle(Terminal()) == ""


@pytest.mark.parametrize(("size", "says"), [((79, 24), "79x24"), ((80, 23), "80x23")])
def test_a_small_one_is_told_its_size(size: tuple[int, int], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda fd: os.terminal_size(size) if fd == 1 else None)
    assert f"has {says} cells" in str(choice.obstacle(Terminal()))


def test_where_it_is_not_installed_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "find_spec", lambda name: None if name == "textual" else name)
    assert "eye-eye-captain[terminal]" in str(choice.obstacle(Terminal()))


def test_a_light_ground_is_known_by_wish_or_by_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CAPTAIN_THEME", raising=False)
    for value, light in {"15;0": False, "0;15": True, "0;default;7": True, "": False}.items():
        monkeypatch.setenv("COLORFGBG", value)
        assert choice.light() == light
    monkeypatch.setenv("CAPTAIN_THEME", "light")
    assert choice.light()


def test_the_plain_view_imports_none_of_it(tmp_path: Path) -> None:
    code = (
        "import sys; from eyecaptain.cli import main;"
        "code = main(['play', 'solo', '--bots', '2', '--board', 'none', '--view', 'plain', '--json']);"
        "print(code, [name for name in ('textual', 'rich', 'asyncio') if name in sys.modules])"
    )
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stdout.splitlines()[-1] == "0 []"
