"""A real terminal, by tmux: a command runs in it, keys go in, the screen can be read, and its log beside it."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.sessions import log, replay, store
from support import captain, only_session

PATIENCE = 20.0  # seconds

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux here: apt install tmux")


class Terminal:
    """A terminal of its own with one command in it.

    :param folder: for its socket and the sessions.
    :param command: the words of `captain`.
    :param line: another line for the shell instead.
    """

    def __init__(
        self,
        folder: Path,
        *command: str,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
        line: str | None = None,
    ) -> None:
        self.sessions = folder / "sessions"
        self._server = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self._pid = folder / "pid"
        words = {"CAPTAIN_SESSIONS": str(self.sessions), "TERM": "tmux-256color", "COLORTERM": "truecolor", **(env or {})}
        self.sessions = Path(words["CAPTAIN_SESSIONS"])
        given = " ".join(f"{name}={shlex.quote(value)}" for name, value in words.items())
        # The number of the process is that of the shell which becomes it.
        begin = f"echo $$ > {shlex.quote(str(self._pid))}; exec env {given} "
        run = begin + (line or shlex.join([sys.executable, "-m", "eyecaptain", *command]))
        columns, rows = size
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), f"sh -c {shlex.quote(run)}; echo EXIT $?; sleep 60")

    def tmux(self, *words: str) -> str:
        """Give tmux a command; return what it says."""
        done = subprocess.run([*self._server, *words], capture_output=True, text=True, timeout=10, check=True)
        return done.stdout

    @property
    def pid(self) -> int:
        """The process in it."""
        return int(self._pid.read_text())

    def screen(self) -> str:
        """What is on the screen, as text."""
        return self.tmux("capture-pane", "-p")

    def keys(self, *keys: str) -> None:
        """Press keys, one after the other, as tmux names them."""
        if keys:
            self.tmux("send-keys", *keys)

    def until(self, true: Callable[[], object], what: object = "", seconds: float = PATIENCE) -> None:
        """Wait until something is so."""
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, f"{what} never came:\n{self.screen()}"
            time.sleep(0.02)

    def sees(self, *words: str) -> str:
        """Wait until all these words are on the screen; return it."""
        shown = ""

        def all_there() -> bool:
            nonlocal shown
            shown = self.screen()
            return all(word in shown for word in words)

        self.until(all_there, words)
        return shown

    def resize(self, columns: int, rows: int) -> None:
        """Make the window as large as this."""
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send the process a signal."""
        os.kill(self.pid, number)

    def close(self) -> None:
        """The terminal goes away."""
        subprocess.run([*self._server, "kill-server"], capture_output=True, timeout=10)

    # -- what is on the disk --

    def recorded(self) -> log.Session:
        """The log as it is now."""
        return store.read(only_session(self.sessions) / log.FILE_NAME)

    def game(self) -> Any:
        """The game as the log has it now."""
        return replay.replay(self.recorded()).game

    def logged(self) -> list[str]:
        """The types of all actions."""
        if not self.sessions.exists() or not any(self.sessions.glob(f"*/{log.FILE_NAME}")):
            return []
        return [entry.data["type"] for entry in self.recorded().entries]

    def state(self) -> dict[str, object]:
        """The state by the log's replay, as the command prints it; the log is whole."""
        name = only_session(self.sessions).name
        assert captain("sessions", "verify", name, sessions=self.sessions).returncode == 0
        return dict(json.loads(captain("replay", name, "--json", sessions=self.sessions).stdout))


Open = Callable[..., Terminal]
