"""The protocol, message by message, on the real firmware in a real MicroPython, from a client that shares no code."""

import itertools
import json
import re
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from link.peer import build
from link.plain import Emulated, Plain

LEASE = 500  # milliseconds; the least
NONCES = (f"n{count}" for count in itertools.count())

STATE = {"eye", "die", "chips", "fx", "switch", "armed", "safe", "n", "cal", "watch", "job"}
STATS = {"up", "free", "alloc", "crc", "bad", "rx", "tx", "drop", "i2c", "clr", "stall", "disk", "slot"}
HELLO = {"nonce", "proto", "fw", "build", "board", "uid", "boot", "reset", "caps", "lease", "now"}


@pytest.fixture(scope="module")
def board(emulate: Callable[..., Emulated]) -> Emulated:
    """One simulated board for all tests of this file."""
    return emulate("--seed", "link")


@pytest.fixture
def line(board: Emulated) -> Iterator[Plain]:
    """A new link session, without any lease to keep unless a test arms the motor."""
    with Plain(board.port) as plain:
        try:
            plain.hello(next(NONCES), lease=5000)
        except AssertionError:  # the test before has broken it: let that one alone fail
            board.world("fault", what="reboot")
            plain.__exit__()
            plain.file = reopened(board).file
            plain.hello(next(NONCES), lease=5000)
        plain.ask("chips", c=[])
        plain.events.clear()
        yield plain
        plain.send(build({"id": 65000, "op": "stop"}))


def roll(line: Plain, ms: int = 60000, power: int = 60) -> int:
    """Arm and start the eye; return the job's number."""
    assert line.ask("arm") == {}
    job = line.ask("eye", mode="roam", power=power, ms=ms)["job"]
    assert isinstance(job, int)
    return job


# Frames


def test_the_example_of_the_specification(line: Plain) -> None:
    line.send(b'#020{"id":17,"op":"state"}*af6b56d5\n')
    assert set(line.reply(17)["ok"]) == STATE


def frame(text: bytes, length: int | None = None, crc: int | None = None) -> bytes:
    return b"#%03x%b*%08x\n" % (
        len(text) + 10 if length is None else length,
        text,
        zlib.crc32(text) if crc is None else crc,
    )


GOOD = b'{"id":5,"op":"hb"}'


@pytest.mark.parametrize(
    ("data", "counted"),
    [
        (frame(GOOD, crc=1), "crc"),
        (frame(GOOD, length=len(GOOD) + 9), "bad"),
        (frame(GOOD, length=len(GOOD) + 11), "bad"),
        (frame(GOOD, length=0xFFF), "bad"),
        (frame(b"[" + b"1," * 130 + b"1]"), "bad"),
        (frame(GOOD).replace(b"*", b"!"), "bad"),
        (frame(GOOD).replace(b"\n", b"\r\n"), "bad"),
        (frame(b"[1]"), "bad"),
        (frame(b'{"id":5,'), "bad"),
        (frame(b'{"id":5,"op":"\xff"}'), "bad"),
        (frame(GOOD)[:-5] + b"\n", "bad"),
        (b"AT\r\nAT+GCAP\r\n", None),
        (b"\x00\x7f\xff{}[]\n", None),
        (b"x" * 1000 + b"\n", None),
    ],
)
def test_what_is_no_message_is_counted_and_has_no_reply(data: bytes, counted: str | None, line: Plain) -> None:
    before = line.ask("stats")
    line.send(data + b"\n")
    after = line.ask("stats")  # fails on a reply with another id
    for name in ("crc", "bad"):
        more = after[name] - before[name]
        assert more >= 1 if name == counted else more == 0


@pytest.mark.parametrize("broken", [b"#", b"#0", b"#0ff", frame(GOOD)[:15], b"noise", b"#zzz "])
def test_a_frame_right_after_a_broken_one_counts(broken: bytes, line: Plain) -> None:
    line.send(broken + frame(GOOD))
    assert set(line.reply(5)["ok"]) == {"now"}


@pytest.mark.parametrize("data", [{"id": 0, "op": "hb"}, {"id": 65536, "op": "hb"}, {"id": "7", "op": "hb"}, {"op": "hb"}, {}])
def test_a_request_without_a_proper_id_has_no_reply(data: dict[str, Any], line: Plain) -> None:
    line.send(build(data))
    assert set(line.ask("hb")) == {"now"}


