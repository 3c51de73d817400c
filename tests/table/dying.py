"""Plays a game of bots in children that are killed with SIGKILL: once before, within and after each write of the log.

Run by test_crash.py, as a process without threads, so that it may fork. For each point of death it prints what the
child had shown, and in which folder.

    python dying.py ROOT GAME STEP
"""

import json
import os
import queue
import signal
import sys
from pathlib import Path
from typing import Any

from eyecaptain.sessions import writer
from eyecaptain.table.loop import Loop
from eyecaptain.table.sitting import Plan, begin
from eyecaptain.views.plain import PlainView

STAGES = ("before the write", "half-way through it", "before the sync", "after the sync")


def play(root: Path, game: str, shown: Path, point: int, stage: str) -> None:
    """Play until the `point`-th write of an action, and die there."""
    real_write, real_sync = os.write, writer.sync
    writes = -1  # the header is write 0

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def write(fd: int, data: Any) -> int:
        nonlocal writes
        writes += 1
        if writes == point and stage == STAGES[0]:
            die()
        if writes == point and stage == STAGES[1]:
            real_write(fd, data[: len(data) // 2])
            die()
        return real_write(fd, data)

    def sync(fd: int) -> None:
        if writes == point and stage == STAGES[2]:
            die()
        real_sync(fd)
        if writes == point and stage == STAGES[3]:
            die()

    os.write, writer.sync = write, sync
    inbox: queue.Queue[Any] = queue.Queue()
    with begin(root, Plan(game, [], bots=2, seed="5eed")) as sitting, shown.open("w") as out:
        Loop(sitting.table, PlainView(out, []), sitting.bots, inbox).run()


def main(root: Path, game: str, step: int) -> None:
    point = 0
    while True:
        point += step
        for stage in STAGES:
            folder = root / f"{point}-{STAGES.index(stage)}"
            folder.mkdir()
            child = os.fork()
            if not child:
                play(folder, game, folder.parent / (folder.name + ".txt"), point, stage)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            text = (folder.parent / (folder.name + ".txt")).read_text()
            print(json.dumps({"folder": str(folder), "point": point, "stage": stage, "killed": killed, "shown": text}))
            if not killed:
                return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
