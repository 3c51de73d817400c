"""The table on the real firmware: real files in a real MicroPython on a real pseudo-terminal; the world is the witness."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.simulated.launcher import Control, SimulatedBoard
from eyecaptain.boards.simulated.registry import Entry
from eyecaptain.sessions import replay, store
from eyecaptain.sessions.log import FILE_NAME
from random_play import KINDS
from support import captain, needs_micropython, only_session, runs
from table.playing import rolling, seated
from table.sittings import recorded

pytestmark = [needs_micropython, pytest.mark.usefixtures("own_runtime")]

LEASE = 1.5  # seconds, protocol.md


def motor_times(record: Path) -> list[tuple[float, bool]]:
    """When the motor was switched on and off, by the world's own record (its clock, in seconds)."""
    times: list[tuple[float, bool]] = []
    for line in record.read_text().splitlines():
        entry = json.loads(line)
        if "motor" in entry and (not times or times[-1][1] != bool(entry["motor"])):
            times.append((entry["t"], bool(entry["motor"])))
    return times


@pytest.mark.parametrize("game", KINDS)
def test_bots_play_a_whole_game_on_the_firmware(game: str, tmp_path: Path) -> None:
    done = captain(
        "play", game, "--bots", "3", "--board", "sim", "--pace", "0.2", "--seed", "5eed", "--json", sessions=tmp_path
    )
    assert done.returncode == 0, done.stderr
    name = only_session(tmp_path).name
    assert json.loads(captain("replay", name, "--json", sessions=tmp_path).stdout) == json.loads(done.stdout)
    assert captain("sessions", "verify", name, sessions=tmp_path).returncode == 0
    header = recorded_header(tmp_path)
    assert (header["board"]["name"], header["deck"]) == ("sim", "virtual")


def recorded_header(sessions: Path) -> dict[str, Any]:
    return store.read(only_session(sessions) / FILE_NAME).header


