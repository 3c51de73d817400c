"""How good a link is: round trips, throughput and loss, and what both ends have counted, in plain words."""

import statistics
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from eyecaptain.errors import LinkLost
from eyecaptain.language import N_, _
from eyecaptain.link.client import Client

OPS = ("hb", "state")
BOTH = 2  # threads, because two requests may be under way
MOST_LOSS = 0.02  # share of the frames; a cable that loses more is none to play with

# What the counters say, by their names: those of the host, then those of the board.
HOST = {
    "resent": N_("Requests sent again, because no reply came"),
    "stray": N_("Replies that nobody waited for (any more)"),
    "crc": N_("Frames from the board with a wrong checksum"),
    "bad": N_("Broken frames from the board"),
    "missed": N_("Events that got lost on the way"),
    "doubled": N_("Events that came twice"),
}
BOARD = {
    "crc": N_("Frames to the board with a wrong checksum, since the board was switched on"),
    "bad": N_("Broken frames to the board, since the board was switched on"),
    "drop": N_("Messages that the board threw away because nobody read them, since the board was switched on"),
    "i2c": N_("Transfers to the colour sensor that failed, since the board was switched on"),
    "clr": N_("Times that the sensor's bus had to be freed, since the board was switched on"),
    "stall": N_("Times that the motor was found stuck, since the board was switched on"),
}


@dataclass(frozen=True, slots=True)
class Health:
    """What was measured.

    :param trips: seconds that each request took, by operation.
    :param rate: requests a second, with two under way.
    :param traffic: bytes a second then, both ways.
    :param host: what went wrong meanwhile, as the host counted it.
    :param board: what the board has counted since it was switched on.
    :param lost: requests that had no answer however often they were sent; the first ends the link.
    """

    trips: dict[str, list[float]]
    rate: float
    traffic: float
    host: dict[str, int]
    board: dict[str, int]
    lost: int

    @property
    def requests(self) -> int:
        """How many were made one after the other."""
        return sum(map(len, self.trips.values()))

    @property
    def loss(self) -> float:
        """The share of sendings that got no reply."""
        return (self.host["resent"] + self.lost) / max(1, self.requests + self.host["resent"] + self.lost)

    @property
    def good(self) -> bool:
        """Whether it is a link to play with."""
        return not self.lost and self.loss <= MOST_LOSS

    def as_json(self) -> dict[str, Any]:
        """Everything, in milliseconds."""
        return {
            "good": self.good,
            "requests": self.requests,
            "lost": self.lost,
            "loss": round(self.loss, 5),
            "round_trip_ms": {op: _summary(trips) for op, trips in self.trips.items()},
            "requests_per_second": round(self.rate, 1),
            "bytes_per_second": round(self.traffic),
            "host": self.host,
            "device": self.board,
        }

    def lines(self) -> list[str]:
        """The same for people."""
        said = []
        for op, trips in self.trips.items():
            if trips:
                words = _("Round trip of {op}: {median} ms, 99 of 100 within {p99} ms, the longest {max} ms.")
                said.append(words.format(op=op, **_summary(trips)))
        words = _("Throughput: {requests:.0f} requests a second, {traffic:.1f} kB a second both ways.")
        said.append(words.format(requests=self.rate, traffic=self.traffic / 1000))
        sent = self.requests + self.host["resent"] + self.lost
        said.append(_("Loss: {share:.2%} of {number} sendings.").format(share=self.loss, number=sent))
        said += [f"{_(words)}: {self.host[name]}." for name, words in HOST.items() if self.host[name]]
        said += [f"{_(words)}: {self.board[name]}." for name, words in BOARD.items() if self.board.get(name)]
        return [*said, self._verdict()]

    def _verdict(self) -> str:
        if self.lost:
            return _("The link broke down. Try another cable, another port and no hub.")
        if not self.good:
            return _(
                "The link loses too much. Try another cable, another port and no hub; keep the motor's wires away from it."
            )
        if any(self.host.values()) or self.board.get("crc") or self.board.get("bad"):
            return _("The link has faults, and copes with them: nothing was lost for good.")
        return _("The link is good.")


def measure(client: Client, seconds: float, heard: Callable[[], int]) -> Health:
    """Ask a board as much as it answers, in turns at first and then two at a time.

    :param seconds: how long to do each.
    :param heard: how many bytes have gone by so far, both ways.
    """
    trips: dict[str, list[float]] = {op: [] for op in OPS}
    rate = traffic = 0.0
    lost = 0
    board: dict[str, int] = {}
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for op in OPS:
                began = time.monotonic()
                client.request(op)
                trips[op].append(time.monotonic() - began)
        rate, traffic = _flood(client, seconds, heard)
        board = client.request("stats")
    except LinkLost:
        lost = 1
    return Health(trips, rate, traffic, client.counts, board, lost)


def _flood(client: Client, seconds: float, heard: Callable[[], int]) -> tuple[float, float]:
    """Requests and bytes a second with as many under way as may be.

    :raises LinkLost: the link broke down meanwhile.
    """
    began, before = time.monotonic(), heard()
    done = [0] * BOTH

    def ask(which: int) -> None:
        with suppress(LinkLost):
            while time.monotonic() < began + seconds:
                client.request("hb")
                done[which] += 1

    threads = [threading.Thread(target=ask, args=(which,)) for which in range(BOTH)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if client.lost is not None:
        raise client.lost
    took = time.monotonic() - began
    return sum(done) / took, (heard() - before) / took


def _summary(trips: list[float]) -> dict[str, float]:
    if not trips:
        return {}
    ordered = sorted(trips)
    values = {
        "median": statistics.median(ordered),
        "p99": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
        "max": ordered[-1],
    }
    return {name: round(value * 1000, 2) for name, value in values.items()}