def test_a_frame_in_pieces_and_two_at_once(line: Plain) -> None:
    data = build({"id": 7, "op": "hb"})
    for byte in data:
        line.send(bytes([byte]))
        time.sleep(0.002)
    line.reply(7)
    line.send(build({"id": 8, "op": "hb"}) + build({"id": 9, "op": "state"}))
    line.reply(8)
    line.reply(9)


def test_the_longest_request(line: Plain) -> None:
    data = {"id": 7, "op": "hb", "a": {"x": ""}}
    data["a"] = {"x": "y" * (240 - len(build(data)))}
    assert len(build(data)) == 240
    line.send(build(data))
    assert set(line.reply(7)["ok"]) == {"now"}


def test_a_hash_inside_a_string_is_escaped(line: Plain) -> None:
    text = b'{"id":7,"op":"\\u0023"}'
    line.send(frame(text))
    assert line.reply(7)["er"][0] == "bad_op"


# Hello


def test_hello(board: Emulated, line: Plain) -> None:
    hello = line.hello("abcdefgh", lease=2000)
    assert set(hello) == HELLO
    assert hello["proto"] == [1, 0]
    assert hello["lease"] == [500, 2000, 5000]
    assert hello["board"] == "rp2-pico"
    assert hello["uid"].upper() == board.serial
    assert hello["reset"] in ("power", "watchdog", "soft")
    assert set(hello["caps"]) <= set("icsr")
    assert 0 <= hello["now"] < 2**30


@pytest.mark.parametrize(("wanted", "got"), [(100, 500), (9999, 5000), (700, 700)])
def test_the_lease_stays_within_its_limits(wanted: int, got: int, line: Plain) -> None:
    assert line.hello(next(NONCES), lease=wanted)["lease"] == [500, got, 5000]


def test_without_a_wish_the_lease_is_1500_ms(line: Plain) -> None:
    assert line.hello(next(NONCES))["lease"] == [500, 1500, 5000]


def test_the_running_nonce_changes_nothing(line: Plain) -> None:
    nonce = next(NONCES)
    first = line.hello(nonce, lease=5000)
    line.ask("watch", on=True)
    job = roll(line)
    again = line.ask("hello", proto=[1, 0], nonce=nonce, lease=900)
    assert {**again, "now": 0} == {**first, "now": 0}
    state = line.ask("state")
    assert state["watch"] is True
    assert state["armed"] is True
    assert state["eye"][0] == "roam"
    assert state["job"] == [job, "run"]


def test_an_older_nonce_is_refused(line: Plain) -> None:
    old, new = next(NONCES), next(NONCES)
    line.hello(old)
    line.hello(new)
    assert line.ask("hello", proto=[1, 0], nonce=old) == "bad_arg"
    assert line.ask("hello", proto=[1, 0], nonce=new)["nonce"] == new


def test_a_new_nonce_begins_a_link_session(line: Plain) -> None:
    line.ask("watch", on=True)
    line.ask("chips", c=["white"], fx="pulse")
    roll(line)
    line.hello(next(NONCES))
    state = line.ask("state")
    assert state["watch"] is False
    assert state["armed"] is False
    assert state["eye"][0] == "off"
    assert state["chips"] == ["white"]
    assert state["fx"] == "pulse"


def test_a_new_link_session_forgets_the_ids(line: Plain) -> None:
    first = line.ask("sample", number=700, k=1)["job"]
    line.event("job", job=first)
    line.hello(next(NONCES))
    assert line.ask("sample", number=700, k=1)["job"] == first + 1


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"proto": [2, 0], "nonce": "v"}, "version"),
        ({"proto": [0, 9], "nonce": "v"}, "version"),
        ({"nonce": "v"}, "bad_arg"),
        ({"proto": 1, "nonce": "v"}, "bad_arg"),
        ({"proto": [1, "0"], "nonce": "v"}, "bad_arg"),
        ({"proto": [1, 0]}, "bad_arg"),
        ({"proto": [1, 0], "nonce": ""}, "bad_arg"),
        ({"proto": [1, 0], "nonce": "123456789"}, "bad_arg"),
        ({"proto": [1, 0], "nonce": 5}, "bad_arg"),
        ({"proto": [1, 0], "nonce": "v", "lease": "long"}, "bad_arg"),
    ],
)
def test_a_hello_that_will_not_do_changes_nothing(args: dict[str, Any], code: str, line: Plain) -> None:
    line.ask("watch", on=True)
    assert line.ask("hello", **args) == code
    assert line.ask("state")["watch"] is True


