"""Recorded readings: what is read, what is refused with its place, and what is never overwritten."""

from pathlib import Path
from typing import Any

import pytest

from eyecaptain.errors import UsageProblem
from eyecaptain.games.base import COLORS
from eyecaptain.sight import evaluate, recording
from eyecaptain.sight.readings import Pair
from eyecaptain.sight.recording import COLUMNS, Recorder, Row

PAIR = Pair((100, 50, 40, 200), (1, 2, 3, 6))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def complaint(*args: Any, **more: Any) -> str:
    with pytest.raises(UsageProblem) as caught:
        recording.read(*args, **more)
    assert caught.value.hint
    return caught.value.message


def test_what_is_recorded_is_read_back_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    for label in ("red", "Green"):
        recorder = Recorder(path)
        recorder.write(("2026-01-01T00:00:00", "abc", label, "1"), (21, 4), PAIR)
        recorder.close()
    assert path.read_text().splitlines()[0] == ",".join(COLUMNS)
    assert recording.read([path]) == [
        Row("red", PAIR, 21, 4, "1", "r.csv"),
        Row("green", PAIR, 21, 4, "1", "r.csv"),
    ]


def test_another_file_is_never_written_into(tmp_path: Path) -> None:
    path = write(tmp_path / "notes.txt", "dear diary\n")
    with pytest.raises(UsageProblem, match="is there already"):
        Recorder(path)
    assert path.read_text() == "dear diary\n"
    with pytest.raises(UsageProblem, match="cannot be written"):
        Recorder(tmp_path / "no" / "such.csv")


def test_plain_csv_with_names_of_its_own_and_pulse_widths(tmp_path: Path) -> None:
    path = write(tmp_path / "p.csv", "Red,Green,Blue,Label\n100,200,400,Blue\n100,100,100,red\n")
    names = {"label": "Label", "r": "Red", "g": "Green", "b": "Blue"}
    one, two = recording.read([path], names)
    assert one.label == "blue"
    assert one.pair.on[3] == 30000
    assert one.pair.off == (0, 0, 0, 0)
    assert one.pair.on[0] * 4 == pytest.approx(one.pair.on[2], abs=4)
    assert two.pair.on[0] == two.pair.on[1] == two.pair.on[2]
    one, _ = recording.read([path], names, invert=True)
    assert one.pair.on[0] == pytest.approx(4 * one.pair.on[2], abs=4)
    one, _ = recording.read([path], names | {"label": "=white"})
    assert one.label == "white"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("r,g,b\n1,2,3\n", "has no column label; it has r, g, b"),
        ("", "has no column label, r, g, b; it has -"),
        ("label,r,g,b\nred,1,2,NaN\n", "line 2: b is 'NaN'"),
        ("label,r,g,b\nred,1,2,inf\n", "line 2: b is 'inf'"),
        ("label,r,g,b\nred,1,2,3\nred,1,,3\n", "line 3: g is ''"),
        ("label,r,g,b\nred,1,2\n", "line 2: b is ''"),
        ("label,r,g,b\nred,-1,2,3\n", "line 2: r is '-1'"),
        ("label,r,g,b\n,1,2,3\n", "line 2: there is no label"),
        ("label,r,g,b\nred,0,0,0\n", "All channels are 0"),
        (",".join(COLUMNS) + "\nt,u,red,1,21,4,1,2,3,4,5,6,7,x\n", "line 2: c_off is 'x'"),
        (",".join(COLUMNS) + "\nt,u,red,1,21,4,1,2,3,4,5,6,7,70000\n", "line 2: c_off is '70000'"),
        (",".join(COLUMNS) + "\nt,u,red\n", "line 2: cycles is ''"),
    ],
)
def test_a_file_that_will_not_do_is_named_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    assert words in complaint([write(tmp_path / "x.csv", text)])


def test_files_that_are_no_text_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    assert "no CSV file" in complaint([tmp_path / "x"])
    assert "cannot be read" in complaint([tmp_path / "y"])
    assert "cannot be read" in complaint([tmp_path])
    path = write(tmp_path / "z.csv", "label,r,g,b\nred,0,1,1\n")
    assert "r is '0'" in complaint([path], invert=True)


