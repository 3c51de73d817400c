"""A port that comes back: Linux lists it a moment before anybody but root may open it."""

import os
from collections.abc import Callable

import pytest

from eyecaptain.flash import interpreter, meet
from eyecaptain.link.ports import Port

PORT = Port("/dev/ttyACM7", "E6", "usb", "Pico")


@pytest.mark.skipif(os.name != "posix", reason="Windows gives its ports to everybody")
@pytest.mark.parametrize(
    "wait", [lambda: meet.await_port(PORT), lambda: interpreter._await(PORT, set(), 1.0)], ids=["after a reset", "after a copy"]
)
def test_a_port_that_has_just_come_is_waited_for_until_it_may_be_used(
    wait: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([False, False, True])
    monkeypatch.setattr(meet, "GONE", 0.0)
    monkeypatch.setattr(meet, "ALLOWED", 1e9)
    monkeypatch.setattr(meet, "find", lambda _: PORT)
    monkeypatch.setattr(interpreter, "find", lambda _: PORT)
    monkeypatch.setattr(os, "access", lambda *_: next(answers))
    wait()
    assert list(answers) == []


def test_a_port_that_may_never_be_used_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meet, "ALLOWED", 0.1)
    monkeypatch.setattr(os, "access", lambda *_: False)
    meet.await_permission(PORT)  # opening it says why
