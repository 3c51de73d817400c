"""`captain calibrate`, `record`, `evaluate` and `doctor --watch`: the real commands, on the real firmware."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.fakes import palette
from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.errors import CheckFailed
from eyecaptain.games.base import COLORS
from eyecaptain.sight import store
from eyecaptain.world.window import NOTHING, flat
from sight.test_walk import Bench
from support import captain, needs_micropython

UID = "00112233445566aa"


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Folders of the test's own, as an environment; the runtime's has a short name, because sockets are made in it."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="eec") as runtime:
        yield {"CAPTAIN_RUNTIME": runtime, "CAPTAIN_CALIBRATIONS": str(tmp_path_factory.mktemp("calibrations"))}


@pytest.fixture(scope="module")
def running(places: dict[str, str]) -> Iterator[SimulatedBoard]:
    """A simulated board without a calibration."""
    from unittest.mock import patch

    with patch.dict(os.environ, places), SimulatedBoard.start(seed="5eed", serial=UID, calibrated=False) as board:
        yield board


def run(places: dict[str, str], tmp_path: Path, *args: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return captain(*args, sessions=tmp_path, env=places, stdin=stdin)


@needs_micropython
def test_a_board_learns_its_die_and_keeps_it(running: SimulatedBoard, places: dict[str, str], tmp_path: Path) -> None:
    board = running.entry.port

    def do(*args: str) -> Any:
        done = run(places, tmp_path, *args)
        assert done.returncode == 0, done.stderr
        return done

    nothing = run(places, tmp_path, "calibrate", "show", "--board", board)
    assert (nothing.returncode, "no calibration" in nothing.stderr) == (2, True)

    done = do("calibrate", "--json", "--board", board)
    found = json.loads(done.stdout)
    assert found["uid"] == UID
    assert found["separation"] > 10
    assert found["seconds"] < 60
    assert found["counts"] == {"red": 2, "green": 2, "blue": 2, "yellow": 2}
    assert "Face 8 of 8" in done.stderr, "what goes on can be followed"
    copy = Path(found["copy"])
    assert copy == Path(places["CAPTAIN_CALIBRATIONS"]) / f"{UID}.json"
    assert store.read(copy, UID) == found["cal"]

    shown = json.loads(do("calibrate", "show", "--json", "--board", board).stdout)
    assert (shown["sum"], shown["cal"]) == (found["sum"], found["cal"])
    assert "red" in do("calibrate", "show", "--board", board).stdout

    checked = json.loads(do("calibrate", "check", "--faces", "4", "--json", "--board", board).stdout)
    assert checked == {"faces": 4, "right": 4, "wrong": [], "unknown": []}

    out = tmp_path / "mine.json"
    do("calibrate", "export", str(out), "--board", board)
    assert store.read(out, UID) == found["cal"]
    do("calibrate", "import", str(out), "--board", board)
    do("calibrate", "import", "--board", board)

    # A calibration of another board, a cut one, one with two colours alike: refused, and the board keeps its own.
    for text, words in (
        (out.read_text().replace(UID, "ffffffffffffffff"), "belongs to the board ffffffffffffffff"),
        (out.read_text()[:-60], "cut"),
        (json.dumps(store.on_board(UID, {**palette(), "c1": [1, *palette()["c0"][1:]]})), "too much alike"),
    ):
        bad = tmp_path / "bad.json"
        bad.write_text(text)
        refused = run(places, tmp_path, "calibrate", "import", str(bad), "--board", board)
        assert refused.returncode == 2
        assert words in refused.stderr
        assert "Traceback" not in refused.stderr
    assert json.loads(do("calibrate", "show", "--json", "--board", board).stdout)["sum"] == found["sum"]

    running.control.ask("fault", what="reboot")
    deadline = time.monotonic() + 20
    while running.control.ask("state")["boots"] < 2 or not Path(board).exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert json.loads(do("calibrate", "show", "--json", "--board", board).stdout)["sum"] == found["sum"]

    # Readings for `captain evaluate`, on the same board.
    recorded = tmp_path / "r.csv"
    for label in ("red", "white"):
        do("record", "--label", label, "--out", str(recorded), "--count", "3", "--board", board)
    judged = json.loads(do("evaluate", str(recorded), "--palette", str(out), "--json").stdout)
    assert (judged["readings"], judged["right"], judged["rejected"]) == (3, 1.0, {"white": 1.0})

    watched = do("doctor", "--watch", "--seconds", "1", "--board", board).stdout
    assert watched.count("|") >= 6
    assert "none of the die's colours" in watched or "red" in watched


@needs_micropython
def test_a_person_walks_line_by_line_and_is_told_at_the_step_that_went_wrong(
    places: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board that looks like a real one: the world is moved by the test, and the answers are typed."""
    for name, value in places.items():
        monkeypatch.setenv(name, value)
    with SimulatedBoard.start(seed="5eed", calibrated=False) as running:
        program = "import eyecaptain.cli.attach as a; a._control = lambda port: None\nfrom eyecaptain.cli import main\n"
        program += "import sys; sys.exit(main(sys.argv[1:]))"
        with subprocess.Popen(
            [sys.executable, "-c", program, "calibrate", "--json", "--board", running.entry.port],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as walk:
            assert walk.stdin
            assert walk.stderr
            assert walk.stdout

            def until(words: str) -> None:
                assert walk.stderr
                for line in walk.stderr:
                    if words in line:
                        return
                raise AssertionError(f"{words!r} was never said")

            def say(line: str) -> None:
                assert walk.stdin
                walk.stdin.write(line + "\n")
                walk.stdin.flush()

            until("Step 1 of 10")
            running.control.ask("cover", what="nothing")
            say("")
            until("Step 2 of 10")
            say("")  # no paper there
            until("hardly brighter")
            until("Step 2 of 10")
            running.control.ask("cover", what="white")
            say("")
            until("Face 1 of 8")
            say("pink")
            until("none of red, green, blue")
            say("r")  # the paper is still there
            until("still reads like the white paper")
            running.control.ask("cover", what=None)
            for number, color in enumerate(("red", "green", "blue", "yellow", "red", "green", "blue", "red"), start=1):
                until(f"Face {number} of 8")
                running.control.ask("face", color=color)
                say(color[0])
            until("every colour is on top twice; here it was red 3, green 2, blue 2, yellow 1")
            say("y")
            out, _ = walk.communicate(timeout=30)
        assert walk.returncode == 0
        assert json.loads(out)["counts"] == {"red": 3, "green": 2, "blue": 2, "yellow": 1}


@needs_micropython
@pytest.mark.parametrize(("stdin", "code"), [("", 130), ("q\n", 130)])
def test_leaving_changes_nothing(places: dict[str, str], stdin: str, code: int) -> None:
    program = "import eyecaptain.cli.attach as a; a._control = lambda port: None\nfrom eyecaptain.cli import main\n"
    program += "import sys; sys.exit(main(sys.argv[1:]))"
    with SimulatedBoardIn(places, calibrated=True) as running:
        before = running.control.ask("state")["boots"]
        done = subprocess.run(
            [sys.executable, "-c", program, "calibrate", "--board", running.entry.port],
            input=stdin,
            capture_output=True,
            text=True,
            env={**os.environ, **places},
            timeout=60,
        )
        assert done.returncode == code
        assert "Nothing was changed." in done.stderr
        assert running.control.ask("state")["boots"] == before
        assert not (Path(places["CAPTAIN_CALIBRATIONS"]) / f"{running.entry.serial.lower()}.json").exists()


def SimulatedBoardIn(places: dict[str, str], **options: Any) -> Any:  # noqa: N802 - a class to its users
    """A simulated board in these folders."""
    from unittest.mock import patch

    with patch.dict(os.environ, places):
        return SimulatedBoard.start(**options)


@needs_micropython
def test_a_check_counts_what_the_board_gets_wrong_or_does_not_know_and_says_so_in_its_exit_code(
    places: dict[str, str], tmp_path: Path
) -> None:
    """A simulated board that begins with its own walk's calibration, and a person who says that green is on top of red."""
    from eyecaptain.boards.simulated.calibrated import document

    program = "import eyecaptain.cli.attach as a; a._control = lambda port: None\nfrom eyecaptain.cli import main\n"
    program += "import sys; sys.exit(main(sys.argv[1:]))"
    with SimulatedBoardIn(places, seed="5eed") as running:

        def check(stdin: str, faces: int) -> Any:
            args = [sys.executable, "-c", program, "calibrate", "check", "--json", "--faces", str(faces)]
            done = subprocess.run(
                [*args, "--board", running.entry.port],
                input=stdin,
                capture_output=True,
                text=True,
                env={**os.environ, **places},
                timeout=60,
            )
            return done.returncode, json.loads(done.stdout), done.stderr

        shown = json.loads(run(places, tmp_path, "calibrate", "show", "--json", "--board", running.entry.port).stdout)
        assert shown["cal"] == json.loads(document("5eed", shown["uid"]))["cal"]
        assert shown["cal"] != json.loads(document("another", shown["uid"]))["cal"]

        running.control.ask("face", color="red")
        assert check("r\n", 1)[:2] == (0, {"faces": 1, "right": 1, "wrong": [], "unknown": []})
        code, found, said = check("g\nr\n", 2)
        assert (code, found) == (7, {"faces": 2, "right": 1, "wrong": [["green", "red"]], "unknown": []})
        assert "Wrong: the board says red." in said
        assert "Calibrate again" in said
        running.control.ask("cover", what="nothing")
        code, found, said = check("r\n", 1)
        assert (code, found) == (7, {"faces": 1, "right": 0, "wrong": [], "unknown": ["absent"]})
        assert "Nothing lies on the window" in said


class Laying:
    """Who walks: lays dark, white and these faces over the window of a simulated unit."""

    def __init__(self, bench: Bench, tops: str) -> None:
        self._bench = bench
        self._tops = iter(tops)

    def lay(self, what: str) -> None:
        self._bench.lay(NOTHING if what == "nothing" else flat(what))

    def top(self, _number: int) -> str:
        letter = next(self._tops)
        color = next(color for color in COLORS if color[0] == letter)
        self._bench.lay(flat(color))
        return color

    def retry(self, message: str, hint: str, tries: int) -> None:
        raise AssertionError(message, hint, tries)


@pytest.mark.parametrize(("answer", "kept"), [("y", True), ("n", False), ("", False), ("yes", True)])
def test_an_unusual_count_of_colours_is_kept_only_when_it_is_confirmed(
    answer: str, kept: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from eyecaptain.cli import calibrate

    monkeypatch.setattr("builtins.input", lambda: answer)
    bench = Bench()
    guide: Any = Laying(bench, "rgbyrgbr")
    if kept:
        assert calibrate._walked(bench.walk, guide)["c0"]
    else:
        with pytest.raises(CheckFailed, match="not kept"):
            calibrate._walked(bench.walk, guide)
    assert "here it was red 3, green 2, blue 2, yellow 1" in capsys.readouterr().err


@needs_micropython
def test_a_board_without_a_sensor_says_so(places: dict[str, str], tmp_path: Path) -> None:
    with SimulatedBoardIn(places) as running:
        running.control.ask("fault", what="i2c_nak", value=True)
        for args in (("calibrate",), ("record", "--label", "red", "--out", str(tmp_path / "r.csv"))):
            done = run(places, tmp_path, *args, "--board", running.entry.port)
            assert done.returncode == 7, done.stderr
            assert "sensor cannot be read" in done.stderr
            assert "SDA to GP4" in done.stderr


def test_without_a_board_nothing_is_recorded(tmp_path: Path) -> None:
    out = tmp_path / "mine.csv"
    done = run({"CAPTAIN_RUNTIME": str(tmp_path / "none")}, tmp_path, "record", "--label", "red", "--out", str(out))
    assert (done.returncode, done.stdout) == (3, "")
    assert "readings" not in done.stderr
    assert not out.exists()


def test_evaluate_prints_tables_and_draws(places: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    mixed = {"Red": (600, 200, 200), "Green": (200, 500, 300), "Blue": (200, 300, 500), "Yellow": (450, 400, 150)}
    lines = [f"{name},{r + at % 7},{g - at % 5},{b}\n" for name, (r, g, b) in mixed.items() for at in range(20)]
    lines += ["White,330,330,330\n"] * 10
    path.write_text("Colour,R,G,B\n" + "".join(lines))
    columns = ("--columns", "label=Colour,r=R,g=G,b=B")
    picture = tmp_path / "p.png"
    done = run(places, tmp_path, "evaluate", str(path), *columns, "--plot", str(picture))
    assert done.returncode == 0, done.stderr
    assert "all colours: 32 readings, right 100.00%" in done.stdout
    assert "white: 100.0% rightly not taken for a colour" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    found = json.loads(run(places, tmp_path, "evaluate", str(path), *columns, "--json").stdout)
    assert (found["held_out"], found["right"], found["rejected"]) == ("time", 1.0, {"white": 1.0})
    assert found["confusion"]["red"] == {"red": 8}
    for args, words in (
        ((), "has no column label, r, g, b"),
        (("--columns", "colour=x"), "there is no such column"),
        ((*columns, "--hold-out", "group"), "none can be held out"),
        ((*columns, "--palette", str(path)), "is no calibration file"),
        ((*columns, "--plot", "x.bmp"), "a .png or an .svg"),
    ):
        refused = run(places, tmp_path, "evaluate", str(path), *args)
        assert refused.returncode == 2, args
        assert words in refused.stderr
