"""The client against a board in plain Python on a real pseudo-terminal that does what boards and lines do wrong."""

import itertools
import os
import queue
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.link.client import Client
from eyecaptain.link.errors import BoardRefused, LinkError, Rebooted
from eyecaptain.link.messages import Event
from link.peer import Peer, build, parse


class Linked:
    """A client on a peer, with what it delivered and said."""

    def __init__(self, peer: Peer, **options: Any) -> None:
        self.peer = peer
        self.events: queue.Queue[Event] = queue.Queue()
        self.said: list[str] = []
        self.client = Client(peer.port, self.events.put, say=self.said.append, **options)

    def next(self, what: str, within: float = 15.0) -> Event:
        """The next event of a kind, passing over the others."""
        deadline = time.monotonic() + within
        while True:
            event = self.events.get(timeout=max(deadline - time.monotonic(), 0.001))
            if event.what == what:
                return event

    def kinds(self) -> list[str]:
        return [self.events.get().what for _ in range(self.events.qsize())]


@contextmanager
def linked(peer: Peer | None = None, lease: int = 5000, **options: Any) -> Iterator[Linked]:
    """With a long lease, so that no heartbeat gets in between unless a test wants it."""
    with peer or Peer() as board:
        it = Linked(board, lease=lease, **options)
        try:
            yield it
        finally:
            it.client.close()


def mangle_next(peer: Peer, times: int, change: Callable[[bytes], list[bytes]]) -> None:
    """Change the next so many replies."""
    left = itertools.count(times, -1)
    peer.mangle = lambda data: change(data) if next(left) > 0 else [data]


def pull_the_plug_on_request(peer: Peer) -> None:
    """Vanish instead of replying."""

    def pull(_: bytes) -> list[bytes]:
        peer.vanish()
        return []

    peer.mangle = pull


# Hello


def test_line_feeds_come_first_and_then_hello() -> None:
    with linked() as it:
        heard = bytes(it.peer.heard)
        assert heard.startswith(b"\n" * 480 + b"#")
        hello = parse(heard)[0]
        assert hello["op"] == "hello"
        assert hello["a"]["proto"] == [1, 0]
        assert 1 <= len(hello["a"]["nonce"]) <= 8
        assert hello["a"]["lease"] == 5000
        assert it.client.hello.uid == it.peer.uid
        assert it.client.hello.lease == (500, 5000, 5000)


def test_the_first_event_is_the_whole_state() -> None:
    with linked() as it:
        assert it.events.get(timeout=15).data["switch"] is True


def test_what_came_before_hello_is_dropped() -> None:
    def early(data: bytes) -> list[bytes]:
        stale = build({"ev": "die", "n": 999, "t": 5, "d": {"face": "blue"}})
        other = build({"re": 1, "ok": {"nonce": "other"}})
        return [stale, other, data]

    peer = Peer()
    mangle_next(peer, 1, early)
    with linked(peer) as it:
        assert it.client.hello.boot == "b00t"
        assert it.kinds() == ["state"]


def test_only_its_own_nonce_will_do() -> None:
    with Peer(answer_nonce="0ther") as peer, pytest.raises(LinkLost):
        Client(peer.port, print, patience=0.25)


@pytest.mark.parametrize("knobs", [{"proto": [2, 0]}, {"hello_error": ["version", "2.0 here"]}])
def test_another_major_version_is_refused(knobs: dict[str, Any]) -> None:
    with Peer(**knobs) as peer:
        with pytest.raises(NoBoard, match="version") as caught:
            Client(peer.port, print)
        assert caught.value.exit_code == 3
        assert "captain flash" in caught.value.hint
        assert set(peer.ops()) == {"hello"}


def test_of_two_minor_versions_the_lower_counts() -> None:
    with linked(Peer(proto=[1, 7])) as it:
        assert it.client.hello.proto == (1, 0)


# Requests


def test_a_reply() -> None:
    with linked() as it:
        assert it.client.request("chips", c=["white", "cyan"]) == {"shown": 2}
        assert it.peer.chips == ["white", "cyan"]


def test_a_refusal_has_the_boards_code() -> None:
    with linked() as it, pytest.raises(BoardRefused, match="eye") as caught:
        it.client.request("eye", mode="roam", power=50, ms=1000)
    assert caught.value.code == "not_armed"


