"""What the events of a board mean for the table, one at a time."""

import queue
from typing import Any

import pytest

from eyecaptain import __version__
from eyecaptain.boards import attached
from eyecaptain.boards.attached import AttachedBoard
from eyecaptain.link.messages import Event, Hello
from eyecaptain.link.ports import Port


class Serial:
    """Notes what the eye is told."""

    def __init__(self, *_: object, **__: object) -> None:
        self.eyes: list[bool] = []
        self.counts = {"resent": 2, "reconnects": 1}
        self.hello = Hello((1, 0), __version__, "b", "rp2-pico", "u", "1", "power", "", (500, 1500, 5000), 0, {})

    def eye(self, on: bool) -> None:
        self.eyes.append(on)

    def close(self) -> None:
        pass


class Table:
    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(attached, "SerialBoard", Serial)
        self.said: list[str] = []
        self.shown: list[str] = []
        self.board = AttachedBoard(Port("p", "1", "usb", ""), queue.Queue(), self.said.append, self.shown.append)
        self.board.eye(True)

    @property
    def eyes(self) -> Any:
        return self.board._board.eyes  # type: ignore[attr-defined]

    def hear(self, what: str, **data: Any) -> list[dict[str, Any]]:
        return self.board.hear(Event(what, data, 0.0))

    def state(self, eye: str, job: str, switch: bool = True) -> list[str]:
        """Of these data; what it means but the die."""
        told = self.hear("state", eye=[eye, 0, 0], die=["red", 90, None, 5], switch=switch, job=[4, job])
        return [report["type"] for report in told if report["type"] != "die"]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(monkeypatch)


@pytest.mark.parametrize("why", ["stall", "fault", "switch"])
def test_an_eye_that_stopped_for_good_is_not_started_again_when_its_event_was_lost(why: str, table: Table) -> None:
    assert table.state("off", why) == ["pause"]
    assert table.eyes == [True]
    assert table.said == [attached.STOPPED[why]]


@pytest.mark.parametrize("why", ["lease", "time", "ok"])
def test_an_eye_that_stopped_for_our_silence_is_started_again(why: str, table: Table) -> None:
    assert table.state("off", why) == ["resume"]
    assert table.eyes == [True, True]


def test_an_eye_that_rolls_is_left_alone(table: Table) -> None:
    assert table.state("roam", "run") == ["resume"]
    assert table.state("roam", "run", switch=False) == ["pause"]
    assert table.eyes == [True]


def test_a_sensor_that_fails_is_told_once_and_so_is_its_return(table: Table) -> None:
    for why in ("bus", "bus", "unstable", "bus", "absent"):
        table.hear("die", face=None, why=why)
    assert table.said == [attached.BLIND, "I can see the die again."] * 2
    table.hear("fault", code="sensor", m="the colour sensor does not answer")
    assert len(table.said) == 4


def test_the_end_tells_the_links_counts_to_who_asked_for_more(table: Table) -> None:
    table.board.close()
    assert table.shown == ["link: resent 2, reconnects 1"]