def test_the_eye_runs_during_play_and_stops_on_pause_and_at_the_end(tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1") as board, seated(tmp_path, board, "Ada", "Ben", game="captain") as play:
        play.until(lambda: rolling(board))
        play.say("p")
        play.until(lambda: not rolling(board))
        play.say("resume")
        play.until(lambda: rolling(board))
        play.say("call Ada")
        play.say("call Ada")
        assert play.game.over
        play.until(lambda: not rolling(board))


def test_a_call_stops_the_eye_and_the_next_deal_starts_it(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    with (
        SimulatedBoard.start(seed="1", record=record) as board,
        seated(tmp_path / "s", board, "Ada", "Ben", game="captain") as play,
    ):
        play.until(lambda: rolling(board))
        play.say("call Ada")
        play.until(lambda: rolling(board))
        assert [entry.data["type"] for entry in recorded(play.sitting).entries if entry.data["type"] != "die"] == [
            "deal",
            "call",
            "deal",
        ]


def test_the_switch_is_a_gesture(tmp_path: Path) -> None:
    """Off pauses, on goes on; in the captain game the caller switches the eye off, and the call begins the next round."""
    with SimulatedBoard.start(seed="1") as board, seated(tmp_path, board, "Ada", "Ben", game="captain") as play:
        play.until(lambda: rolling(board))
        board.control.ask("switch", on=False)
        play.until(lambda: play.game.paused)
        play.until(lambda: not rolling(board))
        board.control.ask("switch", on=True)
        play.until(lambda: not play.game.paused)
        play.until(lambda: rolling(board))
        board.control.ask("switch", on=False)
        play.until(lambda: play.game.paused)
        play.say("call Ben")
        assert (play.game.round, play.game.chips) == (2, [1, 0])
        play.until(lambda: play.game.paused)  # the new round's eye waits for its switch
        board.control.ask("switch", on=True)
        play.until(lambda: rolling(board))


def test_chips_light_in_the_winners_colours(tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1") as board, seated(tmp_path, board, "Ada", "Ben", "Cleo", game="captain") as play:
        state = play.sitting.table.board._board.state
        assert state()["chips"] == []
        play.say("call Ada")
        assert (state()["chips"], state()["fx"]) == (["cyan", "magenta"], "steady")
        play.say("call Ada")
        assert play.game.over
        assert (state()["chips"], state()["fx"]) == (["cyan", "magenta"], "win")


def test_the_boards_reading_is_the_games_die(tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1") as board, seated(tmp_path, board, "Ada", "Ben") as play:
        play.say("p")
        for color in ("red", "green", "blue", "yellow", "red"):
            board.control.ask("face", color=color)
            play.until(lambda color=color: play.game.die == color)
            play.until(lambda: play.sitting.table.board._seen is not None)
    by_board = [entry.data["face"] for entry in recorded(play.sitting).entries if entry.data.get("by") == "board"]
    assert set(by_board) == {"red", "green", "blue", "yellow"}


@pytest.mark.soak
def test_the_boards_faces_equal_the_worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the eye knocks the die about: every face that the board tells was the world's within the last second."""
    seconds = 10.0 if runs(1) == 1 else 120.0
    with SimulatedBoard.start(seed="7", pace=1.0) as board, seated(tmp_path, board, "Ada", "Ben") as play:
        witness = Control(board.entry.control)
        truth: list[tuple[float, str]] = [(time.monotonic(), board.control.ask("state")["die"]["face"])]
        told: list[tuple[float, str]] = []
        hear = play.sitting.table.board.hear

        def listen(message: Any) -> Any:
            """What the board reads, also when the world has said it before."""
            if getattr(message, "what", "") == "die" and message.data["face"]:
                told.append((time.monotonic(), message.data["face"]))
            return hear(message)

        monkeypatch.setattr(play.sitting.table.board, "hear", listen)
        end = time.monotonic() + seconds
        turns = iter([end - 5.0 * left for left in range(int(seconds / 5), -1, -1)])
        next_turn = next(turns)

        def watch() -> bool:
            nonlocal next_turn
            truth.extend((time.monotonic(), event["face"]) for event in witness.events() if event["ev"] == "die")
            if time.monotonic() >= next_turn:  # the world stays quick
                play.sitting.table.board.new_turn()
                next_turn = next(turns, float("inf"))
            return time.monotonic() > end

        play.until(watch, seconds + 5)
        witness.close()
    assert told
    for at, face in told:
        recent = [true for since, true in truth if since >= at - 1.0]
        before = [true for since, true in truth if since < at - 1.0][-1:]
        assert face in recent + before


def test_a_real_deck_can_be_played_on_the_simulated_board(tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1") as board, seated(tmp_path, board, "Ada", "Ben", deck="real") as play:
        board.control.ask("face", color="red")
        play.until(lambda: play.game.die == "red")
        play.say("red")
        assert play.game.team == 1
        board.control.ask("fault", what="no_die", value=True)
        play.until(lambda: play.game.die is None)
        play.say("green")
        assert "which colour does it show?" in "".join(play.shown)
        play.say("green")
        assert play.game.team == 2


def test_why_the_die_is_not_seen_is_said_with_what_to_do_and_said_again_only_when_it_changes(tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1") as board, seated(tmp_path, board, "Ada", "Ben", deck="real") as play:
        board.control.ask("switch", on=False)  # the eye stands still, so nothing but the test moves the die
        play.until(lambda: play.game.paused)
        board.control.ask("face", color="red")
        play.until(lambda: play.game.die == "red")

        def said() -> str:
            play._view.ask(play.sitting.table, held=False)
            return "".join(play.shown)

        board.control.ask("cover", what="nothing")
        play.until(lambda: "Nothing lies on the window: lay the die flat over it." in said())
        board.control.ask("cover", what="hand")
        play.until(lambda: "does a hand lie there?" in said())
        assert said().count("Nothing lies on the window") == 1
        assert play.sitting.table.board.unseen == "off_palette"
        board.control.ask("cover", what=None)
        play.until(lambda: play.game.die == "red")
        assert play.sitting.table.board.unseen is None


def test_a_board_without_a_calibration_says_so_and_people_say_the_colour(tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1", calibrated=False) as board, seated(tmp_path, board, "Ada", "Ben", deck="real") as play:
        board.control.ask("face", color="red")
        play.until(lambda: play.sitting.table.board.unseen == "uncal")
        play._view.ask(play.sitting.table, held=False)
        assert "captain calibrate teaches it" in "".join(play.shown)
        play.say("die red")
        play.say("red")
        assert (play.game.die, play.game.team) == ("red", 1)
        entries = [entry.data for entry in recorded(play.sitting).entries if entry.data["type"] == "die"]
        assert {entry["by"] for entry in entries if entry["face"]} == {"table"}, "the board guesses nothing"


def test_on_the_virtual_deck_the_world_says_what_an_uncalibrated_board_cannot(tmp_path: Path) -> None:
    done = captain(
        "play", "team", "--bots", "2", "--board", "sim", "--uncalibrated", "--pace", "0.1", "--json", sessions=tmp_path
    )
    assert done.returncode == 0, done.stderr
    entries = store.read(only_session(tmp_path) / FILE_NAME).entries
    assert {entry.data.get("by") for entry in entries if entry.data["type"] == "die" and entry.data["face"]} == {"world"}


def test_a_board_that_is_gone_for_a_moment_comes_back_into_the_game(tmp_path: Path) -> None:
    with SimulatedBoard.start(seed="1") as board, seated(tmp_path, board, "Ada", "Ben", game="captain") as play:
        play.until(lambda: rolling(board))
        play.say("call Ada")
        board.control.ask("fault", what="unplug", seconds=0.5)

        def links() -> list[str]:
            return [entry.data["what"] for entry in recorded(play.sitting).entries if entry.data["type"] == "link"]

        play.until(lambda: len(links()) >= 2, 20)
        assert links()[0] == "lost"
        play.until(lambda: rolling(board))
        assert play.sitting.table.board._board.state()["chips"] == ["cyan"]


def test_resume_on_a_board_lays_out_the_same_deck(tmp_path: Path) -> None:
    captain("play", "captain", "--players", "Ada,Ben", "--board", "sim", "--pace", "0.1", stdin="3\n4\n5\n", sessions=tmp_path)
    before = replay.replay(store.read(only_session(tmp_path) / FILE_NAME)).game
    done = captain("play", "--resume", "--board", "sim", stdin="6\n", sessions=tmp_path)
    assert done.returncode == 0, done.stderr
    after = replay.replay(store.read(only_session(tmp_path) / FILE_NAME)).game
    assert after.layout == before.layout  # type: ignore[attr-defined]


@pytest.mark.soak
def test_kill_9_of_the_host_stops_the_motor_and_loses_nothing(tmp_path: Path) -> None:
    """At random moments of a game of bots: motor off within lease + 100 ms, and resume has all that was shown."""
    rng = random.Random("kill")
    for number in range(runs(10)):
        folder = tmp_path / str(number)
        record = tmp_path / f"{number}.jsonl"
        with SimulatedBoard.start(seed=str(number), record=record, pace=0.2) as board:
            command = [
                sys.executable,
                "-m",
                "eyecaptain",
                "play",
                "captain",
                "--bots",
                "2",
                "--board",
                board.entry.port,
                "--pace",
                "0.2",
            ]
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, text=True, env=os.environ | {"CAPTAIN_SESSIONS": str(folder)}
            ) as host:
                assert host.stdout is not None
                host.stdout.readline()
                time.sleep(rng.uniform(0.05, 2.5))
                killed = board.control.ask("state")["t"]
                host.send_signal(signal.SIGKILL)
                shown = [line for line in host.stdout.read().splitlines() if "lifted" in line or "called" in line]
            wait_until_off(board, killed + LEASE + 0.2)
        times = motor_times(record)
        assert not times or not times[-1][1]
        assert not times or times[-1][0] <= killed + LEASE + 0.1
        session = store.read(only_session(folder) / FILE_NAME)
        acts = [entry for entry in session.entries if entry.data["type"] in ("lift", "call")]
        assert len(acts) >= len(shown)
        assert captain("sessions", "verify", only_session(folder).name, sessions=folder).returncode == 0


def wait_until_off(board: SimulatedBoard, deadline: float) -> None:
    while board.control.ask("state")["t"] < deadline:
        time.sleep(0.05)


def test_a_replay_is_played_again_on_a_board(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(
        '{"type":"session","format":1,"game":"captain","players":["Ada","Ben"]}\n'
        '{"t":0.0,"type":"deal","round":1,"layout":"GYRBYBGRRBGY"}\n'
        '{"t":0.1,"type":"die","face":"red"}\n{"t":2.0,"type":"die","face":"green"}\n{"t":4.0,"type":"call","seat":0}\n'
    )
    record = tmp_path / "record.jsonl"
    with SimulatedBoard.start(seed="1", record=record, pace=100.0) as board:
        witness = Control(board.entry.control)
        done = captain("replay", str(path), "--board", board.entry.port, sessions=tmp_path)
        assert done.returncode == 0, done.stderr
        faces = [event["face"] for event in witness.events() if event["ev"] == "die"]
        witness.close()
    assert faces[-2:] == ["red", "green"]
    on, off = motor_times(record)[0], motor_times(record)[-1]
    assert on[1]
    assert not off[1]
    assert off[0] - on[0] > 2.0


def test_a_port_that_does_not_exist_makes_no_session(tmp_path: Path) -> None:
    done = captain("play", "team", "--players", "Ada,Ben", "--board", "/dev/ttyNOBODY", sessions=tmp_path / "s")
    assert done.returncode == 3
    assert "/dev/ttyNOBODY" in done.stderr
    assert not (tmp_path / "s").exists()


def free() -> SimulatedBoard:
    """A board that nobody owns, as `captain emulate` in another terminal; ended by the caller."""
    command = [sys.executable, "-m", "eyecaptain", "emulate", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    process.stdout.close()
    entry = Entry(first["port"], first["control"], first["serial"], process.pid)
    return SimulatedBoard(entry, Control(first["control"]), process)


def test_the_one_board_that_is_attached_is_taken(tmp_path: Path) -> None:
    with free() as board:
        done = captain("play", "solo", "--players", "Ada,Ben", "--board", "auto", stdin="red 1\n", sessions=tmp_path / "s")
        assert done.returncode == 0, done.stderr
        assert recorded_header(tmp_path / "s")["board"]["uid"] == board.entry.serial.lower()


def test_two_boards_are_not_guessed_between(tmp_path: Path) -> None:
    with free() as one, free() as other:
        done = captain("play", "solo", "--players", "Ada,Ben", "--board", "auto", sessions=tmp_path / "s")
        assert (done.returncode, done.stdout) == (3, "")
        assert one.entry.port in done.stderr
        assert other.entry.port in done.stderr
        assert "--board" in done.stderr
        assert not (tmp_path / "s").exists()
        done = captain("play", "solo", "--players", "A,B", "--board", other.entry.serial, stdin="", sessions=tmp_path / "s")
        assert done.returncode == 0
