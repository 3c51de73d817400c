"""Random draws that anyone can check: a byte stream from a seed (rules.md A10), the same on every system and Python."""

from collections.abc import MutableSequence
from hashlib import sha256
from typing import Any


class Draws:
    """Draws from the stream ``block_i = SHA-256(seed || tag || uint32be(i))``.

    :param seed: the seed's bytes.
    :param tag: keeps streams from one seed apart, e.g. ``b"EEC1"`` for the virtual deck.
    """

    def __init__(self, seed: bytes, tag: bytes) -> None:
        self._prefix = seed + tag
        self._block = 0
        self._bytes = iter(b"")

    def _byte(self) -> int:
        for byte in self._bytes:
            return byte
        self._bytes = iter(sha256(self._prefix + self._block.to_bytes(4, "big")).digest())
        self._block += 1
        return next(self._bytes)

    def draw(self, n: int) -> int:
        """A number from 0 to n - 1, every one equally likely (bytes that would bias it are passed over); n is 1 to 256."""
        mask = (1 << (n - 1).bit_length()) - 1
        while (value := self._byte() & mask) >= n:
            pass
        return value

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Fisher-Yates from the end, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.draw(i + 1)
            items[i], items[j] = items[j], items[i]


def seed_bytes(seed: str) -> bytes:
    """The bytes of a seed as people write it: hex digits in pairs are those bytes, anything else is its UTF-8 text."""
    try:
        return bytes.fromhex(seed)
    except ValueError:
        return seed.encode()
