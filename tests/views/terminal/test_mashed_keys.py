"""A thousand random keys a second in a real pseudo-terminal: the state stays right, the log whole, and Ctrl-C still ends it."""

import fcntl
import os
import pty
import random
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from support import captain, only_session, runs

pytest.importorskip("textual")

RATE = 1000  # keys a second
SECONDS = min(60, runs(1))
# All that people can press by mistake, but what leaves: q, and Enter at the end of a game.
KEYS = [bytes([key]) for key in b"0123456789rgbywcvepkltnxmdofu1234aoWCMO?!ihsaRGX:;~ \t\x7f\x14\x0c\x01\xc3\xa9\xff\x00"]
KEYS += [b"\x1b", b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1bOP", b"\x1b[15~", b"\x1b["]
KEYS += [b"\x1b[<0;40;9M", b"\x1b[<0;40;9m", b"\x1b[200~r5\x1b[201~"]  # the mouse; a paste
TABLES = {
    "team": ("--players", "Ada,Ben", "--deck", "virtual", "--open-corners", "2"),
    "solo": ("--players", "Ada", "--bots", "1"),
    "captain": ("--players", "Ada,Ben,Cleo", "--deck", "real"),
}


@pytest.mark.soak
@pytest.mark.parametrize("game", TABLES)
def test_mashed_keys_in_a_terminal(game: str, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.set_blocking(master, False)
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path), "TERM": "xterm-256color"}
    words = ["play", game, *TABLES[game], "--board", "none", "--seed", "5eed", "--pace", "0.01"]
    process = subprocess.Popen(
        [sys.executable, "-m", "eyecaptain", *words], stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
    )
    os.close(slave)
    rng = random.Random(game)
    pressed = 0
    try:
        seen = b""
        while b"?1049h" not in seen:  # the full screen begins
            seen += _read(master, 10.0)
        began = time.monotonic()
        waiting = b""
        while (now := time.monotonic()) < began + SECONDS:
            while pressed < (now - began) * RATE:
                waiting += rng.choice(KEYS)
                pressed += 1
            waiting = waiting[_write(master, waiting) :]
            _read(master, 0.005)
            assert process.poll() is None, f"it has ended by itself: {_read(master, 0.1)!r}"
        while waiting:
            waiting = waiting[_write(master, waiting) :]
            _read(master, 0.01)
        shown = b""
        _write(master, b"\x03")
        asked = time.monotonic()
        while process.poll() is None:
            assert time.monotonic() < asked + 20, "Ctrl-C does not end it"
            shown += _read(master, 0.05)
        shown += _read(master, 0.05)
    finally:
        process.kill()
        process.wait()
        os.close(master)
    assert process.returncode == 130, shown[-2000:]
    assert b"Traceback" not in shown
    name = only_session(tmp_path).name
    assert captain("sessions", "verify", name, sessions=tmp_path).returncode == 0
    assert captain("replay", name, "--json", sessions=tmp_path).returncode == 0


def _read(master: int, patience: float) -> bytes:
    """What it shows; its terminal must not be full."""
    try:
        return os.read(master, 65536) if select.select([master], [], [], patience)[0] else b""
    except OSError:  # the other end is closed
        return b""


def _write(master: int, keys: bytes) -> int:
    try:
        return os.write(master, keys) if keys else 0
    except BlockingIOError:  # its buffer is full
        return 0
