"""Game 1: the rulings E3 to E12, one by one."""

from collections.abc import Callable

import pytest

from eyecaptain.games.base import Action, Color, Deal, Die, Pause, Recentre, Refused, Resume, Turn
from eyecaptain.games.team import Concede, DieFell, Fall, Final, Lift, TeamGame

LAYOUT = "GYRBYBGRRBGY"  # R 2 7 8, G 0 6 10, B 3 5 9, Y 1 4 11
PLAYERS = ("Ada", "Ben", "Cleo")


def virtual(**options: object) -> TeamGame:
    game = TeamGame(PLAYERS, options)
    game.apply(Deal(1, LAYOUT))
    game.apply(Die("red"))
    return game


def real(**options: object) -> TeamGame:
    game = TeamGame(PLAYERS, options, deck="real")
    game.apply(Deal(1))
    game.apply(Die("red"))
    return game


def keep(game: TeamGame, color: Color, *droppings: int | None) -> None:
    game.apply(Die(color))
    for dropping in droppings:
        game.apply(Lift(game.turn, color, dropping))


def refused(game: TeamGame, action: Action, code: str, rule: str) -> None:
    before = game.summary()
    with pytest.raises(Refused) as caught:
        game.apply(action)
    assert (caught.value.code, caught.value.rule) == (code, rule)
    assert game.summary() == before


def test_a_match_goes_to_the_team_and_the_tongs_go_left() -> None:
    game = virtual()
    assert [effect.kind for effect in game.apply(Lift(0, "red", 2))] == ["match"]
    assert (game.team, game.deck, game.turn) == (1, 11, 1)


def test_a_miss_stays_on_the_deck_and_the_tongs_go_left() -> None:
    game = virtual()
    game.apply(Lift(0, "green", 0))
    assert (game.team, game.deck, game.turn, game.ids_on_deck()) == (0, 12, 1, list(range(12)))


def test_the_tongs_come_round_to_the_start_player_e1() -> None:
    game = virtual(start=2)
    assert game.turn == 2
    game.apply(Lift(2, "green", 0))
    assert game.turn == 0


def test_e4_the_sought_colour_is_the_one_at_the_lift() -> None:
    game = virtual()
    game.apply(Die("blue"))
    assert game.apply(Lift(0, "red", 2))[0].kind == "miss"


def test_e4_the_table_may_say_which_colour_was_meant() -> None:
    game = real()
    game.apply(Die("blue"))
    assert game.apply(Lift(0, "red", sought="red"))[0].kind == "match"


def test_a_lift_without_a_known_face_asks_for_it() -> None:
    game = real()
    game.apply(Die(None, "absent"))
    refused(game, Lift(0, "red"), "no_face", "C2")


def test_a_fall_counts_for_the_galley() -> None:
    game = virtual()
    game.apply(Fall(3))
    assert (game.galley, game.deck, game.turn) == (1, 11, 0)


@pytest.mark.parametrize("action", [Fall(3), DieFell()])
def test_nothing_falls_while_all_corners_are_closed_e3(action: Action) -> None:
    refused(virtual(open_corners=0), action, "corners_closed", "E3")


def test_e5_what_ends_in_the_galley_counts_on_a_real_deck_whatever_the_corners() -> None:
    game = real(open_corners=0)
    game.apply(Fall())
    assert game.galley == 1


def test_a_fallen_die_loses_at_once_e7() -> None:
    game = virtual()
    for color, droppings in (("red", (2, 7, 8)), ("green", (0, 6, 10)), ("blue", (3, 5))):
        keep(game, color, *droppings)  # type: ignore[arg-type]
    assert game.team == 8
    game.apply(DieFell())
    assert (game.status, game.why) == ("lost", "die")


def test_e6_after_the_empty_deck_a_falling_die_is_irrelevant() -> None:
    game = virtual()
    for color, droppings in (("red", (2, 7, 8)), ("green", (0, 6, 10))):
        keep(game, color, *droppings)  # type: ignore[arg-type]
    for dropping in (3, 5, 9, 1, 4, 11):
        game.apply(Fall(dropping))
    assert game.status == "won"
    refused(game, DieFell(), "over", "C2")


def test_e7_no_early_end_by_arithmetic() -> None:
    game = virtual()
    for dropping in (3, 5, 9, 1, 4, 11, 0):
        game.apply(Fall(dropping))
    assert game.status == "running"


def test_e7_conceding_needs_seven_in_the_galley() -> None:
    game = virtual()
    for dropping in (3, 5, 9, 1, 4, 11):
        game.apply(Fall(dropping))
    refused(game, Concede(), "not_lost_yet", "E7")
    game.apply(Fall(0))
    game.apply(Concede())
    assert (game.status, game.why) == ("lost", "conceded")


