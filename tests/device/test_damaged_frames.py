"""Millions of damaged streams: nothing is ever taken for a message that was not sent, and the next frame always counts."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from eyedeck.link import frame
from support import runs

CHUNKS = 4
TRIALS = runs(20) * 10_000 // CHUNKS  # ten million by `make soak N=1000`

NEXT = {"id": 65535, "op": "next"}
MARK = frame.encode(NEXT, frame.REQUEST)
SAMPLES: list[dict[str, Any]] = [
    {"id": 17, "op": "state"},
    {"id": 18, "op": "eye", "a": {"mode": "roam", "power": 60, "ms": 60000}},
    {"id": 1, "op": "hb"},
    {"re": 17, "ok": {"job": 3}},
    {"re": 4, "er": ["busy", "job 3 is running"]},
    {"ev": "die", "n": 412, "t": 81234, "d": {"face": "red", "conf": 90, "why": None}},
    {"lg": "w", "m": 'half "#020{" a frame \\ *af6b56d5'},
    {},
]
FRAMES = [frame.encode(obj, frame.REQUEST) for obj in SAMPLES]
SENT = [frozenset([repr(obj)]) for obj in SAMPLES]
BYTES = [bytes([byte]) for byte in b'#*\n\r{}"0123456789abcdef\x00\x03\xff ']


def flip(data: bytes, chance: Random) -> bytes:
    at = int(chance.random() * len(data))
    return data[:at] + bytes([data[at] ^ 1 << int(chance.random() * 8)]) + data[at + 1 :]


def burst(data: bytes, chance: Random) -> bytes:
    at = int(chance.random() * len(data))
    return data[:at] + chance.randbytes(1 + int(chance.random() * 5)) + data[at + 4 :]


def insert(data: bytes, chance: Random) -> bytes:
    at = int(chance.random() * (len(data) + 1))
    return data[:at] + chance.choice(BYTES) + data[at:]


def delete(data: bytes, chance: Random) -> bytes:
    at = int(chance.random() * len(data))
    return data[:at] + data[at + 1 + int(chance.random() * 3) :]


def truncate(data: bytes, chance: Random) -> bytes:
    return data[: int(chance.random() * len(data))]


def swap(data: bytes, chance: Random) -> bytes:
    at = int(chance.random() * (len(data) - 1))
    return data[:at] + data[at + 1 : at + 2] + data[at : at + 1] + data[at + 2 :]


def twice(data: bytes, chance: Random) -> bytes:
    return insert(flip(data, chance), chance)


DAMAGE: list[Callable[[bytes, Random], bytes]] = [flip, burst, insert, delete, truncate, swap, twice]


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_damaged_frame_is_never_another_message(chunk: int) -> None:
    """Also not when another frame's end is spliced to it."""
    chance = Random(f"damage {chunk} {TRIALS}")
    decoder = frame.Decoder(frame.REQUEST)
    kinds = len(DAMAGE) + 1
    accepted: Counter[str] = Counter()
    for trial in range(TRIALS):
        one = int(chance.random() * len(FRAMES))
        sent = SENT[one]
        if kind := trial % kinds:
            data = DAMAGE[kind - 1](FRAMES[one], chance)
        else:
            other = int(chance.random() * len(FRAMES))
            a, b = FRAMES[one], FRAMES[other]
            data = a[: int(chance.random() * len(a))] + b[int(chance.random() * len(b)) :]
            sent = SENT[one] | SENT[other]
        got = [value for what, value in decoder.feed(data + MARK) if what == frame.MESSAGE]
        assert got, data
        assert got.pop() == NEXT, data
        for message in got:
            assert repr(message) in sent, data
            accepted["whole"] += 1
    # What had met no damage to speak of (a byte put between frames, a swap of two equal ones) still counts as itself.
    assert accepted["whole"] < TRIALS / 5
    assert decoder.crc > TRIALS / 10
    assert decoder.bad > TRIALS / 10
