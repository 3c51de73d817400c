"""Lines from standard input, read in a thread, so that a wait for people never keeps the table from hearing the board."""

import os
import queue
import threading
from typing import Any


def read_into(inbox: "queue.Queue[str | dict[str, Any] | None]", fd: int = 0) -> None:
    """Put every line that comes in on `fd` into `inbox`, and None at its end.

    Reads the descriptor itself: a thread that waits inside `sys.stdin` would hold its lock when the process ends.
    """
    threading.Thread(target=_read, args=(inbox, fd), name="lines", daemon=True).start()


def _read(inbox: "queue.Queue[str | dict[str, Any] | None]", fd: int) -> None:
    rest = b""
    while True:
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b""
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            inbox.put(line.decode(errors="replace"))
        if not data:
            if rest:
                inbox.put(rest.decode(errors="replace"))
            inbox.put(None)
            return
