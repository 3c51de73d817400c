"""A command that a link ends says in which file the last hundred raw lines are."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.errors import LinkLost
from eyecaptain.flash import meet
from eyecaptain.link.ports import Port
from link.peer import Peer
from support import captain


def reported(done: "subprocess.CompletedProcess[str]") -> list[str]:
    assert done.returncode == 4, done.stderr
    found = re.search(r"The last (\d+) lines between this computer and the board are in (.+): add them", done.stderr)
    assert found is not None, done.stderr
    lines = Path(found[2]).read_text().splitlines()
    assert len(lines) == int(found[1]) <= 100
    return lines


def play(peer: Peer, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    return captain("play", "team", "--players", "Ada,Ben", "--board", peer.port, sessions=tmp_path)


def test_a_request_without_an_answer(tmp_path: Path) -> None:
    with Peer(hear=lambda request: request["op"] != "watch") as peer:
        done = play(peer, tmp_path)
    assert "no reply to `watch`" in done.stderr
    lines = reported(done)
    sent = [line for line in lines if re.match(r'[\d.]+ > #[0-9a-f]{3}\{"id":\d+,"op":"watch"', line)]
    assert len(sent) == 3, "each sending is there"
    assert any(re.match(r'[\d.]+ < #.*"nonce"', line) for line in lines)
    assert [float(line.split()[0]) for line in lines] == sorted(float(line.split()[0]) for line in lines)


def test_a_board_that_says_nothing(tmp_path: Path) -> None:
    with Peer("silent") as peer:
        done = captain("doctor", "--board", peer.port, "--report", str(tmp_path / "doctor.txt"), sessions=tmp_path)
    lines = reported(done)
    assert all(" > " in line for line in lines)
    assert (tmp_path / "doctor.txt").read_text().splitlines()[-len(lines) :] == lines


def test_a_self_test_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meet, "SELFTEST", 0.2)
    with Peer(do=lambda op, _: {"ok": {"job": 7}} if op == "selftest" else None) as peer:
        port = Port(peer.port, "", "pico", "")
        with pytest.raises(LinkLost, match="self-test") as caught, meet.Met(port, 5.0) as met:
            met.selftest()
    assert any('"op":"selftest"' in line for line in caught.value.lines)


def test_a_chatterbox_leaves_a_hundred_lines(tmp_path: Path) -> None:
    with Peer() as peer:

        def chatter(request: dict[str, Any]) -> bool:
            if request["op"] == "watch":
                for number in range(300):
                    peer.send(b"line %d\n" % number)
            return bool(request["op"] != "watch")

        peer.hear = chatter
        lines = reported(play(peer, tmp_path))
    assert len(lines) == 100


def test_a_report_that_cannot_be_kept_hides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nothing")
    with Peer("silent") as peer:
        done = captain("doctor", "--board", peer.port, sessions=tmp_path)
    assert done.returncode == 4
    assert "does not answer" in done.stderr
    assert "between this computer" not in done.stderr
