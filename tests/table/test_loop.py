"""The loop: who acts when, and what people can always say."""

import io
import queue
import time
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.none import VirtualBoard
from eyecaptain.games.base import COLORS, LETTERS, action_from_json
from eyecaptain.table.loop import Loop, Wish
from eyecaptain.table.referee import Table
from eyecaptain.table.sitting import Room, resume
from eyecaptain.views.plain import PlainView
from table.sittings import check_replay, play_lines, recorded, sit


def kinds(sitting: object) -> list[str]:
    return [entry.data["type"] for entry in recorded(sitting).entries]  # type: ignore[arg-type]


def test_after_an_undo_bots_wait_for_a_word(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "solo", ["Ada"], bots=1)
    play_lines(sitting, "red 1", "undo", "undo")
    assert kinds(sitting) == ["deal", "lift", "lift", "undo", "undo"]
    assert sitting.table.game.turn == 0
    check_replay(sitting)


def test_on_a_board_a_bot_leaves_people_the_time_to_follow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = sit(tmp_path, "solo", [], bots=2)
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(sitting.table.board, "live", True, raising=False)
    loop = Loop(sitting.table, PlainView(io.StringIO(), []), sitting.bots, queue.Queue(), thinking=2.0)
    sitting.table.begin()
    for _ in range(3):
        before = len(kinds(sitting))
        now += 1.9
        assert not loop._bots_act(thought=False, settled=True)
        now += 0.2
        assert loop._bots_act(thought=True, settled=True)
        assert len(kinds(sitting)) > before
    sitting.close()


def test_people_do_not_play_for_bots(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "captain", ["Ada"], bots=1)
    out = play_lines(sitting, "call Bot 1", '{"type":"call","seat":1}')
    assert "a bot plays for itself" in out
    assert '{"error":{"code":"not_yours"' in out


def test_leaving_keeps_the_game_for_later(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "solo")
    play_lines(sitting, "red 1", "q", "red 2")
    assert kinds(sitting) == ["deal", "lift"]
    again = resume(sitting.folder, "none", Room())
    assert again.table.game.view(0) == sitting.table.game.view(0)
    play_lines(again, "blue 2")
    assert kinds(again) == ["deal", "lift", "lift"]


def test_the_last_action_of_a_game_can_be_taken_back(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "captain")
    out = play_lines(sitting, "call Ada", "call Ada", "undo", "q")
    assert "The game is over. undo takes the last action back" in out
    assert not sitting.table.game.over
    check_replay(sitting)


def test_a_report_without_a_face_asks_for_it_and_a_colour_answers(tmp_path: Path) -> None:
    sitting = sit(tmp_path, deck="real")
    out = play_lines(sitting, "green", "red", "u", "u")
    assert "which colour does it show?" in out
    assert kinds(sitting) == ["deal", "die", "lift", "undo", "undo"]
    assert recorded(sitting).entries[1].data == {"type": "die", "face": "red", "by": "table"}


@pytest.mark.parametrize("game", ["team", "captain"])
def test_time_never_falls_also_over_a_resume(game: str, tmp_path: Path) -> None:
    sitting = sit(tmp_path, game)
    play_lines(sitting, "1", "2", "3")
    again = resume(sitting.folder, "none", Room())
    play_lines(again, "4", "5")
    times = [entry.t for entry in recorded(again).entries]
    assert times == sorted(times, key=lambda t: t or 0.0)


def test_chance_does_not_repeat_itself_after_a_resume(tmp_path: Path) -> None:
    """The deck's draws after a resume are not those from the beginning of the session."""
    sitting = sit(tmp_path, "captain")
    play_lines(sitting, "call Ada")
    first, second = (entry.data["layout"] for entry in recorded(sitting).entries if entry.data["type"] == "deal")
    again = resume(sitting.folder, "none", Room())
    play_lines(again, "u", "call Ben")
    third = [entry.data["layout"] for entry in recorded(again).entries if entry.data["type"] == "deal"][-1]
    assert third not in (first, second)


def test_a_report_that_was_taken_is_not_repeated_by_the_next_colour(tmp_path: Path) -> None:
    sitting = sit(tmp_path, deck="real")
    play_lines(sitting, "die red", "red", "green", "blue")
    assert [entry.data.get("color") for entry in recorded(sitting).entries if entry.data["type"] == "lift"] == [
        "red",
        "green",
        "blue",
    ]


