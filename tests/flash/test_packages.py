"""Other ways to put the firmware on a board: `mip install`, and freezing it into a MicroPython."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import eyecaptain
from eyecaptain.flash import status, update
from eyecaptain.flash.console import Repl
from eyecaptain.flash.meet import await_port
from flash.conftest import Start, port_of

ROOT = Path(__file__).parents[2]


def test_package_json_lists_every_file() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "package.py"))
    assert (ROOT / "package.json").read_text() == tool["text"](), "run: python tools/package.py"


def test_mip_installs_what_runs(start: Start) -> None:
    board = start({"notes.json": "{}"})
    command = [sys.executable, "-m", "mpremote", "connect", board.entry.port]
    mip = ["mip", "install", "--target", "/", "package.json"]
    done = subprocess.run([*command, *mip], capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    with Repl(board.entry.port):
        pass  # starts it anew
    await_port(port_of(board))
    found = status.ask(port_of(board), 5.0)
    assert (found.fw, found.build, found.slot) == (eyecaptain.__version__, "dev", None)
    assert update.update(update.Wish(port_of(board)), update.Voice()).what == "flashed"
    assert status.ask(port_of(board), 5.0).current


def test_manifest_names_what_there_is() -> None:
    frozen: list[tuple[str, str]] = []

    def take(name: str, base_path: str) -> None:
        frozen.append((name, base_path))

    names: dict[str, Any] = {"include": lambda _: None, "package": take, "module": take}
    exec((ROOT / "manifest.py").read_text(), names)
    assert [name for name, _ in frozen] == ["eyedeck", "boot.py", "main.py"]
    assert all((ROOT / base / name).exists() for name, base in frozen)
