"""Game after game on one board: neither end may keep a little more each time. An hour of it by `make soak N=1000`."""

import io
import re
import shutil
import statistics
import threading
import time
from pathlib import Path

import pytest

from device.conftest import DEVICE
from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.table.loop import Loop
from eyecaptain.table.sitting import Plan, Room, begin
from eyecaptain.views.plain import PlainView
from random_play import KINDS
from support import needs_micropython, runs

pytestmark = [needs_micropython, pytest.mark.usefixtures("own_runtime"), pytest.mark.soak]

SECONDS = runs(1) * 3.6
PACE = 0.05 if SECONDS < 60 else 0.2
GAMES = list(KINDS)

# The real firmware, with one task more: it tells what is in use right after each collection.
MEASURED = """
import asyncio, gc
from eyedeck import app
deck = app.App._run_deck
async def tell(self):
    while True:
        await asyncio.sleep_ms({every})
        gc.collect()
        self._deck._events.log("d", "heap %d" % gc.mem_alloc())
async def run_deck(self):
    asyncio.create_task(tell(self))
    await deck(self)
app.App._run_deck = run_deck
app.run(globals().get("feeder"))
"""


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def slope(points: list[tuple[float, int]]) -> tuple[float, float]:
    """Bytes a second of the straight line through (seconds, bytes), and its standard error."""
    times, values = zip(*points, strict=True)
    line = statistics.linear_regression(times, values)
    rest = [value - line.intercept - line.slope * at for at, value in points]
    spread = sum((at - statistics.fmean(times)) ** 2 for at in times)
    return line.slope, (sum(error * error for error in rest) / (len(points) - 2) / spread) ** 0.5


def report(heap: list[tuple[float, int]], games: int) -> tuple[float, float]:
    """Say how it goes; return by how many bytes the line through all collections rises, and that figure's standard error."""
    settled = heap[len(heap) // 10 :]  # the first game fills lists that the others use again
    growth, error = slope(settled)
    seconds = settled[-1][0] - settled[0][0]
    in_use = [used for _, used in settled]
    print(
        f"{games} games, {len(heap)} collections in {seconds / 3600:.2f} h, {min(in_use)} to {max(in_use)} bytes in use after "
        f"each, slope {growth * 3600:.0f} +- {error * 3600:.0f} bytes an hour",
        flush=True,
    )
    return growth * seconds, error * seconds


def test_nothing_is_kept_from_game_to_game(tmp_path: Path) -> None:
    firmware = tmp_path / "firmware"
    shutil.copytree(DEVICE, firmware, ignore=shutil.ignore_patterns("__pycache__"))
    (firmware / "main.py").write_text(MEASURED.format(every=250 if SECONDS < 60 else 5000))
    heap: list[tuple[float, int]] = []
    held: list[tuple[int, int]] = []

    def heard(line: str) -> None:
        if found := re.fullmatch(r"d: heap (\d+)", line):
            heap.append((time.monotonic(), int(found[1])))

    with SimulatedBoard.start(seed="hour", pace=PACE, firmware=firmware) as board:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end or len(held) < 2:
            plan = Plan(GAMES[len(held) % len(GAMES)], [], bots=2, board=board.entry.port, seed=f"{len(held)}", pace=PACE)
            room = Room(show=heard)
            with begin(tmp_path / "sessions", plan, room) as sitting:
                Loop(sitting.table, PlainView(io.StringIO(), []), sitting.bots, room.inbox, 2 * PACE).run()
            shutil.rmtree(sitting.folder)
            held.append((open_files(), threading.active_count()))
            if len(held) % 50 == 0:
                report(heap, len(held))
    assert len(set(held)) == 1, f"open files and threads after each game: {held}"
    rise, error = report(heap, len(held))
    assert rise < max(1000, 3 * error), "the board keeps more and more"