@pytest.mark.parametrize("times", [1, 2])
def test_a_lost_reply_costs_a_resend_and_no_second_execution(times: int) -> None:
    with linked() as it:
        mangle_next(it.peer, times, lambda _: [])
        began = time.monotonic()
        assert it.client.request("chips", c=["white"]) == {"shown": 1}
        assert time.monotonic() - began == pytest.approx(0.25 * times, abs=0.1)
        ids = [request["id"] for _, request in it.peer.requests if request["op"] == "chips"]
        assert len(ids) == times + 1
        assert len(set(ids)) == 1
        assert [op for _, op, _ in it.peer.done].count("chips") == 1
        assert it.client.counts["resent"] == times


def test_a_lost_request_is_sent_again() -> None:
    with linked() as it:
        lost = iter([False])
        it.peer.hear = lambda _: next(lost, True)
        assert it.client.request("chips", c=[]) == {"shown": 0}


def test_no_reply_to_three_sendings_ends_the_link() -> None:
    with linked() as it:
        it.peer.mangle = lambda _: []
        with pytest.raises(LinkError, match="chips") as caught:
            it.client.request("chips", c=[])
        assert caught.value.exit_code == 4
        assert it.peer.ops().count("chips") == 3
        assert "answer" in it.next("lost").data["why"]
        with pytest.raises(LinkError):
            it.client.request("hb")
        it.client.close()
        it.peer.wait(lambda: "stop" in it.peer.ops())  # said once more, although nobody answers


def test_a_corrupt_reply_is_no_reply() -> None:
    with linked() as it:
        mangle_next(it.peer, 1, lambda data: [data.replace(b"shown", b"shewn")])
        assert it.client.request("chips", c=[]) == {"shown": 0}
        assert it.client.counts["crc"] == 1


def test_half_a_reply_costs_itself_only() -> None:
    with linked() as it:
        mangle_next(it.peer, 1, lambda data: [data[:20]])
        assert it.client.request("chips", c=[]) == {"shown": 0}
        assert it.client.counts["bad"] == 1


def test_a_doubled_reply_answers_nothing_else() -> None:
    with linked() as it:
        mangle_next(it.peer, 1, lambda data: [data, data])
        assert it.client.request("chips", c=[]) == {"shown": 0}
        assert it.client.request("die")["face"] == "red"
        assert it.client.counts["stray"] == 1


def test_late_replies() -> None:
    with linked() as it:
        it.peer.delay = 0.3
        assert it.client.request("chips", c=[]) == {"shown": 0}
        it.peer.delay = 0
        assert it.client.request("die")["face"] == "red"
        assert [op for _, op, _ in it.peer.done].count("chips") == 1


def test_a_reply_in_single_bytes() -> None:
    with linked() as it:
        mangle_next(it.peer, 1, lambda data: [bytes([byte]) for byte in data])
        assert it.client.request("chips", c=[]) == {"shown": 0}


@pytest.mark.parametrize(
    "shape", [{"re": 0}, {"re": "x"}, {"ev": 1}, {"ev": "die", "n": "1", "t": 0, "d": {}}, {}, {"re": 1, "ok": 5}]
)
def test_a_message_of_no_known_shape_does_no_harm(shape: dict[str, Any]) -> None:
    with linked() as it:
        it.peer.send(build(shape))
        assert it.client.request("die")["face"] == "red"


def test_at_most_two_requests_are_outstanding() -> None:
    with linked() as it:
        replies: list[bytes] = []

        def withhold(data: bytes) -> list[bytes]:
            replies.append(data)
            return []

        it.peer.mangle = withhold
        threads = [threading.Thread(target=it.client.request, args=("die",), kwargs={"wait": 5}) for _ in range(4)]
        for thread in threads:
            thread.start()
        it.peer.wait(lambda: len(replies) == 2)
        time.sleep(0.1)
        assert len(replies) == 2
        it.peer.mangle = lambda data: [data]
        for reply in replies:
            it.peer.send(reply)
        for thread in threads:
            thread.join(2)
            assert not thread.is_alive()


def test_a_resend_never_comes_after_the_board_forgot_its_id() -> None:
    """The board remembers eight replies; the other requests wait rather than push one out that may be sent again."""
    with linked() as it:
        mangle_next(it.peer, 1, lambda _: [])
        slow = threading.Thread(target=it.client.request, args=("chips",), kwargs={"c": ["red"]})
        slow.start()
        it.peer.wait(lambda: "chips" in it.peer.ops())
        for _ in range(30):
            it.client.request("die")
        slow.join()
        assert [op for _, op, _ in it.peer.done].count("chips") == 1
        assert it.peer.ops().count("chips") == 2


# Heartbeat


