"""A board on a serial port, real or simulated: what it can do, kept up over lost links and reboots."""

import contextlib
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.link.client import Client
from eyecaptain.link.errors import BoardRefused
from eyecaptain.link.messages import Event, Hello
from eyecaptain.link.ports import Port, find
from eyecaptain.link.tape import Tape

POWER = 60  # percent of what the motor may have
RUN = 60_000  # milliseconds that one `eye` may run
RENEW = 20.0  # seconds after which it is renewed
START = 5.0  # seconds that a board which is plugged in may take to answer
SEEK = (0.25, 2.0)  # seconds between two looks for a lost board, at first and at most


class SerialBoard:
    """One board: eye, chips, and the events of die and switch.

    Events go to `events` as they come (see `link.messages.Event`), `state` first. After `lost` the board is looked for
    by its serial number, under whatever name, until `close`; `back` or `rebooted` says that it was found. What it has
    to know is then sent again: the chips, and that the die is watched; the eye stays off until it is asked for.

    All functions may be called from any thread, and end in less than a second.

    :param port: where it is, from `link.ports.choose`.
    :param say: is told what a person should know.
    :param show: is called with every line of the board's console text.
    :param sink: is called with (host monotonic seconds, direction, text) for every raw line, for `--trace`.
    :raises NoBoard: no such port, taken, not permitted, another program's, or a firmware of another major version.
    :raises LinkLost: nothing answers.
    """

    def __init__(
        self,
        port: Port,
        events: queue.Queue[Event],
        *,
        say: Callable[[str], None] = lambda _: None,
        show: Callable[[str], None] | None = None,
        sink: Callable[[float, str, str], None] | None = None,
    ) -> None:
        self.port = port
        self._events = events
        self._say = say
        self._show = show
        self._tape = Tape(sink)
        self._before: Counter[str] = Counter()  # counts of earlier link sessions
        self._reconnects = 0
        self._doing = threading.RLock()  # one intent at a time, so that arm, eye and a new hello never mix
        self._asked = False  # for the eye to roam
        self._rolling = False  # as far as we were told
        self._rolled = False  # when the link was lost
        self._power = POWER
        self._renew_at = 0.0
        self._chips: tuple[list[str], str] | None = None
        self._todo = threading.Condition()
        self._gone = False  # the link is lost
        self._fresh = False  # the board has rebooted and knows nothing
        self._closing = False
        self._client = Client(port.port, self._hear, slow=port.slow, say=say, show=show, tape=self._tape)
        try:
            self._brief()
        except BaseException:
            self._client.close()
            raise
        self._tender = threading.Thread(target=self._tend, name=f"tend {port.port}", daemon=True)
        self._tender.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def hello(self) -> Hello:
        """Who answered the last `hello`."""
        return self._client.hello

    @property
    def counts(self) -> dict[str, int]:
        """What went wrong on the line so far, and how often the board was found again."""
        now = self._client.counts
        return {name: now[name] + self._before[name] for name in now} | {"reconnects": self._reconnects}

    def last_lines(self) -> list[str]:
        """Return the last hundred raw lines, for an error report."""
        return self._tape.lines()

    def eye(self, on: bool, power: int = POWER) -> None:
        """Let the eye roam, or stop and disarm it. It roams until it is stopped, by whomever.

        :param power: percent of what the motor may have; a change counts from the next start.
        :raises BoardRefused: code `switch` while the eye's switch is off, `fault`, `busy`.
        :raises LinkLost: the board cannot be reached; it stops the motor itself then.
        """
        with self._doing:
            if not on:
                if self._asked:
                    self._asked = self._rolling = False
                    self._client.request("stop")
                return
            if self._asked and self._rolling:
                return
            self._power = power
            try:
                self._roam()
            except BoardRefused as refusal:
                if refusal.code not in ("lease", "not_armed"):
                    raise
                # SAFE after a lost lease, or rebooted: both take a new hello.
                self._client.rejoin()
                self._brief()
                self._roam()
        with self._todo:
            self._todo.notify_all()

    def chips(self, colours: Sequence[str], fx: str = "steady") -> None:
        """Light the chips.

        :param colours: one for each chip awarded, in order, of `off white red green blue yellow orange cyan magenta`,
            or `rrggbb`.
        :param fx: `steady pulse chase win`.
        :raises BoardRefused: code `bad_arg` for another colour or effect.
        :raises LinkLost: the board cannot be reached; it is told when it is back.
        """
        with self._doing:
            self._chips = (list(colours), fx)
            self._client.request("chips", c=list(colours), fx=fx)

    def die(self) -> dict[str, Any]:
        """Return the newest judged reading: `face conf why raw age` (protocol.md)."""
        return self._client.request("die")

    def state(self) -> dict[str, Any]:
        """Return everything that the board knows of itself (protocol.md, `state`)."""
        return self._client.request("state")

    def close(self) -> None:
        """Stop the motor and let go of the port; safe to call twice."""
        with self._todo:
            if self._closing:
                return
            self._closing = True
            away = self._gone
            self._todo.notify_all()
        self._client.close()
        if not away:  # else it may be opening a port; it closes what it opens
            self._tender.join()

    def _roam(self) -> None:
        self._client.request("arm")
        self._client.request("eye", mode="roam", power=self._power, ms=RUN)
        self._asked = self._rolling = True
        self._renew_at = time.monotonic() + RENEW

    def _brief(self) -> None:
        """Tell a board that has just said hello what it has to know."""
        self._client.request("watch", on=True)
        if self._chips is not None:
            self._client.request("chips", c=self._chips[0], fx=self._chips[1])

    def _hear(self, event: Event) -> None:
        """Take an event from the client's threads."""
        if event.what == "eye" and event.data.get("why") == "replaced":
            return  # our own renewal
        if event.what in ("rebooted", "lost"):  # a supply that collapses under the motor is worth knowing
            event = replace(event, data={**event.data, "motor": self._rolling})
        if event.what in ("lost", "rebooted", "lease"):
            self._rolled = self._rolling
            self._asked = self._rolling = False
        elif _stopped(event):
            self._rolling = False
        self._events.put(event)
        with self._todo:
            self._gone |= event.what == "lost"
            self._fresh |= event.what == "rebooted"
            self._todo.notify_all()

    # The tender's thread

    def _tend(self) -> None:
        while True:
            with self._todo:
                if not (self._closing or self._gone or self._fresh):
                    self._todo.wait(max(self._renew_at - time.monotonic(), 0) if self._asked else None)
                if self._closing:
                    return
                gone, fresh, self._fresh = self._gone, self._fresh, False
            with contextlib.suppress(LinkLost, BoardRefused):  # `lost` says it too
                if gone:
                    self._seek()
                elif fresh:
                    with self._doing:
                        self._brief()
                elif self._asked and time.monotonic() >= self._renew_at:
                    self._renew()

    def _renew(self) -> None:
        """Let the eye roam on, unless it has stopped for a reason of its own."""
        with self._doing:
            if not self._asked:
                return
            self._renew_at = time.monotonic() + RENEW
            state = Event("state", self._client.request("state"), time.monotonic())
            if not _stopped(state):
                self._client.request("eye", mode="roam", power=self._power, ms=RUN)
                self._rolling = True
            elif self._rolling:  # the event is lost
                self._rolling = False
                self._events.put(state)

    def _seek(self) -> None:
        """Find the board again and join it, whatever its port is called now."""
        before = self._client.hello
        rolled, self._rolled = self._rolled, False
        self._client.close()
        pause = SEEK[0]
        problems: Counter[str] = Counter()
        while True:
            with self._todo:
                if self._todo.wait_for(lambda: self._closing, pause):
                    return
            pause = min(pause * 1.5, SEEK[1])
            port = find(self.port.serial) if self.port.serial else self.port
            if port is None:
                continue
            try:
                client = Client(
                    port.port, self._hear, patience=START, slow=port.slow, say=self._say, show=self._show, tape=self._tape
                )
            except NoBoard as error:  # taken meanwhile, or another firmware; the first time it may still be coming up
                problems[error.message] += 1
                if problems[error.message] == 2:
                    self._say(f"{error.message} {error.hint}")
                continue
            except (LinkLost, BoardRefused):
                continue
            if client.hello.uid != before.uid:
                client.close()
                continue
            with self._doing:
                with self._todo:
                    if self._closing:
                        client.close()
                        return
                    self._before.update(self._client.counts)
                    self._reconnects += 1
                    self._client, self.port, self._gone = client, port, client.lost is not None
                news: dict[str, Any] = {"reset": client.hello.reset, "port": port.port}
                if client.hello.boot == before.boot:
                    what = "back"
                else:
                    what, news["motor"] = "rebooted", rolled
                self._events.put(Event(what, news, time.monotonic()))
                self._brief()
            return


def _stopped(event: Event) -> bool:
    """Whether an event says that the eye stands still, and not because we said so."""
    match event:
        case Event("eye", {"mode": "off", "why": why}):
            return bool(why != "host")
        case Event("state", {"eye": [mode, *_]}):
            return bool(mode == "off")
        case _:
            return False
