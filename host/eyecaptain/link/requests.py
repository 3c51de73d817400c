"""Requests and their replies: ids, resending, at most two at a time (protocol.md, messages).

The board answers a repeated id from its memory of the last eight and does not carry it out again. So that a resend can
never come after its id was forgotten there, no request may begin while one that is seven older still waits: six newer ones, and
an older one whose first sending was lost, may have been carried out after it. And nothing is sent again across a `hello`, which
makes a board forget all of them (as does a reboot, which only `hello` reveals).
"""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from eyecaptain.errors import LinkLost
from eyecaptain.language import _
from eyecaptain.link.errors import BoardRefused, LinkError
from eyedeck.link import frame

REPLY_WAIT = 0.25  # seconds
TRIES = 3
OUTSTANDING = 2
REMEMBERED = 8  # replies that the board keeps
LAST_ID = 65535


class _Waiting:
    """A request that has no reply yet."""

    __slots__ = ("failed", "on_ok", "order", "parked", "reply")

    def __init__(self, order: int, on_ok: Callable[[dict[str, Any]], None] | None) -> None:
        self.order = order  # how many were begun before it
        self.on_ok = on_ok
        self.parked = False  # until somebody else's hello is answered
        self.reply: dict[str, Any] | None = None
        self.failed: LinkLost | None = None

    @property
    def over(self) -> bool:
        return self.reply is not None or self.failed is not None


class Requests:
    """Sends requests from any thread and hands each its reply.

    :param send: puts a frame on the line, and raises LinkLost when it cannot.
    :param slow: the board takes so many times as long to answer (an emulated chip).
    """

    def __init__(self, send: Callable[[bytes], None], slow: float = 1.0) -> None:
        self._send = send
        self._slow = slow
        self._changed = threading.Condition()
        self._waiting: dict[int, _Waiting] = {}
        self._begun = 0
        # Not always 1: a late reply to an earlier program's request must not look like one to ours.
        self._id = random.randrange(LAST_ID)  # noqa: S311 - not a secret
        self._dead: LinkLost | None = None
        self._greeting: int | None = None  # the thread that says hello: all others wait
        self._holding = False  # ... also with sending again
        self.resent = 0
        self.stray = 0

    def ask(
        self,
        op: str,
        args: dict[str, Any] | None = None,
        *,
        wait: float = REPLY_WAIT,
        tries: int = TRIES,
        on_ok: Callable[[dict[str, Any]], None] | None = None,
    ) -> dict[str, Any]:
        """Send one request, again with the same id while no reply comes, and return what the board says.

        :param wait: seconds for a reply to each of `tries` sendings.
        :param on_ok: is called with a good reply in the reader's thread, before anything that came after it is read.
        :raises BoardRefused: the board refused it.
        :raises LinkError: no reply.
        :raises LinkLost: the link was lost meanwhile or before.
        """
        number, waiting = self._begin(on_ok)
        try:
            data = frame.encode({"id": number, "op": op, **({"a": args} if args else {})}, frame.REQUEST)
            for attempt in range(tries):
                if attempt:
                    if not self._may_send_again(waiting):
                        break
                    self.resent += 1
                self._send(data)
                with self._changed:
                    if self._changed.wait_for(lambda: waiting.over, wait * self._slow):
                        break
            else:
                raise LinkError(
                    _("The board does not answer: no reply to `{op}`, sent {tries} times.").format(op=op, tries=tries),
                    _("Is it still plugged in?"),
                )
        finally:
            with self._changed:
                del self._waiting[number]
                self._changed.notify_all()
        if waiting.failed is not None:
            raise _copy(waiting.failed)
        assert waiting.reply is not None
        if "er" in waiting.reply:
            raise BoardRefused(op, *_error(waiting.reply["er"]))
        return _ok(waiting.reply)

    @contextmanager
    def greeting(self, *, drained: bool) -> Iterator[None]:
        """Say hello within this: meanwhile nobody else begins a request.

        :param drained: wait first until nobody else waits for a reply. Without it the board is thought to have rebooted, so
            that nobody would ever get one: then they send nothing again until the answer tells whether to `fail` them.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._greeting is None)
            self._greeting, self._holding = threading.get_ident(), not drained
            self._changed.wait_for(lambda: self._holding or not self._waiting)
        try:
            yield
        finally:
            with self._changed:
                self._greeting, self._holding = None, False
                self._changed.notify_all()

    def post(self, op: str) -> None:
        """Send one request and wait for nothing, when the link is as good as lost.

        :raises LinkLost: not even that.
        """
        self._id = self._id % LAST_ID + 1
        self._send(frame.encode({"id": self._id, "op": op}, frame.REQUEST))

    def answer(self, message: dict[str, Any]) -> None:
        """Take a reply from the line; one that nobody waits for (any more) is counted."""
        with self._changed:
            waiting = self._waiting.get(message["re"]) if isinstance(message["re"], int) else None
            if waiting is None or waiting.over:
                self.stray += 1
                return
        if waiting.on_ok is not None and "er" not in message:
            waiting.on_ok(_ok(message))
        with self._changed:
            waiting.reply = message
            self._changed.notify_all()

    def fail(self, error: LinkLost) -> None:
        """End those that wait with `error`."""
        with self._changed:
            for waiting in self._waiting.values():
                waiting.failed = waiting.failed or error
            self._changed.notify_all()

    def end(self, error: LinkLost) -> None:
        """End those that wait, and refuse all later ones, with `error`."""
        with self._changed:
            self._dead = self._dead or error
        self.fail(error)

    def _begin(self, on_ok: Callable[[dict[str, Any]], None] | None) -> tuple[int, _Waiting]:
        """Wait for room, and take the next id."""
        with self._changed:
            self._changed.wait_for(lambda: self._dead is not None or (self._my_turn() and self._room()))
            if self._dead is not None:
                raise _copy(self._dead)
            self._id = self._id % LAST_ID + 1
            waiting = self._waiting[self._id] = _Waiting(self._begun, on_ok)
            self._begun += 1
            return self._id, waiting

    def _my_turn(self) -> bool:
        return self._greeting in (None, threading.get_ident())

    def _may_send_again(self, waiting: _Waiting) -> bool:
        """Wait until nobody says hello; whether it still makes sense then."""
        with self._changed:
            if self._holding and not self._my_turn():
                waiting.parked = True
                self._changed.notify_all()
                self._changed.wait_for(lambda: waiting.over or not self._holding)
                waiting.parked = False
            return not waiting.over

    def _room(self) -> bool:
        if sum(not waiting.parked for waiting in self._waiting.values()) >= OUTSTANDING:
            return False
        newer = REMEMBERED - OUTSTANDING  # the board also remembers the request itself, and older ones that came to it later
        return all(self._begun - waiting.order <= newer for waiting in self._waiting.values())


def _ok(reply: dict[str, Any]) -> dict[str, Any]:
    ok = reply.get("ok")
    return ok if isinstance(ok, dict) else {}


def _copy(error: LinkLost) -> LinkLost:
    """The same once more: an exception that two threads raise would mix up their tracebacks."""
    return type(error)(error.message, error.hint)


def _error(er: Any) -> tuple[str, str]:
    """The code and text of an error reply, whatever shape it has."""
    match er:
        case [str(code), str(text), *_]:
            return code, text
        case [str(code)]:
            return code, ""
        case _:
            return "fault", str(er)
