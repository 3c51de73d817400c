"""`--trace`: every raw line with its direction and time, in the session's folder."""

import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.link.tape import Tape
from eyecaptain.link.trace import FILE_NAME, Trace
from link.peer import Peer
from support import captain, needs_micropython, only_session


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / FILE_NAME).read_text().splitlines()]


def test_what_came_before_the_session_is_there_too(tmp_path: Path) -> None:
    trace = Trace()
    tape = Tape(trace)
    tape.feed(">", b"\n\n#00c{}")
    tape.feed(">", b"*a\n")
    trace.open(tmp_path)
    tape.feed("<", b"caf\xe9 \x03\r\n")
    trace.close()
    tape.feed("<", b"too late\n")
    first, *rest = lines(tmp_path)
    assert first["type"] == "link"
    assert [(line["dir"], line["raw"]) for line in rest] == [(">", "#00c{}*a"), ("<", "caf\\xe9 \\x03")]
    assert 0 <= rest[0]["t"] <= rest[1]["t"] < 1


def test_a_resumed_session_has_one_beginning_for_each_time(tmp_path: Path) -> None:
    for _ in range(2):
        trace = Trace()
        trace.open(tmp_path)
        trace(time.monotonic(), "<", "a")
        trace.close()
    assert ["type" in line for line in lines(tmp_path)] == [True, False, True, False]


def test_two_threads_never_mix_their_lines(tmp_path: Path) -> None:
    trace = Trace()
    trace.open(tmp_path)

    def write() -> None:
        for _ in range(200):
            trace(0.0, "<", "x" * 200)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    trace.close()
    assert len(lines(tmp_path)) == 601


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    said: list[str] = []
    trace = Trace(said.append)
    trace(0.0, "<", "a")
    trace.open(tmp_path / "none")
    trace(0.0, "<", "b")
    trace.close()
    (word,) = said
    assert "goes on without it" in word


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_ends_the_trace_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).symlink_to("/dev/full")
    said: list[str] = []
    trace = Trace(said.append)
    trace.open(tmp_path)
    for _ in range(3):
        trace(0.0, "<", "b")
    trace.close()
    (word,) = said
    assert "No space" in word


@needs_micropython
def test_a_game_with_a_trace(tmp_path: Path, own_runtime: Path) -> None:
    assert own_runtime.is_dir()
    command = ("play", "team", "--players", "Ada,Ben", "--board", "sim", "--trace")
    done = captain(*command, sessions=tmp_path, stdin="q\n")
    assert done.returncode == 0, done.stderr
    first, *rest = lines(only_session(tmp_path))
    assert first["type"] == "link"
    sent = [line["raw"] for line in rest if line["dir"] == ">"]
    got = [line["raw"] for line in rest if line["dir"] == "<"]
    assert '"op":"hello"' in sent[0]
    assert any('"op":"eye"' in raw for raw in sent)
    assert any('"re":' in raw for raw in got)
    assert all(re.fullmatch(r"#[0-9a-f]{3}\{.*\}\*[0-9a-f]{8}", raw) for raw in sent)
    assert [line["t"] for line in rest] == sorted(line["t"] for line in rest)


@pytest.mark.parametrize("more", [False, True])
def test_what_a_board_prints_is_shown_to_who_asks_for_more(more: bool, tmp_path: Path) -> None:
    with Peer() as peer:

        def hear(request: dict[str, Any]) -> bool:
            if request["op"] == "watch":
                peer.send(b"Traceback of the board\n")
            return True

        peer.hear = hear
        command = (*(["-v"] if more else []), "play", "team", "--players", "Ada,Ben", "--board", peer.port)
        done = captain(*command, sessions=tmp_path, stdin="q\n")
    assert done.returncode == 0, done.stderr
    assert ("Traceback of the board" in done.stderr) is more
    assert "Traceback" not in done.stdout


def test_without_a_board_there_is_nothing_to_trace(tmp_path: Path) -> None:
    done = captain("play", "team", "--players", "Ada,Ben", "--trace", sessions=tmp_path, stdin="q\n")
    assert done.returncode == 0, done.stderr
    assert [line["type"] for line in lines(only_session(tmp_path))] == ["link"]
