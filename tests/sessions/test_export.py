"""Exports: right in every format, and nothing in them that not everybody at the table could see."""

import csv
import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.games.base import Action, Deal, Refused, action_to_json
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.sessions import export, log, replay, store
from eyecaptain.views.plain import tell
from random_play import KINDS, new_game, play
from support import captain, only_session, runs
from table.sittings import play_lines, recorded, sit

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("e*.jsonl"))
KINDS_OF_EXPORT = ("cast", "csv", "record")


def exported(path: Path, kind: str, *more: str) -> str:
    done = captain("sessions", "export", str(path), "--as", kind, *more, sessions=path.parent)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def a_game(root: Path, game: str, number: int = 0, **plan: Any) -> Path:
    """A game of two persons, who do some of everything, and a bot."""
    sitting = sit(root, game, ["Zoe", "Fred"], f"export {number}", bots=1, **plan)
    lines = [
        "note Zoe was here",
        "red 1",
        "u",
        "1",
        "w",
        "red 2",
        "2",
        "3",
        "call Zoe",
        "turn Fred",
        "green 5",
        "5",
        "final red",
    ]
    play_lines(sitting, *lines * 3)
    return sitting.folder / log.FILE_NAME


@pytest.mark.parametrize("game", KINDS)
def test_no_seed_hash_or_layout_is_in_any_export(game: str, tmp_path: Path) -> None:
    path = a_game(tmp_path, game)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    secrets = {line["hash"] for line in lines[1:]} | {lines[0]["seed"]}
    secrets |= {line["layout"] for line in lines if line["type"] == "deal"}
    for kind in KINDS_OF_EXPORT:
        text = exported(path, kind)
        assert not [secret for secret in (*secrets, "seed", "hash", "layout") if secret in text]


@pytest.mark.soak
@pytest.mark.parametrize("game", KINDS)
def test_what_nobody_saw_changes_no_export(game: str) -> None:
    """Two games that differ only in two droppings whose colours never became public give the same bytes."""
    rng = random.Random(f"export {game}")
    compared = 0
    for _ in range(runs(60)):
        start = new_game(game, rng)
        actions = list(play(start.copy(), rng))
        one, other = rng.sample(range(12), 2)
        letters = list(str(actions[0].layout))  # type: ignore[attr-defined]
        if letters[one] == letters[other]:
            continue
        letters[one], letters[other] = letters[other], letters[one]
        sessions = [session_of(start, actions), session_of(start, [Deal(1, "".join(letters)), *actions[1:]])]
        try:
            replay.replay(sessions[1])
        except Refused:
            continue  # they were seen: with the other layout this could not have happened
        compared += 1
        texts = [
            (export.as_csv(session), export.as_record(session, tell), export.as_cast(session, public)) for session in sessions
        ]
        assert texts[0] == texts[1]
    assert compared or game == "solo"  # in solo every dropping is shown to all before the end


def session_of(game: TwelveGame, actions: list[Action]) -> log.Session:
    header = log.HEADER_DEFAULTS | {"game": game.name, "players": list(game.players), "options": game.options}
    entries = [log.Entry(at + 1, at, float(at), action_to_json(action)) for at, action in enumerate(actions, start=1)]
    return log.Session(header, entries)


def public(step: replay.Step) -> str:
    return " ".join(tell(step.game, effect) for effect in step.news) + "\n"


def test_a_secret_look_is_in_no_export(tmp_path: Path) -> None:
    """In captain a miss stays secret: its row has no colour, its sentence names none."""
    path = a_game(tmp_path, "captain")
    rows = list(csv.DictReader(io.StringIO(exported(path, "csv"))))
    misses = [row for row in rows if row["result"] == "miss"]
    assert misses
    assert {row["color"] for row in misses} == {""}
    for kind in ("record", "cast"):
        lines = [line for line in exported(path, kind).splitlines() if "looked, and put it back" in line]
        assert len(lines) == len(misses) if kind == "cast" else lines
        assert not any("it is" in line or "Only you know" in line for line in lines)


@pytest.mark.parametrize("game", KINDS)
@pytest.mark.parametrize("kind", KINDS_OF_EXPORT)
def test_nobody_is_named_in_an_anonymous_export(game: str, kind: str, tmp_path: Path) -> None:
    path = a_game(tmp_path, game)
    text, plain = exported(path, kind, "--anonymous"), exported(path, kind)
    for secret in ("Zoe", "Fred", "Bot 1", path.parent.name, store.read(path).header["created"][:10], "timestamp"):
        assert secret not in text
    assert "Player 1" in text
    assert "Zoe" in plain


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("kind", KINDS_OF_EXPORT)
def test_every_example_of_the_rules_can_be_exported(path: Path, kind: str) -> None:
    """Those that end with an action against the rules are refused as in a replay."""
    try:
        replay.replay(store.read(path))
    except Refused:
        done = captain("sessions", "export", str(path), "--as", kind, sessions=path.parent)
        assert (done.returncode, done.stdout) == (6, "")
    else:
        assert exported(path, kind).count("\n") > 2