def test_of_two_minor_versions_the_lower_counts(line: Plain) -> None:
    number = next(line.ids)
    line.send(build({"id": number, "op": "hello", "a": {"proto": [1, 9], "nonce": next(NONCES)}}))
    assert line.reply(number)["ok"]["proto"] == [1, 0]


def test_before_any_hello_little_is_answered(board: Emulated) -> None:
    board.world("fault", what="reboot")
    with reopened(board) as line:
        line.send(b"\n" * 480)
        for op in ("hb", "arm", "disarm", "watch", "chips", "sample", "selftest"):
            assert line.ask(op) == "lease"
        assert line.ask("stop") == {}
        assert set(line.ask("state")) == STATE
        assert set(line.ask("stats")) == STATS


def reopened(board: Emulated, within: float = 20.0) -> Plain:
    """The port after the board has been away, when its firmware answers."""
    deadline = time.monotonic() + within
    while True:
        try:
            line = Plain(board.port)
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
            continue
        try:
            line.send(build({"id": 64000, "op": "state"}))
            line.reply(64000, 0.5)
        except (OSError, AssertionError):
            line.__exit__()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        else:
            return line


# At most once


def test_a_resend_is_answered_with_the_same_reply_and_not_executed(line: Plain) -> None:
    first = line.ask("sample", number=800, k=1)
    line.event("job")
    assert line.ask("sample", number=800, k=1) == first
    assert line.ask("sample", number=800, k=20) == first  # the id decides
    assert line.ask("state")["job"] == [first["job"], "ok"]


def test_a_refusal_is_remembered_too(line: Plain) -> None:
    assert line.ask("eye", number=801, mode="roam", power=50, ms=1000) == "not_armed"
    line.ask("arm")
    assert line.ask("eye", number=801, mode="roam", power=50, ms=1000) == "not_armed"
    assert line.ask("state")["eye"][0] == "off"


def test_the_last_eight_are_remembered(line: Plain) -> None:
    first = line.ask("sample", number=900, k=1)
    line.event("job")
    for number in range(901, 908):
        line.ask("hb", number=number)
    assert line.ask("sample", number=900, k=1) == first
    line.ask("hb", number=908)
    assert line.ask("sample", number=900, k=1)["job"] == first["job"] + 1


# Operations


@pytest.mark.parametrize("op", ["fly", "", "HB", 5])
def test_an_operation_that_it_does_not_have(op: Any, line: Plain) -> None:
    assert line.ask(op) == "bad_op"


def test_arguments_must_be_an_object(line: Plain) -> None:
    line.send(build({"id": 7, "op": "hb", "a": [1]}))
    assert line.reply(7)["er"][0] == "bad_arg"


def test_hb(line: Plain) -> None:
    first, second = line.ask("hb")["now"], line.ask("hb")["now"]
    assert 0 <= first <= second < 2**30


def test_the_eye_needs_arm(board: Emulated, line: Plain) -> None:
    assert line.ask("eye", mode="roam", power=50, ms=1000) == "not_armed"
    roll(line)
    assert line.event("eye") == {"mode": "roam", "why": "host"}
    assert line.ask("state")["armed"] is True
    assert board.roaming()
    assert line.ask("disarm") == {}
    assert not board.turning()
    assert line.ask("eye", mode="roam", power=50, ms=1000) == "not_armed"


@pytest.mark.parametrize(
    "a",
    [
        {},
        {"mode": "fly", "power": 50, "ms": 1000},
        {"mode": "roam", "power": 101, "ms": 1000},
        {"mode": "roam", "power": -1, "ms": 1000},
        {"mode": "roam", "power": "50", "ms": 1000},
        {"mode": "roam", "power": True, "ms": 1000},
        {"mode": "roam", "power": 50, "ms": 0},
        {"mode": "roam", "power": 50, "ms": 600001},
        {"mode": "roam", "power": 50},
        {"mode": "steady", "ms": 100},
    ],
)
def test_an_eye_that_will_not_do(a: dict[str, Any], board: Emulated, line: Plain) -> None:
    line.ask("arm")
    assert line.ask("eye", **a) == "bad_arg"
    assert not board.turning()


