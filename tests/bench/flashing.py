"""Flashing against the tools that people would use otherwise, on a simulated board: wall time and bytes on the wire.

first flash        a board that runs somebody else's program; ours checks, switches, restarts and confirms
nothing to do      the same again
one changed file
all changed
"""

import contextlib
import os
import pty
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.flash import status
from eyecaptain.link.ports import Port

DEVICE = Path(__file__).parents[2] / "device"
OTHER = "import time\nwhile True:\n    time.sleep_ms(20)\n"
ROUNDS = 3
CASES = ("first flash", "nothing to do", "one changed file", "all changed")
# At most so many times mpremote's time, which checks nothing; a first flash also restarts the board and confirms.
GOALS = {"first flash": 1.3, "nothing to do": 0.5, "one changed file": 1.0, "all changed": None}


class Meter:
    """A serial port in front of another one, which counts what goes by."""

    def __init__(self, port: str) -> None:
        self.port = port
        self.count = 0
        self._inside, slave = pty.openpty()
        tty.setraw(slave)
        self.name = os.ttyname(slave)
        self._slave = slave
        self._open = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        outside: int | None = None
        while self._open:
            if outside is None:
                with contextlib.suppress(OSError):
                    outside = os.open(self.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
                    tty.setraw(outside, termios.TCSANOW)
            ends = [self._inside] + ([] if outside is None else [outside])
            for end in select.select(ends, [], [], 0.05)[0]:
                try:
                    data = os.read(end, 4096)
                    if not data:
                        raise OSError  # the board is away: it restarts
                    self.count += len(data)
                    to = outside if end == self._inside else self._inside
                    while data and to is not None:
                        with contextlib.suppress(BlockingIOError):
                            data = data[os.write(to, data) :]
                except OSError:
                    if end == outside and outside is not None:
                        os.close(outside)
                        outside = None
                    break

    def close(self) -> None:
        self._open = False
        self._thread.join()
        os.close(self._inside)
        os.close(self._slave)


@contextlib.contextmanager
def board() -> Iterator[SimulatedBoard]:
    """A board that runs somebody else's program."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.py").write_text(OTHER)
        with SimulatedBoard.start(firmware=Path(folder)) as started:
            yield started


def tree(folder: Path, version: str, *, all_changed: bool) -> Path:
    """The firmware with one file or all files changed."""
    place = folder / version
    shutil.copytree(DEVICE, place, ignore=shutil.ignore_patterns("__pycache__", "mypy.ini"))
    for file in place.rglob("*.py") if all_changed else [place / "eyedeck/__init__.py"]:
        file.write_text(file.read_text() + f"\n_CHANGED = {version!r}\n")
    return place


def ours(port: str, source: Path) -> None:
    """The whole command, until the board runs the firmware and has confirmed it."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    run([sys.executable, "-m", "eyecaptain", "flash", "--board", port], environment)


def mpremote(port: str, source: Path) -> None:
    """Copy, without any check."""
    names = [str(source / name) for name in ("boot.py", "main.py", "eyedeck")]
    run([sys.executable, "-m", "mpremote", "connect", port, "fs", "cp", "-r", *names, ":"])


def mpytool(port: str, source: Path) -> None:
    """Its copy skips equal files, too."""
    names = [str(source / name) for name in ("boot.py", "main.py", "eyedeck")]
    run([str(Path(sys.executable).with_name("mpytool")), "-p", port, "cp", *names, ":/"])


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    if done.returncode:
        raise RuntimeError(done.stdout[-300:] + done.stderr[-300:])


def cost(tool: Callable[[str, Path], None], folder: Path, *, metered: bool) -> dict[str, float]:
    """Seconds of each case, or bytes."""
    sources = [tree(folder, f"{tool.__name__}{metered}{time.monotonic_ns()}", all_changed=False)]
    sources += [sources[0], tree(folder, f"one{time.monotonic_ns()}", all_changed=False)]
    sources += [tree(folder, f"all{time.monotonic_ns()}", all_changed=True)]
    found = {}
    with board() as started:
        for case, source in zip(CASES, sources, strict=True):
            wait(started)
            meter = Meter(started.entry.port) if metered else None
            began = time.perf_counter()
            tool(meter.name if meter else started.entry.port, source)
            found[case] = meter.count if meter else time.perf_counter() - began
            if meter:
                meter.close()
        if tool is ours:
            assert status.ask(Port(started.entry.port, started.entry.serial, "sim", ""), 5.0).build
    return found


def wait(started: SimulatedBoard) -> None:
    """Until the port is there and its program runs."""
    while not Path(started.entry.port).exists():
        time.sleep(0.01)
    time.sleep(0.3)


def flashing() -> None:
    """Print the table."""
    tools: list[Callable[[str, Path], None]] = [ours, mpremote]
    with contextlib.suppress(ImportError):
        import mpytool as _peer  # type: ignore[import-not-found,import-untyped,unused-ignore]

        tools.append(mpytool)
        del _peer
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds: dict[str, dict[str, list[float]]] = {tool.__name__: {case: [] for case in CASES} for tool in tools}
        for _ in range(ROUNDS):
            for tool in tools:
                for case, value in cost(tool, folder, metered=False).items():
                    seconds[tool.__name__][case].append(value)
        sent = {tool.__name__: cost(tool, folder, metered=True) for tool in tools}
    print(f"{'flashing':18}" + "".join(f"{tool.__name__:>22}" for tool in tools) + "   ours / mpremote (goal)")
    for case in CASES:
        middle = {tool: statistics.median(values[case]) for tool, values in seconds.items()}
        cells = "".join(f"{middle[t.__name__]:8.2f} s {sent[t.__name__][case] / 1000:8.1f} kB" for t in tools)
        goal = GOALS[case]
        ratio = middle["ours"] / middle["mpremote"]
        print(f"{case:18}{cells}   {ratio:.2f}" + (f" ({goal})" if goal else ""))
    if len(tools) == 2:
        print("(pip install mpytool shows its copy beside them)")
