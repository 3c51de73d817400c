"""The worked examples E-1 to E-12 of rules.md, as session files, through the real `captain replay FILE --json`."""

import json
from pathlib import Path
from typing import Any

import pytest

from support import captain

FOLDER = Path(__file__).parent / "examples"


def team(status: str, why: str | None, team: int, galley: int, deck: int, turn: str | None) -> dict[str, Any]:
    return {"game": "team", "status": status, "why": why, "team": team, "galley": galley, "deck": deck, "turn": turn}


def chips(status: str, round_number: int, chips: dict[str, int], **rest: Any) -> dict[str, Any]:
    return {"game": "captain", "status": status, "round": round_number, "chips": chips} | rest


EXPECTED: dict[str, dict[str, Any]] = {
    "e01-exact-tie-wins": team("won", "count", 6, 6, 0, None),
    "e02-final-right": team("won", "count", 6, 6, 0, None),
    "e02-final-wrong": team("lost", "count", 5, 7, 0, None),
    "e03-final-does-not-matter": team("won", "count", 6, 6, 0, None),
    "e04-die-falls": team("lost", "die", 9, 0, 3, None),
    "e05-die-turns": team("running", None, 1, 0, 11, "Ada"),
    "e06-three-are-seen": team("running", None, 3, 0, 9, "Ada"),
    "e06-hidden-but-forced": team("running", None, 2, 1, 9, "Cleo"),
    "e06-galley-revealed": team("running", None, 2, 1, 9, "Cleo"),
    "e06-real-deck": team("running", None, 2, 1, 9, "Cleo"),
    "e07-the-bar-lapses": {
        "game": "solo",
        "status": "over",
        "collected": {"Ada": 3, "Ben": 5, "Cleo": 4},
        "deck": 0,
        "turn": None,
        "winners": ["Ben"],
    },
    "e08-right-call-with-nothing": chips(
        "running",
        2,
        {"Ada": 0, "Ben": 0, "Cleo": 0, "Dan": 1},
        collected={"Ada": 0, "Ben": 0, "Cleo": 0, "Dan": 0},
        deck=12,
        turn="Dan",
        winners=[],
    ),
    "e09-wrong-call-of-two": chips(
        "running", 2, {"Ada": 0, "Ben": 1}, collected={"Ada": 0, "Ben": 0}, deck=12, turn="Ada", winners=[]
    ),
    "e10-double-victory": chips(
        "over",
        2,
        {"Ada": 2, "Ben": 2, "Cleo": 0},
        collected={"Ada": 1, "Ben": 1, "Cleo": 2},
        deck=8,
        turn=None,
        winners=["Ada", "Ben"],
    ),
    "e11-seven-chips": chips(
        "over",
        3,
        {"Ada": 2, "Ben": 2, "Cleo": 2, "Dan": 1},
        collected={"Ada": 0, "Ben": 0, "Cleo": 0, "Dan": 0},
        deck=12,
        turn=None,
        winners=["Ada", "Ben", "Cleo"],
    ),
    "e12-empty-deck": chips(
        "running", 2, {"Ada": 0, "Ben": 1}, collected={"Ada": 0, "Ben": 0}, deck=12, turn="Ben", winners=[]
    ),
    "e12-nobody-calls": chips(
        "running", 2, {"Ada": 0, "Ben": 0}, collected={"Ada": 0, "Ben": 0}, deck=12, turn="Ada", winners=[]
    ),
}
REFUSED = {"e06-one-is-hidden": ("not_exhausted", "E10", 7), "e07-barred": ("barred", "C3", 4)}


@pytest.mark.parametrize("name", EXPECTED)
def test_worked_example(name: str, tmp_path: Path) -> None:
    done = captain("replay", str(FOLDER / f"{name}.jsonl"), "--json", sessions=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == EXPECTED[name]


@pytest.mark.parametrize("name", REFUSED)
def test_worked_example_of_a_refusal(name: str, tmp_path: Path) -> None:
    done = captain("replay", str(FOLDER / f"{name}.jsonl"), "--json", sessions=tmp_path)
    assert done.returncode == 6
    error = json.loads(done.stdout)["error"]
    assert (error["code"], error["rule"], error["line"]) == REFUSED[name]


def test_every_example_file_is_tested() -> None:
    assert {path.stem for path in FOLDER.glob("e*.jsonl")} == EXPECTED.keys() | REFUSED.keys()
