"""What people type, as actions; and what they are told when it cannot be understood."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyecaptain.games import captain, solo, team
from eyecaptain.games.base import Action, BadAction, Die, Note, Pause, Recentre, Refused, Resume, Turn, Undo
from eyecaptain.games.mending import Mend
from eyecaptain.views.phrases import parse, parse_mend
from random_play import KINDS, new_game

TEAM = team.TeamGame(("Ada", "Ben Two"))
SOLO = solo.SoloGame(("Ada", "Ben"))
CAPTAIN = captain.CaptainGame(("Ada", "Ben"))


@pytest.mark.parametrize(
    ("game", "line", "action"),
    [
        (TEAM, "5", team.Lift(0, dropping=5)),
        (TEAM, "lift 5", team.Lift(0, dropping=5)),
        (TEAM, "L 5 ben TWO", team.Lift(1, dropping=5)),
        (TEAM, "red", team.Lift(0, "red")),
        (TEAM, "r b", team.Lift(0, "red", sought="blue")),
        (TEAM, "fall", team.Fall()),
        (TEAM, "fall green 3", team.Fall(3, "green")),
        (TEAM, "die fell", team.DieFell()),
        (TEAM, "fell", team.DieFell()),
        (TEAM, "final red green", team.Final("red", "green")),
        (TEAM, "final y", team.Final("yellow")),
        (TEAM, "concede", team.Concede()),
        (TEAM, "die red", Die("red", by="table")),
        (TEAM, "die gone", Die(None, "absent", by="table")),
        (TEAM, "recentre stuck", Recentre("stuck")),
        (TEAM, "recentre exhausted force", Recentre("exhausted", True)),
        (TEAM, "turn Ben Two", Turn(1)),
        (TEAM, "p", Pause()),
        (TEAM, "resume", Resume()),
        (TEAM, "note Ada spilled  the tea", Note("Ada spilled the tea")),
        (TEAM, '{"type":"undo","of":3}', Undo(3)),
        (SOLO, "red 5", solo.Lift(0, "red", dropping=5)),
        (SOLO, "red green", solo.Lift(0, "red", "green")),
        (CAPTAIN, "5", captain.Lift(0, dropping=5)),
        (CAPTAIN, "match", captain.Lift(0, True)),
        (CAPTAIN, "match blue", captain.Lift(0, True, color="blue")),
        (CAPTAIN, "no", captain.Lift(0, False)),
        (CAPTAIN, "call Ben", captain.Call(1)),
        (CAPTAIN, "c ben wrong", captain.Call(1, False)),
        (CAPTAIN, "nobody", captain.Void()),
    ],
)
def test_a_phrase_means(game: team.TeamGame, line: str, action: Action) -> None:
    assert parse(line, game, [0, 1]) == action


@pytest.mark.parametrize(
    ("line", "mend"),
    [
        ("missed red", Mend(missed=True, color="red")),
        ("missed no", Mend(missed=True, match=False)),
        ("last r", Mend(color="red")),
        ("LAST yes", Mend(match=True)),
        ("last ben TWO", Mend(seat=1)),
        ("earlier miss", Mend(2, match=False)),
        ("red", None),
        ("", None),
    ],
)
def test_a_phrase_mends(line: str, mend: Mend | None) -> None:
    assert parse_mend(line, TEAM) == mend


@pytest.mark.parametrize("line", ["last", "missed", "missed yes", "missed Ada", "last red green", "earlier 5", "last Ada red"])
def test_what_mends_nothing_is_told_what_would(line: str) -> None:
    with pytest.raises(BadAction, match=f"say what it was: {line.split(maxsplit=1)[0]} red"):
        parse_mend(line, TEAM)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("hello", "hello"),
        ("5 6", "6"),
        ("red red red", "red"),
        ("12", "0 to 11"),
        ("call", "say who"),
        ("turn", "say who"),
        ("turn Zed", "zed"),
        ("recentre", "reason"),
        ("final", "named"),
        ("{", "JSON"),
        ("{}", "type"),
        ("[]", ""),
        ("²", "²"),
    ],
)
def test_what_is_not_understood_is_named(line: str, says: str) -> None:
    game = CAPTAIN if line == "call" else TEAM
    with pytest.raises(BadAction) as caught:
        parse(line, game, [0, 1])
    assert says.lower() in str(caught.value).lower()


def test_a_dropping_without_its_colour_asks_for_the_colour_where_one_is_announced() -> None:
    with pytest.raises(BadAction, match="say the colour first: red 5"):
        parse("5", SOLO, [0, 1])


def test_the_only_person_need_not_say_who_calls() -> None:
    assert parse("call", CAPTAIN, [1]) == captain.Call(1)


def test_an_action_of_another_game_is_refused_by_its_rule() -> None:
    with pytest.raises(Refused) as caught:
        parse('{"type":"call","seat":0}', SOLO, [0, 1])
    assert caught.value.rule == "C3"


@given(st.sampled_from(sorted(KINDS)), st.text(min_size=1).filter(lambda line: line.strip()))
def test_any_line_is_an_action_or_a_clear_no(name: str, line: str) -> None:
    game = new_game(name, random.Random(1))
    try:
        action = parse(line, game, [0])
    except (BadAction, Refused):
        return
    assert isinstance(action, Action)
