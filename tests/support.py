"""What several tests share: running the command, and the size of long runs."""

import os
import subprocess
import sys
from pathlib import Path


def runs(small: int) -> int:
    """How often to do what `make soak N=...` does N times; `small` in `make test`."""
    return int(os.environ.get("CAPTAIN_SOAK", small))


def captain(
    *args: str, sessions: Path, stdin: str | None = None, env: dict[str, str] | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run the real command in a process of its own."""
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


def only_session(sessions: Path) -> Path:
    """The folder of the one session that there is."""
    (folder,) = sessions.iterdir()
    return folder
