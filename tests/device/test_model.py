"""A model of everything between a host's intent and the motor, in a time of its own.

The host's real requests, a channel that loses, doubles, damages and holds up lines both ways, the real dispatcher with the
real guard. Whatever happens: every intent is carried out at most once and answered with its own result, every job ends in
exactly one event, the host always comes to an end, and the motor never runs longer than its reasons.
"""

from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from device.fakes import Clock, Hardware
from eyecaptain.errors import LinkLost
from eyecaptain.link.errors import BoardRefused
from eyecaptain.link.requests import REPLY_WAIT, TRIES, Requests
from eyedeck.config import Config
from eyedeck.core import guard
from eyedeck.deck import Deck
from eyedeck.link import frame
from support import runs

pytestmark = pytest.mark.soak

LEASE = 600
STEP = 10  # ms
TRAVEL = 10  # ms that a line takes at least
FATES = ("whole", "whole", "whole", "drop", "double", "flip", "cut", "merge", "late")
# Answered also by a board that knows no host, and then for each resend anew: none of them starts anything.
ANY_TIME = ("stop", "state", "die")


class Channel:
    """One direction: lines in order, each with the next of the fates that hypothesis dealt."""

    def __init__(self, fates: deque[tuple[str, int]]) -> None:
        self.fates = fates
        self.under_way: deque[tuple[int, bytes]] = deque()

    def put(self, now: int, line: bytes) -> None:
        fate, where = self.fates.popleft() if self.fates else ("whole", 0)
        at = where % (len(line) - 1)
        pieces = {
            "whole": line,
            "drop": b"",
            "double": line + line,
            "flip": line[:at] + bytes([line[at] ^ (where // 256 % 127 + 1)]) + line[at + 1 :],
            "cut": line[:at],
            "merge": line[:-1],
            "late": line,
        }
        due = now + TRAVEL + (where % 900 if fate == "late" else 0)
        if self.under_way:
            due = max(due, self.under_way[-1][0])
        self.under_way.append((due, pieces[fate]))

    def due(self, now: int) -> bytes:
        data = b""
        while self.under_way and self.under_way[0][0] <= now:
            data += self.under_way.popleft()[1]
        return data


class Time:
    """Stands for the condition that the host's threads wait on: waiting lets the world go on."""

    def __init__(self, world: "World") -> None:
        self.world = world

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def notify_all(self) -> None:
        pass

    def wait_for(self, true: Callable[[], bool], timeout: float | None = None) -> bool:
        assert timeout is not None or true(), "a host that waits for ever"
        end = self.world.clock.ms + round((timeout or 0) * 1000)
        while not true() and self.world.clock.ms < end:
            self.world.step()
        return true()


class World:
    """Host, channel and board."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.fates: deque[tuple[str, int]] = deque()
        self.executed: Counter[int] = Counter()
        self.begun: Counter[str] = Counter()  # link sessions, by nonce
        self.jobs: Counter[tuple[int, int]] = Counter()  # `job` events, by boot and number
        self.boots = 0
        self.tags = 0
        self.blocked_until = 0
        self.renewed = -(10**6)
        self.run_until = -(10**6)
        self.meanwhile: list[Callable[[], None]] = []
        self.requests = Requests(self.to_board)
        self.requests._changed = Time(self)  # type: ignore[assignment]
        self.boot()

    # The board

    def boot(self) -> None:
        self.boots += 1
        self.sent = self.dropped = 0
        self.hardware = Hardware(self.clock)
        self.board_decoder = frame.Decoder(frame.REQUEST)
        self.deck = Deck(self.hardware, Config(), self.clock, self, self.board_decoder, "/nowhere/cal.json")
        session = self.deck.session
        session._ops = {name: self.counted(name, op) for name, op in session._ops.items()}
        begin = session._begin
        self.run_until = -(10**6)

        def begins(lease: int | None) -> None:
            self.begun[f"{self.boots} {session.nonce}"] += 1
            begin(lease)

        session._begin = begins
        self.inward = Channel(self.fates)
        self.outward = Channel(self.fates)
        self.host_decoder = frame.Decoder(frame.REPLY)

    def counted(self, name: str, op: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
        def run(args: dict[str, Any]) -> dict[str, Any]:
            if name not in ANY_TIME:
                self.executed[args["tag"]] += 1
            # The guard renews with every request that the session takes; so does this witness.
            self.renewed = self.clock.ms
            result = {**op(args), "tag": args["tag"]}
            if name == "eye":
                self.run_until = self.clock.ms + args["ms"] if args["mode"] != "off" else self.clock.ms
            return result

        return run

    def send(self, kind: str, data: bytes) -> None:
        """As the board's sender."""
        ((_, message),) = frame.Decoder(frame.REPLY).feed(data)
        if kind == "job":
            self.jobs[self.boots, message["d"]["job"]] += 1
        self.outward.put(self.clock.ms, data)

    # Time

    def step(self) -> None:
        self.clock.ms += STEP
        now = self.clock.ms
        if now % guard.PERIOD == 0:
            self.deck.guard.tick(self)
        self.check()
        if now >= self.blocked_until:
            for kind, value in self.board_decoder.feed(self.inward.due(now)):
                if kind == frame.MESSAGE:
                    if any(value.get("id") == ident for ident, _ in self.deck.session._replies):
                        self.renewed = now  # a resend counts, too
                    self.deck.message(value)
                elif kind == frame.LINE:
                    self.deck.line(value)
            if now % 20 == 0:
                self.deck.step(self.clock.ticks_ms())
                if self.hardware.resets:
                    self.boot()
        for kind, value in self.host_decoder.feed(self.outward.due(now)):
            if kind == frame.MESSAGE and "re" in value:
                self.requests.answer(value)
        if self.meanwhile:
            self.meanwhile.pop()()

    def check(self) -> None:
        if self.hardware.motor.on:
            assert self.clock.ms <= self.renewed + LEASE + guard.PERIOD
            assert self.clock.ms <= self.run_until + guard.PERIOD
            assert not self.deck.guard.safe

    # The host

    def to_board(self, data: bytes) -> None:
        self.inward.put(self.clock.ms, data)

    def ask(self, op: str, **args: Any) -> str:
        """An intent, and how it ended."""
        self.tags += 1
        tag = self.tags
        began, others = self.clock.ms, len(self.meanwhile) + 1
        try:
            reply = self.requests.ask(op, {**args, "tag": tag})
        except BoardRefused as refusal:
            end = refusal.code
        except LinkLost:
            end = "lost"
        else:
            end = "ok"
            if op != "hello":
                assert reply["tag"] == tag, "somebody else's answer"
                assert op in ANY_TIME or self.executed[tag] == 1, "an answer without an execution"
        assert self.clock.ms - began <= others * (TRIES * REPLY_WAIT * 1000 + TRIES * STEP)
        return end


class Model(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.world = World()
        self.nonces = 0

    @rule(fates=st.lists(st.tuples(st.sampled_from(FATES), st.integers(0, 65535)), min_size=1, max_size=12))
    def bad_line(self, fates: list[tuple[str, int]]) -> None:
        self.world.fates.extend(fates)

    @rule()
    def hello(self) -> None:
        self.nonces += 1
        nonce = f"n{self.nonces}"
        for _ in range(8):
            if self.world.ask("hello", proto=[1, 0], nonce=nonce, lease=LEASE) == "ok":
                return

    @rule(op=st.sampled_from(["hb", "arm", "disarm", "stop", "state", "die", "fly"]))
    def ask(self, op: str) -> None:
        self.world.ask(op)

    @rule(mode=st.sampled_from(["roam", "steady", "off"]), ms=st.sampled_from([80, 500, 5000, 600000]))
    def eye(self, mode: str, ms: int) -> None:
        self.world.ask("eye", mode=mode, power=70, ms=ms)

    @rule(mode=st.sampled_from(["roam", "steady"]), ms=st.sampled_from([80, 300, 900, 600000]))
    def start(self, mode: str, ms: int) -> None:
        """The way to a running motor, which single steps would seldom find."""
        self.hello()
        self.world.ask("arm")
        self.world.ask("eye", mode=mode, power=70, ms=ms)

    @rule(k=st.integers(1, 3))
    def sample(self, k: int) -> None:
        self.world.ask("sample", k=k)

    @rule(first=st.sampled_from(["hb", "arm", "state"]), second=st.sampled_from(["stop", "hb", "chips"]))
    def two_at_once(self, first: str, second: str) -> None:
        args = {"c": ["red"]} if second == "chips" else {}

        def other() -> None:
            self.world.ask(second, **args)

        self.world.meanwhile = [other]
        self.world.ask(first)
        self.world.meanwhile = []

    @rule(ms=st.integers(1, 200))
    def silence(self, ms: int) -> None:
        for _ in range(ms):
            self.world.step()

    @rule(beats=st.integers(1, 8))
    def heartbeats(self, beats: int) -> None:
        for _ in range(beats):
            self.world.ask("hb")
            self.silence(15)

    @rule(ms=st.integers(50, 2000))
    def blocked_loop(self, ms: int) -> None:
        self.world.blocked_until = self.world.clock.ms + ms

    @rule(on=st.booleans())
    def switch(self, on: bool) -> None:
        self.world.hardware.switch.turn(on)

    @rule(ok=st.integers(0, 1))
    def driver(self, ok: int) -> None:
        self.world.hardware.driver_ok = ok

    @rule()
    def reset(self) -> None:
        """Its reply may be lost; sent again, it comes to a board that has begun anew."""
        self.world.ask("reset")

    @rule()
    def reboot(self) -> None:
        self.world.boot()

    @invariant()
    def at_most_once(self) -> None:
        if hasattr(self, "world"):
            assert all(count == 1 for count in self.world.executed.values())
            assert all(count == 1 for count in self.world.begun.values())
            assert all(count == 1 for count in self.world.jobs.values())

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        world = self.world
        world.fates.clear()
        world.blocked_until = 0
        world.hardware.driver_ok = 1
        for _ in range(1000 // STEP):  # what is late arrives
            world.step()
        self.hello()
        assert world.ask("stop") == "ok", "a good line, and still no answer"
        for _ in range(1000 // STEP):
            world.step()
        assert not world.hardware.motor.on
        assert not world.requests._waiting
        begun = world.deck._jobs.number
        assert [world.jobs[world.boots, number] for number in range(1, begun + 1)] == [1] * begun


TestModel = Model.TestCase
TestModel.settings = settings(max_examples=runs(60), stateful_step_count=30, deadline=None)
