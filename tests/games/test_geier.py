"""Hol's der Geier by mail: rulings, refusals, corrections, and what may be seen."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyecaptain.games.auction import ANIMALS, knocked_out
from eyecaptain.games.base import FIELDS, Action, BadAction, Note, Refused, action_from_json, action_to_json, field_names
from eyecaptain.games.commitment import commitment, deck, mixed, sealed
from eyecaptain.games.draws import Draws
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import (
    Absence,
    Deadline,
    Deal,
    Evaluate,
    FileOrder,
    Mail,
    Nonce,
    Press,
    Rollback,
    Standby,
    Wait,
)
from eyecaptain.games.history import History
from eyecaptain.games.standings import ranks, winners

SEED = bytes(range(32))
DECK = deck(SEED)


def game(players: str = "PQRST", **options: Any) -> GeierGame:
    made = GeierGame(list(players), options)
    made.apply(Deal(DECK))
    return made


def lowest(made: GeierGame) -> None:
    made.apply(Evaluate(made.round))


def code(made: GeierGame, action: Action) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        made.apply(action)
    return refused.value.code, refused.value.rule


# --- chance that anyone can check (A10) ------------------------------------------------------------------------------


def test_the_vectors_of_the_shuffle_and_the_commitments() -> None:
    block = "b46560af695be76e4b0951b7b1aca39cb0e45acaf4dffa5e515330af6ac8d0fb"
    draws = Draws(SEED, b"HDG1")
    assert bytes(draws.draw(256) for _ in range(32)).hex() == block
    assert DECK == [1, -4, 9, 8, -3, 10, 3, 5, -5, 7, 2, 6, 4, -6, -1, -2]
    assert commitment("demo-1", SEED) == "8e11652136809c44fa51599c20042be61df8d4db09784bb36b02ab63477be8e3"
    order = sealed("demo-1", 3, 2, (12, 4), "00112233445566778899aabbccddeeff")
    assert order == "febde862ee4383069e94be30e209a6859ace6d15889b60fe19d1c4b5c1b2db6f"


def test_what_players_add_cannot_be_moved_from_one_to_another() -> None:
    """Each stands behind its length: "ab" and "c" are not "a" and "bc", and a missing one counts."""
    seeds = {mixed(SEED, nonces) for nonces in (["ab", "c"], ["a", "bc"], ["abc", ""], ["", "abc"], ["abc"], ["", ""], [])}
    assert len(seeds) == 7
    assert mixed(SEED, ["é", ""]) == __import__("hashlib").sha256(SEED + b"\x00\x02\xc3\xa9\x00\x00").digest()


# --- actions ---------------------------------------------------------------------------------------------------------

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "a": st.integers(-99, 99),
    "at": st.datetimes(timezones=st.timezones()).map(lambda at: at.isoformat()),
    "b": st.integers(-99, 99),
    "cards": st.permutations(ANIMALS).map(list),
    "dir": st.sampled_from(["in", "out"]),
    "id": st.text(min_size=1, max_size=64),
    "late": st.booleans(),
    "name": st.text(min_size=1, max_size=20),
    "of": st.integers(1, 99),
    "on": st.booleans(),
    "player": st.integers(0, 99),
    "round": st.integers(1, 8),
    "state": st.sampled_from(["taken", "done", "sending", "sent"]),
    "text": st.text(max_size=99),
    "what": st.text(min_size=1, max_size=64),
}


@given(st.data())
def test_an_action_survives_the_way_through_json(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(set(GeierGame.actions) - {"link"})).map(GeierGame.actions.__getitem__))
    fields = {name: data.draw(VALUES[name] if required else st.none() | VALUES[name]) for name, required in field_names(kind)}
    action = kind(**fields)
    assert action_from_json(GeierGame, json.loads(json.dumps(action_to_json(action)))) == action


def test_every_field_has_a_meaning() -> None:
    for kind in GeierGame.actions.values():
        assert {name for name, _ in field_names(kind)} <= FIELDS.keys() | kind.checks.keys()


@pytest.mark.parametrize(
    "data",
    [
        {"type": "deal", "cards": [*ANIMALS[:-1], 9]},
        {"type": "deal", "cards": list(ANIMALS[:-1])},
        {"type": "deal", "cards": [True, *ANIMALS[1:]]},
        {"type": "order", "player": 0, "round": 1, "a": "12"},
        {"type": "order", "player": 0, "round": 1, "a": 1.5},
        {"type": "order", "player": 0, "round": 0, "a": 1},
        {"type": "order", "player": -1, "round": 1, "a": 1},
        {"type": "order", "round": 1, "a": 1},
        {"type": "deadline", "round": 1, "at": "2026-12-20T20:00:00"},
        {"type": "deadline", "round": 9, "at": "2026-12-20T20:00:00+01:00"},
        {"type": "mail", "dir": "up", "id": "x", "what": "x", "state": "sent"},
        {"type": "standby", "player": 0, "name": ""},
        {"type": "turn", "seat": 0},
    ],
)
def test_what_is_no_action_is_named(data: dict[str, Any]) -> None:
    with pytest.raises(BadAction):
        action_from_json(GeierGame, data)


def test_an_action_of_the_table_is_none_of_this_game() -> None:
    with pytest.raises(Refused) as refused:
        action_from_json(GeierGame, {"type": "call", "seat": 0})
    assert refused.value.code == "not_in_this_game"


# --- rulings ---------------------------------------------------------------------------------------------------------


def test_two_players_or_more_and_no_upper_limit() -> None:
    with pytest.raises(ValueError, match=r"2 or more players, not 1 \(rule H17\)"):
        GeierGame(["P"])
    assert len(GeierGame([f"P{number}" for number in range(40)]).hands) == 40


def test_an_order_for_a_round_that_is_over_or_does_not_come_is_refused() -> None:
    made = game()
    lowest(made)
    assert code(made, FileOrder(0, 1, 5, 6)) == ("evaluated", "H13")
    assert code(made, FileOrder(0, 9, 5, 6)) == ("no_such_round", "A2")
    assert code(made, FileOrder(7, 2, 5, 6))[0] == "no_such_seat"
    made.apply(FileOrder(0, 8, 5, 6))  # ahead
    assert made.filed(0, 8) == (5, 6)


def test_the_last_order_counts_whole_and_none_takes_it_back() -> None:
    made = game()
    made.apply(FileOrder(0, 1, 12, 4))
    made.apply(FileOrder(0, 1, 9))
    assert made.filed(0) == (9, None)
    made.apply(FileOrder(0, 1))
    assert made.filed(0) is None
    assert 0 in made.missing()


def test_a_late_order_counts_as_the_option_says() -> None:
    made = game()
    made.apply(FileOrder(0, 1, 12, 4, late=True))
    assert code(game(late="refuse"), FileOrder(0, 1, 12, 4, late=True)) == ("late", "H13")


def test_an_order_that_equals_the_lowest_cards_is_no_missing_one() -> None:
    made = game()
    made.apply(FileOrder(0, 1, 1, 2))
    lowest(made)
    assert made.results[0].unordered == (1, 2, 3, 4)
    assert (made.missed(0), made.missed(1)) == (0, 1)
    flags = made.summary()["rounds"][0]["A"]["flags"]
    assert (flags["P"], flags["Q"]) == ("ok", "missing")


def test_missing_orders_in_a_row_are_counted() -> None:
    made = game()
    for number in range(1, 4):
        made.apply(FileOrder(0, number, 9 + number, 4))
        if number == 2:
            made.apply(FileOrder(1, number, 9, 8))
        lowest(made)
    assert [made.missed(seat) for seat in range(3)] == [0, 1, 3]


def test_nothing_happens_before_the_shuffle_but_orders_may_be_filed() -> None:
    made = GeierGame(list("PQ"))
    made.apply(FileOrder(0, 1, 12, 4))
    made.apply(Nonce(1, "a lucky word"))
    assert code(made, Evaluate(1)) == ("not_dealt", "A2")
    with pytest.raises(Refused):
        made.play_round([None, None])
    made.apply(Deal(DECK))
    assert code(made, Deal(DECK)) == ("dealt", "A2")
    assert code(made, Nonce(1, "too late")) == ("dealt", "A10")
    assert code(made, Evaluate(2)) == ("wrong_round", "A5")


def test_after_the_end_only_talk_and_corrections() -> None:
    made = game("PQ")
    for _ in range(8):
        lowest(made)
    assert (made.over, made.round) == (True, 9)
    assert made.forfeited == [1, -4, *DECK[2:]] or sorted(made.forfeited) == sorted(DECK)
    assert code(made, FileOrder(0, 8, 5, 6)) == ("over", "A3")
    with pytest.raises(Refused):
        made.play_round([None, None])
    for action in (Press("Well played"), Mail("out", "x", "report 8 seat 0", "sent"), Note("x"), Standby(0, "Zoe")):
        made.apply(action)
    made.apply(Rollback(8))
    assert (made.over, made.round, made.forfeited) == (False, 8, [])


def test_wait_lasts_for_one_round_and_absence_until_it_ends() -> None:
    made = game()
    made.apply(Wait(0, on=True))
    made.apply(Absence(1, on=True))
    assert (made.waiting, made.absent) == ({0}, {1})
    lowest(made)
    assert (made.waiting, made.absent) == (set(), {1})
    made.apply(Absence(1, on=False))
    made.apply(Wait(0, on=True))
    made.apply(Wait(0, on=False))
    assert (made.waiting, made.absent) == (set(), set())


def test_a_deadline_is_for_a_round_that_is_still_open() -> None:
    made = game()
    made.apply(Deadline(1, "2026-12-20T20:00:00+01:00"))
    assert made.view(None)["deadline"] == "2026-12-20T20:00:00+01:00"
    assert code(made, Deadline(0, "2026-12-20T20:00:00+01:00")) == ("evaluated", "H13")


def test_a_standby_player_takes_over_the_seat() -> None:
    made = game()
    made.apply(FileOrder(2, 1, 9, 8))
    made.apply(Absence(2, on=True))
    made.apply(Standby(2, "Zoe"))
    assert made.players == ("P", "Q", "Zoe", "S", "T")
    assert (made.filed(2), made.absent) == ((9, 8), set())
    assert code(made, Standby(2, "q")) == ("same_name", "H15")
    made.apply(Standby(2, "Zoe"))  # the same again: for a new address


@pytest.mark.parametrize("number", range(1, 9))
def test_a_rollback_goes_back_to_the_beginning_of_a_round_with_its_orders(number: int) -> None:
    made, before = game(), {}
    for round_ in range(1, 9):
        for seat in range(5):
            made.apply(FileOrder(seat, round_, 17 - round_, round_))
        before[round_] = made.view(0), made.summary()
        lowest(made)
    made.apply(Rollback(number))
    assert (made.view(0), made.summary()) == before[number]
    made.apply(FileOrder(0, number, 4, 9))
    lowest(made)
    assert made.results[-1].bids[0].cards != (17 - number, number) or number in (4, 8)
    assert made.missing() == (list(range(5)) if number < 8 else [])  # orders for later rounds went with it


def test_a_rollback_of_what_was_never_evaluated_is_refused() -> None:
    made = game()
    assert code(made, Rollback(1)) == ("not_evaluated", "H20")
    lowest(made)
    assert code(made, Rollback(2)) == ("not_evaluated", "H20")


def test_nothing_is_taken_back_in_secret() -> None:
    history = History(game)
    history.apply(1, FileOrder(0, 1, 12, 4))
    assert history.latest() is None


@pytest.mark.parametrize(
    ("won", "shared", "cancel", "best_mouse"),
    [
        ([[9], [5, 4], [8]], [0, 1], [2], [0]),
        ([[9], [5, 4]], [0, 1], [], [0]),
        ([[-1], [-1], [-2]], [0, 1], [2], [0, 1]),
        ([[3], [2], [1]], [0], [0], [0]),
        ([[], [], []], [0, 1, 2], [], [0, 1, 2]),
    ],
)
def test_equal_best_scores(won: list[list[int]], shared: list[int], cancel: list[int], best_mouse: list[int]) -> None:
    assert winners(won, "shared") == shared
    assert winners(won, "cancel") == cancel
    assert winners(won, "best_mouse") == best_mouse


def test_the_ranking_leaves_out_ranks_after_a_tie() -> None:
    assert ranks([6, 12, 4, 0, 12]) == [3, 1, 4, 5, 1]


def test_who_knocked_out_whom_is_told_in_the_order_of_looking() -> None:
    assert knocked_out([10], [16, 16, 15, 15, 9, 14, 14]) == [(16, [0, 1]), (15, [2, 3]), (14, [5, 6])]
    assert knocked_out([-4], [5, 2, 9, 11, 2]) == [(2, [1, 4])]
    assert knocked_out([-1], [6, 6, 6, 6]) == [(6, [0, 1, 2, 3])]
    assert knocked_out([7], [12, 9]) == []


@pytest.mark.parametrize(
    "option", [{"tie_break": "coin"}, {"late": True}, {"announce": "never"}, {"show_filed": 1}, {"start": 0}]
)
def test_an_option_that_does_not_exist(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(option))):
        GeierGame(list("PQ"), option)


# --- what may be seen ------------------------------------------------------------------------------------------------


def test_blind_announces_no_animal_before_its_auction() -> None:
    made = game(announce="blind")
    assert made.view(0)["animals"] == []
    lowest(made)
    assert made.view(0)["animals"] == [[1, -4]]
    assert game().view(0)["animals"] == [[1, -4]]


def test_who_has_filed_is_hidden_when_the_option_says_so() -> None:
    made = game(show_filed=False)
    assert made.apply(FileOrder(0, 1, 12, 4)) == ()
    assert made.view(1)["filed"] == [None] * 5
    open_ = game()
    assert open_.apply(FileOrder(0, 1, 12, 4))[0].kind == "filed"
    assert open_.view(1)["filed"] == [True, False, False, False, False]


@given(st.permutations(DECK[4:]), st.tuples(st.integers(1, 16), st.integers(1, 16)), st.integers(0, 4))
def test_no_view_shows_an_order_of_another_or_an_animal_to_come(rest: list[int], order: tuple[int, int], seat: int) -> None:
    """Games that differ only in what is secret look the same, byte for byte."""
    seen = []
    for cards, other in ((DECK, (3, 7)), ([*DECK[:4], *rest], order)):
        made = GeierGame(list("PQRST"))
        made.apply(Deal(cards))
        lowest(made)
        news = made.apply(FileOrder((seat + 1) % 5, 2, *other))
        seen.append(json.dumps([made.view(seat), made.view(None), made.summary(), news]))
    assert seen[0] == seen[1]


def test_the_own_orders_are_shown_to_their_writer_alone() -> None:
    made = game()
    made.apply(FileOrder(0, 2, 12, 4))
    assert made.view(0)["orders"] == {2: [12, 4]}
    assert made.view(1)["orders"] == {}
    assert "orders" not in made.view(None)