@pytest.mark.parametrize("game", KINDS)
def test_a_row_for_each_action(game: str, tmp_path: Path) -> None:
    path = a_game(tmp_path, game)
    rows = list(csv.DictReader(io.StringIO(exported(path, "csv"))))
    entries = store.read(path).entries
    assert tuple(rows[0]) == export.COLUMNS
    assert [(int(row["seq"]), float(row["t"]), row["action"]) for row in rows] == [
        (entry.key, entry.t, entry.data["type"]) for entry in entries
    ]
    assert "undo" in {row["action"] for row in rows}
    for row, entry in zip(rows, entries, strict=True):
        if entry.data["type"] == "lift":
            assert row["player"] == ("Zoe", "Fred", "Bot 1")[entry.data["seat"]]
            assert row["dropping"] == str(entry.data["dropping"])


def test_a_name_is_no_formula(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "solo", ["=1+1", "@you"])
    play_lines(sitting, "red 1", "note =2+2", "red 2")
    rows = list(csv.reader(io.StringIO(exported(sitting.folder / log.FILE_NAME, "csv"))))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "@", "+", "-"))]
    assert "'=1+1" in rows[1]


def test_a_recording_is_an_asciicast_with_the_times_of_the_session(tmp_path: Path) -> None:
    path = a_game(tmp_path, "captain")
    header, *events = (json.loads(line) for line in exported(path, "cast").splitlines())
    assert (header["version"], type(header["width"]), type(header["height"])) == (2, int, int)
    assert all(kind == "o" and isinstance(text, str) for _, kind, text in events)
    times = [t for t, _, _ in events]
    assert times == sorted(times)
    assert set(times[1:]) <= {entry.t for entry in store.read(path).entries}
    assert all(text.endswith("\r\n") and "\n" not in text.replace("\r\n", "") for _, _, text in events)


def test_a_record_leaves_out_what_was_taken_back(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "solo")
    play_lines(sitting, "red 1", "undo", "blue 2", "note a good one")
    text = exported(sitting.folder / log.FILE_NAME, "record")
    assert "dropping 1" not in text
    assert "dropping 2" in text
    assert "So far: 1 lift.\n1 action taken back.\n" in text
    assert "Note: a good one" in text
    assert re.search(r"^  1\.     \d:\d\d  Ada lifted dropping 2", text, re.MULTILINE)


def test_the_rounds_of_a_record() -> None:
    """E-10 of the rules: two rounds, a double victory."""
    text = exported(next(path for path in EXAMPLES if path.stem.startswith("e10")), "record")
    assert text.count("called: wrong") == 2
    assert ", " in text.splitlines()[-1]


def test_who_got_a_chip() -> None:
    """E-10 of the rules: both wrong calls are paid to the two others."""
    path = next(path for path in EXAMPLES if path.stem.startswith("e10"))
    names = store.read(path).header["players"]
    rows = list(csv.DictReader(io.StringIO(exported(path, "csv"))))
    assert [row["chip"] for row in rows if row["action"] == "call"] == [f"{names[0]}, {names[1]}"] * 2


def test_it_goes_into_a_file(tmp_path: Path) -> None:
    path = a_game(tmp_path / "s", "solo")
    out = tmp_path / "game.csv"
    args = ("sessions", "export", path.parent.name, "--as", "csv", "-o")
    done = captain(*args, str(out), sessions=tmp_path / "s")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_bytes().decode() == exported(path, "csv")
    done = captain(*args, str(tmp_path / "no" / "game.csv"), sessions=tmp_path / "s")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr


def test_a_broken_session_is_not_exported(tmp_path: Path) -> None:
    captain("play", "solo", "--bots", "2", sessions=tmp_path)
    path = only_session(tmp_path) / log.FILE_NAME
    path.write_bytes(path.read_bytes().replace(b'"dropping":1,', b'"dropping":2,', 1))
    done = captain("sessions", "export", path.parent.name, "--as", "record", sessions=tmp_path)
    assert (done.returncode, done.stdout) == (5, "")


def test_a_sitting_is_exported_while_it_goes_on(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "team")
    with sitting:
        sitting.table.begin()
        assert "So far: 0 lifts." in exported(sitting.folder / log.FILE_NAME, "record")
    assert recorded(sitting).entries
