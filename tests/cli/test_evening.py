"""The first minutes and the whole evening: `captain play` asks, remembers, and offers another game."""

import json
import sys
from pathlib import Path

import pytest

from eyecaptain.cli.evening import Evening
from eyecaptain.games.captain import Call, CaptainGame
from eyecaptain.sessions import store
from eyecaptain.sessions.log import FILE_NAME
from support import captain, terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="terminals of Linux and macOS")


def home(folder: Path) -> dict[str, str]:
    return {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}


def test_captain_play_alone_asks_and_remembers(tmp_path: Path) -> None:
    sessions = tmp_path / "s"
    keys = b"9\n2\nAda,ada\nA,B,C,D,E\nAda,Ben\n1\nnone\nq\n"
    out = terminal(["play", "--view", "plain"], keys, sessions, home(tmp_path))
    assert b"Two players are called" in out
    assert b"4 can play, not 5" in out
    header = store.read(next(sessions.glob(f"*/{FILE_NAME}"))).header
    assert (header["game"], header["players"], header["board"]["name"]) == ("solo", ["Ada", "Ben", "Bot 1"], "none")
    out = terminal(["play", "--view", "plain"], b"\n\n\n\nq\n", tmp_path / "again", home(tmp_path))
    assert b"game solo: Ada, Ben, Bot 1" in out


def test_a_game_is_chosen_by_its_number_or_its_name(tmp_path: Path) -> None:
    out = terminal(["play", "--view", "plain"], b"chess\nSolo\nAda,Ben\n0\nnone\nq\n", tmp_path / "s", home(tmp_path))
    assert b"The games are: 1 team, 2 solo, 3 captain." in out
    assert b"game solo: Ada, Ben" in out


def test_what_is_remembered_may_be_anything(tmp_path: Path) -> None:
    (tmp_path / "config" / "eye-eye-captain").mkdir(parents=True)
    for text in ("", "[]", "{", '{"game":5,"players":7,"bots":"x"}'):
        (tmp_path / "config" / "eye-eye-captain" / "evening.json").write_text(text)
        out = terminal(["play", "--view", "plain"], b"1\nAda,Ben\n0\nnone\nq\n", tmp_path / "s", home(tmp_path))
        assert b"game team: Ada, Ben" in out, out


def test_what_was_said_on_the_command_line_is_not_overruled(tmp_path: Path) -> None:
    out = terminal(["play", "--view", "plain", "--board", "none"], b"1\nAda,Ben\n0\nsim\nq\n", tmp_path / "s", home(tmp_path))
    assert b"without a board" in out


def test_nobody_is_asked_where_nobody_sits(tmp_path: Path) -> None:
    done = captain("play", sessions=tmp_path)
    assert done.returncode == 2
    assert "Which game?" in done.stderr


def test_another_game_begins_to_the_left_with_the_evenings_score(tmp_path: Path) -> None:
    keys = b"call Ada\ncall Ada\n\n\nq\n"
    out = terminal(["play", "captain", "--players", "Ada,Ben", "--board", "none", "--view", "plain"], keys, tmp_path, {})
    assert b"This evening: 1 game, won by Ada 0, Ben 1." in out
    assert b"Another game? Ben begins it." in out
    starts = [store.read(path).header["options"].get("start", 0) for path in tmp_path.glob(f"*/{FILE_NAME}")]
    assert sorted(starts) == [0, 1]


@pytest.mark.parametrize("answer", [b"n\n", b"\x04"])
def test_no_is_an_answer(answer: bytes, tmp_path: Path) -> None:
    keys = b"call Ada\ncall Ada\n\n" + answer
    terminal(["play", "captain", "--players", "Ada,Ben", "--board", "none", "--view", "plain"], keys, tmp_path, {})
    listed = json.loads(captain("sessions", "list", "--json", sessions=tmp_path).stdout)
    assert [row["status"] for row in listed] == ["over"]


def test_the_score_counts_everybody_who_won() -> None:
    evening = Evening()
    for callers in ((0, 0), (1, 1), (0, 0)):
        game = CaptainGame(("Ada", "Ben", "Cleo"))
        for seat in callers:
            game.apply(Call(seat))
        evening.add(game)
    assert evening.score() == "This evening: 3 games, won by Ada 1, Ben 2, Cleo 3."