@pytest.mark.parametrize("mode", ["roam", "steady"])
def test_a_run_ends_by_itself(mode: str, board: Emulated, line: Plain) -> None:
    line.ask("arm")
    job = line.ask("eye", mode=mode, power=50, ms=300)["job"]
    state = line.ask("state")
    assert state["eye"][:2] == [mode, 50]
    assert 0 < state["eye"][2] <= 300
    assert line.event("eye", mode="off") == {"mode": "off", "why": "time"}
    assert line.event("job") == {"job": job, "ok": True, "why": "time"}
    assert not board.turning()
    state = line.ask("state")
    assert state["eye"] == ["off", 0, 0]
    assert state["job"] == [job, "ok"]


def test_eye_off_ends_a_run(board: Emulated, line: Plain) -> None:
    job = roll(line)
    assert line.ask("eye", mode="off") == {"job": job}
    assert not board.turning()
    assert line.event("eye", mode="off")["why"] == "host"
    assert line.event("job") == {"job": job, "ok": True, "why": "host"}
    assert line.ask("state")["armed"] is True


def test_a_new_run_replaces_the_old(board: Emulated, line: Plain) -> None:
    first = roll(line)
    second = line.ask("eye", mode="steady", power=30, ms=5000)["job"]
    assert second == first + 1
    assert line.event("job") == {"job": first, "ok": True, "why": "replaced"}
    assert line.event("eye") == {"mode": "steady", "why": "replaced"}
    assert line.ask("state")["eye"][0] == "steady"
    assert board.roaming()


def test_stop_is_always_allowed(board: Emulated, line: Plain) -> None:
    assert line.ask("stop") == {}
    job = roll(line)
    assert line.ask("stop") == {}
    assert not board.turning()
    assert line.event("job") == {"job": job, "ok": True, "why": "host"}
    state = line.ask("state")
    assert state["armed"] is False
    assert state["eye"] == ["off", 0, 0]


def test_the_eye_switch(board: Emulated, line: Plain) -> None:
    job = roll(line)
    line.event("eye")
    board.world("switch", on=False)
    try:
        assert line.event("eye") == {"mode": "off", "why": "switch"}
        assert line.event("job") == {"job": job, "ok": False, "why": "switch"}
        assert line.event("switch") == {"on": False}
        assert not board.turning()
        assert line.ask("state")["switch"] is False
        assert line.ask("eye", mode="roam", power=50, ms=1000) == "switch"
        assert not board.turning()
    finally:
        board.world("switch", on=True)
    assert line.event("switch") == {"on": True}
    time.sleep(0.2)
    assert not board.turning()  # it never starts by itself
    assert "job" in line.ask("eye", mode="roam", power=50, ms=1000)


@pytest.mark.parametrize("color", ["red", "green", "blue", "yellow"])
def test_die(color: str, board: Emulated, line: Plain) -> None:
    board.world("face", color=color)
    line.ask("watch", on=True)
    event = line.event("die", face=color)
    assert set(event) == {"face", "conf", "why"}
    assert event["why"] is None
    assert 0 < event["conf"] <= 100
    die = line.ask("die")
    assert set(die) == {"face", "conf", "why", "raw", "age"}
    assert die["face"] == color
    assert len(die["raw"]) == 4
    assert 0 <= die["age"] < 1000
    assert line.ask("state")["die"][0] == color


def test_an_empty_window(board: Emulated, line: Plain) -> None:
    board.world("face", color="red", zone=3)
    line.ask("watch", on=True)
    assert line.event("die", face=None, why="absent")["conf"] >= 0
    assert line.ask("die")["face"] is None
    board.world("face", color="red")
    line.event("die", face="red")


def test_watch_raw_tells_every_reading(board: Emulated, line: Plain) -> None:
    board.world("face", color="blue")
    line.ask("watch", on=True, raw=True)
    line.event("die", face="blue")
    for _ in range(3):
        assert len(line.event("die")["raw"]) == 4
    assert line.ask("watch", on=False) == {}
    line.events.clear()
    line.quiet(0.5)
    assert not [event for event in line.events if event["ev"] == "die"]


