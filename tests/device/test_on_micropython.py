"""The firmware's files in a real MicroPython, without a board: what CPython cannot show."""

import fcntl
import os
import select
import subprocess
import termios
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from device.conftest import DEVICE
from eyedeck.link import frame

Run = Callable[[str], str]
Start = Callable[..., list[str]]

PURE = sorted(
    str(path.relative_to(DEVICE).with_suffix("")).replace("/", ".")
    for path in [*(DEVICE / "eyedeck" / "core").glob("*.py"), *(DEVICE / "eyedeck" / "link").glob("*.py")]
)


def test_the_pure_parts_import_no_machine(on_micropython: Run) -> None:
    program = "class No:\n def __getattr__(self, name): raise ImportError('machine')\nsys.modules['machine'] = No()\n"
    program += "".join(f"import {name}\n" for name in PURE) + "print('fine')"
    assert on_micropython(program) == "fine\n"


VECTORS: list[dict[str, Any]] = [
    {"id": 17, "op": "state"},
    {"re": 1, "ok": {"job": [3, "run"], "n": None, "list": [True, False, -1, 2147483647, []]}},
    {"m": 'quote " backslash \\ slash / hash # tab \t newline \n'},
]


def test_both_interpreters_write_the_same_frames(on_micropython: Run) -> None:
    program = "from eyedeck.link import frame\nd = frame.Decoder(frame.REPLY)\n"
    for vector in VECTORS:
        sent = frame.encode(vector, frame.REPLY)
        program += f"assert d.feed({sent!r}) == [(frame.MESSAGE, {vector!r})], {sent!r}\n"
        # The order of keys is not the same, so it is read back by this side.
        program += f"print(frame.encode({vector!r}, frame.REPLY).decode(), end='')\n"
    decoder = frame.Decoder(frame.REPLY)
    assert decoder.feed(on_micropython(program).encode()) == [(frame.MESSAGE, vector) for vector in VECTORS]
    assert (decoder.crc, decoder.bad) == (0, 0)


def test_what_is_not_ascii_becomes_a_question_mark(on_micropython: Run) -> None:
    text = on_micropython("from eyedeck.link import frame\nprint(frame.encode({'m': 'ä€😀\\x7f#'}, 480).decode(), end='')")
    ((_, message),) = frame.Decoder(frame.REPLY).feed(text.encode())
    assert message == {"m": "????#"}


def test_what_is_broken_is_not_accepted(on_micropython: Run) -> None:
    """MicroPython's JSON reader is more lenient than CPython's; nothing of it may raise."""
    program = """
from eyedeck.link import frame
import binascii
for text in (b'{[1]:2}', b'{"a":1}x', b'[1]', b'"x', b'{"a":"\\xff"}', b'[' * 200, b'{' * 200, b'{"a":1e999}', b'{1:2', b'--'):
    d = frame.Decoder(frame.REPLY)
    data = ("#%03x" % (len(text) + 10)).encode() + text + ("*%08x\\n" % binascii.crc32(text)).encode()
    for kind, value in d.feed(data + b'#020{"id":17,"op":"state"}*af6b56d5\\n'):
        assert isinstance(value, dict), value
    assert value == {"id": 17, "op": "state"}
print("fine")
"""
    assert on_micropython(program) == "fine\n"


def test_the_interrupt_allocates_nothing(on_micropython: Run) -> None:
    """With the heap locked, as in a hard interrupt, each branch of the guard runs."""
    program = """
import micropython, time
from eyedeck.core.guard import Guard
from eyedeck.core.turning import Current, Index
class Motor:
    def off(self): pass
    def wake(self): pass
    def drive(self, duty): pass
class Clock:
    now = 0
    def ticks_ms(self): return self.now
    ticks_diff, ticks_add = time.ticks_diff, time.ticks_add
shunt, fault = 60000, 1
clock = Clock()
def rig(turning=None):
    guard = Guard(Motor(), clock, turning or Current(lambda: shunt, 100, 680), lambda: fault)
    guard.arm(); guard.run(3000, 50)
    return guard
def go(guard, ms):
    for _ in range(ms // 50):
        clock.now += 50
        micropython.heap_lock()
        try:
            tick(guard)
        finally:
            micropython.heap_unlock()
timer = object()
tick = lambda guard: guard.tick(timer)
seen = []
for lease, ms in ((1500, 1600), (60000, 3100), (60000, 100)):
    fault = ms != 100
    guard = rig(); guard.lease = lease
    go(guard, ms); seen.append(guard.cause); go(guard, 200)
fault = 1
level = 0
for turning in (None, Index(lambda: level, 200)):
    guard = rig(turning); guard.lease = 60000; guard.run(60000, 50)
    go(guard, 10000); seen.append(guard.cause); go(guard, 60000)
print(seen)
"""
    assert on_micropython(program) == "['lease', 'time', 'fault', 'stall', 'stall']\n"


# The receiver and the send queue on a pipe, with a stand-in for the deck that answers each message with its own size.
ECHO = """
import sys
from eyedeck.link import frame
from eyedeck.link.rx import Receiver
from eyedeck.link.tx import Sender
sender = Sender(sys.stdout.buffer)
got = 0
def message(msg):
    global got
    got += 1
    if msg.get("op") == "die":
        for n in range(msg["id"]):
            sender.send(msg["kind"], frame.encode({"ev": msg["kind"], "n": n, "x": "x" * 300}, frame.REPLY))
        return
    sender.send("re", frame.encode({"re": msg["id"], "ok": ticks, "crc": rx.decoder.crc, "bad": rx.decoder.bad,
        "drop": sender.dropped, "rx": got}, frame.REPLY))
def line(text):
    sender.send("re", text + b"!\\n")
rx = Receiver(sys.stdin.buffer, message, line)
ticks = 0
while True:
    ticks += 1
    sender.pump()
    if rx.ready(10):
        rx.read()
"""


