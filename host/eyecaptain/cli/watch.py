"""`captain doctor --watch`: live counts of the colour sensor, while a builder aligns it."""

import queue
import sys
from typing import Any

import click

from eyecaptain.language import _

BAR = 30  # characters for full scale
UNCALIBRATED = 21  # cycles with which the firmware reads before it has a calibration (eyedeck/sight.py)


def watch(port: str, seconds: float | None = None) -> None:
    """Show each pair of readings until Ctrl-C, or for so many seconds.

    :raises NoBoard, LinkLost: the board cannot be had, or is lost.
    """
    import time

    from eyecaptain.errors import LinkLost
    from eyecaptain.link.client import Client
    from eyecaptain.views.reasons import reason
    from eyedeck.core.palette import full

    events: queue.Queue[Any] = queue.Queue()
    live = sys.stdout.isatty()
    end = None if seconds is None else time.monotonic() + seconds
    with Client(port, events.put) as client:
        key = client.request("cal", do="get")
        cycles = UNCALIBRATED if key["sum"] is None else client.request("cal", do="get", key="exp")["v"][0]
        client.request("watch", on=True, raw=True)
        click.echo(_("Light minus dark: red, green, blue, clear. Ctrl-C ends."))
        while end is None or time.monotonic() < end:
            try:
                event = events.get(timeout=0.2)
            except queue.Empty:
                continue
            if event.what == "lost":
                raise LinkLost(_("The board is not there any more."))
            if event.what == "die":
                _show(event.data, full(cycles), live, reason)


def _show(data: dict[str, Any], full: int, live: bool, reason: Any) -> None:
    """One reading: counts, a bar of clear, and what the board makes of it."""
    red, green, blue, clear = data["raw"]
    bar = "#" * min(BAR, round(BAR * clear / full))
    found = f"{_(data['face'])} ({data['conf']} %)" if data["face"] else reason(data["why"])
    line = f"{red:6} {green:6} {blue:6} {clear:6} |{bar:{BAR}}| {found}"
    if live:
        click.echo(f"\r\x1b[K{line[:160]}", nl=False)
    else:
        click.echo(line)
