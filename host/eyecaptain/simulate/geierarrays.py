"""Hol's der Geier, thousands of games at once, as arrays (NumPy): the same rules and bots, one round of all games at a time.

Shapes: G games, P players. Hands are masks (G, P, 16), cards and animals small whole numbers. That it agrees with the engine
on the same orders, and with the bots on the same chance, is tested.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from eyecaptain.games.auction import ANIMALS, ROUNDS
from eyecaptain.games.bots.geier import HIGHEST, LOWEST, POLICIES, Policy

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Masks = npt.NDArray[np.bool_]


def shuffled(rng: np.random.Generator, games: int) -> Bytes:
    """Decks (G, 16)."""
    return np.array(ANIMALS, np.int8)[rng.random((games, 16), np.float32).argsort(axis=1)]


def random_orders(rng: np.random.Generator, games: int, players: int) -> Bytes:
    """Legal orders of whole games, all equally likely: (8, 2, G, P)."""
    cards = rng.random((games, players, 16), np.float32).argsort(axis=2).astype(np.int8) + np.int8(1)
    return np.ascontiguousarray(cards.reshape(games, players, ROUNDS, 2).transpose(2, 3, 0, 1))


def takers(sums: Ints, bids: Bytes) -> Ints:
    """Who takes each pot (G,): the index of the bid, or -1 when all are knocked out.

    :param sums: of the pots (G,).
    :param bids: the cards played (G, P).
    """
    value = np.where((sums >= 0)[:, None], bids, np.int8(17) - bids)  # the highest takes it, either way
    alone = np.ones(bids.shape, np.bool_)
    for one in range(bids.shape[1]):
        for other in range(one):
            apart = bids[:, one] != bids[:, other]
            alone[:, one] &= apart
            alone[:, other] &= apart
    value = np.where(alone, value, np.int8(0))
    taker = value.argmax(axis=1)
    return np.where(value[np.arange(len(bids)), taker] > 0, taker, -1)


class Games:
    """So many games under way.

    :param decks: (G, 16).
    """

    def __init__(self, decks: Bytes, players: int) -> None:
        games = len(decks)
        self.decks = decks
        self.round = 0
        self.scores = np.zeros((games, players), np.int64)
        self.carry = np.zeros((2, games), np.int64)
        self.waits = np.zeros(games, np.int64)  # auctions in which all were knocked out
        self._rows = np.arange(games)

    def pots(self) -> Ints:
        """The sums of the two pots of this round: (2, G)."""
        return self.carry + self.decks[:, 2 * self.round : 2 * self.round + 2].T

    def settle(self, bids: Bytes) -> None:
        """Evaluate a round; `bids` is (2, G, P), and legal."""
        sums = self.pots()
        for slot in range(2):
            taker = takers(sums[slot], bids[slot])
            taken = taker >= 0
            self.scores[self._rows[taken], taker[taken]] += sums[slot][taken]
            self.carry[slot] = np.where(taken, 0, sums[slot])
            self.waits += ~taken
        self.round += 1


def played(decks: Bytes, orders: Bytes) -> Ints:
    """The final scores (G, P) of games with these decks and orders (8, 2, G, P)."""
    games = Games(decks, orders.shape[3])
    for bids in orders:
        games.settle(bids)
    return games.scores


def choose(hands: Masks, pots: Ints, policies: Sequence[Policy], noise: npt.NDArray[np.uint8]) -> Bytes:
    """What bots play: (2, G, P); see `eyecaptain.games.bots.geier.choose`.

    :param policies: of each player.
    :param noise: (2, G, P, 16).
    """
    games, players = hands.shape[:2]
    whim = np.array([policy.whim for policy in policies])[None, :, None]
    targets = np.array([policy.targets for policy in policies])
    first = np.where(np.abs(pots[0]) >= np.abs(pots[1]), 0, 1)  # the slot that is decided first
    all_, rows, columns = np.arange(games), np.arange(games)[:, None], np.arange(players)[None, :]
    left = hands.copy()
    cards = np.zeros((2, games, players), np.int8)
    for slots in (first, 1 - first):
        pot = np.clip(pots[slots, all_], LOWEST, HIGHEST) - LOWEST
        target = targets[:, pot].T[:, :, None]
        size = int(left[0, 0].sum())
        index = np.cumsum(left, axis=2) - 1
        chance = noise[slots, all_].astype(np.int64)
        liking = whim * chance // 255 - np.abs(index * 255 // (size - 1 or 1) - target)
        any_ = (256 * chance[..., 0] + chance[..., 1]) * size >> 16
        liking = np.where(whim < 0, index == any_[:, :, None], liking)
        card = np.where(left, liking, -(1 << 31)).argmax(axis=2)
        left[rows, columns, card] = False
        cards[slots[:, None], rows, columns] = card + 1
    return cards


class Simulated(NamedTuple):
    """What came of many games.

    :param scores: (G, P).
    :param waits: in how many auctions of a game all were knocked out (G,).
    :param forfeited: the points that were lost in the last round (G,).
    """

    scores: Ints
    waits: Ints
    forfeited: Ints


def simulated(seed: int, games: int, policies: Sequence[Policy]) -> Simulated:
    """Play so many games of bots. Where all take any card, whole games are drawn at once."""
    rng = np.random.default_rng(seed)
    players = len(policies)
    state = Games(shuffled(rng, games), players)
    if all(policy is POLICIES["easy"] for policy in policies):
        for bids in random_orders(rng, games, players):
            state.settle(bids)
        return Simulated(state.scores, state.waits, state.carry.sum(axis=0))
    hands = np.ones((games, players, 16), np.bool_)
    rows, columns = np.arange(games)[:, None], np.arange(players)[None, :]
    for _ in range(ROUNDS):
        noise = rng.integers(0, 256, (2, games, players, 16), np.uint8)
        bids = choose(hands, state.pots(), policies, noise)
        for slot in range(2):
            hands[rows, columns, bids[slot] - 1] = False
        state.settle(bids)
    return Simulated(state.scores, state.waits, state.carry.sum(axis=0))
