"""Figures of the board's sight: how soon the host knows of a die that came to rest, and what a judgement costs."""

import json
import os
import queue
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from eyecaptain.boards.simulated.interpreter import HEAP, command
from eyecaptain.boards.simulated.launcher import Control, SimulatedBoard
from eyecaptain.link.client import Client
from eyecaptain.world.scene import unit_of

DEVICE = Path(__file__).parents[2] / "device"
CYCLES = 21
BEGIN, LIGHT = "8003", 6  # PON and AEN are set; the pin of the sensor's light

# What MicroPython says of one judgement: microseconds, and bytes of heap.
COST = """
import gc, time
from eyedeck.core import die, palette
values = %s
ready = palette.Palette(values)
off = [2, 2, 2, 6]
for name, on in (("a face", %s), ("nothing there", [3, 3, 3, 9])):
    gc.collect(); gc.disable()
    before = gc.mem_alloc(); began = time.ticks_us()
    for _ in range(200):
        die.judge(on, off, ready)
    took = time.ticks_diff(time.ticks_us(), began); used = gc.mem_alloc() - before
    gc.enable()
    print("%%-14s %%6.1f us %%4d bytes" %% (name, took / 200, used // 200))
"""


def cost() -> None:
    """Time and memory of one judgement, on this machine's MicroPython."""
    from eyecaptain.boards.simulated.calibrated import document

    values = json.loads(document("bench", "0" * 16))["cal"]
    program = f"import sys; sys.path.insert(0, {str(DEVICE)!r})\n" + COST % (values, [1400, 450, 420, 2300])
    done = subprocess.run([*command(), "-X", f"heapsize={HEAP}", "-c", program], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        print(f"judging (unix port)   {line}")


def latency(seconds: float = 60.0, seed: str = "bench") -> None:
    """From the end of a pair of readings to the `die` event at the host, for dice that came to rest while the eye runs."""
    with tempfile.TemporaryDirectory(prefix="eec") as folder:
        os.environ["CAPTAIN_RUNTIME"] = folder
        record = Path(folder) / "record"
        events: queue.Queue[Any] = queue.Queue()
        with SimulatedBoard.start(seed=seed, record=record) as board, Client(board.entry.port, events.put) as client:
            world = Control(board.entry.control)
            rests = _run(client, world, seconds)
            world.close()
        lines = [json.loads(line) for line in record.read_text().splitlines()]
    told = []
    while not events.empty():
        event = events.get()
        if event.what == "die" and event.data["face"]:
            told.append((event.at, event.data["face"]))
    _tell(rests, told, _pairs(lines, unit_of(seed).step))


def _run(client: Client, world: Control, seconds: float) -> list[tuple[float, str | None]]:
    """Let the eye knock the die about; return when it came to rest, and with which face over the window."""
    rests: list[tuple[float, str | None]] = []
    client.request("watch", on=True)
    client.request("arm")
    client.request("eye", mode="roam", power=60, ms=600000)
    end = time.monotonic() + seconds
    turn = 0.0
    while time.monotonic() < end:
        if time.monotonic() > turn:  # the world stays quick
            world.ask("turn")
            turn = time.monotonic() + 4.0
        news = [event for event in world.events(0.05) if event["ev"] == "die"]
        rests += [(time.monotonic(), event["face"] if event["zone"] == 0 else None) for event in news]
    client.request("stop")
    return rests


def _pairs(lines: list[dict[str, Any]], step: float) -> list[tuple[float, float]]:
    """When each pair of conversions began and ended, on the host's clock."""
    zero = lines[0]["monotonic"]
    lit, began, pairs = 0, None, []
    for line in lines:
        if line.get("pin") == LIGHT:
            lit = line.get("level", lit)
        elif line.get("w") == BEGIN:
            if not lit:
                began = zero + line["t"]
            elif began is not None:
                pairs.append((began, zero + line["t"] + (CYCLES + 1) * step))
    return pairs


def _tell(rests: list[tuple[float, str | None]], told: list[tuple[float, str]], pairs: list[tuple[float, float]]) -> None:
    delays: list[float] = []
    votes: Counter[int] = Counter()
    for (rest, face), (following, _) in zip(rests, [*rests[1:], (float("inf"), None)], strict=True):
        came = next((at for at, seen in told if rest < at < following and seen == face), None)
        if face is None or came is None:
            continue
        ends = [end for began, end in pairs if began >= rest and end <= came]
        if ends:
            delays.append(1000 * (came - ends[-1]))
            votes[len(ends)] += 1
    delays.sort()
    histogram = Counter(min(20, int(delay // 2) * 2) for delay in delays)
    print(
        f"die event after the end of a pair: {len(delays)} times, median {statistics.median(delays):.1f} ms, "
        f"99 of 100 within {delays[len(delays) * 99 // 100]:.1f} ms, longest {delays[-1]:.1f} ms   (goal 20; "
        f"load {os.getloadavg()[0]:.1f})"
    )
    print("   ms      " + "  ".join(f"{at}+: {histogram[at]}" for at in sorted(histogram)))
    print(
        "   pairs that began after the rest: "
        + ", ".join(f"{count} pairs {times} times" for count, times in sorted(votes.items()))
    )