@pytest.mark.parametrize("a", [{}, {"on": 1}, {"on": True, "raw": "yes"}])
def test_a_watch_that_will_not_do(a: dict[str, Any], line: Plain) -> None:
    assert line.ask("watch", **a) == "bad_arg"


def test_sample(line: Plain) -> None:
    job = line.ask("sample", k=3)["job"]
    assert line.ask("sample", k=1) == "busy"
    for number in (1, 2, 3):
        sample = line.event("sample")
        assert sample["i"] == number
        assert len(sample["on"]) == len(sample["off"]) == 4
        assert sample["on"][3] > sample["off"][3]
    assert line.event("job") == {"job": job, "ok": True, "why": None}


@pytest.mark.parametrize("k", [0, 21, "3", None])
def test_a_sample_that_will_not_do(k: Any, line: Plain) -> None:
    assert line.ask("sample", k=k) == "bad_arg"


def test_a_sensor_that_does_not_answer(board: Emulated, line: Plain) -> None:
    board.world("face", color="red")
    line.ask("watch", on=True)
    line.event("die", face="red")
    board.world("fault", what="i2c_nak", value=True)
    try:
        assert line.event("die", face=None)["why"] == "bus"
        assert line.event("fault")["code"] == "sensor"
        assert line.ask("sample", k=1) == "sensor"
        assert line.ask("die")["why"] == "bus"
        assert line.ask("stats")["i2c"] > 0
    finally:
        board.world("fault", what="i2c_nak", value=False)
    line.event("die", 10, face="red")


def test_chips(board: Emulated, line: Plain) -> None:
    assert line.ask("chips", c=["white", "orange"]) == {"shown": 2}
    deadline = time.monotonic() + 10
    while sum(light > 0 for light in board.world("state")["chips"]) != 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    state = line.ask("state")
    assert state["chips"] == ["white", "orange"]
    assert state["fx"] == "steady"
    for fx in ("steady", "pulse", "chase", "win"):
        assert line.ask("chips", c=["00ff7f", "off"], fx=fx)["shown"] <= 2
        assert line.ask("state")["fx"] == fx


def test_more_than_six_chips_are_no_error(line: Plain) -> None:
    assert line.ask("chips", c=["red"] * 7) == {"shown": 6}
    assert line.ask("chips", c=["cyan"] * 20) == {"shown": 6}


@pytest.mark.parametrize(
    "a", [{}, {"c": "red"}, {"c": ["pink"]}, {"c": [5]}, {"c": ["12345"]}, {"c": ["gggggg"]}, {"c": [], "fx": "disco"}]
)
def test_chips_that_will_not_do(a: dict[str, Any], line: Plain) -> None:
    line.ask("chips", c=["white"])
    assert line.ask("chips", **a) == "bad_arg"
    assert line.ask("state")["chips"] == ["white"]


def test_state_and_stats(line: Plain) -> None:
    state = line.ask("state")
    assert set(state) == STATE
    assert state["safe"] is False
    assert re.fullmatch("[0-9a-f]{8}", state["cal"])
    stats = line.ask("stats")
    assert set(stats) == STATS
    slot, was, failed, why = stats.pop("slot")
    assert (slot, was, failed, why) == ("a", None, None, None)
    assert all(isinstance(value, int) for value in stats.values())


def test_confirm(line: Plain) -> None:
    build_running = line.hello(next(NONCES))["build"]
    assert line.ask("confirm") == "bad_arg"
    assert line.ask("confirm", build="somebody") == "bad_arg"
    assert line.ask("confirm", build=build_running) == {}
    line.ask("arm")
    assert line.ask("confirm", build=build_running) == "busy"


def test_events_are_numbered_without_gaps(line: Plain) -> None:
    n = line.ask("state")["n"]
    line.ask("sample", k=3)
    line.event("sample", i=1)
    numbers: list[int] = []
    while len(numbers) < 3:
        message = line.message()
        if "ev" in message:
            numbers.append(message["n"])
            assert isinstance(message["t"], int)
    assert numbers[0] > n
    assert numbers == list(range(numbers[0], numbers[0] + 3))


