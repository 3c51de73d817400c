"""Real client, real firmware, and one line of a hundred each way lost, doubled, damaged or cut by the board's own console.

The board counts jobs, so that a second execution shows; every answer is checked; what has no answer has an error.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from eyecaptain.errors import CaptainError, LinkLost
from eyecaptain.link.client import Client
from link.plain import Emulated
from support import runs

REQUESTS = runs(20) * 100  # a hundred thousand by `make soak N=1000`
WAIT = 0.05  # seconds for a reply, where 0.25 is the rule
FAULTS = ("corrupt", "drop", "duplicate", "truncate")


@pytest.fixture(scope="module")
def board(emulate: Callable[..., Emulated]) -> Emulated:
    return emulate("--seed", "through", "--faults", ",".join(f"{name}=0.0025" for name in FAULTS))


class Host:
    """One link session after the other, and what is known of the board by now."""

    def __init__(self, port: str) -> None:
        self.port = port
        self.job = 0  # the last that the board told us of
        self.unknown = 0  # starts since then that nobody answered: done, or not
        self.lost = 0
        self.sessions = 0
        self.done = 0
        self.counts: dict[str, int] = {}
        self.client = self.join()

    def join(self) -> Client:
        for _ in range(20):
            with contextlib.suppress(CaptainError):
                client = Client(self.port, lambda _: None, lease=5000)
                try:
                    client.request("arm", wait=WAIT)
                except CaptainError:
                    client.close()
                    raise
                self.sessions += 1
                return client
        raise AssertionError("no hello comes through")

    def leave(self) -> None:
        for name, count in self.client.counts.items():
            self.counts[name] = self.counts.get(name, 0) + count
        self.client.close()

    def ask(self, op: str, **args: Any) -> dict[str, Any] | None:
        """One intent; None when it ended with an error."""
        self.done += 1
        try:
            return self.client.request(op, wait=WAIT, **args)
        except LinkLost:
            self.lost += 1
            self.leave()
            self.client = self.join()
            return None

    def start(self) -> None:
        reply = self.ask("eye", mode="steady", power=0, ms=600000)
        if reply is None:
            self.unknown += 1
        else:
            assert self.job < reply["job"] <= self.job + 1 + self.unknown, "done twice, or somebody else's answer"
            self.job, self.unknown = reply["job"], 0

    def light(self, number: int) -> None:
        colours = [f"{number:06x}"] * (number % 6 + 1)
        reply = self.ask("chips", c=colours)
        state = self.ask("state")
        if reply is not None:
            assert reply == {"shown": len(colours)}
        if reply is not None and state is not None:
            assert state["chips"] == colours
        if state is not None:
            assert self.job <= state["job"][0] <= self.job + self.unknown


@contextlib.contextmanager
def beating(host: Host) -> Iterator[None]:
    """Meanwhile another thread asks too: two requests are under way."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(0.001):
            with contextlib.suppress(LinkLost):
                assert set(host.client.request("hb", wait=WAIT)) == {"now"}

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.soak
def test_every_request_is_done_once_and_answered_right_or_ends_in_an_error(board: Emulated) -> None:
    host = Host(board.port)
    with beating(host):
        number = 0
        while host.done < REQUESTS:
            host.start()
            host.light(number)
            number += 1
    host.leave()
    state = board.world("state")
    assert state["boots"] == 1
    met = {name: state["met"][name] for name in FAULTS}
    print(f"{host.done} requests in {host.sessions} link sessions, {host.lost} ended in an error; faults {met}; {host.counts}")
    assert all(count > REQUESTS / 1000 for count in met.values())
    assert host.lost <= 2 + REQUESTS / 1000
    assert host.counts["resent"] > 0
    assert host.counts["crc"] + host.counts["bad"] > 0
