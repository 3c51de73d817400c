"""What keys mean: only keys that work are listed, and every question can be answered or left."""

import random
import re
import string
import time
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.games.base import COLORS, Refused, action_from_json
from eyecaptain.table.loop import Wish
from eyecaptain.views.terminal.hand import Hands, Number, Question
from eyecaptain.views.terminal.help import help_text
from eyecaptain.views.terminal.scene import Scene, Watch
from eyecaptain.views.terminal.shapes import key_drawing
from random_play import KINDS
from support import runs
from table.sittings import check_replay, sit

# What a key cannot know: what people have told wrongly before, and which number is typed after it.
FORGIVEN = {"fourth", "barred", "contradiction"}


@pytest.mark.soak
@pytest.mark.parametrize("deck", ["virtual", "real"])
@pytest.mark.parametrize("game", KINDS)
def test_whatever_is_listed_works(game: str, deck: str, tmp_path: Path) -> None:
    for seed in range(runs(6)):
        rng = random.Random(f"{game} {deck} {seed}")
        refused: list[tuple[str, Wish]] = []
        options = {"open_corners": rng.randint(1, 4), "reveal_galley": rng.random() < 0.5} if game == "team" else {}
        people = ["Ada", "Ben", "Cleo"][: rng.randint(2, 3)]
        with sit(tmp_path / str(seed), game, people, seed=str(seed), deck=deck, options=options) as sitting:
            table, watch = sitting.table, Watch()
            table.listen(watch.notice)
            table.begin()
            for _ in range(120):
                for event in table.board.poll() or ():
                    table.reported(event)
                if deck == "real" and rng.random() < 0.3:
                    table.reported({"type": "die", "face": rng.choice(COLORS), "by": "board"})
                wish = follow(watch.scene(table, sitting.people, held=False), rng)
                try:
                    if wish.word == "undo":
                        table.undo()
                    elif wish.word == "wait":
                        table.board.new_turn()
                    elif wish.mend is not None:
                        table.mend(wish.mend)
                    for action in wish.actions:
                        table.wanted(action)
                except Refused as error:
                    refused.append((error.code, wish))
        assert [each for each in refused if each[0] not in FORGIVEN] == []
        check_replay(sitting)


LIFTS: dict[str, dict[str, dict[str, Any]]] = {
    "team": {"real": {"color": "red"}, "virtual": {}},
    "solo": {"real": {"announced": "red", "color": "red"}, "virtual": {"announced": "red"}},
    "captain": {"real": {"match": True}, "virtual": {}},
}


@pytest.mark.parametrize("deck", ["virtual", "real"])
@pytest.mark.parametrize("game", LIFTS)
def test_the_page_of_help_names_no_key_that_this_game_has_not_on_this_deck(game: str, deck: str, tmp_path: Path) -> None:
    with sit(tmp_path, game, ["Ada", "Ben"], deck=deck) as sitting:
        table = sitting.table
        table.begin()
        table.reported({"type": "die", "face": "red", "by": "board"})
        for seat in range(2):
            dropping = {"dropping": seat} if deck == "virtual" else {}
            table.wanted(action_from_json(table.game, {"type": "lift", "seat": seat, **dropping, **LIFTS[game][deck]}))
        scene = Watch().scene(table, sitting.people, held=False)
    keys = {answer.key for answer in Hands(scene, time.monotonic()).menu().answers}
    page = help_text(scene, 400, 99).plain
    beginnings = re.findall(r"(?:^ |[.] )([a-z])(?:, ([a-z]) and ([a-z]))?(?=[ :])", page, re.MULTILINE)
    named = {key for beginning in beginnings for key in beginning if key}
    assert named <= keys
    assert named >= {"u", "t", "p", "q"} | (keys & {"i", "a", "s", "h"})


def follow(scene: Scene, rng: random.Random) -> Wish:
    """Press listed keys until a wish comes out, or nothing more is asked."""
    asked: Question = Hands(scene, time.monotonic()).menu()
    while True:
        keys = [answer.key for answer in asked.answers]
        assert len(keys) == len(set(keys)), f"one key with two meanings: {keys}"
        if asked.numbers is not None and rng.random() < 0.7:
            out = asked.numbers(rng.choice(scene.view["on_deck"]))
        else:
            out = rng.choice(asked.answers).then()
        if isinstance(out, Wish):
            return out
        if not isinstance(out, Question):
            return Wish()
        assert out.text
        assert out.answers[-1].key == "escape"
        asked = out


def test_every_key_is_drawn_as_it_is_pressed() -> None:
    """Capitals are the seats' letters: a large C would be cyan's call, not the key c."""
    signs = string.ascii_letters + string.digits
    drawn = {sign: "\n".join(row.rstrip() for row in key_drawing(sign)) for sign in signs}
    assert all(len(key_drawing(sign)) == 3 for sign in signs)
    assert len(set(drawn.values())) == len(signs)


def test_a_number_is_done_as_soon_as_no_longer_one_could_be_meant() -> None:
    number = Number()
    assert number.digit("5", [1, 5, 10]) == 5
    assert number.digit("1", [1, 5, 10]) is None
    assert number.digit("0", [1, 5, 10]) == 10
    assert number.digit("1", [1, 5]) == 1  # ten and eleven are gone
    assert number.digit("1", [0, 1, 10]) is None
    assert number.done() == 1
    assert number.done() is None
    assert number.digit("1", [3, 10]) is None
    assert number.digit("3", [3, 10]) == 3  # there is no 13: the last digit counts