def bots_after_a_fall(root: Path) -> tuple[Loop, Table]:
    """A team of bots on a deck from which dropping 4 has just fallen; the report of that is still on its way."""
    sitting = sit(root, "team", [], bots=2)
    loop = Loop(sitting.table, PlainView(io.StringIO(), []), sitting.bots, queue.Queue())
    sitting.table.begin()
    deck = sitting.table.board.deck
    assert deck is not None
    sitting.table.reported({"type": "die", "face": deck.face, "by": "world"})  # type: ignore[attr-defined]
    del deck.droppings[4]  # type: ignore[attr-defined]
    return loop, sitting.table


def test_bots_wait_for_the_report_of_what_has_fallen(tmp_path: Path) -> None:
    loop, table = bots_after_a_fall(tmp_path)
    assert not loop._bots_act(thought=True, settled=True)
    table.reported({"type": "fall", "dropping": 4})
    assert loop._bots_act(thought=True, settled=True)


@pytest.mark.parametrize("match", [True, False])
def test_who_lifts_what_has_just_fallen_is_believed(match: bool, tmp_path: Path) -> None:
    _, table = bots_after_a_fall(tmp_path)
    layout = table.game.layout
    assert layout is not None
    color = LETTERS[layout[4]]
    face = color if match else next(other for other in COLORS if other != color)
    table.reported({"type": "die", "face": face, "by": "world"})
    table.wanted(action_from_json(table.game, {"type": "lift", "seat": table.game.turn, "dropping": 4}))
    table.reported({"type": "fall", "dropping": 4})
    assert (4 in table.game.ids_on_deck()) is not match
    assert table.game.summary()["team"] == match
    assert table.game.summary()["galley"] == 0


class LateBoard(VirtualBoard):
    """A live board, whose die is known only when it says so: what it says are the log's own actions."""

    live = True

    def poll(self) -> None:
        return None

    def hear(self, message: Any) -> list[dict[str, Any]]:
        return [message]


def late(root: Path, *messages: Any, game: str = "team") -> tuple[list[str], str]:
    """Play with a board that says these messages, among what people say; return what was logged and what was shown."""
    sitting = sit(root, game)
    deck = sitting.table.board.deck
    sitting.table.board = LateBoard(deck)  # type: ignore[arg-type]
    face = {"type": "die", "face": "red", "by": "board"}
    out = io.StringIO()
    inbox: queue.Queue[Any] = queue.Queue()
    for message in messages:
        inbox.put(face if message == "FACE" else message)
    with sitting:
        Loop(sitting.table, PlainView(out, sitting.people), sitting.bots, inbox, 0.0).run()
    return kinds(sitting), out.getvalue()


@pytest.mark.parametrize("game", ["team", "captain"])
def test_what_is_lifted_before_the_board_has_read_its_die_is_lifted_as_soon_as_it_has(game: str, tmp_path: Path) -> None:
    logged, shown = late(tmp_path, "1", "2", "FACE", None, game=game)
    assert logged == ["deal", "die", "lift", "lift"]
    assert "the die is being read" in shown
    assert "which colour" not in shown


def test_a_script_hears_only_what_became_of_a_lift_before_the_die_is_read(tmp_path: Path) -> None:
    logged, shown = late(tmp_path, '{"type":"lift","seat":0,"dropping":1}', "FACE", None)
    assert logged == ["deal", "die", "lift"]
    assert "error" not in shown
    assert "being read" not in shown


def test_a_die_that_is_never_read_ends_the_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eyecaptain.table.loop.READING", 0.1)
    logged, shown = late(tmp_path, "1", "q")
    assert logged == ["deal"]
    assert "Not allowed: the die's face is not known" in shown


def test_who_wants_something_else_does_not_wait_for_the_die(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eyecaptain.table.loop.READING", 1e9)
    logged, _shown = late(tmp_path, "1", Wish(word="quit"))
    assert logged == ["deal"]


@pytest.mark.parametrize("game", ["team", "captain"])
def test_bots_lift_nothing_before_the_die_is_read(game: str, tmp_path: Path) -> None:
    sitting = sit(tmp_path, game, [], bots=2)
    loop = Loop(sitting.table, PlainView(io.StringIO(), []), sitting.bots, queue.Queue())
    sitting.table.begin()
    assert not loop._bots_act(thought=True, settled=True)
    sitting.table.reported({"type": "die", "face": "red", "by": "board"})
    assert loop._bots_act(thought=True, settled=True)
