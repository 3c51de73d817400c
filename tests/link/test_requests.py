"""The law of requests: whatever the line loses, doubles or delays, nothing is done twice, and every call ends."""

import json
import threading
import time
from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eyecaptain.errors import LinkLost
from eyecaptain.link.errors import BoardRefused, LinkError
from eyecaptain.link.requests import LAST_ID, Requests

FATES = ["ok", "request lost", "reply lost", "reply doubled", "reply late"]


class Board:
    """At-most-once as protocol.md has it: the last eight ids and replies are kept."""

    def __init__(self, fates: list[str]) -> None:
        self.fates = iter(fates)
        self.requests = Requests(self.take)
        self.memory: OrderedDict[int, dict[str, Any]] = OrderedDict()
        self.executed: list[int] = []
        self.late: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    def take(self, data: bytes) -> None:
        with self.lock:
            fate = next(self.fates, "ok")
            if fate == "request lost":
                return
            request = json.loads(data[4:-10])
            number = request["id"]
            if number not in self.memory:
                self.executed.append(request["a"]["k"])
                self.memory[number] = {"re": number, "ok": {"k": request["a"]["k"]}}
                if len(self.memory) > 8:
                    self.memory.popitem(last=False)
            reply = self.memory[number]
            sent = {"reply lost": [], "reply doubled": [reply, reply], "reply late": []}.get(fate, [reply])
            sent = [*self.late, *sent]
            self.late = [reply] if fate == "reply late" else []
        for one in sent:
            self.requests.answer(one)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(FATES), max_size=30), st.integers(1, 2))
def test_at_most_once_whatever_the_line_does(fates: list[str], threads: int) -> None:
    board = Board(fates)
    answered: list[int] = []
    failed: list[int] = []

    def ask(first: int) -> None:
        for k in range(first, first + 6):
            try:
                assert board.requests.ask("x", {"k": k}, wait=0.002) == {"k": k}
                answered.append(k)
            except LinkError:
                failed.append(k)

    workers = [threading.Thread(target=ask, args=(100 * number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(10)
        assert not worker.is_alive()
    assert len(set(board.executed)) == len(board.executed)
    assert set(answered) <= set(board.executed)
    assert len(answered) + len(failed) == 6 * threads


def test_one_that_an_older_one_overtook_is_remembered_until_it_is_sent_again() -> None:
    """The first's first sending is lost, the second is carried out before it, and its reply is lost; then come others."""
    fates = ["request lost", "reply lost", *["ok"] * 20]
    board = Board(fates)
    first = threading.Thread(target=lambda: board.requests.ask("first", {"k": "first"}, wait=0.1))
    second = threading.Thread(target=lambda: board.requests.ask("second", {"k": "second"}, wait=0.4))
    first.start()
    while not board.requests._waiting:
        time.sleep(0.001)
    second.start()
    first.join()  # sent again meanwhile, after the second was carried out
    others = 0
    while second.is_alive():
        board.requests.ask("hb", {"k": f"{others}"})
        others += 1
    assert others >= 6
    assert sorted(board.executed) == sorted({*board.executed}), "carried out twice"


def test_ids_stay_within_bounds_and_begin_anew() -> None:
    board = Board([])
    board.requests._id = LAST_ID - 2
    for k in range(5):
        board.requests.ask("x", {"k": k})
    assert list(board.memory) == [LAST_ID - 1, LAST_ID, 1, 2, 3]


def test_a_request_too_long_for_the_board_is_a_fault_of_ours_and_leaves_room() -> None:
    board = Board([])
    for _ in range(3):
        with pytest.raises(ValueError, match="long"):
            board.requests.ask("x", {"k": "y" * 300})
    assert board.requests.ask("x", {"k": 1}) == {"k": 1}


def test_one_that_waits_for_room_is_ended_too() -> None:
    requests = Requests(lambda _: None)
    errors: list[str] = []

    def ask() -> None:
        try:
            requests.ask("x", wait=30)
        except LinkLost as error:
            errors.append(error.message)

    workers = [threading.Thread(target=ask) for _ in range(4)]
    for worker in workers:
        worker.start()
    requests.end(LinkLost("gone"))
    for worker in workers:
        worker.join(5)
    assert errors == ["gone"] * 4


@pytest.mark.parametrize(
    ("er", "code"),
    [(["busy", "text"], "busy"), (["busy"], "busy"), ("busy", "fault"), ([1, 2], "fault"), (None, "fault")],
)
def test_a_refusal_of_any_shape(er: Any, code: str) -> None:
    requests = Requests(lambda data: requests.answer({"re": json.loads(data[4:-10])["id"], "er": er}))
    with pytest.raises(BoardRefused) as caught:
        requests.ask("x")
    assert caught.value.code == code


class Rebooting:
    """A board that forgets its ids at a hello, and loses its replies until then."""

    def __init__(self, same_boot: bool) -> None:
        self.same_boot = same_boot
        self.requests = Requests(self.take)
        self.known: set[int] = set()
        self.executed: list[str] = []
        self.deaf = True

    def take(self, data: bytes) -> None:
        request = json.loads(data[4:-10])
        if request["op"] == "hello":
            self.deaf = False
            if not self.same_boot:
                self.known.clear()
            self.requests.answer({"re": request["id"], "ok": {}})
            return
        if request["id"] not in self.known:
            self.known.add(request["id"])
            self.executed.append(request["op"])
        if not self.deaf:
            self.requests.answer({"re": request["id"], "ok": {"op": request["op"]}})


def two_that_wait(board: Rebooting) -> tuple[list[threading.Thread], list[Any]]:
    ends: list[Any] = []

    def ask(op: str) -> None:
        try:
            ends.append(board.requests.ask(op, wait=0.05, tries=40))
        except LinkLost as error:
            ends.append(error.message)

    workers = [threading.Thread(target=ask, args=(op,)) for op in ("eye", "reset")]
    for worker in workers:
        worker.start()
    while len(board.executed) < 2:
        time.sleep(0.001)
    return workers, ends


def test_nothing_is_sent_again_across_a_reboot() -> None:
    board = Rebooting(same_boot=False)
    workers, ends = two_that_wait(board)
    with board.requests.greeting(drained=False):
        board.requests.ask("hello")
        board.requests.fail(LinkLost("it started anew"))
    for worker in workers:
        worker.join(5)
    assert sorted(board.executed) == ["eye", "reset"]
    assert ends == ["it started anew"] * 2
    assert board.requests.ask("hb") == {"op": "hb"}


def test_what_waited_goes_on_when_it_was_no_reboot() -> None:
    board = Rebooting(same_boot=True)
    workers, ends = two_that_wait(board)
    with board.requests.greeting(drained=False):
        board.requests.ask("hello")
    for worker in workers:
        worker.join(5)
    assert sorted(board.executed) == ["eye", "reset"]
    assert sorted(end["op"] for end in ends) == ["eye", "reset"]


def test_a_new_link_session_waits_until_nobody_waits() -> None:
    board = Rebooting(same_boot=False)
    board.deaf = True
    workers, ends = two_that_wait(board)
    threading.Timer(0.2, lambda: setattr(board, "deaf", False)).start()
    with board.requests.greeting(drained=True):
        assert len(ends) == 2
        board.requests.ask("hello")
    for worker in workers:
        worker.join(5)
    assert sorted(board.executed) == ["eye", "reset"]
