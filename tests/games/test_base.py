"""Actions as JSON, options, players and the errors of both."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyecaptain import games
from eyecaptain.games.base import FIELDS, Action, BadAction, Game, Refused, action_from_json, action_to_json, field_names
from eyecaptain.games.captain import CaptainGame
from eyecaptain.games.draws import Draws, seed_bytes
from eyecaptain.games.solo import SoloGame
from eyecaptain.games.team import TeamGame

KINDS: list[type[Game]] = [TeamGame, SoloGame, CaptainGame]
VALUES: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("announced", "color", "face", "named", "sought"), st.sampled_from(["red", "green", "blue", "yellow"])),
    **dict.fromkeys(("force", "match", "right"), st.booleans()),
    "by": st.sampled_from(["board", "world", "table"]),
    "dropping": st.integers(0, 11),
    "layout": st.permutations("RGBY" * 3).map("".join),
    "of": st.integers(1, 1000),
    "reason": st.sampled_from(["falling", "stuck", "exhausted"]),
    "round": st.integers(1, 99),
    "seat": st.integers(0, 3),
    "text": st.text(max_size=100),
    "what": st.sampled_from(["lost", "back", "rebooted"]),
    "why": st.text(max_size=20),
}


def actions() -> st.SearchStrategy[tuple[type[Game], Action]]:
    """Any action of any game, with any of its fields."""

    def build(game: type[Game], kind: type[Action]) -> st.SearchStrategy[tuple[type[Game], Action]]:
        fields = {name: VALUES[name] if required else st.none() | VALUES[name] for name, required in field_names(kind)}
        return st.builds(kind, **fields).map(lambda action: (game, action))

    return st.sampled_from([(game, kind) for game in KINDS for kind in game.actions.values()]).flatmap(
        lambda pair: build(*pair)
    )


@given(actions())
def test_an_action_survives_the_way_through_json(case: tuple[type[Game], Action]) -> None:
    game, action = case
    assert action_from_json(game, json.loads(json.dumps(action_to_json(action)))) == action


def test_every_field_of_every_action_has_a_meaning() -> None:
    for game in KINDS:
        for kind in game.actions.values():
            assert {name for name, _ in field_names(kind)} <= FIELDS.keys()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "type"),
        ({"type": 5}, "type"),
        ({"type": "dance"}, "unknown"),
        ({"type": "lift"}, '"seat"'),
        ({"type": "lift", "seat": None, "color": "red"}, '"seat"'),
        ({"type": "lift", "seat": True, "color": "red"}, '"seat"'),
        ({"type": "lift", "seat": 0, "color": "pink"}, "red, green, blue, yellow"),
        ({"type": "lift", "seat": 0, "colour": "red"}, '"colour"'),
        ({"type": "lift", "seat": 0, "color": "red", "dropping": 12}, "0 to 11"),
        ({"type": "deal", "round": 1, "layout": "RRRRGGGBBYYY"}, "three each"),
        ({"type": "undo", "of": 0}, "from 1"),
        ({"type": "undo", "of": 1.0}, "from 1"),
    ],
)
def test_what_is_no_action_is_told_apart_from_what_is_not_allowed(data: dict[str, Any], says: str) -> None:
    with pytest.raises(BadAction, match=says):
        action_from_json(TeamGame, data)


def test_a_seat_that_does_not_exist_is_refused() -> None:
    game = TeamGame(("Ada", "Ben"))
    with pytest.raises(Refused) as caught:
        game.apply(action_from_json(game, {"type": "turn", "seat": 2}))
    assert caught.value.code == "no_such_seat"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", [0, 1, 5])
def test_e2_two_to_four_play(kind: type[Game], number: int) -> None:
    with pytest.raises(ValueError, match="2 to 4 players"):
        kind([str(seat) for seat in range(number)])


@pytest.mark.parametrize(
    "options", [{"start": 2}, {"start": -1}, {"start": True}, {"open_corners": 5}, {"reveal_galley": 1}, {"corners": 1}]
)
def test_an_option_that_does_not_exist_is_named(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        TeamGame(("Ada", "Ben"), options)


def test_the_games_are_found_by_their_entry_points() -> None:
    assert {"team", "solo", "captain"} <= set(games.names())
    assert games.find("solo") is SoloGame
    with pytest.raises(KeyError):
        games.find("chess")


def test_every_effect_has_words() -> None:
    for kind in KINDS:
        for words in kind.words.values():
            words.format(player="Ada", color="red", dropping="dropping 5", number=3)


def test_a10_shuffle_and_draws_of_the_deck() -> None:
    draws = Draws(bytes(range(32)), b"EEC1")
    layout = list("RRRGGGBBBYYY")
    draws.shuffle(layout)
    assert "".join(layout) == "GYRBYBGRRBGY"
    assert "".join("RGBY"[draws.draw(8) % 4] for _ in range(12)) == "BRGGYGYGRBBY"


def test_a10_shuffle_of_the_animals() -> None:
    animals = [*range(-6, 0), *range(1, 11)]
    Draws(bytes(range(32)), b"HDG1").shuffle(animals)
    assert animals == [1, -4, 9, 8, -3, 10, 3, 5, -5, 7, 2, 6, 4, -6, -1, -2]


@given(st.integers(1, 256), st.binary(max_size=8))
def test_a_draw_is_within_its_range(n: int, seed: bytes) -> None:
    draws = Draws(seed, b"T")
    assert all(0 <= draws.draw(n) < n for _ in range(20))


def test_a_seed_is_hex_or_text() -> None:
    assert (seed_bytes("5eed"), seed_bytes("hello"), seed_bytes("7")) == (b"\x5e\xed", b"hello", b"7")
