"""What can be reckoned from what is remembered: three droppings of each colour are mixed, whatever else is forgotten."""

from collections.abc import Collection, Mapping
from itertools import combinations
from math import comb

from eyecaptain.games.base import COLORS, Color
from eyecaptain.games.twelve import DROPPINGS, PER_COLOR


def hidden(known: Mapping[int, Color]) -> dict[Color, int]:
    """How many droppings of each colour are among those that are not remembered."""
    counts = dict.fromkeys(COLORS, PER_COLOR)
    for color in known.values():
        counts[color] = max(0, counts[color] - 1)  # a memory that mixes things up may know a fourth
    return counts


def exhausted(known: Mapping[int, Color], on_deck: Collection[int]) -> float:
    """The chance that some colour is off the deck, all three (rules.md C4).

    Any dropping that is not remembered may be of any hidden colour, wherever it is: by inclusion and exclusion over the
    colours, of which none is remembered to be on the deck.
    """
    unknown = DROPPINGS - len(known)
    gone = unknown - sum(dropping not in known for dropping in on_deck)
    left = hidden(known)
    there = {color for dropping, color in known.items() if dropping in on_deck}
    candidates = [color for color in COLORS if color not in there]
    ways = 0
    for size in range(1, len(candidates) + 1):
        for chosen in combinations(candidates, size):
            needed = sum(left[color] for color in chosen)
            if needed <= gone:
                ways -= (-1) ** size * comb(unknown - needed, gone - needed)
    return ways / comb(unknown, gone)
