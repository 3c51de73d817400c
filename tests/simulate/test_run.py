"""`captain simulate`: the same figures whatever the jobs and the hash seed; files; a clean end."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from eyecaptain.simulate.run import Series, run, seatings
from support import captain, only_session

COMMAND = [sys.executable, "-m", "eyecaptain", "simulate"]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of Linux and macOS")


def series(number: int = 50, game: str = "solo") -> Series:
    return Series(game, ("hard", "easy"), number, "5eed", {})


def test_the_games_come_in_order_and_are_the_same_in_any_number_of_processes() -> None:
    alone = [played for part in run(series(), 1) for played in part]
    together = [played for part in run(series(), 3) for played in part]
    assert [played.number for played in alone] == list(range(50))
    assert together == alone


@pytest.mark.parametrize("bots", [2, 3, 4])
def test_every_bot_has_every_seat_equally_often(bots: int) -> None:
    seats = Series("team", ("easy",) * bots, 0, "", {}).seats
    times = Counter((seat, bot) for index in range(len(seatings(bots))) for seat, bot in enumerate(seats(index)))
    assert len(times) == bots * bots
    assert len(set(times.values())) == 1


@pytest.mark.parametrize("game", ["team", "solo", "captain"])
def test_the_same_seed_gives_the_same_figures_and_files(game: str, tmp_path: Path) -> None:
    results = []
    for jobs, hash_seed in ((1, 0), (2, 1), (3, 2)):
        table = tmp_path / f"{jobs}.csv"
        args = ("simulate", game, "--games", "45", "--bots", "hard,medium,easy", "--seed", "5eed", "--jobs", str(jobs))
        done = captain(*args, "--json", "--csv", str(table), sessions=tmp_path, env={"PYTHONHASHSEED": str(hash_seed)})
        assert (done.returncode, done.stderr) == (0, "")
        results.append((json.loads(done.stdout), table.read_bytes()))
    assert results[1:] == results[:1] * 2
    figures, table_bytes = results[0]
    rows = list(csv.DictReader(table_bytes.decode().splitlines()))
    assert len(rows) == figures["games"] == 45
    assert [sum(int(row[f"won_{seat}"]) for row in rows) for seat in range(3)] == [seat["count"] for seat in figures["seats"]]
    assert sum(int(row["lifts"]) for row in rows) / 45 == pytest.approx(figures["lifts"]["mean"], abs=1e-4)


def test_a_game_of_a_series_can_be_seen_at_the_table(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    captain("simulate", "captain", "--games", "3", "--bots", "hard,hard", "--csv", str(table), sessions=tmp_path / "s")
    row = list(csv.DictReader(table.read_text().splitlines()))[2]
    done = captain("play", "captain", "--bots", "2:hard", "--seed", row["seed"], "--json", sessions=tmp_path / "s")
    state = json.loads(done.stdout)
    assert state["winners"] == [f"Bot {seat + 1}" for seat in range(2) if row[f"won_{seat}"] == "1"]
    lines = (only_session(tmp_path / "s") / "session.jsonl").read_text().splitlines()
    assert sum('"type":"lift"' in line for line in lines) == int(row["lifts"])


def test_it_says_the_figures_in_words(tmp_path: Path) -> None:
    done = captain("simulate", "captain", "--games", "20", "--bots", "hard,easy", "--seed", "1", sessions=tmp_path)
    assert done.stderr == ""
    assert "captain: 20 games, seed 1." in done.stdout
    assert "bot 1, hard" in done.stdout
    assert "Calls: " in done.stdout
    done = captain("simulate", "team", "--games", "20", "--open-corners", "4", "--seed", "1", sessions=tmp_path)
    assert "4 open corners" in done.stdout
    assert "won by count" in done.stdout
    assert not list(tmp_path.iterdir())  # no session is written


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["chess"], 'no game "chess"'),
        (["captain", "--bots", "hard"], "2 to 4 players, not 1"),
        (["captain", "--bots", "hard,grandmaster"], 'no strength "grandmaster"'),
        (["captain", "--bots", "hard,"], 'no strength ""'),
        (["captain", "--open-corners", "2"], 'no option "open_corners"'),
        (["captain", "--games", "0"], "--games"),
        (["captain", "--jobs", "0"], "--jobs"),
        (["captain", "--plot", "wins.jpg"], ".png or an .svg"),
    ],
)
def test_wrong_use_is_said(args: list[str], says: str, tmp_path: Path) -> None:
    done = captain("simulate", *args, sessions=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    for option in ("--csv", "--plot"):
        done = captain("simulate", "solo", "--games", "2", option, str(tmp_path / "no" / "a.svg"), sessions=tmp_path)
        assert done.returncode in ((1, 2) if option == "--plot" else (1,))  # 2: there is no matplotlib
        assert "Traceback" not in done.stderr


@POSIX
@pytest.mark.parametrize(
    ("number", "after"), [*((signal.SIGINT, moment * 0.1) for moment in range(10)), (signal.SIGTERM, 1.0), (signal.SIGHUP, 1.5)]
)
def test_ctrl_c_ends_all_processes(number: signal.Signals, after: float, tmp_path: Path) -> None:
    """As in a terminal, where every process of the group gets the signal."""
    code = (
        "import os, signal, sys; from eyecaptain import __main__ as start;"
        "signal.signal(signal.SIGINT, start._interrupted_at_the_start); os.write(1, b'.'); sys.exit(start.main())"
    )
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)}
    command = [sys.executable, "-c", code, "simulate", "captain", "--games", "1000000", "--jobs", "2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == "."
        time.sleep(after)
        os.killpg(process.pid, number)
        stdout, stderr = process.communicate(timeout=20)
    assert (process.returncode, stdout, stderr) == (130, "", "Interrupted.\n")
    wait_until_gone(process.pid)


@POSIX
@pytest.mark.parametrize(("term", "bar"), [("xterm", True), ("dumb", False)])
def test_progress_is_for_a_terminal_alone(term: str, bar: bool, tmp_path: Path) -> None:
    import pty

    leader, follower = pty.openpty()
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path), "TERM": term}
    command = [*COMMAND, "solo", "--games", "40", "--seed", "1", "--jobs", "1", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=follower, env=env, text=True)
    os.close(follower)
    shown = os.read(leader, 65536)
    os.close(leader)
    assert json.loads(done.stdout)["games"] == 40
    assert (b"Playing" in shown) == bar
    assert b"games a second" in shown


@POSIX
def test_no_process_outlives_a_parent_that_was_killed() -> None:
    command = [*COMMAND, "captain", "--games", "1000000", "--jobs", "2"]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL) as process:
        time.sleep(1.5)  # its workers have begun
        process.kill()
    wait_until_gone(process.pid)


def wait_until_gone(group: int) -> None:
    """Until no process of the group is left."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("processes are left")