def test_selftest(board: Emulated, line: Plain) -> None:
    job = line.ask("selftest", motor=False)["job"]
    names = set()
    while True:
        message = line.message()
        if message.get("ev") == "job":
            break
        if message.get("ev") == "test":
            assert set(message["d"]) == {"name", "ok", "value", "limit"}
            assert message["d"]["ok"], message
            names.add(message["d"]["name"])
    assert message["d"] == {"job": job, "ok": True, "why": None}
    assert {"sensor", "dark", "light"} <= names
    assert not board.turning()


def test_a_selftest_of_the_motor_needs_arm(board: Emulated, line: Plain) -> None:
    assert line.ask("selftest", motor=True) == "not_armed"
    line.ask("arm")
    job = line.ask("selftest", motor=True)["job"]
    assert line.event("test", name="motor")["ok"] is True
    assert line.event("job", job=job)["ok"] is True
    assert not board.turning()


def test_maint(board: Emulated, line: Plain) -> None:
    roll(line)
    assert line.ask("maint") == {}
    assert not board.turning()
    assert line.ask("state")["armed"] is False


def test_reset(board: Emulated) -> None:
    with Plain(board.port) as line:
        before = line.hello(next(NONCES))
        roll(line)
        assert line.ask("reset") == {}
        with pytest.raises((OSError, AssertionError)):
            line.until(b"never", 2)
    assert not board.turning()
    with reopened(board) as line:
        after = line.hello(next(NONCES))
        assert after["boot"] != before["boot"]
        assert after["reset"] == "watchdog"
        assert line.ask("state")["chips"] == []


# The lease


def test_a_lost_lease_stops_the_motor(board: Emulated, line: Plain) -> None:
    line.hello(next(NONCES), lease=LEASE)
    line.ask("watch", on=True)
    job = roll(line)
    said = board.world("state")["t"]
    assert line.event("eye", mode="off")["why"] == "lease"
    assert LEASE <= line.event("lease")["lost"] <= LEASE + 100
    assert line.ask("state")["job"] == [job, "lease"]
    world = board.world("state")
    assert not world["motor"]
    assert world["motor_off_at"] - said <= (LEASE + 100) / 1000
    state = line.ask("state")
    assert (state["safe"], state["armed"]) == (True, False)


def test_any_request_renews_the_lease(board: Emulated, line: Plain) -> None:
    line.hello(next(NONCES), lease=4 * LEASE)  # a computer that is busy may be late by more than half of it
    roll(line)
    for op in ("hb", "die", "state", "stats", "fly"):
        time.sleep(LEASE / 1000)
        line.ask(op)
    assert board.roaming()


def test_neither_noise_nor_typed_lines_renew_the_lease(board: Emulated, line: Plain) -> None:
    line.hello(next(NONCES), lease=LEASE)
    roll(line)
    for _ in range(4):
        time.sleep(LEASE / 1000 * 0.3)
        line.send(b'AT\r\n{"op":"die"}\n' + frame(GOOD, crc=1))
    assert not board.turning()


def test_safe_is_left_by_a_new_hello_only(board: Emulated, line: Plain) -> None:
    nonce = next(NONCES)
    line.hello(nonce, lease=LEASE)
    roll(line)
    line.event("lease")
    assert line.ask("arm") == "lease"
    assert line.ask("eye", mode="roam", power=50, ms=1000) == "lease"
    assert line.ask("hello", proto=[1, 0], nonce=nonce)["nonce"] == nonce  # the running one
    line.send(b'{"op":"hello","a":{"proto":[1,0],"nonce":"typed"}}\n')
    line.until(rb'"nonce":"typed"[^\n]*\n')
    assert line.ask("state")["safe"] is True
    assert line.ask("arm") == "lease"
    assert "now" in line.ask("hb")
    assert not board.turning()
    line.hello(next(NONCES), lease=LEASE)
    assert line.ask("state")["safe"] is False
    assert line.ask("eye", mode="roam", power=50, ms=1000) == "not_armed"
    roll(line)
    assert board.roaming()


def test_half_a_frame_does_not_keep_the_motor_running(board: Emulated, line: Plain) -> None:
    line.hello(next(NONCES), lease=LEASE)
    roll(line)
    said = board.world("state")["t"]
    line.send(build({"id": 9, "op": "hb"})[:12])
    time.sleep(LEASE / 1000 + 0.15)
    world = board.world("state")
    assert not world["motor"]
    assert world["motor_off_at"] - said <= (LEASE + 100) / 1000
    line.hello(next(NONCES))  # its line feeds end the wait


