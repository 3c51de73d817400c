"""A board on a serial port: what it can do, and what becomes of it when link or board fail."""

import queue
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from serial import Serial

from eyecaptain.boards import serial
from eyecaptain.boards.serial import SerialBoard
from eyecaptain.errors import LinkLost
from eyecaptain.link import ports
from eyecaptain.link.errors import BoardRefused
from eyecaptain.link.messages import Event
from eyecaptain.link.ports import Port
from link.peer import Peer


class Table:
    """Who holds the other end of the queue."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.events: queue.Queue[Event] = queue.Queue()
        self.said: list[str] = []
        self.board = SerialBoard(Port(peer.port, peer.uid, "usb", "Pico"), self.events, say=self.said.append)

    def next(self, what: str, within: float = 15.0) -> Event:
        deadline = time.monotonic() + within
        while True:
            event = self.events.get(timeout=max(deadline - time.monotonic(), 0.001))
            if event.what == what:
                return event


@contextmanager
def table(**knobs: Any) -> Iterator[Table]:
    with Peer(**knobs) as peer:
        it = Table(peer)
        try:
            yield it
        finally:
            it.board.close()


def calls(peer: Peer, *ops: str) -> list[Any]:
    return [(op, a) for _, op, a in peer.done if op in ops]


def test_the_state_comes_first_and_the_die_is_watched() -> None:
    with table() as it:
        assert it.events.get(timeout=15).what == "state"
        assert it.peer.watch
        it.peer.event("die", face="blue", conf=80, why=None)
        assert it.next("die").data["face"] == "blue"
        it.peer.event("switch", on=False)
        assert it.next("switch").data == {"on": False}
        assert it.board.hello.caps == "s"
        assert it.board.die()["face"] == "red"
        assert it.board.state()["switch"] is True


def test_the_eye_is_armed_and_stopped() -> None:
    with table() as it:
        it.board.eye(on=True, power=40)
        it.board.eye(on=True)
        assert it.peer.eye == ["roam", 40, serial.RUN]
        it.board.eye(on=False)
        it.board.eye(on=False)
        assert (it.peer.eye[0], it.peer.armed) == ("off", False)
        assert [op for op, _ in calls(it.peer, "arm", "eye", "stop")] == ["arm", "eye", "stop"]


def test_a_run_is_renewed_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "RENEW", 0.2)
    with table() as it:
        it.board.eye(on=True)
        it.peer.wait(lambda: len(calls(it.peer, "eye")) >= 4)
        it.board.eye(on=False)
        count = len(calls(it.peer, "eye"))
        time.sleep(0.5)
        assert len(calls(it.peer, "eye")) == count


@pytest.mark.parametrize("lost", [True, False])
def test_an_eye_that_stopped_by_itself_is_not_started_by_a_renewal(lost: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "RENEW", 0.2)
    with table() as it:
        it.next("state")
        it.board.eye(on=True)
        it.peer.eye = ["off", 0, 0]
        it.peer.event("eye", dropped=lost, mode="off", why="switch")
        it.next("state" if lost else "eye")
        time.sleep(0.5)
        assert it.peer.eye[0] == "off"
        it.board.eye(on=True)  # but when somebody asks for it
        assert it.peer.eye[0] == "roam"


def test_its_own_renewals_are_no_news() -> None:
    with table() as it:
        it.next("state")
        it.peer.event("eye", mode="roam", why="replaced")
        it.peer.event("switch", on=True)
        assert it.events.get(timeout=15).what == "switch"


def test_chips() -> None:
    with table() as it:
        it.board.chips(["white", "cyan"], "pulse")
        assert calls(it.peer, "chips") == [("chips", {"c": ["white", "cyan"], "fx": "pulse"})]


def test_after_a_lost_lease_the_eye_can_be_started_again() -> None:
    with table() as it:
        it.board.eye(on=True)
        it.peer.armed, it.peer.safe, it.peer.eye = False, True, ["off", 0, 0]
        it.peer.event("eye", mode="off", why="lease")
        it.peer.event("lease", lost=True)
        it.next("lease")
        it.board.eye(on=True)
        assert it.peer.eye[0] == "roam"
        assert it.peer.watch  # which the new hello had ended


def test_a_refusal_reaches_the_caller() -> None:
    with table() as it:
        it.peer.do = lambda op, _: {"er": ["switch", "the eye's switch is off"]} if op == "eye" else None
        with pytest.raises(BoardRefused) as caught:
            it.board.eye(on=True)
        assert caught.value.code == "switch"


def test_a_reboot_is_told_and_the_board_briefed_again() -> None:
    with table() as it:
        it.board.chips(["white"])
        it.board.eye(on=True)
        it.peer.reboot()
        event = it.next("rebooted")
        assert event.data["motor"] is True
        it.peer.wait(lambda: it.peer.watch and it.peer.chips == ["white"])
        assert it.peer.eye[0] == "off"
        it.board.eye(on=True)
        assert it.peer.eye[0] == "roam"


@pytest.mark.parametrize(("boot", "what"), [("b00t", "back"), ("other", "rebooted")])
def test_a_board_that_is_plugged_in_elsewhere_is_found_by_its_number(
    boot: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[Port] = []
    monkeypatch.setattr(ports, "boards", lambda: there)
    with table() as it, Peer(uid="0ther") as other, Peer(boot=boot) as again:
        it.board.chips(["white"])
        it.board.eye(on=True)
        it.peer.vanish()
        it.next("lost", 1)
        with pytest.raises(LinkLost):
            it.board.eye(on=True)
        there.append(Port(other.port, other.uid, "usb", "Pico"))
        time.sleep(0.5)
        there.append(Port(again.port, again.uid, "usb", "Pico"))
        news = it.next(what).data
        assert news["port"] == again.port
        assert news.get("motor") is (True if what == "rebooted" else None)  # it ran when the link was lost
        again.wait(lambda: again.watch and again.chips == ["white"])
        assert again.eye[0] == "off"
        assert not other.heard
        again.event("die", face="green")
        assert it.next("die").data["face"] == "green"
        it.board.eye(on=True)
        assert again.eye[0] == "roam"
        it.board.close()
        assert again.eye[0] == "off"


def looked_at(board: Peer, monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Let this board be the one that is attached; return what grows whenever somebody looks for it."""
    looks: list[None] = []

    def boards() -> list[Port]:
        looks.append(None)
        return [Port(board.port, board.uid, "usb", "Pico")]

    monkeypatch.setattr(ports, "boards", boards)
    return looks