def rows(groups: int = 5, each: int = 10, spread: int = 0) -> list[Row]:
    """Four colours, far apart, in so many groups."""
    mixed = {"red": (600, 200, 200), "green": (200, 500, 300), "blue": (200, 300, 500), "yellow": (450, 400, 150)}
    return [
        Row(
            label,
            Pair((rgb[0] + spread * at, rgb[1] + spread * at, rgb[2] + spread * at, 1000), (0, 0, 0, 0)),
            64,
            1,
            str(group),
            f"{group}.csv",
        )
        for group in range(groups)
        for label, rgb in mixed.items()
        for at in range(each)
    ]


@pytest.mark.parametrize("by", ["group", "file", "time"])
def test_what_is_held_out_comes_last_and_is_never_learnt_from(by: str) -> None:
    learn, held = evaluate.split(rows(), by)
    assert len(learn) == 120
    assert len(held) == 80
    if by != "time":
        assert {row.group for row in held} == {"3", "4"}
    assert not {id(row) for row in learn} & {id(row) for row in held}


def test_groups_are_ordered_as_numbers() -> None:
    _, held = evaluate.split(rows(groups=11), "group")
    assert {row.group for row in held} == {"7", "8", "9", "10"}


@pytest.mark.parametrize("by", ["group", "file"])
def test_one_group_cannot_be_held_out(by: str) -> None:
    with pytest.raises(UsageProblem, match="none can be held out"):
        evaluate.split(rows(groups=1), by)


def test_colours_far_apart_are_all_right_and_others_are_rejected() -> None:
    learn, held = evaluate.split(rows(), "group")
    grey = [Row("grey", Pair((330, 330, 330, 1000), (0, 0, 0, 0)), 64, 1, "4", "x")] * 5
    score = evaluate.judge([*held, *grey], evaluate.learn(learn))
    assert score.rates() == {"readings": 80, "right": 1.0, "wrong": 0.0, "unknown": 0.0, "reasons": {}}
    assert score.others() == {"grey": 1.0}
    assert score.confusion["red"] == {"red": 20}
    assert len(score.points) == 85


@pytest.mark.parametrize("missing", COLORS)
def test_an_empty_class_is_named(missing: str) -> None:
    with pytest.raises(UsageProblem, match=f"too few readings to learn from: {missing} 0"):
        evaluate.learn([row for row in rows() if row.label != missing])


def test_exposures_that_differ_are_not_mixed() -> None:
    mixed = rows()
    mixed[0] = mixed[0]._replace(gain=4)
    with pytest.raises(UsageProblem, match="different exposures"):
        evaluate.learn(mixed)
    values = evaluate.learn(rows())
    with pytest.raises(UsageProblem, match="was recorded with 64 cycles at gain 4"):
        evaluate.judge(mixed, values)


def test_being_stricter_never_makes_more_wrong_nor_fewer_unknown() -> None:
    learn, held = evaluate.split(rows(spread=25), "group")
    steps = evaluate.curve(held, evaluate.learn(learn))
    assert [step["wrong"] for step in steps] == sorted((step["wrong"] for step in steps), reverse=True)
    assert [step["unknown"] for step in steps] == sorted(step["unknown"] for step in steps)


def test_what_is_held_out_leaves_every_colour_to_learn_from() -> None:
    """Who records one colour after the other has a group of each: held out by group, two colours would be left unlearnt."""

    def rows(colors: tuple[str, ...], group: str, source: str = "a.csv") -> list[Row]:
        return [Row(color, PAIR, 21, 4, group, source) for color in colors for _ in range(10)]

    each = [row for color in COLORS for row in rows((color,), color)]
    evenings = [*rows(COLORS, "1"), *rows(COLORS, "2")]
    files = [*rows(COLORS, "1"), *rows(COLORS, "1", "b.csv")]
    assert [evaluate.held_out(found) for found in (each, evenings, files, rows(COLORS, "1"))] == [
        "time",
        "group",
        "file",
        "time",
    ]
    for found in (each, evenings, files):
        assert set(COLORS) == {row.label for row in evaluate.split(found, evaluate.held_out(found))[0]}
