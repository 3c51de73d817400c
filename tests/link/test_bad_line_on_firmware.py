"""Real client, real firmware, and a line between them that loses, doubles and damages frames."""

import contextlib
from collections.abc import Callable, Iterator

import pytest

from eyecaptain.errors import CaptainError, LinkLost
from eyecaptain.link.client import Client
from link.plain import Emulated
from link.relay import Relay
from support import runs

INTENTS = runs(80)


@pytest.fixture(scope="module")
def sim(emulate: Callable[..., Emulated]) -> Emulated:
    return emulate("--seed", "relay")


def joined(port: str) -> Client:
    """A link session, begun as often as it takes."""
    for _ in range(20):
        with contextlib.suppress(CaptainError):
            client = Client(port, lambda _: None)
            try:
                client.request("arm")
            except CaptainError:
                client.close()
                raise
            return client
    raise AssertionError("no hello comes through")


def begun(relay: Relay, failed: list[str]) -> Iterator[int]:
    """Start runs of the motor (without power); yield the numbers of their jobs, which the board counts."""
    client = joined(relay.port)
    try:
        for _ in range(INTENTS):
            try:
                yield client.request("eye", mode="steady", power=0, ms=60000)["job"]
            except LinkLost as error:
                failed.append(error.message)
                client.close()
                client = joined(relay.port)
    finally:
        client.close()


@pytest.mark.soak
@pytest.mark.parametrize("rate", [0, 12])
def test_nothing_is_done_twice_on_a_bad_line(rate: int, sim: Emulated) -> None:
    failed: list[str] = []
    with Relay(sim.port, f"seed {rate}", rate) as relay:
        jobs = list(begun(relay, failed))
        met = sum(relay.met.values())
    assert len(jobs) + len(failed) == INTENTS
    assert jobs == sorted(set(jobs))
    # A run that nobody acknowledged may have been begun, but once at most.
    assert jobs[-1] - jobs[0] + 1 <= len(jobs) + len(failed)
    if rate == 0:
        assert (met, failed) == (0, [])
    else:
        assert met > INTENTS / 10
        assert len(failed) < INTENTS / 10
