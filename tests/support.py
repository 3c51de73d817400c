"""What several tests share: running the command, and the size of long runs."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from eyecaptain.boards.simulated import check_system
from eyecaptain.errors import NoBoard


def runs(small: int) -> int:
    """How often to do what `make soak N=...` does N times; `small` in `make test`."""
    return int(os.environ.get("CAPTAIN_SOAK", small))


def captain(
    *args: str, sessions: Path, stdin: str | None = None, env: dict[str, str] | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run the real command in a process of its own; `play` without a board, unless one is named."""
    if args[:1] == ("play",) and not {"--board", "--help"} & set(args):
        args = (*args, "--board", "none")
    return subprocess.run(
        [sys.executable, "-m", "eyecaptain", *args],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        env={**os.environ, "CAPTAIN_SESSIONS": str(sessions), **(env or {})},
    )


def terminal(args: list[str], keys: bytes, sessions: Path, env: dict[str, str]) -> bytes:
    """Run the command in a real pseudo-terminal, type `keys`, and return what it wrote."""
    import pty  # not on Windows

    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "eyecaptain", *args],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={
            **{k: v for k, v in os.environ.items() if k != "NO_COLOR"},
            "CAPTAIN_SESSIONS": str(sessions),
            "TERM": "xterm",
            **env,
        },
    ) as process:
        os.close(slave)
        os.write(master, keys)
        out = b""
        while select.select([master], [], [], 10)[0]:
            try:
                data = os.read(master, 4096)
            except OSError:  # Linux: the other end is closed
                break
            if not data:
                break
            out += data
        process.wait(10)
    os.close(master)
    return out


def only_session(sessions: Path) -> Path:
    """The folder of the one session that there is."""
    (folder,) = sessions.iterdir()
    return folder


def _no_micropython() -> str | None:
    """Why the simulated board cannot run here, and what to install; None when it can."""
    try:
        check_system()
        from eyecaptain.boards.simulated import interpreter

        interpreter.command()
    except NoBoard as error:
        return f"{error.message} {error.hint}"
    return None


def skip_without_micropython() -> None:
    """Skip a test where there is no MicroPython to run."""
    if reason := _no_micropython():
        pytest.skip(reason)


needs_micropython = pytest.mark.skipif(_no_micropython() is not None, reason=_no_micropython() or "")
