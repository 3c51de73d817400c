"""Hol's der Geier, compiled (Numba, extra `fast`): game by game in one loop, with the rules and bots of the engine.

That it gives what the engine and the bots give on the same decks, orders and chance is tested.
"""

from collections.abc import Sequence

import numba
import numpy as np
import numpy.typing as npt

from eyecaptain.games.bots.geier import HIGHEST, LOWEST, Policy
from eyecaptain.simulate.geierarrays import Simulated

Bytes = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
_compiled = numba.njit(cache=True)


def simulated(seed: int, games: int, policies: Sequence[Policy]) -> Simulated:
    """Play so many games of bots; the seed is a whole number from 0."""
    targets = np.array([policy.targets for policy in policies], np.int64)
    whims = np.array([policy.whim for policy in policies], np.int64)
    scores, waits, forfeited, _decks, _orders = play(seed, games, targets, whims)
    return Simulated(scores, waits, forfeited)


@_compiled  # type: ignore[misc,untyped-decorator,unused-ignore]
def _next(state: np.uint64) -> np.uint64:
    """xorshift64: the next state; its upper bits are the chance."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@_compiled  # type: ignore[misc,untyped-decorator,unused-ignore]
def _shuffle(cards: Bytes, state: np.uint64) -> np.uint64:
    """Fisher-Yates from the end, in place; returns the next state."""
    for index in range(15, 0, -1):
        state = _next(state)
        other = np.int64(((state >> np.uint64(32)) * np.uint64(index + 1)) >> np.uint64(32))
        cards[index], cards[other] = cards[other], cards[index]
    return state


@_compiled  # type: ignore[misc,untyped-decorator,unused-ignore]
def play(seed: int, games: int, targets: Ints, whims: Ints) -> tuple[Ints, Ints, Ints, Bytes, Bytes]:
    """Play games of bots; returns scores (G, P), waits (G,), forfeited (G,), decks (G, 16) and orders (8, 2, G, P)."""
    players = len(whims)
    scores = np.zeros((games, players), np.int64)
    waits, forfeited = np.zeros(games, np.int64), np.zeros(games, np.int64)
    decks, orders = np.empty((games, 16), np.int8), np.empty((8, 2, games, players), np.int8)
    hands = np.empty((players, 16), np.int8)
    pots = np.empty(2, np.int64)
    state = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
    for game in range(games):
        for index in range(16):
            decks[game, index] = index - 6 if index < 6 else index - 5
        state = _shuffle(decks[game], state)
        for player in range(players):
            for index in range(16):
                hands[player, index] = index + 1
            if whims[player] < 0:  # any card will do: all of them in any order
                state = _shuffle(hands[player], state)
        pots[:] = 0
        for number in range(8):
            pots[0] += decks[game, 2 * number]
            pots[1] += decks[game, 2 * number + 1]
            first = 0 if abs(pots[0]) >= abs(pots[1]) else 1
            for player in range(players):
                if whims[player] < 0:
                    orders[number, 0, game, player] = hands[player, 2 * number]
                    orders[number, 1, game, player] = hands[player, 2 * number + 1]
                    continue
                for turn in range(2):
                    slot = first if turn == 0 else 1 - first
                    left = 16 - 2 * number - turn
                    index, state = _choice(left, targets[player], whims[player], pots[slot], state)
                    orders[number, slot, game, player] = hands[player, index]
                    for after in range(index, left - 1):
                        hands[player, after] = hands[player, after + 1]
            for slot in range(2):
                taker = taker_of(pots[slot], orders[number, slot, game])
                if taker >= 0:
                    scores[game, taker] += pots[slot]
                    pots[slot] = 0
                else:
                    waits[game] += 1
        forfeited[game] = pots[0] + pots[1]
    return scores, waits, forfeited, decks, orders


@_compiled  # type: ignore[misc,untyped-decorator,unused-ignore]
def _choice(left: int, targets: Ints, whim: int, pot: int, state: np.uint64) -> tuple[int, np.uint64]:
    """The index, in a hand of `left` cards, of what a bot likes best (`games.bots.geier.choose`), and the next state."""
    target = targets[min(HIGHEST, max(LOWEST, pot)) - LOWEST]
    steps = left - 1 if left > 1 else 1
    best, most = 0, -(1 << 40)
    for index in range(left):
        state = _next(state)
        liking = whim * np.int64(state >> np.uint64(56)) // 255 - abs(index * 255 // steps - target)
        if liking > most:
            best, most = index, liking
    return best, state


@_compiled  # type: ignore[misc,untyped-decorator,unused-ignore]
def taker_of(pot: int, bids: Bytes) -> int:
    """Who takes a pot, or -1: the best card that only one player has. A set of cards is a number's bits."""
    once, twice = 0, 0
    for bid in bids:
        card = 1 << bid
        twice |= once & card
        once |= card
    alone = once & ~twice
    best = -1
    for player, bid in enumerate(bids):
        if alone >> bid & 1 and (best < 0 or (bid > bids[best]) == (pot >= 0)):
            best = player
    return best
