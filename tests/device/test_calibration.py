"""The calibration on the board: key by key, its file, and every file that will not do."""

import json
from pathlib import Path
from typing import Any

import pytest

from device.fakes import UID, palette
from eyecaptain.sight import store
from eyedeck.calibration import Calibration
from eyedeck.core.palette import KEYS, Palette, checksum
from eyedeck.link.session import Refused

VALUES = palette()
SUM = checksum(VALUES)


class Rig:
    def __init__(self, place: Path, uid: str = UID) -> None:
        self.place = place
        self.armed = False
        self.used: Any = None
        self.cal = Calibration(uid, self.use, lambda: self.armed, str(place))

    def use(self, palette: Any) -> None:
        self.used = palette

    def ask(self, **args: Any) -> Any:
        try:
            return self.cal.op_cal(args)
        except Refused as refused:
            return refused.code

    def build(self, values: Any = VALUES) -> None:
        for key, numbers in values.items():
            assert self.ask(do="set", key=key, v=list(numbers)) == {"v": numbers}


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path / "cal.json")


def test_a_board_without_one(rig: Rig) -> None:
    assert (rig.cal.sum, rig.cal.problem, rig.used) == (None, None, None)
    assert rig.ask() == {"keys": [], "sum": None}
    assert rig.ask(do="get", key="exp") == "uncal"


def test_it_counts_after_commit_and_after_the_next_start(rig: Rig) -> None:
    rig.build()
    assert rig.cal.sum is None
    assert not rig.place.exists()
    assert rig.ask(do="commit", sum=SUM) == {"sum": SUM}
    assert rig.used.sum == SUM
    again = Rig(rig.place)
    assert (again.cal.sum, again.used.sum) == (SUM, SUM)
    assert again.ask() == {"keys": [key for key in KEYS if key in VALUES], "sum": SUM}
    assert {key: again.ask(key=key)["v"] for key in VALUES} == VALUES
    assert store.read(rig.place, UID) == VALUES, "the host reads the board's file"
    assert [path.name for path in rig.place.parent.iterdir()] == ["cal.json"]


def test_clear_takes_it_away(rig: Rig) -> None:
    rig.build()
    rig.ask(do="commit")
    assert rig.ask(do="clear") == {"sum": None}
    assert (rig.used, rig.cal.sum, rig.place.exists()) == (None, None, False)
    assert rig.ask(do="clear") == {"sum": None}


def test_while_armed_it_is_only_read(rig: Rig) -> None:
    rig.build()
    rig.ask(do="commit")
    rig.armed = True
    assert rig.ask(key="exp") == {"v": VALUES["exp"]}
    for args in ({"do": "set", "key": "exp", "v": [21, 1]}, {"do": "commit"}, {"do": "clear"}):
        assert rig.ask(**args) == "busy"
    assert rig.place.exists()


def test_a_new_link_session_forgets_what_was_not_committed(rig: Rig) -> None:
    rig.build()
    rig.cal.begin()
    assert rig.ask(do="commit") == "bad_arg"
    assert not rig.place.exists()


@pytest.mark.parametrize(
    "args",
    [
        {"do": "fly"},
        {"do": ["set"]},
        {"do": "set"},
        {"do": "set", "key": "exp"},
        {"do": "set", "key": "exp", "v": [21]},
        {"do": "set", "key": "exp", "v": [21, 5]},
        {"do": "set", "key": "exp", "v": [21, True]},
        {"do": "set", "key": "exp", "v": [21.0, 4]},
        {"do": "set", "key": "exp", "v": "21"},
        {"do": "set", "key": ["exp"], "v": [21, 4]},
        {"do": "set", "key": "c8", "v": VALUES["c0"]},
        {"do": "set", "key": "c0", "v": [4, *VALUES["c0"][1:]]},
        {"do": "set", "key": "gate", "v": [0, 1, 1, 1]},
        {"do": "get", "key": 5},
        {"do": "commit", "sum": "00000000"},
    ],
)
def test_what_will_not_do_changes_nothing(rig: Rig, args: Any) -> None:
    rig.build()
    rig.ask(do="commit")
    before = rig.place.read_bytes()
    rig.build()
    assert rig.ask(**args) == "bad_arg"
    assert rig.place.read_bytes() == before
    assert rig.cal.sum == SUM


@pytest.mark.parametrize("missing", ["exp", "dark", "white", "gate", "c0"])
def test_a_key_that_is_missing_is_named(missing: str) -> None:
    with pytest.raises(ValueError, match=f"{missing} is missing"):
        Palette({key: numbers for key, numbers in VALUES.items() if key != missing})


def test_two_colours_that_are_alike_are_refused(rig: Rig) -> None:
    alike = dict(VALUES, c1=[1, *VALUES["c0"][1:]])
    rig.build(alike)
    with pytest.raises(Refused, match="too much alike"):
        rig.cal.op_cal({"do": "commit"})
    assert not rig.place.exists()


GOOD = json.dumps(store.on_board(UID, VALUES))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cut or damaged"),
        (GOOD[:-20], "cut or damaged"),
        (GOOD[: len(GOOD) // 2], "cut or damaged"),
        ("[" * 100, "cut or damaged"),
        ("null", "cut or damaged"),
        ("{}", "cut or damaged"),
        (GOOD.replace(UID, "ffffffffffffffff"), "of another board"),
        (GOOD.replace('"format": 1', '"format": 2'), "of another version"),
        (GOOD.replace(SUM, "12345678"), "damaged"),
        (json.dumps(store.on_board(UID, dict(VALUES, exp=[20, 4])) | {"sum": SUM}), "damaged"),
        (json.dumps(store.on_board(UID, dict(VALUES, c1=[1, *VALUES["c0"][1:]]))), "too much alike"),
        (json.dumps(store.on_board(UID, {key: VALUES[key] for key in ("exp", "c0")})), "is missing"),
        (GOOD.replace("4096", "NaN"), "damaged"),
        (GOOD.replace("[21, 4]", "[21, null]"), "exp"),
        (GOOD.replace("[21, 4]", "{}"), "exp"),
        ("\x00" * 50, "cut or damaged"),
    ],
)
def test_a_file_that_will_not_do_is_told_and_left_alone(tmp_path: Path, text: str, words: str) -> None:
    place = tmp_path / "cal.json"
    place.write_text(text)
    rig = Rig(place)
    assert (rig.cal.sum, rig.used) == (None, None)
    assert rig.cal.problem is not None
    assert words in rig.cal.problem or "damaged" in rig.cal.problem or "whole" in rig.cal.problem
    assert len(rig.cal.problem) < 120
    assert place.read_text() == text
    rig.build()
    assert rig.ask(do="commit") == {"sum": SUM}
    assert rig.cal.problem is None


def test_a_disk_that_is_full_keeps_the_old_one(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.build()
    rig.ask(do="commit")
    before = rig.place.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("json.dump", full)
    rig.build(dict(VALUES, exp=[21, 16]))
    assert rig.ask(do="commit") == "fault"
    assert rig.place.read_bytes() == before
    assert rig.cal.sum == SUM
    assert rig.used.sum == SUM
