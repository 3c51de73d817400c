"""One Ctrl-C ends the screen in a real pseudo-terminal, whatever unfinished input came before it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from support import captain, only_session

pytest.importorskip("textual")

PATIENCE = 20.0
UNFINISHED = {
    "nothing": b"",
    "half a sequence": b"\x1b[",
    "half a mouse's report": b"\x1b[<0;40",
    "a paste without an end": b"\x1b[200~r5",
    "half a sequence in a paste": b"\x1b[200~r5\x1b[20",
    "half a letter": b"\xc3",
    "a number that is no character": b"\x1b[1114112;1u",
    "a number that is too large for any": b"\x1b[99999999999;1u",
    "many keys": b"r5w\x1b[A" * 500,
}


@pytest.mark.parametrize("before", UNFINISHED)
@pytest.mark.parametrize("together", [True, False], ids=["in one read", "later"])
def test_one_ctrl_c_ends_it_after(before: str, together: bool, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path), "TERM": "xterm-256color"}
    words = ["play", "solo", "--players", "Ada,Ben", "--board", "none", "--seed", "5eed", "--pace", "0.01"]
    with subprocess.Popen(
        [sys.executable, "-m", "eyecaptain", *words], stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
    ) as process:
        os.close(slave)
        try:
            shown = b""
            while b"Ada" not in shown:  # the table is there, and keys are read
                more = _read(master, PATIENCE)
                assert more, f"the table never comes: {shown[-300:]!r}"
                shown += more
            if together:
                os.write(master, UNFINISHED[before] + b"\x03")
            else:
                os.write(master, UNFINISHED[before])
                shown += _read(master, 0.5)
                os.write(master, b"\x03")
            end = time.monotonic() + PATIENCE
            while process.poll() is None:
                assert time.monotonic() < end, "Ctrl-C does not end it"
                shown += _read(master, 0.05)
        finally:
            process.kill()
            os.close(master)
    assert process.returncode == 130
    assert b"Traceback" not in shown
    assert captain("sessions", "verify", only_session(tmp_path).name, sessions=tmp_path).returncode == 0


def _read(master: int, patience: float) -> bytes:
    """What it shows; its terminal must not be full."""
    try:
        return os.read(master, 65536) if select.select([master], [], [], patience)[0] else b""
    except OSError:  # the other end is closed
        return b""
