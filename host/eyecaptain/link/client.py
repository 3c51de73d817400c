"""A link session with one board: hello, requests, events, heartbeat (protocol.md).

Two threads serve it: one reads the line, the other keeps the link alive and asks again for what was lost. All public
functions may be called from any thread.
"""

import contextlib
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Self

from eyecaptain.errors import CaptainError, LinkLost, NoBoard
from eyecaptain.language import _
from eyecaptain.link.console import Console
from eyecaptain.link.errors import BoardRefused, LinkError, OtherVersion, Rebooted
from eyecaptain.link.line import Line
from eyecaptain.link.messages import PROTO, Event, Hello
from eyecaptain.link.requests import REPLY_WAIT, TRIES, Requests
from eyecaptain.link.tape import Tape
from eyecaptain.link.wake import wake
from eyedeck.link import frame

LEASE = 1500  # milliseconds
PATIENCE = 1.0  # seconds for the first reply to `hello`
BEATS_A_LOOK = 4  # every so many heartbeats is a `state`, which shows whether the last event was lost


def _nobody(_: str) -> None:
    """Hear a note and do nothing."""


class Client:
    """A board that has answered `hello`.

    :param port: a port's name or URL.
    :param deliver: is called with every event, one at a time, and must not block; a queue's `put` is made for it.
    :param lease: milliseconds without a request after which an armed board stops its motor.
    :param patience: seconds until a board that does not answer `hello` is taken for one left at its prompt.
    :param rouse: start what is left at its prompt; else a board that does not answer is a lost link.
    :param slow: as of `Requests`.
    :param say: is told what a person should know, such as that a board was brought back.
    :param show: is called with every line of console text.
    :param tape: keeps the raw lines; it may outlive a link session.
    :raises NoBoard: no such port, taken, not permitted, another program's, or a firmware of another major version.
    :raises LinkLost: nothing answers, or the port vanished.
    """

    def __init__(
        self,
        port: str,
        deliver: Callable[[Event], None],
        *,
        lease: int = LEASE,
        patience: float = PATIENCE,
        rouse: bool = True,
        slow: float = 1.0,
        say: Callable[[str], None] = _nobody,
        show: Callable[[str], None] | None = None,
        tape: Tape | None = None,
    ) -> None:
        self.port = port
        self.tape = Tape() if tape is None else tape
        self.console = Console(show)
        self.lost: LinkLost | None = None
        self._deliver = deliver
        self._lease = lease
        self._say = say
        self._nonce = secrets.token_hex(4)
        self._greeted = False  # the reply with our nonce has come
        self._last_sent = 0.0
        self._seen: deque[tuple[int, int]] = deque(maxlen=16)  # (n, t) of the last events
        self._last_n = 0
        self._counting = False  # the first state has come, so a gap is a gap
        self._missed = 0  # events
        self._doubled = 0
        self._decoder = frame.Decoder(frame.REPLY)
        self._slow = slow
        self._requests = Requests(self._send, slow)
        self._todo = threading.Condition()
        self._suspect = False  # the board may have rebooted
        self._gap = False
        self._joined = False
        self._closing = False
        self._line = Line(port, self.tape)
        self._reader = threading.Thread(target=self._read, name=f"read {port}", daemon=True)
        self._keeper = threading.Thread(target=self._keep, name=f"keep {port}", daemon=True)
        self._reader.start()
        try:
            self.hello = self._greet(patience, rouse)
            self._joined = True
            self._requests.ask("state", on_ok=self._catch_up)
        except BaseException as error:
            self.close()
            self._report(error)
            raise
        self._keeper.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(self, op: str, *, wait: float = REPLY_WAIT, tries: int = TRIES, **args: Any) -> dict[str, Any]:
        """Ask the board for `op` with `args` (protocol.md, operations) and return its reply.

        :param wait: seconds for a reply to each of `tries` sendings.
        :raises BoardRefused: it refused.
        :raises LinkError: it did not answer; the link session is over then.
        :raises LinkLost: the link was lost.
        """
        try:
            return self._requests.ask(op, args, wait=wait, tries=tries)
        except BoardRefused as refusal:
            if refusal.code == "lease":  # SAFE, or it does not know us: it rebooted
                self._ask_keeper(suspect=True)
            raise
        except LinkLost as error:
            self._lose(error)
            self._report(error)
            raise

    def rejoin(self) -> None:
        """Begin a new link session on the same line, as leaving SAFE needs; a `state` or `rebooted` event follows.

        The board stops watching the die, and keeps its chips.

        :raises LinkLost: no reply, or the link was lost.
        :raises NoBoard: the board came back with another firmware.
        """
        try:
            with self._requests.greeting(drained=True):
                self._nonce = secrets.token_hex(4)
                if not self._meet(self._ask_hello(TRIES)):
                    self._requests.ask("state", on_ok=self._catch_up)
        except LinkLost as error:
            self._lose(error)
            raise

    def _report(self, error: BaseException) -> None:
        """Have an error carry the last raw lines, for who ends by it."""
        if isinstance(error, CaptainError):
            error.lines = self.tape.lines()

    @property
    def counts(self) -> dict[str, int]:
        """What went wrong on the line so far; all 0 on a good one."""
        return {
            "resent": self._requests.resent,
            "stray": self._requests.stray,
            "crc": self._decoder.crc,
            "bad": self._decoder.bad,
            "missed": self._missed,
            "doubled": self._doubled,
        }

    def close(self) -> None:
        """Stop the motor if the board can still be reached, then close the port; safe to call twice."""
        with self._todo:
            if self._closing:
                return
            self._closing = True
            self._todo.notify_all()
        try:
            if self._joined:
                self._stop()
        finally:
            self._requests.end(LinkLost(_("The link to {port} is closed.").format(port=self.port)))
            if self._keeper.is_alive():
                self._keeper.join()
            self._line.cancel_read()
            self._reader.join()
            self._line.close()

    def _stop(self) -> None:
        """Switch the motor off; when no reply can be had, at least say so once more."""
        if self.lost is None:
            with contextlib.suppress(LinkLost, BoardRefused):
                self._requests.ask("stop")
                self._requests.ask("watch", {"on": False})
                return
        with contextlib.suppress(LinkLost):
            self._requests.post("stop")

    # Hello

    def _greet(self, patience: float, rouse: bool) -> Hello:
        """Say hello until it is answered; wake the board when it is not."""
        self._line.write(b"\n" * 480)  # ends any half-read frame
        answers: list[dict[str, Any]] = []

        def hello(seconds: float) -> bool:
            with contextlib.suppress(LinkError):
                answers.append(self._ask_hello(max(1, round(seconds / REPLY_WAIT / self._slow))))
            return bool(answers)

        deadline = time.monotonic() + patience
        while not hello(min(patience, PATIENCE * self._slow)):
            if time.monotonic() >= deadline or self.console.prompt(0):
                if not rouse:
                    raise LinkLost(_("Our firmware does not answer at {port}.").format(port=self.port))
                wake(self.port, self._line.write, self.console, hello, self._say, slow=self._slow)
                break
        return self._understand(answers[0])

    def _ask_hello(self, tries: int) -> dict[str, Any]:
        args = {"proto": list(PROTO), "nonce": self._nonce, "lease": self._lease}
        try:
            return self._requests.ask("hello", args, tries=tries)
        except BoardRefused as refusal:
            if refusal.code == "version":
                raise self._other_version() from refusal
            raise

    def _understand(self, answer: dict[str, Any]) -> Hello:
        match answer.get("proto"):
            case [int(major), *_] if major != PROTO[0]:
                raise self._other_version(major)
        try:
            return Hello.parse(answer)
        except ValueError as error:
            raise self._other_version() from error

    def _other_version(self, number: int | None = None) -> OtherVersion:
        words = _("The firmware of the board at {port} speaks another version of the protocol; this program speaks {ours}.")
        if number is not None:
            words = _(
                "The firmware of the board at {port} speaks version {number} of the protocol; this program speaks {ours}."
            )
        return OtherVersion(
            words.format(port=self.port, number=number, ours=PROTO[0]),
            _("`captain flash` puts the firmware that belongs to this program on it."),
        )

    def _meet(self, answer: dict[str, Any]) -> bool:
        """Take a later answer to `hello`; whether the board has rebooted since the one before."""
        before, self.hello = self.hello, self._understand(answer)
        if self.hello.boot == before.boot:
            return False
        self._requests.fail(
            Rebooted(_("The board at {port} started anew.").format(port=self.port), _("Is its supply strong enough?"))
        )
        self._seen.clear()
        self._requests.ask("state", on_ok=self._rebooted)
        return True

    def _rebooted(self, state: dict[str, Any]) -> None:
        """In the reader's thread, so that no later event comes before this one."""
        self._last_n = self._number(state)
        self._tell("rebooted", {"reset": self.hello.reset, "state": state})

    # The reader's thread

    def _read(self) -> None:
        try:
            while not self._line.closed:
                for kind, value in self._decoder.feed(self._line.read()):
                    if kind == frame.MESSAGE:
                        self._take(value)
                    else:
                        self.console.take(value)
                self.console.trail(self._decoder.partial)
        except LinkLost as error:
            self._lose(error)

    def _take(self, message: dict[str, Any]) -> None:
        match message:
            case {"re": int(), "ok": {"nonce": nonce}}:
                if nonce == self._nonce:  # else it is for an earlier program's hello
                    self._greeted = True
                    self._requests.answer(message)
            case {"re": int()}:
                self._requests.answer(message)
            case {"ev": str(what), "n": int(n), "t": int(t), "d": dict(data)} if self._greeted:
                self._event(Event(what, data, time.monotonic(), n, t))
            case {"lg": str(level), "m": str(text)}:
                self.console.take(f"{level}: {text}".encode())

    def _event(self, event: Event) -> None:
        """Deliver an event once; a gap in the numbers, or a step back, is looked into."""
        assert event.n is not None
        assert event.t is not None
        if (event.n, event.t) in self._seen:
            self._doubled += 1
            return
        self._seen.append((event.n, event.t))
        if event.n <= self._last_n:
            # Older than a state that was delivered, which overtook it; or the board has rebooted.
            self._ask_keeper(suspect=True)
            if event.what == "die":
                return
        elif event.n > self._last_n + 1 and self._counting:
            self._missed += event.n - self._last_n - 1
            self._ask_keeper(gap=True)
        self._last_n = max(self._last_n, event.n)
        self._deliver(event)

    def _tell(self, what: str, data: dict[str, Any]) -> None:
        self._deliver(Event(what, data, time.monotonic()))

    def _lose(self, error: LinkLost) -> None:
        """End the link session, and say so once."""
        with self._todo:
            if self.lost is not None or self._closing:
                self._requests.end(error)
                return
            self.lost = error
            self._todo.notify_all()
        self._requests.end(error)
        if self._joined:
            self._tell("lost", {"why": error.message})

    # The keeper's thread

    def _ask_keeper(self, *, suspect: bool = False, gap: bool = False) -> None:
        with self._todo:
            self._suspect |= suspect
            self._gap |= gap
            self._todo.notify_all()

    def _keep(self) -> None:
        beats = 0
        while True:
            with self._todo:
                pause = self._last_sent + self.hello.lease[1] / 3000 - time.monotonic()
                self._todo.wait_for(lambda: self._closing or self.lost or self._suspect or self._gap, max(pause, 0))
                if self._closing or self.lost:
                    return
                suspect, self._suspect = self._suspect, False
                gap, self._gap = self._gap, False
            try:
                if suspect:
                    with self._requests.greeting(drained=False):
                        self._meet(self._ask_hello(TRIES))
                if gap:
                    self._requests.ask("state", on_ok=self._catch_up)
                elif time.monotonic() >= self._last_sent + self.hello.lease[1] / 3000:
                    beats += 1
                    self._beat(look=beats % BEATS_A_LOOK == 0)
            except BoardRefused:
                continue
            except LinkLost as error:
                self._lose(error)
            except NoBoard as error:
                self._lose(LinkLost(error.message, error.hint))

    def _beat(self, look: bool) -> None:
        if not look:
            self.request("hb")
        elif self._number(self.request("state")) > self._last_n:
            # The event is lost, or on its way behind this reply. The next beat would tell, but so does asking again.
            self._ask_keeper(gap=True)

    def _catch_up(self, state: dict[str, Any]) -> None:
        """In the reader's thread, so that no later event comes before this one."""
        self._counting = True
        self._last_n = max(self._last_n, self._number(state))
        self._tell("state", state)

    @staticmethod
    def _number(state: dict[str, Any]) -> int:
        n = state.get("n")
        return n if isinstance(n, int) else 0

    def _send(self, data: bytes) -> None:
        self._last_sent = time.monotonic()
        self._line.write(data)
