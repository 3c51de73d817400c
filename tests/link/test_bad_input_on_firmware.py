"""What nobody should send, and a host that does not read: no crash, no motion, counters, and clear answers afterwards."""

import contextlib
import itertools
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from eyecaptain.link.client import Client
from link.peer import build
from link.plain import Emulated, Plain
from support import captain, runs

NONCES = (f"x{count}" for count in itertools.count())
SECONDS = max(1.5, runs(20) * 0.06)  # of each flood; a minute by `make soak N=1000`
DEAF = max(4.0, runs(20) * 0.2)  # of not reading; more than three minutes then


@pytest.fixture(scope="module")
def board(emulate: Callable[..., Emulated]) -> Emulated:
    return emulate("--seed", "input")


@pytest.fixture
def line(board: Emulated) -> Iterator[Plain]:
    """Not armed, and not turning before or after; the same boot still answers in the end."""
    with Plain(board.port) as plain:
        boot = plain.hello(next(NONCES), lease=5000)["boot"]
        yield plain
        assert not board.turning()
        assert plain.hello(next(NONCES))["boot"] == boot


def frame(text: bytes) -> bytes:
    return b"#%03x%b*%08x\n" % (len(text) + 10, text, zlib.crc32(text))


def pour(line: Plain, data: bytes) -> None:
    """Send it all, and throw away what comes meanwhile: a terminal that nobody reads would fill up."""
    for at in range(0, len(data), 1024):
        line.send(data[at : at + 1024])
        while line.read(0):
            pass
        line.heard = b""


@pytest.mark.soak
def test_random_bytes(line: Plain) -> None:
    """All but Ctrl-C, which is somebody's word and no noise."""
    chance = Random("noise")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        pour(line, chance.randbytes(2000).replace(b"\x03", b"#"))
    line.hello(next(NONCES))
    stats = line.ask("stats")
    assert stats["bad"] > 50
    assert line.ask("state")["armed"] is False


@pytest.mark.soak
def test_random_bytes_with_ctrl_c_and_the_next_game_brings_it_back(board: Emulated, tmp_path: Path) -> None:
    chance = Random("interrupts")
    with Plain(board.port) as line:
        line.hello(next(NONCES), lease=5000)
        line.ask("arm")
        line.ask("eye", mode="steady", power=60, ms=600000)
        assert board.turning()
        # What a prompt takes for a program could do anything: digits and signs only.
        for _ in range(round(SECONDS * 4)):
            pour(line, bytes(chance.choices(b"\x030123456789#.*,", k=200)))
            time.sleep(0.02)
        assert not board.turning()
    players = ("play", "team", "--players", "Ada,Ben", "--board", board.port)
    done = captain(*players, stdin="", sessions=tmp_path, env=board.environment)
    assert done.returncode == 0, done.stderr
    assert "it was started again" in done.stderr
    with Client(board.port, lambda _: None) as client:
        assert client.request("state")["armed"] is False
        assert not board.turning()


def test_a_megabyte_without_a_line_feed(line: Plain) -> None:
    free = line.ask("stats")["free"]
    began = time.monotonic()
    pour(line, b"x" * (1 << 20))
    line.hello(next(NONCES))
    assert time.monotonic() - began < 60
    assert line.ask("stats")["free"] > free / 3, "it is not kept"


NESTED = b'{"id":5,"op":"hb","a":' + b"[" * 100 + b"]" * 100 + b"}"
SHAPES = [
    b"[]",
    b"17",
    b'"state"',
    b"null",
    b"{}",
    b'{"id":5}',
    b'{"id":[5],"op":"hb"}',
    b'{"id":5,"op":"hb","a":null}',
    b'{"id":5,"op":{"op":"hb"}}',
    b'{"id":5,"op":"hb","a":[]}',
    b'{"re":5,"ok":{}}',
    b'{"ev":"die","n":1,"t":1,"d":{}}',
    b'{"id":5,"op":"hb"',
    b'{"id":5,"op":"hb"}}',
    b'{"id":99999999999999999999,"op":"hb"}',
    b'{"id":-5,"op":"hb"}',
    b'{"id":1e400,"op":"hb"}',
    b'{"id":5,"op":"hb","a":{"x":' + b"9" * 150 + b"}}",
    b'{"id":5,"id":6,"op":"hb"}',
    b'{"id":5,"op":"' + b"x" * 150 + b'"}',
]


@pytest.mark.parametrize("text", [*SHAPES, NESTED], ids=lambda text: text[:24].decode())
def test_json_of_the_wrong_shape(text: bytes, line: Plain) -> None:
    line.send(frame(text))
    line.send(text + b"\n")  # as a person may type it
    line.quiet_but_replies()
    assert set(line.ask("hb")) == {"now"}


