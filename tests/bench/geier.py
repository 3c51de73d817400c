"""Random games of Hol's der Geier a second, five players, one core, in turns with OpenSpiel's Python loop over goofspiel.

Both play every card at random: OpenSpiel goofspiel of 15 cards, we 16 cards in eight rounds of two auctions.
"""

import random
import statistics
import time
from collections.abc import Callable

from eyecaptain.games.auction import ANIMALS, CARDS
from eyecaptain.games.bots.geier import POLICIES
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import Deal, Evaluate, FileOrder
from eyecaptain.simulate.geier import AT_ONCE

PLAYERS = 5
TURNS = 7
SECONDS = 1.0
PEER = "OpenSpiel goofspiel(15, 5)"


def shuffled(rng: random.Random) -> GeierGame:
    """A game whose animals are shuffled."""
    game = GeierGame(["A", "B", "C", "D", "E"])
    game.apply(Deal(sorted(ANIMALS, key=lambda _animal: rng.random())))
    return game


def hands_of(rng: random.Random) -> list[list[int]]:
    """The cards of everybody in the order in which they are played."""
    return [sorted(CARDS, key=lambda _card: rng.random()) for _ in range(PLAYERS)]


def by_rounds(rng: random.Random) -> int:
    """One public call a round."""
    game = shuffled(rng)
    hands = hands_of(rng)
    while not game.over:
        game.play_round([(hand.pop(), hand.pop()) for hand in hands])
    return 1


def by_actions(rng: random.Random) -> int:
    """Action by action, as the log has them."""
    game = shuffled(rng)
    hands = hands_of(rng)
    for round_ in range(1, 9):
        for seat, hand in enumerate(hands):
            game.apply(FileOrder(seat, round_, hand.pop(), hand.pop()))
        game.apply(Evaluate(round_))
    return 1


def batch(name: str) -> Callable[[random.Random], int] | None:
    """The function that `captain simulate geier` calls, with bots that take any card; None when its library is missing."""
    policies = [POLICIES["easy"]] * PLAYERS
    games = AT_ONCE[name]
    try:
        if name == "numba":
            from eyecaptain.simulate.geiercompiled import simulated
        else:
            from eyecaptain.simulate.geierarrays import simulated
    except ImportError:
        return None

    def play(rng: random.Random) -> int:
        return len(simulated(rng.getrandbits(50), games, policies).scores)

    play(random.Random(1))  # compiles
    return play


def peer() -> Callable[[random.Random], int] | None:
    """OpenSpiel's Python loop, when it is installed."""
    try:
        import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return None
    game = pyspiel.load_game(f"goofspiel(num_cards=15,players={PLAYERS},points_order=random,returns_type=point_difference)")

    def play(rng: random.Random) -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:  # never legal_actions() without a player: that lists every combination
                state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(PLAYERS)])
        return 1

    return play


def rate(play: Callable[[random.Random], int], rng: random.Random) -> float:
    """Games a second."""
    began, games = time.perf_counter(), 0
    while (took := time.perf_counter() - began) < SECONDS:
        games += play(rng)
    return games / took


def table() -> None:
    """All of them in turns, as medians and as ratios to the peer within each turn."""
    contenders = {
        PEER: (peer(), None),
        "one call a round": (by_rounds, 1.0),
        "action by action": (by_actions, 0.4),
        "batch, NumPy": (batch("numpy"), 12.0),
        "batch, Numba": (batch("numba"), 50.0),
    }
    known = {name: play for name, (play, _) in contenders.items() if play is not None}
    rng = random.Random("geier")
    turns = [{name: rate(play, rng) for name, play in known.items()} for _ in range(TURNS)]
    print(f"Hol's der Geier, {PLAYERS} players, random games a second (ratio to the peer, goal)")
    for name, (_, goal) in contenders.items():
        if name not in known:
            print(f"  {name:27} not installed")
            continue
        speed = statistics.median(turn[name] for turn in turns)
        if goal is None or PEER not in known:
            print(f"  {name:27}{speed:10.0f}")
            continue
        ratio = statistics.median(turn[name] / turn[PEER] for turn in turns)
        print(f"  {name:27}{speed:10.0f}   {ratio:6.2f} (at least {goal})")