def test_a_host_that_goes_away_stops_the_motor(board: Emulated) -> None:
    with Plain(board.port) as line:
        line.hello(next(NONCES), lease=LEASE)
        roll(line)
        said = board.world("state")["t"]
    time.sleep(LEASE / 1000 + 0.15)
    world = board.world("state")
    assert not world["motor"]
    assert world["motor_off_at"] - said <= (LEASE + 100) / 1000


# A person at the keyboard


def typed(line: Plain, text: str) -> Any:
    """The answer to a typed line: a line of JSON without head and sum."""
    line.heard = b""
    line.send(text.encode() + b"\n")
    return json.loads(line.until(rb"(?:^|\n)\{[^\n]*\}\r?\n").splitlines()[-1])


@pytest.mark.parametrize("op", ["hello", "state", "stats", "die", "stop"])
def test_a_typed_line_is_answered_as_it_came(op: str, line: Plain) -> None:
    answer = typed(line, f'{{"id":3,"op":"{op}"}}')
    assert answer["re"] == 3
    assert isinstance(answer["ok"], dict)
    assert "ok" in typed(line, f'  {{"op": "{op}"}}'.strip())


@pytest.mark.parametrize("op", ["arm", "eye", "disarm", "chips", "reset", "maint", "selftest", "watch", "hb", "sample"])
def test_a_typed_line_may_not_do_more(op: str, board: Emulated, line: Plain) -> None:
    line.ask("arm")
    assert (
        typed(line, json.dumps({"op": op, "a": {"mode": "roam", "power": 50, "ms": 1000, "c": ["red"]}}))["er"][0] == "bad_op"
    )
    assert not board.turning()
    state = line.ask("state")
    assert state["armed"] is True
    assert state["chips"] == []


def test_a_typed_stop_stops(board: Emulated, line: Plain) -> None:
    roll(line)
    typed(line, '{"op":"stop"}')
    assert not board.turning()


def test_a_typed_hello_only_reports(line: Plain) -> None:
    line.ask("watch", on=True)
    line.ask("hb", number=77)
    boot = typed(line, '{"op":"hello","a":{"proto":[1,0],"nonce":"me"}}')["ok"]["boot"]
    assert len(boot) > 0
    assert line.ask("state")["watch"] is True
    assert "now" in line.ask("hb", number=77)


# mpremote


def mpremote(board: Emulated, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", board.port, *arguments], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def restarted(board: Emulated) -> Plain:
    """What a host does with a board that was left at its prompt."""
    line = Plain(board.port)
    line.send(b"\r\x03")
    time.sleep(0.1)
    line.send(b"\x03\x02")
    line.until(rb">>> $")
    line.send(b"\x04")
    line.until(rb"soft reboot\r?\n")
    line.heard = b""
    deadline = time.monotonic() + 20
    nonce = next(NONCES)
    while True:
        line.send(build({"id": 1, "op": "hello", "a": {"proto": [1, 0], "nonce": nonce}}))
        try:
            line.message(0.3)
        except AssertionError:
            assert time.monotonic() < deadline
        else:
            return line


@pytest.mark.parametrize("pending", [b"", b'#0ff{"id":', b"#02", b'{"op":'])
def test_mpremote_breaks_in_and_the_firmware_comes_back(pending: bytes, board: Emulated) -> None:
    with Plain(board.port) as line:
        before = line.hello(next(NONCES), lease=5000)
        line.ask("watch", on=True)
        roll(line)
        assert board.roaming()
        line.send(pending)
    assert mpremote(board, "exec", "print(6*7)").splitlines()[-1] == "42"
    assert not board.turning()
    with restarted(board) as line:
        after = line.hello(next(NONCES))
        assert after["boot"] != before["boot"]
        assert after["reset"] == "soft"
        assert "job" in (line.ask("arm"), line.ask("eye", mode="roam", power=50, ms=500))[1]


def test_mpremote_copies_files_and_the_board_is_still_fed(board: Emulated) -> None:
    out = mpremote(board, "fs", "ls")
    assert re.search(r"\bmain\.py", out)
    assert re.search(r"\bslot_a/", out)
    with restarted(board) as line:
        assert set(line.ask("state")) == STATE
