"""How fast the full screen is, and what it costs: a real terminal, over a simulated board with a record of what it said."""

import contextlib
import json
import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from pathlib import Path

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.views.terminal.palette import PAINTS

FACES = ("red", "green", "blue", "yellow")
WAIT = 20.0  # seconds over which the load of waiting is measured
PATIENCE = 10.0


class Screen:
    """`captain play` on a real deck in a pseudo-terminal.

    :ivar shown: what it drew last, with the monotonic time at which it came.
    """

    def __init__(self, port: str, folder: Path) -> None:
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 80))
        env = os.environ | {"CAPTAIN_SESSIONS": str(folder), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        play = ["play", "captain", "--players", "Ada,Ben", "--deck", "real", "--board", port]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "eyecaptain", *play], stdin=slave, stdout=slave, stderr=slave, env=env
        )
        os.close(slave)

    def press(self, key: bytes) -> None:
        os.write(self._master, key)

    def draws(self, seen: Callable[[bytes], object], seconds: float = PATIENCE) -> float | None:
        """When something was drawn (monotonic seconds), or None."""
        end, drawn = time.monotonic() + seconds, b""
        while (left := end - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                drawn += os.read(self._master, 65536)
                if seen(drawn):
                    return time.monotonic()
        return None

    def load(self) -> float:
        """Seconds of a processor that it has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> int:
        self.press(b"\x03")
        with contextlib.suppress(OSError):  # the other end is closed
            self.draws(lambda _: self.process.poll() is not None)
        code = self.process.wait(PATIENCE)
        os.close(self._master)
        return code


def ground(face: str) -> bytes:
    """How a terminal is told to paint this colour."""
    red, green, blue = bytes.fromhex(PAINTS[face].ground[1:])  # type: ignore[index] # one of the four
    return f"48;2;{red};{green};{blue}".encode()


def sent(record: Path, since: float) -> float | None:
    """When the board first said something of the die after `since` (monotonic seconds)."""
    first, *lines = map(json.loads, record.read_text().splitlines())
    said = ""  # the frames come in pieces
    for line in lines:
        at = first["monotonic"] + line["t"]
        if "said" in line and at > since:
            said += line["said"]
            if '"ev":"die"' in said:
                return float(at)
    return None


def measure() -> None:
    """A die event from the board to the screen, and the load of waiting for one."""
    with tempfile.TemporaryDirectory(prefix="eec") as folder:
        record = Path(folder) / "record"
        with SimulatedBoard.start(seed="1", record=record) as board:
            screen = Screen(board.entry.port, Path(folder) / "sessions")
            screen.draws(lambda drawn: b" q " in drawn)
            screen.draws(lambda _: False, 2.0)
            screen.press(b"p")  # the eye stands still, so that the die stays where it is put
            screen.draws(lambda _: False, 1.0)
            times = []
            for face in FACES * 8:
                began = time.monotonic()
                board.control.ask("face", color=face)
                drawn = screen.draws(lambda drawn, face=face: ground(face) in drawn, 3.0)  # type: ignore[misc] # bound here
                left = sent(record, began)
                if drawn is not None and left is not None:
                    times.append(drawn - left)
            screen.press(b"0p")
            screen.draws(lambda _: False, 2.0)
            before = screen.load()
            screen.draws(lambda _: False, WAIT)
            load = (screen.load() - before) / WAIT
            code = screen.close()
    if code != 130 or len(times) < 20:
        raise RuntimeError(f"the screen did not show what it should (exit code {code}, {len(times)} faces)")
    middle = statistics.median(times) * 1e3
    print(f"die event to screen   {middle:7.1f} ms   median of {len(times)}, slowest {max(times) * 1e3:.0f} ms (50)")
    print(f"waiting, eye rolling  {load:7.1%}      of one core (5 %)")
