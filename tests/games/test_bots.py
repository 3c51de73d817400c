"""Bots: what they can know, what they reckon, how they forget, and that each strength beats the one below it."""

import json
import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyecaptain.games.base import COLORS, LETTERS, Color, Effect
from eyecaptain.games.bots import STRENGTHS, Bot, bot_for
from eyecaptain.games.bots.chances import exhausted, hidden
from eyecaptain.games.bots.memory import Memory, Mind
from eyecaptain.games.draws import Draws
from eyecaptain.simulate.batch import Batch
from random_play import KINDS
from support import runs

GAMES = pytest.mark.parametrize("name", KINDS)
LAYOUT = "GYRBYBGRRBGY"
PERFECT = Mind(takes_in=256, forgets=0, mixes_up=0, alert=256)


def colors(droppings: Sequence[int], layout: str = LAYOUT) -> dict[int, Color]:
    return {dropping: LETTERS[layout[dropping]] for dropping in droppings}


# --- what they reckon ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gone", "percent"),
    [(0, 0.0), (2, 0.0), (3, 1.8), (4, 7.3), (5, 18.2), (6, 35.7), (7, 59.1), (8, 83.6), (9, 100), (12, 100)],
)
def test_whoever_knows_nothing_reckons_as_the_rules_do(gone: int, percent: float) -> None:
    """The table at the end of rules.md C4."""
    assert exhausted({}, range(gone, 12)) * 100 == pytest.approx(percent, abs=0.05)


@given(st.permutations(LAYOUT), st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)))
def test_the_chance_is_the_share_of_what_is_possible(letters: list[str], known: set[int], off: set[int]) -> None:
    """Counted by hand: every way to give the hidden colours to the droppings that are not remembered."""
    layout = "".join(letters)
    there = [dropping for dropping in range(12) if dropping not in off]
    unknown = [dropping for dropping in range(12) if dropping not in known]
    pool = [layout[dropping] for dropping in unknown]
    sure = {layout[dropping] for dropping in there if dropping in known}
    gone = sum(dropping in off for dropping in unknown)
    cases = hits = 0
    for chosen in combinations(range(len(pool)), gone):
        rest = {pool[at] for at in range(len(pool)) if at not in chosen} | sure
        cases += 1
        hits += len(rest) < 4
    assert exhausted(colors(sorted(known), layout), there) == pytest.approx(hits / cases)


@given(st.sets(st.integers(0, 11)))
def test_what_is_known_is_not_hidden(known: set[int]) -> None:
    left = hidden(colors(sorted(known)))
    assert sum(left.values()) == 12 - len(known)


# --- how they remember -----------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 11)), st.binary(max_size=4))
def test_a_perfect_memory_keeps_everything(seen: list[int], seed: bytes) -> None:
    memory = Memory(PERFECT, Draws(seed, b"TEST"))
    for dropping in seen:
        memory.see(dropping, LETTERS[LAYOUT[dropping]])
        memory.fade()
    assert memory.colors == colors(seen)


@given(st.integers(0, 256), st.binary(max_size=4))
def test_who_mixes_things_up_forgets_none_of_the_colours(mixes_up: int, seed: bytes) -> None:
    memory = Memory(PERFECT._replace(mixes_up=mixes_up), Draws(seed, b"TEST"))
    for dropping in range(12):
        memory.see(dropping, LETTERS[LAYOUT[dropping]])
    for _ in range(20):
        memory.fade()
    assert sorted(memory.colors.values()) == sorted(colors(range(12)).values())


def test_what_is_forgotten_is_gone_for_good_after_enough_lifts() -> None:
    for seed in range(20):
        memory = Memory(PERFECT._replace(forgets=64), Draws(bytes([seed]), b"TEST"))
        memory.see(3, "red")
        for _ in range(60):
            memory.fade()
        assert memory.colors == {}


@GAMES
def test_each_strength_has_the_better_memory(name: str) -> None:
    easy, medium, hard = (bot_for(KINDS[name], 0, b"", strength)._mind for strength in STRENGTHS)
    for worse, better in ((easy, medium), (medium, hard)):
        assert worse.takes_in < better.takes_in
        assert worse.forgets > better.forgets
        assert worse.mixes_up > better.mixes_up
        assert worse.alert <= better.alert