def test_e8_the_last_dropping_may_be_lifted_as_any_other() -> None:
    game = virtual()
    for dropping in (3, 5, 9, 1, 4, 11):
        game.apply(Fall(dropping))
    keep(game, "red", 2, 7, 8)
    keep(game, "green", 0, 6)
    assert game.apply(Lift(game.turn, "green", 10))[0].kind == "match"
    assert game.status == "won"


def test_a_final_guess_is_for_the_last_dropping_only() -> None:
    refused(virtual(), Final("red", "red"), "not_final", "C2")


def test_e9_recentring_changes_neither_the_die_nor_the_turn() -> None:
    game = virtual()
    game.apply(Recentre("stuck"))
    assert (game.die, game.turn) == ("red", 0)


def test_e10_on_a_real_deck_an_exhausted_colour_is_believed() -> None:
    assert real().apply(Recentre("exhausted"))


@pytest.mark.parametrize(
    ("reveal", "allowed"), [pytest.param(True, True, id="revealed"), pytest.param(False, False, id="hidden")]
)
def test_e10_on_the_virtual_deck_three_must_be_seen_to_be_gone(reveal: bool, allowed: bool) -> None:
    game = virtual(reveal_galley=reveal)
    keep(game, "red", 2, 7)
    game.apply(Fall(8, "red"))
    if allowed:
        assert game.apply(Recentre("exhausted"))
    else:
        refused(game, Recentre("exhausted"), "not_exhausted", "E10")
        assert game.apply(Recentre("exhausted", force=True))


def test_with_reveal_galley_a_fall_needs_its_colour() -> None:
    refused(virtual(reveal_galley=True), Fall(8), "color_needed", "E10")


def test_reason_falling_needs_an_open_corner() -> None:
    refused(virtual(open_corners=0), Recentre("falling"), "corners_closed", "C2")


def test_e12_only_who_has_the_tongs_lifts_and_the_table_corrects_who_that_is() -> None:
    game = virtual()
    refused(game, Lift(1, "red", 2), "not_your_turn", "C2")
    game.apply(Turn(1))
    game.apply(Lift(1, "red", 2))
    assert game.turn == 2


@pytest.mark.parametrize("make", [virtual, real])
def test_a_fourth_dropping_of_a_colour_is_refused(make: Callable[[], TeamGame]) -> None:
    game = make()
    ids: tuple[int | None, ...] = (2, 7, 8) if game.layout else (None, None, None)
    keep(game, "red", *ids)
    refused(game, Lift(game.turn, "red", 0 if game.layout else None), "other_color" if game.layout else "fourth", "C5")


def test_a_miss_in_a_colour_that_is_gone_is_refused_too() -> None:
    game = real()
    keep(game, "red", None, None, None)
    game.apply(Die("blue"))
    refused(game, Lift(0, "red"), "fourth", "C5")


def test_colours_told_by_id_are_remembered_without_a_layout() -> None:
    game = TeamGame(PLAYERS)
    game.apply(Die("blue"))
    for dropping in (0, 1, 2):
        game.apply(Lift(game.turn, "red", dropping))
    refused(game, Lift(0, "green", 0), "other_color", "C5")
    refused(game, Lift(0, "red", 3), "fourth", "C5")


def test_a_dropping_that_left_cannot_be_lifted_or_fall() -> None:
    game = virtual()
    keep(game, "red", 2)
    refused(game, Lift(1, "red", 2), "not_on_deck", "C2")
    refused(game, Fall(2), "not_on_deck", "C2")


def test_the_eye_runs_from_the_deal_but_not_in_a_pause_or_after_the_end() -> None:
    game = TeamGame(PLAYERS)
    eye = [game.eye]
    for action in (Deal(1, LAYOUT), Pause(), Resume(), DieFell()):
        game.apply(action)
        eye.append(game.eye)
    assert eye == [False, True, False, True, False]


def test_a_round_is_dealt_once_before_its_first_lift() -> None:
    game = virtual()
    refused(game, Deal(1, LAYOUT), "dealt", "C2")
    late = TeamGame(PLAYERS)
    refused(late, Deal(2, LAYOUT), "wrong_round", "C2")
    late.apply(Fall(3))
    refused(late, Deal(1, LAYOUT), "too_late", "C2")
    refused(TeamGame(PLAYERS, deck="real"), Deal(1, LAYOUT), "real_deck", "C5")


def test_the_view_has_no_layout_and_the_galley_only_when_revealed() -> None:
    game = virtual()
    game.apply(Fall(8, "red"))
    assert "galley_colors" not in game.view(None)
    shown = virtual(reveal_galley=True)
    shown.apply(Fall(8, "red"))
    assert shown.view(0)["galley_colors"] == {"red": 1, "green": 0, "blue": 0, "yellow": 0}
