"""Hol's der Geier in thousands: arrays and compiled code give what the engine and its bots give; the stronger bots win more."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.games.auction import ANIMALS
from eyecaptain.games.auction import CARDS as CARD_FACES
from eyecaptain.games.bots.geier import CARDS, POLICIES, Policy, choose, order
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import Deal
from eyecaptain.simulate import geier
from support import captain, runs

np = pytest.importorskip("numpy", reason="pip install numpy")

BOTS = ("hard", "medium", "easy", "medium", "hard", "easy", "medium")


def by_the_engine(deck: list[int], orders: list[list[tuple[int, int]]]) -> GeierGame:
    """A game with these orders, round by round, seat by seat."""
    game = GeierGame([f"P{seat}" for seat in range(len(orders[0]))])
    game.apply(Deal(deck))
    for each in orders:
        game.play_round(list(each))
    return game


def orders_of(orders: Any, game: int) -> list[list[tuple[int, int]]]:
    return [[(int(a), int(b)) for a, b in zip(*each[:, game], strict=True)] for each in orders]


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 5, 16])
def test_arrays_give_what_the_engine_gives_on_the_same_orders(players: int) -> None:
    from eyecaptain.simulate import geierarrays

    rng = np.random.default_rng(players)
    games = runs(200)
    decks, orders = geierarrays.shuffled(rng, games), geierarrays.random_orders(rng, games, players)
    scores = geierarrays.played(decks, orders)
    for game in range(games):
        engine = by_the_engine(decks[game].tolist(), orders_of(orders, game))
        assert engine.scores() == scores[game].tolist()


@pytest.mark.soak
def test_bots_in_arrays_play_what_single_bots_play() -> None:
    from eyecaptain.simulate import geierarrays

    rng = np.random.default_rng(5)
    policies = [POLICIES[bot] for bot in BOTS]
    games = runs(30)
    for size in range(16, 0, -2):
        hands = np.zeros((games, len(BOTS), 16), np.bool_)
        for hand in hands.reshape(-1, 16):
            hand[rng.permutation(16)[:size]] = True
        pots = rng.integers(-21, 56, (2, games))
        noise = rng.integers(0, 256, (2, games, len(BOTS), CARDS), np.uint8)
        cards = geierarrays.choose(hands, pots, policies, noise)
        for game in range(games):
            for seat, policy in enumerate(policies):
                hand = [int(card) + 1 for card in np.flatnonzero(hands[game, seat])]
                chance = noise[:, game, seat].astype(int).tolist()
                assert choose(hand, pots[:, game].tolist(), policy, chance) == tuple(cards[:, game, seat].tolist())


class Xorshift:
    """The chance of the compiled code once more."""

    def __init__(self, seed: int) -> None:
        self.state = ((seed + 1) * 0x9E3779B97F4A7C15) % 2**64

    def shuffled(self, items: Sequence[int]) -> list[int]:
        found = list(items)
        for index in range(15, 0, -1):
            other = (self.next() >> 32) * (index + 1) >> 32
            found[index], found[other] = found[other], found[index]
        return found

    def next(self) -> int:
        self.state ^= self.state << 13 & (2**64 - 1)
        self.state ^= self.state >> 7
        self.state ^= self.state << 17 & (2**64 - 1)
        return self.state


@pytest.mark.soak
def test_compiled_games_are_what_engine_and_bots_play_with_the_same_chance() -> None:
    pytest.importorskip("numba", reason="pip install numba")
    from eyecaptain.simulate import geiercompiled

    policies = [POLICIES[bot] for bot in BOTS]
    targets, whims = np.array([each.targets for each in policies]), np.array([each.whim for each in policies])
    games = runs(30)
    scores, waits, forfeited, decks, orders = geiercompiled.play(9, games, targets, whims)
    chance = Xorshift(9)
    for number in range(games):
        deck = chance.shuffled(ANIMALS)
        assert deck == decks[number].tolist()
        any_ = {seat: chance.shuffled(CARD_FACES) for seat, policy in enumerate(policies) if policy.whim < 0}
        played = orders_of(orders, number)
        game = GeierGame([f"P{seat}" for seat in range(len(BOTS))])
        game.apply(Deal(deck))
        for wanted in played:
            animals = game.animals(game.round)
            assert animals is not None
            pots = [sum(carry) + animal for carry, animal in zip(game.carry, animals, strict=True)]
            found = [
                (any_[seat][2 * game.round - 2], any_[seat][2 * game.round - 1])
                if seat in any_
                else choose_with(chance, sorted(game.hands[seat]), pots, policy)
                for seat, policy in enumerate(policies)
            ]
            assert found == wanted
            game.play_round(list(found))
        assert game.scores() == scores[number].tolist()
        assert sum(game.forfeited) == forfeited[number]
        assert sum(done.takers.count(None) for done in game.results) == waits[number]


def choose_with(chance: Xorshift, hand: list[int], pots: list[int], policy: Policy) -> tuple[int, int]:
    """What a bot plays when a number is drawn for each card that it looks at, in the order in which it looks."""
    noise = [[0] * CARDS, [0] * CARDS]
    slots = (0, 1) if abs(pots[0]) >= abs(pots[1]) else (1, 0)
    for card in hand:
        noise[slots[0]][card - 1] = chance.next() >> 56
    first = choose(hand, pots, policy, noise)[slots[0]]
    for card in hand:
        if card != first:
            noise[slots[1]][card - 1] = chance.next() >> 56
    return choose(hand, pots, policy, noise)


def test_a_bot_plays_the_same_with_the_same_seed_and_sees_only_its_view() -> None:
    game = GeierGame(list("PQR"))
    game.apply(Deal(list(ANIMALS)))
    for strength in POLICIES:
        first = order(game.view(1), 1, strength, b"seed")
        assert first == order(game.view(1), 1, strength, b"seed")
        assert first[0] != first[1]
    blind = GeierGame(list("PQR"), {"announce": "blind"})
    blind.apply(Deal(list(ANIMALS)))
    assert order(blind.view(1), 1, "hard", b"seed")


@pytest.mark.parametrize("by", ["engine", "numpy", "numba"])
def test_the_stronger_bots_win_more_than_their_share(by: str) -> None:
    """Of 4,000 games each, with the same seed every time: it fails when bots change, never by chance."""
    if by == "numba":
        pytest.importorskip("numba", reason="pip install numba")
    number = 400 if by == "engine" else 4000
    for bots in (("hard", *["medium"] * 4), ("hard", *["easy"] * 4), ("hard", "medium"), ("medium", *["easy"] * 4)):
        figures = geier.Figures(bots, "1", by)
        for part in geier.play(bots, number, "1", by):
            figures.add(part)
        result = figures.as_json()
        wins = [bot["wins"]["rate"] for bot in result["bots"]]
        assert result["games"] == number
        assert wins[0] > 1.05 / len(bots), (bots, wins)
        assert wins[0] > max(wins[1:])


@pytest.mark.parametrize(
    "others", [["easy"], ["medium"], ["easy"] * 4, ["medium"] * 4, ["hard"] * 4, ["easy"] * 8, ["medium", "easy"]], ids=" ".join
)
def test_in_no_company_is_hard_worse_than_medium(others: list[str]) -> None:
    """Of 20,000 games with the same seed every time."""
    pytest.importorskip("numba", reason="pip install numba")

    def wins(bot: str) -> float:
        figures = geier.Figures((bot, *others), "1", "numba")
        for part in geier.play((bot, *others), 20_000, "1", "numba"):
            figures.add(part)
        rate: float = figures.as_json()["bots"][0]["wins"]["rate"]
        return rate

    assert wins("hard") > wins("medium")


def test_the_command_says_the_figures_and_the_same_seed_gives_the_same(tmp_path: Path) -> None:
    args = ("simulate", "geier", "--bots", "hard,medium,easy", "--games", "3000", "--seed", "x")
    table = tmp_path / "games.csv"
    first = captain(*args, "--json", "--csv", str(table), sessions=tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    again = captain(*args, "--json", sessions=tmp_path)
    assert first.stdout == again.stdout
    rows = table.read_text().splitlines()
    assert rows[0] == "game,points_0,points_1,points_2,waits,forfeited"
    assert len(rows) == 3001
    assert sum(map(int, rows[1].split(",")[1:4])) + int(rows[1].split(",")[5]) == 34
    result = json.loads(first.stdout)
    assert [bot["strength"] for bot in result["bots"]] == ["hard", "medium", "easy"]
    said = captain(*args, sessions=tmp_path)
    assert "hard" in said.stdout
    assert "3000 games" in said.stdout
    rng = random.Random(1)
    assert geier._game([POLICIES["easy"]] * 2, rng) != geier._game([POLICIES["easy"]] * 2, rng)


def test_a_picture_shows_every_bot_with_its_wins_and_points(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pip install matplotlib")
    picture = tmp_path / "bots.svg"
    done = captain(
        *("simulate", "geier", "--bots", "hard,medium,easy", "--games", "500", "--seed", "x", "--plot", str(picture)),
        sessions=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "")
    drawn = picture.read_text()
    for name in ("hard (bot 1)", "medium (bot 2)", "easy (bot 3)"):
        assert drawn.count(f">{name}<") == 2
    assert "geier: 500 games" in drawn
    assert "points in a game" in drawn


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--bots", "hard"], "2 or more"),
        (["--plot", "x.gif"], "--plot"),
        (["--open-corners", "1"], "no option --open-corners"),
    ],
)
def test_wrong_use_is_said(args: list[str], says: str, tmp_path: Path) -> None:
    done = captain("simulate", "geier", *args, sessions=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
