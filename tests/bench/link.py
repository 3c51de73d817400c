"""The link beside its peers, in one interleaved run on simulated boards: round trips, requests a second, and memory.

On this tier compiling costs nothing, which favours who sends source code (mpremote, Belay). The comparison that counts is on
an emulated Pico, by hand: its figures are in CONTRIBUTING.md.
"""

import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.link.client import Client
from link.peer import build

OPS = ("hb", "state")
ROUNDS, EACH = 20, 25

# The least that a program in MicroPython can do: take a line, answer with as many bytes.
BARE = """
import sys
take, give = sys.stdin.buffer.readline, sys.stdout.buffer.write
sizes = {{b'"op":"hb"': {hb}, b'"op":"state"': {state}}}
replies = [(word, b"x" * (size - 1) + b"\\n") for word, size in sizes.items()]
while True:
    line = take()
    for word, reply in replies:
        if word in line:
            give(reply)
"""

Call = Callable[[], object]


def timed(call: Call) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


class Plain:
    """A plain serial port: no threads, nothing is understood, so that what is timed is the other end."""

    def __init__(self, stack: ExitStack, port: str) -> None:
        import serial

        self._line = stack.enter_context(serial.Serial(port, timeout=2))
        self._ids = itertools.count(100)

    def ask(self, op: str, **a: Any) -> bytes:
        """One request; return its reply, whatever it is."""
        self._line.write(build({"id": next(self._ids), "op": op, **({"a": a} if a else {})}))
        heard = b""
        while not heard.endswith(b"\n"):
            heard += self._line.read(self._line.in_waiting or 1)
        return heard


def firmware(stack: ExitStack) -> Plain:
    """Our firmware, with a link session begun."""
    plain = Plain(stack, stack.enter_context(SimulatedBoard.start(pace=100)).entry.port)
    while b'"nonce"' not in plain.ask("hello", proto=[1, 0], nonce="bench"):
        pass
    return plain


def bare(stack: ExitStack, folder: Path, sizes: dict[str, int]) -> Plain:
    """The bare loop."""
    there = folder / "bare"
    there.mkdir()
    (there / "main.py").write_text(BARE.format(**sizes))
    return Plain(stack, stack.enter_context(SimulatedBoard.start(firmware=there)).entry.port)


def mpremote(stack: ExitStack, folder: Path) -> Call:
    """mpremote as a library at an empty board's raw REPL."""
    from mpremote.transport_serial import SerialTransport

    port = stack.enter_context(SimulatedBoard.start(firmware=empty(folder))).entry.port
    transport = SerialTransport(port)
    stack.callback(transport.close)
    transport.enter_raw_repl()
    return lambda: transport.exec("print(1)")


def belay(stack: ExitStack, folder: Path) -> Call | None:
    """A call of a function on an empty board, or None where Belay is not installed."""
    try:
        from belay import Device
    except ImportError:
        return None
    port = stack.enter_context(SimulatedBoard.start(firmware=empty(folder))).entry.port
    device: Any = stack.enter_context(Device(port))

    @device.task  # type: ignore[untyped-decorator,unused-ignore]
    def one() -> int:
        return 1

    return one  # type: ignore[no-any-return,unused-ignore]


def empty(folder: Path) -> Path:
    there = folder / "empty"
    there.mkdir(exist_ok=True)
    (there / "main.py").write_text("")
    return there


def rows(stack: ExitStack, folder: Path) -> Iterator[tuple[str, Call | None]]:
    ours = firmware(stack)
    loop = bare(stack, folder, {op: len(ours.ask(op)) for op in OPS})
    client = stack.enter_context(Client(stack.enter_context(SimulatedBoard.start(pace=100)).entry.port, lambda _: None))
    for op in OPS:
        yield op, partial(ours.ask, op)
        yield f"bare loop, as many bytes as {op}", partial(loop.ask, op)
        yield f"{op} by the host's client", partial(client.request, op)
    yield "mpremote exec of a print", mpremote(stack, folder)
    yield "Belay call", belay(stack, folder)


def table() -> None:
    """Round trips in milliseconds, with what a bare loop takes for as many bytes beside ours."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        calls = dict(rows(stack, folder))
        took: dict[str, list[float]] = {name: [] for name in calls}
        for call in calls.values():
            if call:
                call()
        for _ in range(ROUNDS):
            for name, call in calls.items():
                took[name] += [timed(call) for _ in range(EACH)] if call else []
    print("round trip on the simulated board   median      p99   a second")
    for name, seconds in took.items():
        if not seconds:
            print(f"{name:34}   not installed: pip install belay")
            continue
        ordered = sorted(seconds)
        middle, p99 = statistics.median(ordered), ordered[len(ordered) * 99 // 100]
        peer = took.get(f"bare loop, as many bytes as {name}")
        beside = f"   {middle / statistics.median(peer):.2f} times the bare loop (goal 1.5)" if peer else ""
        print(f"{name:32}{middle * 1e3:7.2f} ms{p99 * 1e3:6.2f} ms{1 / middle:9.0f}{beside}")
