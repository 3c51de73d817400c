"""A deck that nobody can have chosen: committed before the first round, revealed after the last (rules.md A10)."""

from collections.abc import Sequence
from hashlib import sha256

from eyecaptain.games.auction import ANIMALS
from eyecaptain.games.draws import Draws

TAG = b"HDG1"


def commitment(game_id: str, seed: bytes) -> str:
    """What is published in round 0: whoever knows the seed later can check that it was this one."""
    return sha256(b"HDGC" + game_id.encode() + seed).hexdigest()


def mixed(seed: bytes, nonces: Sequence[str]) -> bytes:
    """The seed with what every player added to it after the commitment, so that nobody can have picked a good one.

    :param nonces: by seat, a missing one is empty. Each stands behind its length in bytes, two bytes, the high one first.
    """
    parts = [nonce.encode() for nonce in nonces]
    return sha256(seed + b"".join(len(part).to_bytes(2, "big") + part for part in parts)).digest()


def deck(seed: bytes) -> list[int]:
    """The sixteen animals in the order of their auctions: A1, B1, A2, ..."""
    animals = list(ANIMALS)
    Draws(seed, TAG).shuffle(animals)
    return animals


def sealed(game_id: str, round_: int, player: int, cards: tuple[int, int], nonce: str) -> str:
    """The commitment to an order, for a game master who plays too; the nonce needs at least 128 bits of chance.

    :param player: counted as in the published vector: any number that all know the player by.
    """
    a, b = cards
    return sha256(f"{game_id}|{round_}|{player}|{a}|{b}|{nonce}".encode()).hexdigest()