def test_heartbeats_keep_the_lease_at_a_third_of_it() -> None:
    with linked(lease=600) as it:
        it.peer.wait(lambda: len(it.peer.requests) >= 10)
        times = [at for at, _ in it.peer.requests[1:10]]
        gaps = [b - a for a, b in itertools.pairwise(times)]
        assert max(gaps) < 0.3
        assert min(gaps[1:]) > 0.15
        assert set(it.peer.ops()[2:]) == {"hb", "state"}


def test_no_heartbeat_while_other_requests_go() -> None:
    with linked(lease=600) as it:
        for _ in range(10):
            it.client.request("die")
            time.sleep(0.05)
        assert "hb" not in it.peer.ops()


def test_a_board_that_falls_silent_is_noticed_by_the_heartbeat() -> None:
    with linked(lease=600) as it:
        it.peer.mode = "silent"
        assert it.next("lost", 2).what == "lost"


# Events


def test_events_come_with_the_time_of_their_arrival() -> None:
    with linked() as it:
        before = time.monotonic()
        it.peer.event("die", face="red", conf=90)
        event = it.next("die")
        assert event.data == {"face": "red", "conf": 90}
        assert before <= event.at <= time.monotonic()
        assert event.n == 1
        assert event.t is not None


def test_after_a_gap_the_state_comes() -> None:
    with linked() as it:
        it.events.get(timeout=15)
        it.peer.event("die", face="red")
        it.peer.event("die", face="blue", dropped=True)
        it.peer.event("switch", on=False)
        assert it.next("switch").n == 3
        assert it.next("state").data["n"] == 3
        assert it.client.counts["missed"] == 1


def test_a_lost_last_event_shows_at_the_next_look() -> None:
    with linked(lease=500) as it:
        it.events.get(timeout=15)
        it.peer.event("eye", mode="off", why="switch", dropped=True)
        assert it.next("state").data["n"] == 1


def test_a_doubled_event_comes_once() -> None:
    with linked() as it:
        it.peer.send(it.peer.event("switch", on=False))
        it.peer.event("switch", on=True)
        assert [it.next("switch").data["on"] for _ in range(2)] == [False, True]
        assert it.client.counts["doubled"] == 1


def test_events_between_hello_and_the_first_state_are_no_gap() -> None:
    peer = Peer(n=41)
    mangle_next(peer, 1, lambda data: [data, peer.event("switch", on=True)])
    with linked(peer) as it:
        it.peer.event("switch", on=False)
        assert it.next("switch").n == 42
        assert it.next("switch").n == 43
        assert it.client.counts["missed"] == 0


# Console text


def test_console_text_is_kept_apart() -> None:
    shown: list[str] = []
    with linked(show=shown.append) as it:
        it.peer.send(b"hello from a print\r\nTraceback: # not a frame\r\n" + build({"lg": "w", "m": "hot"}))
        assert it.client.request("die")["face"] == "red"
        assert shown[0] == "hello from a print"
        assert shown[-1] == "w: hot"


def test_the_last_hundred_raw_lines_are_kept() -> None:
    with linked() as it:
        for _ in range(60):
            it.client.request("die")
        lines = it.client.tape.lines()
        assert len(lines) == 100
        assert all(" > #" in line or " < #" in line for line in lines)


# Bringing back, or leaving alone


@pytest.mark.parametrize("mode", ["prompt", "raw"])
def test_a_board_left_at_its_prompt_is_brought_back(mode: str) -> None:
    with linked(Peer(mode), patience=0.25) as it:
        assert it.client.hello.board == "rp2-pico"
        assert "prompt" in it.said[0]
        assert it.client.request("die")["face"] == "red"


def test_a_hung_firmware_is_started_again() -> None:
    with linked(Peer("program"), patience=0.25) as it:
        assert "did not answer" in it.said[0]


def test_another_micropython_program_is_started_again_and_left_alone() -> None:
    with Peer("program", after_reset="program") as peer:
        with pytest.raises(NoBoard, match=r"another program.*blink") as caught:
            Client(peer.port, print, patience=0.25)
        assert caught.value.exit_code == 3
        assert "captain flash" in caught.value.hint
        assert peer.mode == "program"


def test_another_program_is_left_alone() -> None:
    with Peer("other") as peer:
        with pytest.raises(NoBoard, match=r"another program.*temperature") as caught:
            Client(peer.port, print, patience=0.25)
        assert "captain flash" in caught.value.hint
        assert b"\x04" not in peer.heard


