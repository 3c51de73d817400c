"""One auction of Hol's der Geier, and what an order becomes: the pure evaluation (rules.md A4, A5)."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

CARDS = tuple(range(1, 17))  # A1: the number cards of every player
ANIMALS = (*range(-6, 0), *range(1, 11))  # A1: six vultures, ten mice; their sum is 34
ROUNDS = 8
SLOTS = ("A", "B")

Order = tuple[int | None, int | None]
Flag = Literal["ok", "missing", "illegal"]
NO_ORDER: Order = (None, None)
_OK: tuple[Flag, Flag] = ("ok", "ok")


class Bids(NamedTuple):
    """What a player plays in a round, and how each of the two came about: any flag but ok means substituted."""

    cards: tuple[int, int]
    flags: tuple[Flag, Flag]


def bids_of(hand: AbstractSet[int], order: Order) -> Bids:
    """What `order` becomes with this hand of two cards or more (A4, H8 to H10).

    A legal card is never taken away by a substitution: first what is legal is kept, then the lowest cards left fill the gaps.
    """
    a, b = order
    if a != b and a in hand and b in hand:
        assert a is not None
        assert b is not None
        return Bids((a, b), _OK)
    cards: list[int | None] = [None, None]
    flags: list[Flag] = ["ok", "ok"]
    for slot, card in enumerate(order):
        if card is None:
            flags[slot] = "missing"
        elif card in hand and card not in cards:
            cards[slot] = card
        else:
            flags[slot] = "illegal"
    lowest = iter(sorted(hand - set(cards)))
    first, second = (next(lowest) if card is None else card for card in cards)
    return Bids((first, second), (flags[0], flags[1]))


def winner(pot: Sequence[int], bids: Sequence[int]) -> int | None:
    """The index of the bid that takes the pot, or None when all are knocked out (A5).

    The sign of the pot's sum decides, not that of the animal drawn last (H4); a sum of 0 counts as a mouse (H7).
    """
    for bid in sorted(bids, reverse=sum(pot) >= 0):
        if bids.count(bid) == 1:
            return bids.index(bid)
    return None


def knocked_out(pot: Sequence[int], bids: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The cards that cancelled each other before one was found that nobody else had, with the indices of their bids.

    They come in the order in which they are looked at: from the highest for mice, from the lowest for vultures.
    """
    taker = winner(pot, bids)
    found = []
    for card in sorted(set(bids), reverse=sum(pot) >= 0):
        if taker is not None and card == bids[taker]:
            break
        found.append((card, [index for index, bid in enumerate(bids) if bid == card]))
    return found
