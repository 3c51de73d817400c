"""`captain doctor`: who a board is, and how good the link to it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.link.client import Client
from eyecaptain.link.errors import LinkError
from eyecaptain.link.health import HOST, Health, measure
from link.peer import Peer
from link.plain import Emulated
from support import captain, needs_micropython

GOOD = dict.fromkeys(HOST, 0)


@pytest.fixture
def board(own_runtime: Path) -> Any:
    boards: list[Emulated] = []

    def start(*options: str) -> Emulated:
        boards.append(Emulated(own_runtime, *options))
        return boards[-1]

    yield start
    for one in boards:
        one.close()


def test_without_a_board(tmp_path: Path, own_runtime: Path) -> None:
    assert own_runtime.is_dir()
    done = captain("doctor", sessions=tmp_path)
    assert done.returncode == 3
    assert "No board is attached" in done.stderr


@needs_micropython
def test_a_good_link(board: Callable[..., Emulated], tmp_path: Path) -> None:
    one = board()
    done = captain("doctor", "--link", "--seconds", "0.3", "--json", sessions=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["board"]["uid"].upper() == one.serial
    link = told["link"]
    assert (link["good"], link["loss"], link["lost"]) == (True, 0, 0)
    assert link["host"] == GOOD
    for op in ("hb", "state"):
        trip = link["round_trip_ms"][op]
        assert 0 < trip["median"] <= trip["p99"] <= trip["max"] < 250
    assert link["requests_per_second"] > 50
    assert link["bytes_per_second"] > 50 * link["requests_per_second"]
    assert link["device"]["rx"] > link["requests"]
    people = captain("doctor", "--board", one.serial, "--link", "--seconds", "0.1", sessions=tmp_path)
    assert people.stdout.splitlines()[-1] == "The link is good."


@needs_micropython
def test_a_bad_link_says_what_is_wrong_with_it(board: Callable[..., Emulated], tmp_path: Path) -> None:
    one = board("--seed", "bad")
    one.world("fault", what="corrupt", value=0.1)
    done = captain("doctor", "--link", "--seconds", "1", sessions=tmp_path)
    assert done.returncode in (4, 7), done.stderr
    if done.returncode == 7:
        assert "wrong checksum" in done.stdout
        assert "Try another cable" in done.stdout


def test_a_board_that_falls_silent_is_no_good_link() -> None:
    with Peer() as peer, Client(peer.port, lambda _: None) as client:
        left = [5]

        def hear(_: Any) -> bool:
            left[0] -= 1
            return left[0] > 0

        peer.hear = hear
        health = measure(client, 0.3, lambda: 0)
    assert isinstance(client.lost, LinkError)
    assert not health.good
    assert health.lines()[-1].startswith("The link broke down")
    assert json.dumps(health.as_json())


def test_faults_that_cost_nothing_are_named_and_fine() -> None:
    health = Health({"hb": [0.001] * 999}, 100.0, 5000.0, {**GOOD, "resent": 1, "crc": 1}, {"crc": 0, "i2c": 2}, 0)
    said = health.lines()
    assert health.good
    assert "Frames from the board with a wrong checksum: 1." in said
    assert "Transfers to the colour sensor that failed, since the board was switched on: 2." in said
    assert "copes with them" in said[-1]


@pytest.mark.parametrize(("resent", "good"), [(20, True), (21, False)])
def test_more_than_two_in_a_hundred_lost_is_no_link_to_play_with(resent: int, good: bool) -> None:
    health = Health({"hb": [0.001] * 980}, 100.0, 5000.0, {**GOOD, "resent": resent, "crc": resent}, {"bad": 3}, 0)
    said = health.lines()
    assert health.good is health.as_json()["good"] is good
    assert "Loss: 2." in said[2]
    assert ("loses too much. Try another cable" in said[-1]) is not good
    assert "Broken frames to the board, since the board was switched on: 3." in said