HUGE = [-(2**31), -1, 0, 101, 2**31 - 1, 2**64, 1.5, "60", None, True, [60]]


@pytest.mark.parametrize("number", HUGE, ids=repr)
def test_numbers_out_of_range(number: Any, board: Emulated, line: Plain) -> None:
    line.ask("arm")
    if number != 0:
        assert line.ask("eye", mode="roam", power=number, ms=1000) == "bad_arg"
    wrong = number if number not in (101, 2**31 - 1) else 600001
    assert line.ask("eye", mode="roam", power=50, ms=wrong) == "bad_arg"
    assert line.ask("sample", k=number) == "bad_arg"
    assert not board.turning()


def test_the_eye_without_arm(board: Emulated, line: Plain) -> None:
    for mode in ("roam", "steady"):
        assert line.ask("eye", mode=mode, power=100, ms=600000) == "not_armed"
    assert line.ask("selftest", motor=True) == "not_armed"
    assert not board.turning()


def test_unknown_operations(line: Plain) -> None:
    for op in ("fly", "", "__class__", "hello ", "EYE"):
        assert line.ask(op) == "bad_op"


@pytest.mark.soak
def test_a_hundred_hellos_a_second(line: Plain) -> None:
    answered = 0
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        line.hello(next(NONCES))
        answered += 1
        time.sleep(0.005)
    assert answered > 5 * SECONDS  # a hundred on a computer with nothing else to do


def test_the_same_hello_a_hundred_times_is_one_link_session(line: Plain) -> None:
    nonce = next(NONCES)
    line.hello(nonce, lease=700)
    line.ask("watch", on=True)
    for _ in range(100):
        assert line.ask("hello", proto=[1, 0], nonce=nonce)["lease"][1] == 700
    assert line.ask("state")["watch"] is True


@pytest.mark.parametrize("proto", [[0, 9], [2, 0], [2**30, 0]])
def test_another_protocol_has_a_clear_answer_and_no_session(proto: list[int], line: Plain) -> None:
    line.send(build({"id": 9, "op": "hello", "a": {"proto": proto, "nonce": next(NONCES)}}))
    code, text = line.reply(9)["er"]
    assert code == "version"
    assert "captain flash" in text


@pytest.mark.parametrize("minor", [0, 1, 99])
def test_a_newer_minor_protocol_is_spoken_as_ours(minor: int, line: Plain) -> None:
    assert line.ask("hello", proto=[1, minor], nonce=next(NONCES))["proto"] == [1, 0]


def at_last(line: Plain, op: str) -> Any:
    """The reply to this one among all that waited; what was under way when the reader came back may be torn."""
    number = next(line.ids)
    for _ in range(20):
        line.send(build({"id": number, "op": op}))
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            with contextlib.suppress(AssertionError):
                message = line.message(0.1)
                if message.get("re") == number:
                    return message["ok"]
    raise AssertionError("no reply")


@pytest.mark.soak
def test_a_host_that_asks_and_never_reads_does_no_harm(board: Emulated) -> None:
    """For minutes by `make soak`: the eye rolls on, memory and loop stay as they are, and then all is well again."""
    with Plain(board.port) as line:
        boot = line.hello(next(NONCES), lease=1000)["boot"]
        line.ask("watch", on=True, raw=True)
        line.ask("arm")
        line.ask("eye", mode="steady", power=60, ms=600000)
        before = line.ask("stats")
        end = time.monotonic() + DEAF
        while time.monotonic() < end:
            line.send(build({"id": next(line.ids), "op": "state"}))
            time.sleep(0.1)
            assert board.turning(), "it waited for the reader"
        after = at_last(line, "stats")
        assert board.turning()
        assert after["rx"] - before["rx"] >= DEAF * 5
        assert after["free"] > before["free"] / 3
        assert line.ask("state")["eye"][0] == "steady"
        line.ask("stop")
        assert line.hello(next(NONCES))["boot"] == boot
    assert not board.turning()


@pytest.mark.soak
def test_a_host_that_only_listens_to_nothing_loses_its_lease_and_no_more(board: Emulated) -> None:
    with Plain(board.port) as line:
        boot = line.hello(next(NONCES), lease=500)["boot"]
        line.ask("watch", on=True, raw=True)
        line.ask("arm")
        line.ask("eye", mode="steady", power=60, ms=600000)
        time.sleep(0.65)
        assert not board.turning()
        time.sleep(DEAF)
        line.heard = b""
        assert line.hello(next(NONCES))["boot"] == boot
        assert line.ask("state")["safe"] is False
