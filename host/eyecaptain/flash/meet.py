"""Talking with the firmware before and after it is flashed: hello, self-test, confirm."""

import os
import queue
import time
from typing import Any, Self

from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.language import _
from eyecaptain.link.client import Client
from eyecaptain.link.errors import BoardRefused, OtherVersion
from eyecaptain.link.messages import Event
from eyecaptain.link.ports import Port, find

FIRST = 0.6  # seconds for an answer of a board that should run
GONE, BACK = 0.5, 5.0  # seconds after a reset in which its port vanishes, and comes back
ALLOWED = 2.0  # seconds until everybody who may use a port that has just come may do so
START = 20.0  # seconds from a reset to hello
SELFTEST = 10.0  # seconds
CONFIRM = 2.0  # seconds; it writes a file
# Parts that have to work with the new firmware if they did with the old one; the others depend on light and hands.
PARTS = ("config", "sensor", "driver")

Parts = dict[str, dict[str, Any]]


class Met:
    """A board whose firmware answers."""

    def __init__(self, port: Port, patience: float) -> None:
        self._events: queue.Queue[Event] = queue.Queue()
        self._patience = patience = max(patience, port.slow)
        self.client = Client(port.port, self._events.put, patience=FIRST * patience, rouse=False, slow=patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.client.close()
        if isinstance(error, LinkLost) and not error.lines:  # not from the link itself, but about what it brought
            error.lines = self.client.tape.lines()

    @property
    def build(self) -> str:
        """Which build runs."""
        return self.client.hello.build

    @property
    def fresh(self) -> bool:
        """Whether it still has to be confirmed."""
        return "trial" in self.client.hello.raw

    def where(self) -> list[str | None]:
        """The slot in use, the build before this one, a build that failed, and why; each may be None."""
        told = self.client.request("stats").get("slot")
        return [*told, None, None, None, None][:4] if isinstance(told, list) else [None] * 4

    def selftest(self, *, motor: bool = False) -> Parts:
        """Let the board look at its parts; nothing moves without `motor`.

        A firmware that knows no self-test, or is busy, says nothing of its parts.

        :raises BoardRefused: the motor may not run now.
        :raises LinkLost: it does not come to its end.
        """
        try:
            job = self.client.request("selftest", motor=motor)["job"]
        except BoardRefused:
            if motor:
                raise
            return {}
        parts: Parts = {}
        end = time.monotonic() + SELFTEST * self._patience
        while time.monotonic() < end:
            try:
                event = self._events.get(timeout=0.1)
            except queue.Empty:
                continue
            match event:
                case Event("test", {"name": str(name)} as data):
                    parts[name] = data
                case Event("job", {"job": number}) if number == job:
                    return parts
                case Event("lost" | "rebooted"):
                    break
        raise LinkLost(_("The board's self-test does not come to its end."), _("Is it still plugged in?"))

    def confirm(self, build: str) -> None:
        """Let the firmware stay.

        :raises BoardRefused, LinkLost: it does not.
        """
        self.client.request("confirm", wait=CONFIRM, build=build)

    def quiet(self) -> None:
        """Motor off, and the lights say that a program works on the board."""
        self.client.request("maint")


def meet(port: Port, patience: float) -> Met | None:
    """Say hello to a board that may run anything; None when our firmware does not answer.

    :raises NoBoard: the port cannot be had.
    """
    try:
        return Met(port, patience)
    except (OtherVersion, LinkLost, BoardRefused):
        return None


def await_board(port: Port, patience: float) -> Met:
    """Wait for a board that was reset, whatever its port is called now.

    :raises LinkLost: our firmware does not answer in time.
    """
    patience = max(patience, port.slow)
    end = time.monotonic() + START * patience
    lines: list[str] = []
    while True:
        here = find(port.serial) if port.serial else port
        if here is not None:
            try:
                return Met(here, patience)
            except (NoBoard, LinkLost, BoardRefused) as error:
                lines = error.lines or lines
        if time.monotonic() > end:
            words = _("The board at {port} does not answer {seconds} s after its reset.")
            lost = LinkLost(words.format(port=port.port, seconds=round(START * patience)))
            lost.lines = lines
            raise lost
        time.sleep(0.05)


def await_port(port: Port) -> None:
    """Wait until the port of a board that was just reset is there again, so that the next command finds it."""
    if not port.serial:
        return
    for seconds, there in ((GONE, False), (BACK, True)):
        end = time.monotonic() + seconds
        while (find(port.serial) is not None) != there and time.monotonic() < end:
            time.sleep(0.02)
    if (here := find(port.serial)) is not None:
        await_permission(here)


def await_permission(port: Port) -> None:
    """Wait until a port that has just come may be used: on Linux it is root's alone at first, and then its group's."""
    end = time.monotonic() + ALLOWED
    while os.name == "posix" and not os.access(port.port, os.R_OK | os.W_OK) and time.monotonic() < end:
        time.sleep(0.02)


def lost_parts(before: Parts, after: Parts) -> list[str]:
    """The parts that worked before and do not any more."""
    return [name for name in PARTS if before.get(name, {}).get("ok") and not after.get(name, {}).get("ok")]