def test_a_new_round_clears_the_mind() -> None:
    bot = bot_for(KINDS["captain"], 0, b"", "hard")
    view = {"look": None}
    bot.notice([Effect("match", 1, "red", 3)], view)
    bot.notice([Effect("deal", 0, number=2)], view)
    assert bot._memory.colors == {}


# --- what they can know ----------------------------------------------------------------------------------------------


@pytest.mark.soak
@GAMES
def test_a_bot_sees_plain_values_without_any_secret(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What reaches a bot can be written as JSON: it holds no layout, no colour of what fell, no look of another."""
    seen: list[tuple[Bot, str]] = []
    for kind in {type(bot_for(KINDS[name], 0, b"")), Bot}:
        for method in ("notice", "react", "move"):
            original = kind.__dict__.get(method)
            if original is not None:
                monkeypatch.setattr(kind, method, spied(original, seen))
    rng = random.Random(name)
    for number in range(runs(10)):
        seen.clear()
        game = Batch(KINDS[name], rng.choices(STRENGTHS, k=rng.randint(2, 4)), {}, f"spy {number}")
        game.keep = True
        game.play()
        layouts = [action.layout for action in game.actions if action.type == "deal"]  # type: ignore[attr-defined]
        assert seen
        for bot, text in seen:
            assert not any(layout in text for layout in layouts)
            view = json.loads(text)[-1]
            assert view["seat"] == bot.seat
            assert set(view) <= ALLOWED


ALLOWED = {
    *("game", "players", "status", "round", "turn", "paused", "deck", "on_deck", "die", "seat", "places"),
    *("team", "kept", "galley", "why", "open_corners", "collected", "barred", "winners", "chips", "look"),
}


def spied(original: Any, seen: list[tuple[Bot, str]]) -> Any:
    def method(self: Bot, *args: Any) -> Any:
        seen.append((self, json.dumps(args)))
        return original(self, *args)

    return method


@pytest.mark.soak
@GAMES
def test_asking_for_a_reaction_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table may ask as often as it likes: at any moment twice gives the same as once."""
    kind = type(bot_for(KINDS[name], 0, b""))
    original = kind.react

    def nervous(self: Bot, view: dict[str, Any]) -> Any:
        for _ in range(3):
            original(self, view)
        return original(self, view)

    for number in range(runs(5)):
        calm, asked_often = (Batch(KINDS[name], ("medium", "easy", "hard"), {}, f"nerves {number}") for _ in range(2))
        calm.keep = asked_often.keep = True
        calm.play()
        with monkeypatch.context() as patch:
            patch.setattr(kind, "react", nervous)
            asked_often.play()
        assert asked_often.actions == calm.actions


# --- what they do ----------------------------------------------------------------------------------------------------


def captain_view(**changed: Any) -> dict[str, Any]:
    view = {"on_deck": list(range(12)), "deck": 12, "die": "red", "chips": [0, 0], "look": None, "collected": [0, 0]}
    return view | changed


def test_hard_does_not_lift_the_third_of_a_colour_for_the_next_player() -> None:
    lifts = []
    for seed in range(100):
        bot = bot_for(KINDS["captain"], 0, bytes([seed]), "hard")
        bot._memory.colors = {2: "red", 7: "red", 8: "red", 5: "blue"}
        lifts.append(bot.move(captain_view(on_deck=[dropping for dropping in range(12) if dropping not in (2, 7)], deck=10)))
    avoided = sum(lift.dropping == 5 for lift in lifts)  # type: ignore[attr-defined]
    assert 75 <= avoided < 100


def test_who_believes_that_three_are_gone_calls_and_an_empty_deck_is_called_at_once() -> None:
    for strength in STRENGTHS:
        bot = bot_for(KINDS["captain"], 1, b"", strength)
        assert bot.react(captain_view()) is None
        assert bot.react(captain_view(on_deck=[], deck=0)) is not None
        bot._memory.colors = {2: "red", 7: "red", 8: "red"}
        there = [dropping for dropping in range(12) if dropping not in (2, 7, 8)]
        assert bot.react(captain_view(on_deck=there, deck=9)) is not None
        bot._alert = False
        assert bot.react(captain_view(on_deck=there, deck=9)) is None


def team_view(zones: dict[str, int], **changed: Any) -> dict[str, Any]:
    there = sorted(map(int, zones))
    places = {"droppings": zones, "corners": dict.fromkeys(zones, 0), "die": 0, "danger": False}
    return {"on_deck": there, "deck": len(there), "die": "red", "open_corners": 4, "places": places} | changed


def test_the_last_dropping_is_named_when_it_is_known_and_lifted_when_it_matches() -> None:
    for strength in STRENGTHS:
        bot = bot_for(KINDS["team"], 0, b"", strength)
        assert bot.move(team_view({"4": 1})).type == "lift"
        bot._memory.colors = {4: "yellow"}
        assert bot.move(team_view({"4": 1})).type == "final"
        assert bot.move(team_view({"4": 1}, die="yellow")).type == "lift"


def test_hard_takes_the_match_that_is_about_to_fall() -> None:
    bot = bot_for(KINDS["team"], 0, b"", "hard")
    bot._memory.colors = {1: "red", 2: "red", 3: "blue"}
    assert bot.move(team_view({"1": 0, "2": 3, "3": 3, "4": 2})).dropping == 2  # type: ignore[attr-defined]


def test_hard_does_not_save_what_cannot_fall() -> None:
    for seed in range(20):
        bot = bot_for(KINDS["team"], 0, bytes([seed]), "hard")
        view = team_view({"1": 3, "2": 3, "3": 3}, open_corners=2)
        view["places"]["corners"] = {"1": 2, "2": 1, "3": 3}
        assert bot.move(view).dropping == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_bot_never_takes_the_barred_dropping(strength: str) -> None:
    for seed in range(30):
        bot = bot_for(KINDS["solo"], 0, bytes([seed]), strength)
        bot._memory.colors = {1: "red"}
        assert bot.move({"on_deck": [1, 2], "barred": 1}).dropping == 2  # type: ignore[attr-defined]
        assert bot.move({"on_deck": [1], "barred": 1}).dropping == 1  # type: ignore[attr-defined]


def test_hard_announces_a_colour_that_can_still_be_there() -> None:
    for seed in range(30):
        bot = bot_for(KINDS["solo"], 0, bytes([seed]), "hard")
        bot._memory.colors = {dropping: color for dropping, color in colors(range(12)).items() if color in COLORS[:3]}
        bot._memory.colors.pop(0)
        free = [dropping for dropping in range(12) if dropping not in bot._memory.colors]
        assert bot.move({"on_deck": free, "barred": None}).announced == "yellow"  # type: ignore[attr-defined]


@pytest.mark.soak
@pytest.mark.parametrize(("worse", "better"), [("easy", "medium"), ("medium", "hard")])
@pytest.mark.parametrize("name", ["solo", "captain"])
def test_each_strength_beats_the_one_below_it(name: str, worse: str, better: str) -> None:
    """From both seats; the margin is far beyond chance for the number of games (three standard deviations and more)."""
    games = max(runs(120), 120)
    won = {worse: 0, better: 0}
    for number in range(games):
        seats = (worse, better) if number % 2 else (better, worse)
        outcome = Batch(KINDS[name], seats, {}, f"duel {number}").play()
        if len(outcome.winners) == 1:
            won[seats[outcome.winners[0]]] += 1
    assert won[better] - won[worse] > 0.12 * games


@pytest.mark.soak
def test_each_strength_saves_more_droppings_than_the_one_below_it() -> None:
    """Team, four open corners: how many droppings the team has when the game ends, which tells more than wins do."""
    games = max(runs(120), 120)
    saved = []
    for strength in STRENGTHS:
        total = 0
        for number in range(games):
            game = Batch(KINDS["team"], [strength] * 3, {"open_corners": 4}, f"team {number}")
            game.play()
            total += game.game.team  # type: ignore[attr-defined]
        saved.append(total / games)
    easy, medium, hard = saved
    assert easy < medium < hard, saved