@pytest.mark.parametrize(("after", "words"), [("prompt", "does not run"), ("broken", "no module named 'eyedeck.app'")])
def test_micropython_without_our_firmware(after: str, words: str) -> None:
    with Peer("prompt", after_reset=after) as peer:
        with pytest.raises(NoBoard, match=words) as caught:
            Client(peer.port, print, patience=0.25)
        assert "captain flash" in caught.value.hint


def test_silence() -> None:
    with Peer("silent") as peer, pytest.raises(LinkLost, match="Nothing answers") as caught:
        Client(peer.port, print, patience=0.25)
    assert caught.value.exit_code == 4


# A bridge to a port somewhere else


def test_a_tcp_bridge_is_a_port_like_any_other() -> None:
    with Peer() as peer, socket.create_server(("127.0.0.1", 0)) as server:

        def bridge() -> None:
            connection, _ = server.accept()
            port = os.open(peer.port, os.O_RDWR | os.O_NOCTTY)
            ends = {connection.fileno(): port, port: connection.fileno()}
            while True:
                for source in select.select(list(ends), [], [])[0]:
                    data = os.read(source, 4096)
                    if not data:
                        os.close(port)
                        connection.close()
                        return
                    os.write(ends[source], data)

        thread = threading.Thread(target=bridge)
        thread.start()
        with Client(f"socket://127.0.0.1:{server.getsockname()[1]}", lambda _: None) as client:
            for _ in range(20):
                assert client.request("die")["face"] == "red"
        thread.join(5)
        assert not thread.is_alive()


# Vanishing and rebooting


def test_a_board_that_vanishes_fails_what_waits_at_once() -> None:
    with linked() as it:
        pull_the_plug_on_request(it.peer)
        began = time.monotonic()
        with pytest.raises(LinkLost, match="vanished") as caught:
            it.client.request("die")
        assert time.monotonic() - began < 0.2
        assert caught.value.exit_code == 4
        assert "vanished" in it.next("lost").data["why"]


def test_a_board_that_vanishes_while_nothing_is_asked() -> None:
    with linked() as it:
        it.peer.vanish()
        it.next("lost", 1)
        time.sleep(0.1)
        assert it.kinds() == []  # said once


def test_a_board_that_vanishes_while_it_is_opened() -> None:
    peer = Peer()
    pull_the_plug_on_request(peer)
    with pytest.raises(LinkLost, match="vanished"):
        Client(peer.port, print)


def test_a_reboot_is_noticed_and_told_with_the_state() -> None:
    with linked(lease=600) as it:
        it.peer.event("die", face="red")
        it.next("die")
        it.peer.reboot()
        event = it.next("rebooted", 1)
        assert event.data["state"]["n"] == 0
        assert it.client.hello.boot == "b00tx"
        it.peer.event("die", face="green")
        assert it.next("die").data["face"] == "green"


def test_a_reboot_fails_what_waits() -> None:
    with linked() as it:

        def swallow(_: bytes) -> list[bytes]:
            it.peer.reboot()
            it.peer.mangle = lambda data: [data]
            it.peer.hear = lambda request: request["op"] != "die"
            return []

        it.peer.mangle = swallow
        failed: list[Exception] = []

        def ask() -> None:
            try:
                it.client.request("die", wait=5)
            except LinkLost as error:
                failed.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        it.peer.wait(lambda: it.peer.boot == "b00tx")
        with pytest.raises(BoardRefused):
            it.client.request("arm")
        thread.join(2)
        assert isinstance(failed[0], Rebooted)


# Closing


def test_closing_stops_the_motor_and_leaves_nothing_behind() -> None:
    before = threading.active_count()
    with Peer() as peer:
        client = Client(peer.port, print)
        client.request("arm")
        client.request("eye", mode="roam", power=50, ms=1000)
        client.close()
        client.close()
        assert peer.eye[0] == "off"
        assert not peer.armed
        with pytest.raises(LinkLost, match="closed"):
            client.request("hb")
        again = Client(peer.port, print)  # the port is free again
        again.close()
    assert threading.active_count() == before


def test_an_interrupt_stops_the_motor() -> None:
    program = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell in the background ignores it
from eyecaptain.link.client import Client
with Client(sys.argv[1], lambda event: None) as client:
    client.request("arm")
    client.request("eye", mode="roam", power=50, ms=60000)
    print("rolling", flush=True)
    time.sleep(60)
"""
    with Peer() as peer:
        with subprocess.Popen(
            [sys.executable, "-c", program, peer.port], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"rolling\n"
            assert peer.eye[0] == "roam"
            child.send_signal(2)
            child.wait(5)
        assert peer.eye == ["off", 0, 0]
        assert peer.ops()[-2:] == ["stop", "watch"]
