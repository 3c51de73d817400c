"""The worked examples H-1 to H-10, the table of irregular orders and the vector V1 of rules.md, as session files."""

import json
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.games.commitment import commitment, deck
from support import captain

FOLDER = Path(__file__).parent / "examples"

# file: round, slot, pot, bids by seat, who takes it
AUCTIONS: dict[str, tuple[int, str, list[int], list[int], str | None]] = {
    "h01-mouse": (1, "A", [7], [12, 9, 15, 3, 8], "C"),
    "h02-vulture-tie-at-the-bottom": (1, "A", [-4], [5, 2, 9, 11, 2], "A"),
    "h03-cascade-high": (1, "A", [10], [16, 16, 15, 15, 9, 14, 14], "E"),
    "h04-cascade-low": (1, "A", [-6], [1, 1, 2, 2, 3, 3, 8], "G"),
    "h05-positive-mix": (2, "A", [10, -3], [4, 9, 15, 2], "C"),
    "h06-negative-mix": (2, "A", [2, -6], [3, 10, 7, 7], "A"),
    "h07-zero-pot": (2, "A", [-5, 5], [13, 6, 13, 4, 11], "E"),
    "h08-three-in-a-pot": (3, "A", [-2, 1, -4], [10, 2, 2, 3], "D"),
    "h09-after-next-in-both-slots": (4, "A", [4, 6], [10, 11, 12, 9], "C"),
    "h10-last-round": (8, "A", [3, -1], [12, 12, 4, 4], None),
}
SIX = [  # order, cards played, flags (rules.md A9)
    ("none", (2, 5), ("missing", "missing")),
    ("9,4", (9, 2), ("ok", "illegal")),
    ("4,2", (5, 2), ("illegal", "ok")),
    ("9,9", (9, 2), ("ok", "illegal")),
    ("7,7", (2, 5), ("illegal", "illegal")),
    ("-,2", (5, 2), ("missing", "ok")),
    ("17,0", (2, 5), ("illegal", "illegal")),
    ("2,5", (2, 5), ("ok", "ok")),
]
V1 = {"shared": ["Q", "T"], "cancel": ["P"], "best-mouse": ["Q"]}
V1_TAKERS = ["QQ", "-P", "T-", "-Q", "PT", "RT", "RT", "TR"]  # A and B, round by round


def replayed(name: str, sessions: Path) -> dict[str, Any]:
    done = captain("replay", str(FOLDER / f"{name}.jsonl"), "--json", sessions=sessions)
    assert (done.returncode, done.stderr) == (0, "")
    state: dict[str, Any] = json.loads(done.stdout)
    return state


@pytest.mark.parametrize("name", AUCTIONS)
def test_worked_example(name: str, tmp_path: Path) -> None:
    round_, slot, pot, bids, winner = AUCTIONS[name]
    state = replayed(name, tmp_path)
    found = state["rounds"][round_ - 1]
    assert found["round"] == round_
    assert found[slot]["pot"] == pot
    assert list(found[slot]["bids"].values()) == bids
    assert set(found[slot]["flags"].values()) == {"ok"}
    assert found[slot]["winner"] == winner
    if winner is not None:
        assert set(pot) <= set(state["won"][winner])


def test_only_the_same_slot_is_enriched(tmp_path: Path) -> None:
    rounds = replayed("h09-after-next-in-both-slots", tmp_path)["rounds"]
    assert (rounds[2]["A"]["pot"], rounds[2]["A"]["winner"]) == ([4], None)
    assert rounds[2]["B"]["winner"] == "A"
    assert rounds[3]["B"]["pot"] == [9]


def test_what_is_left_after_the_last_round_is_forfeited(tmp_path: Path) -> None:
    state = replayed("h10-last-round", tmp_path)
    assert state["forfeited"] == [3, -1]
    assert state["rounds"][7]["B"] == {
        "pot": [8],
        "bids": {"A": 5, "B": 5, "C": 16, "D": 7},
        "flags": dict.fromkeys("ABCD", "ok"),
        "winner": "C",
    }
    assert (state["status"], state["round"], sum(state["scores"].values())) == ("over", 9, 32)
    assert state["hands"] == {"A": [], "B": [], "C": [], "D": []}
    assert state["carry"] == {"A": [], "B": []}


def test_irregular_orders_of_a_hand_of_six(tmp_path: Path) -> None:
    found = replayed("normalisation-six-cards", tmp_path)["rounds"][5]
    for name, cards, flags in SIX:
        assert (found["A"]["bids"][name], found["B"]["bids"][name]) == cards, name
        assert (found["A"]["flags"][name], found["B"]["flags"][name]) == flags, name


def test_irregular_orders_of_the_last_round(tmp_path: Path) -> None:
    found = replayed("normalisation-two-cards", tmp_path)["rounds"][7]
    assert (found["A"]["bids"], found["B"]["bids"]) == ({"none": 3, "3,3": 3}, {"none": 11, "3,3": 11})
    assert found["A"]["flags"] == {"none": "missing", "3,3": "ok"}
    assert found["B"]["flags"] == {"none": "missing", "3,3": "illegal"}


@pytest.mark.parametrize("tie_break", V1)
def test_the_vector_of_a_whole_game(tie_break: str, tmp_path: Path) -> None:
    state = replayed(f"v1-{tie_break}", tmp_path)
    promised = "game status round scores won forfeited carry hands ranks winners rounds"
    assert set(state) == set(promised.split())
    assert all(set(each) == {"round", "A", "B"} for each in state["rounds"])
    assert all(set(each[slot]) == {"pot", "bids", "flags", "winner"} for each in state["rounds"] for slot in "AB")
    assert state["scores"] == {"P": 6, "Q": 12, "R": 4, "S": 0, "T": 12}
    assert state["won"] == {"P": [8, 3, -5], "Q": [1, -4, 10, 5], "R": [2, 4, -2], "S": [], "T": [9, -3, 7, 6, -6, -1]}
    assert state["ranks"] == {"P": 3, "Q": 1, "R": 4, "S": 5, "T": 1}
    assert (state["forfeited"], state["carry"]) == ([], {"A": [], "B": []})
    assert ["".join(each[slot]["winner"] or "-" for slot in "AB") for each in state["rounds"]] == V1_TAKERS
    assert state["winners"] == V1[tie_break]


def test_the_deck_of_the_vector_comes_from_its_seed() -> None:
    header, deal = map(json.loads, (FOLDER / "v1-shared.jsonl").read_text().splitlines()[:2])
    seed = bytes.fromhex(header["seed"])
    assert deal["cards"] == deck(seed)
    assert commitment(header["id"], seed) == "8e11652136809c44fa51599c20042be61df8d4db09784bb36b02ab63477be8e3"


def test_every_example_file_is_tested() -> None:
    known = {*AUCTIONS, "normalisation-six-cards", "normalisation-two-cards", *(f"v1-{name}" for name in V1)}
    assert {path.stem for path in FOLDER.glob("[!e]*.jsonl")} == known
