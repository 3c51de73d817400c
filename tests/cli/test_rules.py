"""`captain rules`: every game is explained, on a screen of any width that people have."""

import json
from pathlib import Path

import pytest

from eyecaptain import games
from support import captain


@pytest.mark.parametrize("name", games.names())
def test_a_game_is_explained_with_a_drawing(name: str, tmp_path: Path) -> None:
    done = captain("rules", name, sessions=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    title, *lines = done.stdout.splitlines()
    assert title.startswith("EYE EYE CAPTAIN, GAME " if name != "geier" else "HOL'S DER GEIER BY MAIL ")
    assert max(len(line) for line in (title, *lines)) <= 80
    assert done.stdout.isascii()
    if name != "geier":
        assert sum(line[:28].count(" o") for line in lines if line.startswith("    |")) == 12  # all droppings are drawn
    assert json.loads(captain("rules", name, "--json", sessions=tmp_path).stdout) == {"game": name, "rules": done.stdout}


def test_the_games_are_listed(tmp_path: Path) -> None:
    done = captain("rules", sessions=tmp_path)
    assert [line.split()[2] for line in done.stdout.splitlines()] == games.names()
    assert set(json.loads(captain("rules", "--json", sessions=tmp_path).stdout)) == set(games.names())


def test_a_game_that_there_is_not(tmp_path: Path) -> None:
    done = captain("rules", "chess", sessions=tmp_path)
    assert done.returncode == 2
    assert 'There is no game "chess"' in done.stderr
    assert "captain, geier, solo, team" in done.stderr