class Peer:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.write = process.stdin.write
        self.input = process.stdin.fileno()
        self.file = process.stdout.fileno()
        self.decoder = frame.Decoder(frame.REPLY)

    def read(self, within: float = 2.0) -> list[tuple[int, object]]:
        """What comes until it is quiet for a moment."""
        items: list[tuple[int, object]] = []
        wait = within
        while select.select([self.file], [], [], wait)[0]:
            data = os.read(self.file, 65536)
            if not data:
                break
            items += self.decoder.feed(data)
            wait = 0.3
        return items

    def taken(self) -> None:
        """Wait until all that was written is taken, and the last of it, which is in hand then, is dealt with."""
        end = time.monotonic() + 20
        waiting = array("i", [1])
        while waiting[0]:
            assert time.monotonic() < end
            time.sleep(0.01)
            fcntl.ioctl(self.input, termios.FIONREAD, waiting)
        time.sleep(0.5)

    def ask(self, ident: int = 1) -> dict[str, int]:
        self.write(frame.encode({"id": ident, "op": "state"}, frame.REQUEST))
        ((kind, reply),) = self.read()
        assert kind == frame.MESSAGE
        assert isinstance(reply, dict)
        return reply


@pytest.fixture
def peer(micropython: Start) -> Iterator[Peer]:
    with echo(micropython) as peer:
        yield peer


@contextmanager
def echo(micropython: Start) -> Iterator[Peer]:
    path = f"import sys; sys.path.insert(0, {str(DEVICE)!r})\n"
    process = subprocess.Popen(
        micropython("-c", path + ECHO),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    )
    try:
        yield Peer(process)
    finally:
        process.kill()
        process.communicate()


def test_messages_lines_and_noise(peer: Peer) -> None:
    assert peer.ask(7)["re"] == 7
    peer.write(b"AT\r" + b"\n" * 480 + frame.encode({"id": 8, "op": "state"}, frame.REQUEST) + b"{}\n")
    items = peer.read()
    assert [kind for kind, _ in items] == [frame.LINE, frame.MESSAGE, frame.LINE]
    assert (items[0][1], items[2][1]) == (b"AT!", b"{}!")


@pytest.mark.parametrize("half", [b'{"op":', b"AT"])
def test_half_a_line_blocks_nothing(peer: Peer, half: bytes) -> None:
    before = peer.ask()["ok"]
    peer.write(half)
    time.sleep(1)  # in which the loop has to turn
    assert peer.ask()["ok"] - before > 25, "a loop that stood for this second comes to 15 turns after the first answer"


@pytest.mark.parametrize("half", [b"#", b"#0", b"#01", b"#020", b"AT#", b"#\n"])
def test_half_a_head_waits_for_the_next_bytes_only(peer: Peer, half: bytes) -> None:
    peer.write(half)
    time.sleep(0.05)
    assert peer.ask()["crc"] == 0


def test_half_a_frame_waits_for_the_next_bytes_only(peer: Peer) -> None:
    peer.write(frame.encode({"id": 5, "op": "state", "a": {"x": "x" * 100}}, frame.REQUEST)[:60])
    assert peer.read(0.3) == []
    peer.write(b"\n" * 480)
    reply = peer.ask()
    assert (reply["bad"], reply["crc"]) == (1, 0)


def test_two_frames_and_a_half_in_one_piece(peer: Peer) -> None:
    one = frame.encode({"id": 1, "op": "state"}, frame.REQUEST)
    two = frame.encode({"id": 2, "op": "state", "a": {"x": "y" * 150}}, frame.REQUEST)
    peer.write(two[:70] + one + two + two[:30])
    time.sleep(0.2)
    peer.write(two[30:])
    replies = [message for _, message in peer.read()]
    assert [reply["re"] for reply in replies if isinstance(reply, dict)] == [1, 2, 2]


def test_nobody_reads(peer: Peer) -> None:
    """The queue stays short, the loop goes on, and what was dropped is counted."""
    fcntl.fcntl(peer.file, fcntl.F_SETPIPE_SZ, 4096)
    for kind, count in (("die", 40), ("eye", 5), ("job", 2)):
        peer.write(frame.encode({"id": count, "op": "die", "kind": kind}, frame.REQUEST))
    for ident in (1, 2, 3):
        peer.write(frame.encode({"id": ident, "op": "state"}, frame.REQUEST))
    peer.taken()
    items = [message for _, message in peer.read()]
    assert all(isinstance(item, dict) for item in items), "no frame is torn"
    events = [item["ev"] for item in items if isinstance(item, dict) and "ev" in item]
    replies = [item["re"] for item in items if isinstance(item, dict) and "re" in item]
    assert replies == [2, 3], "two replies wait, the newest"
    assert events.count("job") == 1
    assert events.count("eye") == 1
    waited = [item["n"] for item in items if isinstance(item, dict) and item.get("ev") == "die"][-8:]
    assert waited == list(range(32, 40)), "of the others the newest eight"
    assert peer.decoder.bad == 0
    reply = peer.ask()
    assert reply["drop"] == 40 + 5 + 2 + 3 - len(items)
    assert reply["ok"] > 20
