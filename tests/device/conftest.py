"""What the firmware finds on a board, for tests of it on CPython, and a real MicroPython for the others."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from eyecaptain.boards.simulated import INSTALL
from eyecaptain.boards.simulated.interpreter import HEAP, command
from eyecaptain.errors import NoBoard

DEVICE = Path(__file__).parents[2] / "device"

_micropython = ModuleType("micropython")
_micropython.const = lambda value: value  # type: ignore[attr-defined]
sys.modules.setdefault("micropython", _micropython)


@pytest.fixture(scope="session")
def micropython() -> Callable[..., list[str]]:
    """Start a MicroPython that finds the firmware: its command line up to the script."""
    try:
        start = command()
    except NoBoard:
        pytest.skip(f"there is no MicroPython. {INSTALL}")

    def line(*arguments: str) -> list[str]:
        return [*start, "-X", f"heapsize={HEAP}", *arguments]

    return line


@pytest.fixture(scope="session")
def on_micropython(micropython: Callable[..., list[str]]) -> Callable[[str], str]:
    """Run a program on MicroPython and return what it printed; it has to end well."""

    def run(program: str) -> str:
        path = f"import sys; sys.path.insert(0, {str(DEVICE)!r})\n"
        done = subprocess.run(micropython("-c", path + program), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
