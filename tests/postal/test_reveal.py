"""A round is revealed on a board: the real firmware on a simulated one."""

import json
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.postal.reveal import SHOWN, SUSPENSE, lights, sentences
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
    assert lights(names, AUCTION) == ["magenta", "magenta"]
    assert lights(names, AUCTION | {"winner": "Eve"}) == ["white", "white"]
    assert lights(names, AUCTION | {"winner": None}) == []
    assert lights(names, AUCTION | {"pot": [1] * 8}) == ["magenta"] * 6


DARK = "000000"
CYAN = "003333"  # a fifth of full light (board.json's `bright`), red first


def played(*args: str, sessions: Path) -> str:
    done = captain("geier", *args, sessions=sessions)
    assert done.returncode == 0, done.stderr
    return done.stdout


def stages(record: list[dict[str, Any]]) -> list[tuple[bool, float, set[tuple[str, ...]]]]:
    """Whether the eye rolled, for how many seconds of the board's world, and what the lights showed meanwhile."""
    found: list[tuple[bool, float, set[tuple[str, ...]]]] = []
    rolling, since, frames, last = False, 0.0, set[tuple[str, ...]](), (DARK,) * 6
    for entry in record:
        if "pixels" in entry:
            last = tuple(entry["pixels"])
            frames.add(last)
        elif "asleep" in entry and entry["asleep"] == rolling:  # between two knocks the motor rests, but does not sleep
            found.append((rolling, entry["t"] - since, frames))
            rolling, since, frames = not rolling, entry["t"], {last}
    return [*found, (rolling, record[-1]["t"] - since, frames)]


@needs_micropython
def test_the_eye_rolls_and_stops_and_the_lights_are_those_of_the_taker(own_runtime: Path, tmp_path: Path) -> None:
    """What `captain geier run --board` does, by the record of what happened at the pins."""
    from eyecaptain.boards.simulated.launcher import SimulatedBoard

    del own_runtime  # no other board is seen
    sessions, record = tmp_path / "s", tmp_path / "record.jsonl"
    via = ("--via", f"folder:{tmp_path / 'out'}")
    played("new", "--player", "Ada=ada@x.org", "--player", "Ben=ben@x.org", "--seed", "00" * 32, *via, sessions=sessions)
    played("order", "Ada: 9 4", sessions=sessions)
    played("order", "Ben: 12 4", sessions=sessions)
    with SimulatedBoard.start(seed="1") as board:
        assert captain("doctor", "--board", board.entry.port, "--set", "leds=rgb", sessions=sessions).returncode == 0
        board.control.ask("record", file=str(record))
        said = played("run", "--board", board.entry.port, *via, sessions=sessions)
        board.control.ask("record", file=None)
        assert not board.control.ask("state")["motor"]
    paper = json.loads(played("report", "--as", "json", sessions=sessions))
    taken, waiting = paper["auctions"]
    assert (taken["winner"], waiting["winner"]) == ("Ben", None)
    assert said.splitlines()[-2:] == [sentences(taken), sentences(waiting)]
    lit = (CYAN,) * len(taken["pot"]) + (DARK,) * (6 - len(taken["pot"]))
    _before, first, shown, second, nothing = stages([json.loads(line) for line in record.read_text().splitlines()])
    for rolled in (first, second):
        assert rolled[0]
        assert rolled[1] > 0.8 * SUSPENSE
    assert (first[2], shown[0], nothing[0]) == ({(DARK,) * 6}, False, False)
    assert lit in shown[2]
    assert shown[2] <= {lit, (DARK,) * 6}
    assert lit not in nothing[2]
    assert shown[1] > 0.8 * SHOWN


def test_an_auction_is_told_in_a_sentence() -> None:
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
