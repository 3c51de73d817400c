"""`captain sessions stats`: what is counted, and for whom."""

import json
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.sessions import log
from eyecaptain.sessions.stats import Stats
from support import captain
from table.sittings import play_lines, sit

HEADER = '{"type":"session","format":1,"game":"captain","players":["Ada","Ben"]}\n'


def stats_of(*texts: str) -> dict[str, Any]:
    stats = Stats()
    stats.add_all((f"session {number}", log.read(text.encode())) for number, text in enumerate(texts))
    return stats.as_json()


def lines(*actions: dict[str, object]) -> str:
    return HEADER + "".join(json.dumps(action) + "\n" for action in actions)


def test_calls_wins_turns_and_colours() -> None:
    found = stats_of(
        lines(
            {"t": 0, "type": "deal", "round": 1, "layout": "RRRGGGBBBYYY"},
            {"t": 0, "type": "die", "face": "red", "by": "world"},
            {"t": 4, "type": "lift", "seat": 0, "match": True, "dropping": 0},
            {"t": 10, "type": "lift", "seat": 1, "match": False, "dropping": 5},
            {"t": 11, "type": "lift", "seat": 0, "match": True, "dropping": 1},
            {"t": 12, "type": "undo", "of": 6},
            {"t": 20, "type": "lift", "seat": 0, "match": False, "dropping": 7},
            {"t": 21, "type": "call", "seat": 0},
            {"t": 22, "type": "deal", "round": 2, "layout": "RRRGGGBBBYYY"},
            {"t": 23, "type": "call", "seat": 0},
        )
    )
    ada, ben = found["players"]
    assert (ada["calls_right"], ada["calls_wrong"], ada["games"], ada["wins"]) == (0, 2, 1, 0)
    assert (ben["games"], ben["wins"]) == (1, 1)
    assert (ada["lifts"], ada["matches"], ben["lifts"]) == (2, 1, 1)
    assert (ada["turn_seconds"], ben["turn_seconds"]) == (4.0, 6.0)  # the lift after the undo has no time
    assert found["colors"] == {
        "found": {"red": 1, "green": 0, "blue": 0, "yellow": 0},
        "die": {"red": 1, "green": 0, "blue": 0, "yellow": 0},
    }
    assert found["longest"] == {
        "lifts": {"id": "session 0", "game": "captain", "lifts": 3},
        "time": {"id": "session 0", "game": "captain", "seconds": 23},
    }


def test_a_session_against_the_rules_is_counted_as_broken_and_nothing_of_it() -> None:
    found = stats_of(lines({"type": "lift", "seat": 1, "match": False}), lines({"type": "call", "seat": 0}))
    assert (found["sessions"], found["broken"]) == (1, 1)


def test_a_pause_has_no_turn_time() -> None:
    found = stats_of(
        lines(
            {"t": 0, "type": "deal", "round": 1, "layout": None},
            {"t": 1, "type": "pause"},
            {"t": 900, "type": "resume"},
            {"t": 901, "type": "lift", "seat": 0, "match": False},
        )
    )
    assert found["turn_seconds"] is None


def test_the_command(tmp_path: Path) -> None:
    done = captain("sessions", "stats", sessions=tmp_path / "none")
    assert (done.returncode, done.stdout) == (0, "")
    assert "No session" in done.stderr
    for seed in "123":
        captain("play", "captain", "--bots", "2:hard", "--seed", seed, sessions=tmp_path)
    play_lines(sit(tmp_path, "solo", ["ada", "Ben"]), "red 1", "blue 2")
    (tmp_path / "zzz").mkdir()
    (tmp_path / "zzz" / "session.jsonl").write_text("{")
    found = json.loads(captain("sessions", "stats", "--json", sessions=tmp_path).stdout)
    assert (found["sessions"], found["finished"], found["broken"]) == (4, 3, 1)
    assert found["games"]["captain"]["sessions"] == 3
    assert [player["name"] for player in found["players"]] == ["ada", "Ben", "bots, hard"]
    assert found["players"][2]["games"] == 6
    assert found["players"][2]["wins"] == 3
    text = captain("sessions", "stats", sessions=tmp_path).stdout
    assert "4 sessions, 3 finished.\n1 session cannot be read.\n" in text
    assert "  solo     1 session, 0 finished, 2 lifts\n" in text
    assert "bots, hard" in text
    assert "Longest game: " in text


@pytest.mark.parametrize("kind", [".png", ".svg"])
def test_the_picture(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    play_lines(sit(tmp_path / "s", "solo", ["$\\nonsense$", "👩‍🚀"]), "red 1")  # a name is no formula here either
    done = captain("sessions", "stats", "--plot", str(tmp_path / f"a{kind}"), sessions=tmp_path / "s")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / f"a{kind}").stat().st_size > 1000
    done = captain("sessions", "stats", "--plot", "a.jpg", sessions=tmp_path / "s")
    assert done.returncode == 2
