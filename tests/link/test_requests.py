"""The law of requests: whatever the line loses, doubles or delays, nothing is done twice, and every call ends."""

import json
import threading
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
