"""Laws of Hol's der Geier over random games: rules.md A8, a second implementation, and OpenSpiel where its rules agree."""

import random

import pytest

from eyecaptain.games.auction import ANIMALS, SLOTS, Order, bids_of
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import Deal, Evaluate, FileOrder
from naive_geier import NaiveGeier
from support import runs


def shuffled(rng: random.Random) -> list[int]:
    cards = list(ANIMALS)
    rng.shuffle(cards)
    return cards


def order(rng: random.Random, hand: set[int]) -> Order | None:
    """Any order: mostly legal, often clustered so that cards tie, sometimes missing or irregular."""
    roll = rng.random()
    if roll < 0.1:
        return None
    if roll < 0.2:
        return rng.choice([None, *range(-1, 19)]), rng.choice([None, *range(-1, 19)])
    cards = sorted(hand)
    if roll < 0.6:  # everybody likes the same cards
        return (cards[-1], cards[0]) if rng.random() < 0.7 else (cards[0], cards[-1])
    a, b = rng.sample(cards, 2)
    return a, b


def check(game: GeierGame, number: int) -> None:
    """The invariants, after `number` rounds."""
    awarded = sum(len(animals) for animals in game.won) + len(game.forfeited)
    waiting = len(game.carry[0]) + len(game.carry[1])
    assert awarded + waiting == 2 * number
    assert all(len(hand) == 16 - 2 * number for hand in game.hands)
    for seat, hand in enumerate(game.hands):
        played = [card for done in game.results for card in done.bids[seat].cards]
        assert sorted([*played, *hand]) == list(range(1, 17))


@pytest.mark.soak
def test_the_invariants_hold_and_a_naive_implementation_agrees() -> None:
    """Games of 2 to 16 players with missing and irregular orders."""
    rng = random.Random("geier laws")
    carries = forfeits = 0
    for _ in range(runs(300)):
        players = rng.randint(2, 16)
        deck = shuffled(rng)
        game, naive = GeierGame([f"P{seat}" for seat in range(players)]), NaiveGeier(deck, players)
        game.apply(Deal(deck))
        for number in range(1, 9):
            orders = [order(rng, hand) for hand in game.hands]
            done = game.play_round(orders)
            naive.play(orders)
            check(game, number)
            for slot, letter in enumerate(SLOTS):
                pot, cards, flags, taker = naive.rounds[-1][letter]
                assert done.pots[slot] == pot
                assert [bids.cards[slot] for bids in done.bids] == cards
                assert [bids.flags[slot] for bids in done.bids] == flags
                assert done.takers[slot] == taker
                carries += taker is None
        assert sum(game.scores()) + sum(game.forfeited) == 34
        assert sorted(sum(game.won, game.forfeited)) == sorted(ANIMALS)
        assert (game.won, game.forfeited, game.carry) == (naive.taken, naive.gone, ([], []))
        forfeits += bool(game.forfeited)
    assert carries
    assert forfeits


@pytest.mark.soak
def test_neither_the_order_of_players_nor_of_arrival_changes_the_result() -> None:
    rng = random.Random("geier order")
    for _ in range(runs(60)):
        players = rng.randint(2, 9)
        deck = shuffled(rng)
        one, other = (GeierGame([f"P{seat}" for seat in range(players)]) for _ in range(2))
        seats = rng.sample(range(players), players)  # the seat in `other` of each player of `one`
        for game in (one, other):
            game.apply(Deal(deck))
        for number in range(1, 9):
            orders = [order(rng, hand) for hand in one.hands]
            one.play_round(orders)
            for seat in rng.sample(range(players), players):
                filed = orders[seat]
                if filed is not None and filed != (None, None):
                    other.apply(FileOrder(seats[seat], number, *filed))
            other.apply(Evaluate(number))
        assert [other.won[seats[seat]] for seat in range(players)] == one.won
        assert other.forfeited == one.forfeited
        assert {seats[seat] for seat in one.winners()} == set(other.winners())


def test_a_substitution_depends_on_hand_and_order_alone_and_takes_no_legal_card_away() -> None:
    rng = random.Random("geier substitution")
    for _ in range(2000):
        hand = set(rng.sample(range(1, 17), rng.choice([2, 4, 6, 8, 16])))
        filed = order(rng, hand) or (None, None)
        bids = bids_of(hand, filed)
        assert bids == bids_of(set(hand), filed)
        assert set(bids.cards) <= hand
        assert len(set(bids.cards)) == 2
        for card, played, flag in zip(filed, bids.cards, bids.flags, strict=True):
            assert (flag == "ok") == (card == played and flag != "illegal")
            assert flag != "missing" or card is None


@pytest.mark.soak
def test_openspiel_agrees_where_its_rules_are_the_same() -> None:
    """Whole games of ours with two players, whose sixteen auctions are the turns of a goofspiel with sixteen cards.

    A prize that nobody takes is discarded there and waits here, and there are no vultures there: with two players whoever does
    not have the highest card has the lowest, so they stand for prizes that go to the other one.
    """
    pyspiel = pytest.importorskip("pyspiel", reason="pip install open_spiel: a peer to compare with")
    peer = pyspiel.load_game("goofspiel(num_cards=16,players=2,points_order=random,returns_type=total_points)")
    rng = random.Random("openspiel")
    outcomes = set()
    for _ in range(runs(60)):
        deck, state, points = shuffled(rng), peer.new_initial_state(), [0, 0]
        prizes = {animal: animal if animal > 0 else 10 - animal for animal in deck}
        game = GeierGame(["P", "Q"])
        game.apply(Deal(deck))
        for number in range(1, 9):
            order = rng.sample(sorted(game.hands[0]), 2)
            orders = [order, rng.sample(sorted(game.hands[1]), 2) if rng.random() < 0.7 else order]
            done = game.play_round(
                [(a, b) if {a, b} <= hand else None for (a, b), hand in zip(orders, game.hands, strict=True)]
            )
            for slot in (0, 1):
                prize = prizes[deck[2 * number - 2 + slot]]
                if state.is_chance_node():  # else it is the last turn, which was played by itself
                    state.apply_action(prize - 1)
                    state.apply_actions([bids.cards[slot] - 1 for bids in done.bids])
                taker, mouse = done.takers[slot], sum(done.pots[slot]) >= 0
                outcomes.add((taker is None, mouse, len(done.pots[slot]) > 1))
                if taker is not None:
                    points[taker if mouse else 1 - taker] += prize
                if not state.is_terminal():
                    assert f"Points: {points[0]} {points[1]} " in str(state)
        assert state.returns() == points
    assert len(outcomes) == 8
