"""Game 2: the rulings E13 to E19, one by one."""

import pytest

from eyecaptain.games.base import Action, Deal, Refused, action_from_json
from eyecaptain.games.solo import Lift, SoloGame

LAYOUT = "GYRBYBGRRBGY"  # R 2 7 8, G 0 6 10, B 3 5 9, Y 1 4 11
COLORS = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}


def dealt(players: int = 3) -> SoloGame:
    game = SoloGame(("Ada", "Ben", "Cleo", "Dan")[:players])
    game.apply(Deal(1, LAYOUT))
    return game


def lift(game: SoloGame, announced: str, dropping: int) -> Action:
    return Lift(game.turn, announced, COLORS[LAYOUT[dropping]], dropping)  # type: ignore[arg-type]


def hit(game: SoloGame, *droppings: int) -> None:
    for dropping in droppings:
        game.apply(lift(game, COLORS[LAYOUT[dropping]], dropping))


def test_right_is_kept_wrong_goes_back_and_the_tongs_go_left_e19() -> None:
    game = dealt()
    hit(game, 0)
    assert (game.owned, game.turn) == ([1, 0, 0], 1)
    game.apply(lift(game, "red", 1))
    assert (game.owned, game.turn, game.deck) == ([1, 0, 0], 2, 11)


def test_the_next_player_leaves_the_returned_dropping_alone() -> None:
    game = dealt()
    game.apply(lift(game, "red", 0))
    with pytest.raises(Refused) as caught:
        game.apply(lift(game, "green", 0))
    assert (caught.value.code, caught.value.rule) == ("barred", "C3")


def test_e13_the_bar_lapses_for_the_only_dropping() -> None:
    game = dealt()
    hit(game, *range(11))
    game.apply(lift(game, "red", 11))
    hit(game, 11)
    assert game.over


def test_e14_the_bar_binds_the_very_next_lift_only() -> None:
    game = dealt()
    game.apply(lift(game, "red", 0))
    hit(game, 1, 0)
    assert game.owned == [0, 1, 1]


def test_e15_the_underside_is_shown_to_all() -> None:
    (effect,) = dealt().apply(Lift(0, "red", "green", 0))
    assert (effect.kind, effect.color) == ("miss", "green")


def test_e16_an_exhausted_colour_may_be_announced() -> None:
    game = dealt()
    hit(game, 2, 7, 8)
    assert game.apply(lift(game, "red", 0))[0].kind == "miss"


def test_e17_equal_numbers_share_the_win() -> None:
    game = dealt(2)
    hit(game, *range(12))
    assert (game.winners(), game.summary()["winners"]) == ([0, 1], ["Ada", "Ben"])


@pytest.mark.parametrize(
    ("name", "rule"), [("fall", "E18"), ("die_fell", "E18"), ("die", "C3"), ("recentre", "C3"), ("call", "C3")]
)
def test_e18_nothing_falls_and_there_is_no_die(name: str, rule: str) -> None:
    with pytest.raises(Refused) as caught:
        action_from_json(dealt(), {"type": name})
    assert (caught.value.code, caught.value.rule) == ("not_in_this_game", rule)


def test_on_a_real_deck_ids_are_unknown_and_colours_are_counted() -> None:
    game = SoloGame(("Ada", "Ben"), deck="real")
    for _ in range(3):
        game.apply(Lift(game.turn, "red", "red"))
    with pytest.raises(Refused) as caught:
        game.apply(Lift(game.turn, "blue", "red"))
    assert caught.value.code == "fourth"


def test_the_summary_has_no_turn_when_it_is_over() -> None:
    game = dealt(2)
    hit(game, *range(12))
    assert game.summary() == {
        "game": "solo",
        "status": "over",
        "collected": {"Ada": 6, "Ben": 6},
        "deck": 0,
        "turn": None,
        "winners": ["Ada", "Ben"],
    }
