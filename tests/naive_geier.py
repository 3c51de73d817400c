"""Hol's der Geier once more, deliberately naive and written from the rules' text alone: what the engine is checked against.

It shares no code with the engine, keeps everything in plain lists, and does every step as a game master would with paper.
"""

from typing import Any


class NaiveGeier:
    def __init__(self, deck: list[int], players: int) -> None:
        self.deck = deck
        self.hands = [list(range(1, 17)) for _ in range(players)]
        self.taken: list[list[int]] = [[] for _ in range(players)]
        self.lying: dict[str, list[int]] = {"A": [], "B": []}
        self.gone: list[int] = []
        self.rounds: list[dict[str, Any]] = []

    def play(self, orders: list[tuple[int | None, int | None] | None]) -> None:
        number = len(self.rounds) + 1
        played = [self.complete(hand, order) for hand, order in zip(self.hands, orders, strict=True)]
        found: dict[str, Any] = {}
        for slot in ("A", "B"):
            animal = self.deck[(number - 1) * 2 + (0 if slot == "A" else 1)]
            lot = [*self.lying[slot], animal]
            cards = [cards[slot][0] for cards in played]
            left = [player for player in range(len(cards)) if sum(other == cards[player] for other in cards) == 1]
            taker = None
            for player in left:
                better = taker is None or (cards[player] > cards[taker] if sum(lot) >= 0 else cards[player] < cards[taker])
                if better:
                    taker = player
            if taker is None and number == 8:
                self.gone += lot
                self.lying[slot] = []
            elif taker is None:
                self.lying[slot] = lot
            else:
                self.taken[taker] += lot
                self.lying[slot] = []
            found[slot] = (lot, cards, [cards[slot][1] for cards in played], taker)
        for hand, mine in zip(self.hands, played, strict=True):
            hand.remove(mine["A"][0])
            hand.remove(mine["B"][0])
        self.rounds.append(found)

    @staticmethod
    def complete(hand: list[int], order: tuple[int | None, int | None] | None) -> dict[str, tuple[int, str]]:
        """The table of rules.md A4 with pencil and rubber: strike out what cannot be, then fill in the lowest."""
        rest = list(hand)
        result: dict[str, tuple[int, str]] = {}
        reasons: dict[str, str] = {}
        for slot, card in zip(("A", "B"), order or (None, None), strict=True):
            if card is None:
                reasons[slot] = "missing"
            elif card in rest:
                rest.remove(card)
                result[slot] = (card, "ok")
            else:
                reasons[slot] = "illegal"
        for slot, reason in reasons.items():
            lowest = min(rest)
            rest.remove(lowest)
            result[slot] = (lowest, reason)
        return result
