"""Ports that do not open: each has its reason, what to do about it, and exit code 3."""

import fcntl
import os
import subprocess
import sys
import time
import tty
from pathlib import Path

import pytest

from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.link.line import Line
from eyecaptain.link.tape import Tape
from link.peer import Peer


def refused(port: str) -> NoBoard:
    with pytest.raises(NoBoard) as caught:
        Line(port)
    assert caught.value.exit_code == 3
    return caught.value


@pytest.mark.parametrize("port", ["/dev/ttyACM987", "/dev/pts/98765", "COM300", ""])
def test_no_such_port(port: str) -> None:
    error = refused(port)
    assert "no port" in error.message
    assert "captain ports" in error.hint


def test_no_serial_port(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for port in ["/dev/null", str(file), str(tmp_path)]:
        assert "is not a serial port" in refused(port).message


@pytest.mark.parametrize("port", ["socket://127.0.0.1:1", "nonsense://x", "socket://"])
def test_an_address_that_leads_nowhere(port: str) -> None:
    assert port in refused(port).message


def test_a_taken_port_names_who_has_it() -> None:
    with Peer() as peer:
        program = (
            "import fcntl, sys; port = open(sys.argv[1], 'rb+', 0); fcntl.flock(port, fcntl.LOCK_EX); "
            "print(1, flush=True); sys.stdin.read()"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program, peer.port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()
            error = refused(peer.port)
            child.communicate()
        assert "is taken" in error.message
        if Path("/proc/locks").exists():
            assert f"({child.pid})" in error.message
        Line(peer.port).close()  # free again


def test_two_of_ours_cannot_have_the_same_port() -> None:
    with Peer() as peer:
        line = Line(peer.port)
        assert "is taken" in refused(peer.port).message
        line.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_no_permission(tmp_path: Path) -> None:
    program = """
import os, sys
from eyecaptain.link import holders, line
import serial, grp, pwd
os.setgroups([]); os.setgid(65534); os.setuid(65534)
from eyecaptain.errors import NoBoard
try:
    line.Line(sys.argv[1])
except NoBoard as error:
    print(error.exit_code, error.message, error.hint)
"""
    with Peer() as peer:
        Path(peer.port).chmod(0o600)
        done = subprocess.run([sys.executable, "-c", program, peer.port], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.startswith(f"3 No permission to use {peer.port}."), done.stderr
    assert "usermod -aG dialout" in done.stdout
    assert "udev" in done.stdout


def test_the_lock_goes_with_the_line() -> None:
    with Peer() as peer:
        Line(peer.port).close()
        file = os.open(peer.port, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(file)


def test_a_board_that_takes_nothing_does_not_hold_up_the_host_for_ever() -> None:
    board, port = os.openpty()
    tty.setraw(port)
    line = Line(os.ttyname(port))
    try:
        began = time.monotonic()
        with pytest.raises(LinkLost, match="takes no more bytes"):
            line.write(b"x" * (1 << 20))
        assert time.monotonic() - began < 10  # its time-out is one second
    finally:
        line.close()
        os.close(port)
        os.close(board)


def test_a_tape_joins_pieces_and_shows_any_byte() -> None:
    heard: list[tuple[str, str]] = []
    tape = Tape(lambda _, way, text: heard.append((way, text)))
    for piece in [b"\n\n#02", b"0{}\n", b"\xffsnow\x03\r\n", b"no end"]:
        tape.feed("<", piece)
    tape.feed(">", b"\n" * 480 + b"#1\n")
    assert heard == [("<", "#020{}"), ("<", r"\xffsnow\x03"), (">", "#1")]
    assert tape.lines()[-1].endswith("< no end")


def test_a_tape_survives_a_line_without_end() -> None:
    tape = Tape()
    for _ in range(300):
        tape.feed("<", b"x" * 1000)
    assert len(tape.lines()) <= 101
