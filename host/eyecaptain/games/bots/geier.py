"""Bots for Hol's der Geier by mail: one rule for a whole hand, so that thousands of games can be played at once.

A bot wishes for a card of a certain strength for what a pot is worth, adds some whim, and takes the card of its hand that it
likes best. Easy takes any card. Medium wishes what a person would: the more a pot is worth, the stronger a card. Hard began
there; its wishes were changed by chance as long as that won more games in whatever company (fields of easy, of medium, of
both, and of its own kind): it lets what is worth nearly nothing go, and pays more for what is worth much. Both need their
whim: two bots that always played the same would knock each other out.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from eyecaptain.games.draws import Draws

CARDS = 16
LOWEST, HIGHEST = -6, 10  # a pot outside counts as the one at the end


class Policy(NamedTuple):
    """What a bot wishes for.

    :param targets: for a pot of -6 to +10, how strong a card: from 0 (its lowest) to 255 (its highest).
    :param whim: how much chance may add to the liking for any card, on the same scale; below 0: any card will do.
    """

    targets: tuple[int, ...]
    whim: int


POLICIES = {
    "easy": Policy((0,) * 17, -1),
    "medium": Policy((180, 160, 140, 120, 100, 80, 0, 26, 52, 78, 104, 130, 156, 182, 208, 234, 255), 180),
    "hard": Policy((180, 163, 90, 97, 68, 18, 0, 0, 0, 55, 104, 144, 175, 217, 225, 244, 255), 180),
}


def order(view: dict[str, Any], seat: int, strength: str, seed: bytes) -> tuple[int, int]:
    """The cards for A and B that a bot plays in this view of the game; the same seed gives the same.

    :param strength: one of easy, medium, hard.
    """
    draws = Draws(seed, f"BOT{seat}".encode())
    noise = [[draws.draw(256) for _ in range(CARDS)] for _ in range(2)]
    animals = view["animals"][view["round"] - 1] if len(view["animals"]) >= view["round"] else (2, 2)  # blind: any animal
    pots = [sum(carry) + animal for carry, animal in zip(view["carry"], animals, strict=True)]
    return choose(view["hands"][seat], pots, POLICIES[strength], noise)


def choose(hand: Sequence[int], pots: Sequence[int], policy: Policy, noise: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The cards for A and B; first for the pot that is worth more, then from what is left. Whole numbers throughout.

    :param hand: sorted.
    :param noise: a number below 256 for every card, for each slot.
    """
    left = list(hand)
    cards = [0, 0]
    for slot in (0, 1) if abs(pots[0]) >= abs(pots[1]) else (1, 0):
        target = policy.targets[min(HIGHEST, max(LOWEST, pots[slot])) - LOWEST]
        if policy.whim < 0:
            cards[slot] = left.pop((256 * noise[slot][0] + noise[slot][1]) * len(left) >> 16)
            continue
        steps = len(left) - 1 or 1
        liking = [
            policy.whim * noise[slot][card - 1] // 255 - abs(index * 255 // steps - target) for index, card in enumerate(left)
        ]
        cards[slot] = left.pop(liking.index(max(liking)))
    return cards[0], cards[1]
