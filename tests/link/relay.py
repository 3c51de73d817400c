"""A line that is not to be trusted: a pseudo-terminal in front of a real port, and a fate for every frame."""

import os
import pty
import select
import threading
import time
import tty
from random import Random
from typing import Self

FATES = ["drop", "double", "flip", "cut", "noise", "late"]


class Relay:
    """Passes on what goes between `port` (its own) and `behind`.

    :param rate: how many of a hundred frames meet a fate other than to arrive.
    """

    def __init__(self, behind: str, seed: str, rate: int) -> None:
        self.chance = Random(seed)
        self.rate = rate
        self.met = dict.fromkeys(FATES, 0)
        self._board = os.open(behind, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._board)
        self._host, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._stop, self._stopper = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._stopper)
        self._thread.join()
        for file in (self._board, self._host, self._slave, self._stop):
            os.close(file)

    def _run(self) -> None:
        pending = {self._board: b"", self._host: b""}
        while True:
            ready, _, _ = select.select([self._stop, *pending], [], [])
            if self._stop in ready:
                return
            for source in ready:
                target = self._host if source == self._board else self._board
                *lines, pending[source] = (pending[source] + os.read(source, 4096)).split(b"\n")
                passed = b"".join(self._fate(line + b"\n") for line in lines)
                if b"#" not in pending[source]:  # a prompt, or somebody's Ctrl-C: it has no end to wait for
                    passed += pending[source]
                    pending[source] = b""
                os.write(target, passed)

    def _fate(self, line: bytes) -> bytes:
        if len(line) < 2 or self.chance.randrange(100) >= self.rate:
            return line
        fate = self.chance.choice(FATES)
        self.met[fate] += 1
        at = self.chance.randrange(len(line) - 1)
        match fate:
            case "drop":
                return b""
            case "double":
                return line * 2
            case "flip":
                return line[:at] + bytes([line[at] ^ 1 << self.chance.randrange(7)]) + line[at + 1 :]
            case "cut":
                return line[:at]
            case "noise":
                return b"AT\r" + line
            case _:
                time.sleep(self.chance.uniform(0.05, 0.4))  # with all that comes behind it
                return line
