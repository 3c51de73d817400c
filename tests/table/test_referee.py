"""The table: the world answers, the log comes first, refusals change nothing, the deck follows the game."""

import errno
import os
import random
from pathlib import Path

import pytest

from eyecaptain.errors import CaptainError
from eyecaptain.games import captain, team
from eyecaptain.games.base import Action, Deal, Die, Link, Note, Pause, Recentre, Refused, Resume, Turn, action_from_json
from eyecaptain.sessions import writer
from eyecaptain.table.referee import News
from random_play import KINDS
from table.sittings import check_replay, play_lines, recorded, sit


def test_the_virtual_deck_answers_a_lift_whatever_was_said(tmp_path: Path) -> None:
    with sit(tmp_path) as sitting:
        table = sitting.table
        table.begin()
        table.reported({"type": "die", "face": table.board.deck.look(4), "by": "world"})  # type: ignore[union-attr]
        table.wanted(team.Lift(0, "red", 4))
        assert table.game.summary()["team"] == 1


@pytest.mark.parametrize("action", [Deal(1), Link("lost"), Die("red", by="table"), team.Fall(3), team.DieFell()])
def test_people_cannot_say_what_table_and_world_say(action: Action, tmp_path: Path) -> None:
    with sit(tmp_path) as sitting:
        sitting.table.begin()
        with pytest.raises(Refused) as caught:
            sitting.table.wanted(action)
        assert caught.value.code == "not_yours"


def test_on_a_real_deck_people_say_everything(tmp_path: Path) -> None:
    with sit(tmp_path, deck="real") as sitting:
        table = sitting.table
        table.begin()
        for action in (Die("red", by="table"), team.Lift(0, "red"), team.Fall(), team.Lift(1, "blue"), team.DieFell()):
            table.wanted(action)
        assert table.game.summary()["why"] == "die"
    check_replay(sitting)


@pytest.mark.parametrize("game", ["team", "captain"])
def test_nothing_is_lifted_before_the_face_of_the_die_is_known(game: str, tmp_path: Path) -> None:
    with sit(tmp_path, game) as sitting:
        sitting.table.begin()
        action = {"type": "lift", "seat": 0, "dropping": 3}
        with pytest.raises(Refused) as caught:
            sitting.table.wanted(action_from_json(sitting.table.game, action))
        assert caught.value.code == "no_face"


def test_a_lift_without_a_dropping_is_asked_for_it(tmp_path: Path) -> None:
    with sit(tmp_path) as sitting:
        sitting.table.begin()
        with pytest.raises(Refused) as caught:
            sitting.table.wanted(team.Lift(0))
        assert caught.value.code == "dropping_needed"


def test_in_a_pause_only_the_table_talks(tmp_path: Path) -> None:
    with sit(tmp_path) as sitting:
        table = sitting.table
        table.begin()
        table.wanted(Pause())
        with pytest.raises(Refused) as caught:
            table.wanted(team.Lift(0, dropping=1))
        assert caught.value.code == "paused"
        for action in (Note("tea"), Turn(1), Resume()):
            table.wanted(action)


def test_what_is_shown_is_on_disk_before(tmp_path: Path) -> None:
    with sit(tmp_path, "captain") as sitting:
        table = sitting.table

        def on_disk(news: News) -> None:
            assert recorded(sitting).entries[-1].key == news.seq

        table.listen(on_disk)
        table.begin()
        table.reported({"type": "die", "face": "red", "by": "world"})
        table.wanted(captain.Lift(0, dropping=3))
        table.wanted(captain.Call(1))
        assert len(recorded(sitting).entries) == 5  # deal, die, lift, call, deal


@pytest.mark.parametrize("call", ["write", "sync"])
def test_when_the_disk_is_full_nothing_is_shown_and_nothing_is_lost(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sit(tmp_path) as sitting:
        table = sitting.table
        table.begin()
        shown: list[News] = []
        table.listen(shown.append)
        before = (sitting.folder / "session.jsonl").read_bytes(), table.game.summary()

        def full(*_: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os if call == "write" else writer, call, full)
            with pytest.raises(CaptainError, match="No space left"):
                table.wanted(Pause())
        assert (before, shown) == (((sitting.folder / "session.jsonl").read_bytes(), table.game.summary()), [])
        table.wanted(Pause())
        assert [news.seq for news in shown] == [2]
    check_replay(sitting)


def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    with sit(tmp_path) as sitting:
        sitting.table.begin()
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", lambda fd, data: write(fd, bytes(data[:7])))
            sitting.table.wanted(Pause())
    assert [entry.data["type"] for entry in recorded(sitting).entries] == ["deal", "pause"]
    check_replay(sitting)


def test_an_undo_takes_back_a_call_with_the_deal_that_followed(tmp_path: Path) -> None:
    with sit(tmp_path, "captain") as sitting:
        table = sitting.table
        table.begin()
        layout = table.game.layout
        table.reported({"type": "die", "face": "red", "by": "world"})
        table.wanted(captain.Lift(0, dropping=3))
        table.wanted(captain.Call(0))
        assert table.game.round == 2
        table.undo()
        assert (table.game.round, table.game.layout, table.game.turn) == (1, layout, 1)
        assert table.board.deck is not None
        assert [table.board.deck.look(dropping)[0].upper() for dropping in range(12)] == list(str(layout))
    check_replay(sitting)


def test_an_undo_puts_a_dropping_back_on_the_deck(tmp_path: Path) -> None:
    with sit(tmp_path) as sitting:
        table, deck = sitting.table, sitting.table.board.deck
        assert deck is not None
        table.begin()
        table.reported({"type": "die", "face": deck.look(4), "by": "world"})
        table.wanted(team.Lift(0, dropping=4))
        assert "4" not in deck.places()["droppings"]
        table.undo()
        assert deck.places()["droppings"]["4"] == 0
        with pytest.raises(Refused) as caught:
            table.undo()
        assert caught.value.code == "nothing_to_undo"


def test_recentring_needs_the_die_to_lie_so_or_force(tmp_path: Path) -> None:
    with sit(tmp_path) as sitting:
        table = sitting.table
        table.begin()
        with pytest.raises(Refused) as caught:
            table.wanted(Recentre("stuck"))
        assert caught.value.code == "not_so"
        table.wanted(Recentre("stuck", force=True))


@pytest.mark.parametrize("game", KINDS)
@pytest.mark.parametrize("bots", [2, 3, 4])
def test_bots_play_to_the_end_and_replay_equals_the_final_state(game: str, bots: int, tmp_path: Path) -> None:
    sitting = sit(tmp_path, game, [], bots=bots, options={"open_corners": bots} if game == "team" else {})
    play_lines(sitting)
    assert sitting.table.game.over
    check_replay(sitting)


@pytest.mark.parametrize("game", KINDS)
def test_random_typing_never_breaks_the_game_and_replay_agrees(game: str, tmp_path: Path) -> None:
    """People hit what keys they like; whatever was shown can be replayed."""
    words = ["1", "5", "red 3", "red", "call Ada", "call", "u", "p", "resume", "", "w", "turn Ben", "{}", '{"type":"void"}']
    words += ["look", "where", "help", "s", "note hm", "final red", "recentre falling", "die red", "fell", "{", '{"type":5}']
    for seed in range(10):
        rng = random.Random(f"{game} {seed}")
        sitting = sit(tmp_path, game, seed=str(seed), bots=seed % 2)
        play_lines(sitting, *rng.choices(words, k=150))
        check_replay(sitting)
