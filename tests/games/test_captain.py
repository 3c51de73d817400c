"""Game 3: the rulings E20 to E32, one by one."""

import pytest

from eyecaptain.games.base import Color, Deal, Die, Effect, Recentre, Refused, action_from_json
from eyecaptain.games.captain import Call, CaptainGame, Lift, Void

LAYOUT = "GYRBYBGRRBGY"  # R 2 7 8, G 0 6 10, B 3 5 9, Y 1 4 11
NAMES = ("Ada", "Ben", "Cleo", "Dan")
BY_COLOR: dict[Color, tuple[int, int, int]] = {"red": (2, 7, 8), "green": (0, 6, 10), "blue": (3, 5, 9), "yellow": (1, 4, 11)}


def dealt(players: int = 3) -> CaptainGame:
    game = CaptainGame(NAMES[:players])
    game.apply(Deal(1, LAYOUT))
    game.apply(Die("red"))
    return game


def match(game: CaptainGame, color: Color, count: int = 3) -> None:
    game.apply(Die(color))
    for dropping in BY_COLOR[color][:count]:
        game.apply(Lift(game.turn, True, dropping))


def test_a_match_is_shown_and_kept_and_a_miss_is_not_told() -> None:
    game = dealt()
    assert game.apply(Lift(0, True, 2)) == (Effect("match", 0, "red", 2),)
    assert game.apply(Lift(1, False, 0)) == (Effect("miss", 1, dropping=0),)
    assert (game.collected, game.turn, game.deck) == ([1, 0, 0], 2, 11)


def test_e20_any_colour_makes_a_call_right() -> None:
    game = dealt()
    match(game, "green")
    game.apply(Call(2))
    assert (game.chips, game.round, game.turn) == ([0, 0, 1], 2, 2)


def test_a_wrong_call_of_two_pays_the_other() -> None:
    game = dealt(2)
    game.apply(Lift(0, True, 2))
    game.apply(Call(0))
    assert (game.chips, game.turn) == ([0, 1], 0)


def test_a_wrong_call_of_more_pays_who_has_most_without_the_caller() -> None:
    game = dealt()
    game.apply(Lift(0, True, 2))
    game.apply(Lift(1, False, 0))
    game.apply(Lift(2, True, 7))
    game.apply(Call(0))
    assert game.chips == [0, 0, 1]


def test_e25_a_wrong_call_with_nothing_collected_pays_all_the_others() -> None:
    game = dealt(4)
    game.apply(Call(0))
    assert game.chips == [0, 1, 1, 1]


def test_the_caller_begins_the_next_round_right_or_wrong() -> None:
    game = dealt()
    game.apply(Call(2))
    assert (game.turn, game.round, game.deck, game.needs_deal) == (2, 2, 12, True)


def test_e31_e32_a_new_round_starts_from_nothing() -> None:
    game = dealt()
    match(game, "red")
    game.apply(Call(0))
    assert (game.collected, game.ids_on_deck()) == ([0, 0, 0], list(range(12)))
    game.apply(Deal(2, LAYOUT[::-1]))
    assert game.apply(Lift(0, True, 3))[0].color == "red"


def test_everybody_with_two_chips_wins_and_no_new_round_begins() -> None:
    game = dealt()
    match(game, "red", 2)
    game.apply(Call(2))
    game.apply(Deal(2, LAYOUT))
    game.apply(Lift(2, False, 0))
    match(game, "red", 2)
    game.apply(Call(2))
    assert (game.winners(), game.over, game.round, game.deck) == ([0, 1], True, 2, 10)
    assert game.summary()["turn"] is None


def test_e22_a_match_must_be_shown() -> None:
    with pytest.raises(Refused) as caught:
        dealt().apply(Lift(0, False, 2))
    assert caught.value.rule == "E22"


def test_a_miss_keeps_its_colour_secret_also_in_the_log() -> None:
    with pytest.raises(Refused) as caught:
        dealt().apply(Lift(0, False, 0, "green"))
    assert caught.value.code == "secret"


def test_e23_numbers_are_public_and_shown_colours_are_hidden_again() -> None:
    game = dealt()
    match(game, "red", 1)
    view = game.view(1)
    assert view["collected"] == [1, 0, 0]
    del view["die"]
    assert "red" not in str(view)


def test_a_secret_look_is_in_the_view_of_its_seat_alone_until_the_next_lift() -> None:
    game = dealt()
    game.apply(Lift(0, False, 0))
    assert game.view(0)["look"] == {"dropping": 0, "color": "green"}
    assert game.view(1)["look"] is None
    assert "look" not in game.view(None)
    game.apply(Lift(1, False, 1))
    assert game.view(0)["look"] is None


def test_e27_with_an_empty_deck_a_call_is_right() -> None:
    game = CaptainGame(NAMES[:2], deck="real")
    game.apply(Deal(1))
    for color in BY_COLOR:
        for _ in range(3):
            game.apply(Lift(game.turn, True, color=color))
    with pytest.raises(Refused) as caught:
        game.apply(Lift(game.turn, True, color="red"))
    assert caught.value.code == "deck_empty"
    game.apply(Call(1))
    assert game.chips == [0, 1]


def test_e27_nobody_calls_same_opener_no_chip() -> None:
    game = dealt()
    with pytest.raises(Refused) as caught:
        game.apply(Void())
    assert caught.value.rule == "E27"
    for color in BY_COLOR:
        match(game, color)
    game.apply(Void())
    assert (game.round, game.turn, game.chips) == (2, 0, [0, 0, 0])


@pytest.mark.parametrize(("name", "rule"), [("fall", "E28"), ("die_fell", "C4"), ("final", "C4"), ("concede", "C4")])
def test_e28_nothing_falls_in_this_game(name: str, rule: str) -> None:
    with pytest.raises(Refused) as caught:
        action_from_json(dealt(), {"type": name})
    assert caught.value.rule == rule


def test_e29_the_die_is_recentred_without_a_verdict() -> None:
    game = dealt()
    assert game.apply(Recentre("exhausted")) == game.apply(Recentre("exhausted"))
    with pytest.raises(Refused) as caught:
        game.apply(Recentre("falling"))
    assert caught.value.rule == "E29"


def test_e30_the_die_may_show_a_colour_that_is_gone() -> None:
    game = dealt()
    match(game, "red")
    assert game.apply(Lift(0, False, 0))[0].kind == "miss"


def test_the_tables_own_look_overrules_the_count_on_a_real_deck_only() -> None:
    real = CaptainGame(NAMES[:2], deck="real")
    real.apply(Deal(1))
    real.apply(Call(0, right=True))
    assert real.chips == [1, 0]
    with pytest.raises(Refused) as caught:
        dealt(2).apply(Call(0, right=True))
    assert caught.value.rule == "E20"


def test_a_match_without_a_face_needs_its_colour() -> None:
    game = CaptainGame(NAMES[:2], deck="real")
    game.apply(Deal(1))
    with pytest.raises(Refused) as caught:
        game.apply(Lift(0, True))
    assert caught.value.code == "color_needed"
    game.apply(Lift(0, True, color="blue"))
    assert game.gone["blue"] == 1


def test_chips_are_awarded_in_order() -> None:
    game = dealt()
    game.apply(Call(1))
    assert game.awarded == [0, 2]