def test_another_firmware_on_a_board_that_came_back_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with table() as it, Peer(proto=[2, 0]) as again:
        looks = looked_at(again, monkeypatch)
        it.peer.vanish()
        it.peer.wait(lambda: bool(it.said))
        seen = len(looks)
        it.peer.wait(lambda: len(looks) >= seen + 3)  # it is looked at again and again, and said once
        assert len(it.said) == 1
        assert "version 2" in it.said[0]


def test_a_program_that_took_the_port_meanwhile_is_named_and_the_board_comes_back_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with table() as it, Peer() as again:
        looks = looked_at(again, monkeypatch)
        with Serial(again.port, exclusive=True):
            it.peer.vanish()
            it.next("lost")
            it.peer.wait(lambda: bool(it.said))
            seen = len(looks)
            it.peer.wait(lambda: len(looks) >= seen + 3)  # it is looked at again and again, and said once
            (said,) = it.said
            assert "is taken" in said
            assert not again.heard
        it.next("back")


def test_closing_while_the_board_is_away_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "boards", list)
    with table() as it:
        it.peer.vanish()
        it.next("lost")
        began = time.monotonic()
        it.board.close()
        assert time.monotonic() - began < 0.5


def test_closing_stops_the_motor() -> None:
    with table() as it:
        it.board.eye(on=True)
        it.board.close()
        it.board.close()
        assert (it.peer.eye[0], it.peer.watch) == ("off", False)


def test_a_board_that_does_not_take_what_it_has_to_know_is_let_go() -> None:
    with Peer() as peer:
        peer.do = lambda op, _: {"er": ["fault", "no sensor"]} if op == "watch" else None
        with pytest.raises(BoardRefused):
            Table(peer)
        peer.do = lambda _op, _a: None
        Table(peer).board.close()
