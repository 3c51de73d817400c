"""A round is revealed on a board: the real firmware on a simulated one."""

import json
from pathlib import Path

import pytest

from eyecaptain.postal.reveal import Reveal, lights, sentences
from support import captain, needs_micropython

AUCTION = {
    "slot": "A",
    "pot": [10, -3],
    "sum": 7,
    "kind": "mouse",
    "winner": "Cleo",
    "outcome": "taken",
    "knocked_out": [],
    "bids": [{"player": "Cleo", "card": 15, "flag": "ok", "state": "takes"}],
}


def test_a_light_for_each_animal_in_the_colour_of_its_taker() -> None:
    names = ["Ada", "Ben", "Cleo", "Dan", "Eve"]
    assert lights(names, AUCTION) == (["magenta", "magenta"], "win")
    assert lights(names, AUCTION | {"winner": "Eve"}) == (["white", "white"], "win")
    assert lights(names, AUCTION | {"winner": None}) == ([], "steady")
    assert lights(names, AUCTION | {"pot": [1] * 8})[0] == ["magenta"] * 6


@needs_micropython
def test_a_round_is_revealed_on_a_simulated_board(own_runtime: Path) -> None:
    del own_runtime  # no other board is seen
    said: list[str] = []
    waits: list[float] = []
    with Reveal("sim", said.append, waits.append) as stage:
        stage.show(["Ada", "Ben", "Cleo"], AUCTION)
    assert len(waits) == 2
    assert sentences(AUCTION) == "A: +10 -3 = +7: auctioned as a mouse. Cleo takes +10 -3 with 15, the highest card."


def test_without_a_board_the_round_is_evaluated_all_the_same(tmp_path: Path) -> None:
    out = f"folder:{tmp_path / 'out'}"
    two = ("--player", "Ada=ada@x.org", "--player", "Ben=ben@x.org")
    captain("geier", "new", *two, "--via", out, sessions=tmp_path / "s")
    done = captain("geier", "run", "--now", "--board", "none", "--via", out, "--json", sessions=tmp_path / "s")
    assert done.returncode == 2
    assert "no board to show it on" in done.stderr
    assert json.loads(done.stdout)["evaluated"]


@pytest.mark.parametrize("outcome", ["waits", "lost"])
def test_nobody_takes_it_is_said(outcome: str) -> None:
    assert "Nobody is left" in sentences(AUCTION | {"winner": None, "outcome": outcome, "bids": []})
