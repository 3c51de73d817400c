"""A board in plain Python on a pseudo-terminal. It speaks protocol.md and shares no code with the host.

What it does wrong is set by its knobs: functions that see a frame before it goes out and return what goes instead.
"""

import contextlib
import json
import os
import pty
import re
import select
import threading
import time
import tty
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, Self

BANNER = b"MicroPython v1.28.0 on 2026-08-01; Raspberry Pi Pico with RP2040\r\n"


def build(obj: dict[str, Any]) -> bytes:
    """A frame, as protocol.md words it."""
    text = json.dumps(obj, separators=(",", ":")).encode()
    return b"#%03x%b*%08x\n" % (len(text) + 10, text, zlib.crc32(text))


def parse(data: bytes) -> list[dict[str, Any]]:
    """Every whole frame in some bytes."""
    found = []
    for length, text, crc in re.findall(rb"#([0-9a-f]{3})(\{[^#\n]*\})\*([0-9a-f]{8})\n", data):
        assert int(length, 16) == len(text) + 10
        assert int(crc, 16) == zlib.crc32(text)
        found.append(json.loads(text))
    return found


class Peer:
    """A firmware, a prompt or something else behind `port`."""

    def __init__(self, mode: str = "firmware", **knobs: Any) -> None:
        self.mode = mode  # firmware, prompt, raw, program (answers Ctrl-C), other (does not), silent
        self.after_reset = "firmware"
        self.proto = [1, 0]
        self.hello_error: list[str] | None = None
        self.answer_nonce: str | None = None
        self.mangle: Callable[[bytes], Iterable[bytes]] = lambda data: [data]
        self.hear: Callable[[dict[str, Any]], bool] = lambda _: True  # False: the request is lost
        self.do: Callable[[str, dict[str, Any]], dict[str, Any] | None] = lambda _op, _a: None  # instead of what it does
        self.delay = 0.0  # seconds before each reply
        self.boot = "b00t"
        self.uid = "e6605838833c4b2a"
        self.n = 0  # events so far
        for name, value in knobs.items():
            assert hasattr(self, name), name
            setattr(self, name, value)
        self.heard = bytearray()  # every byte from the host
        self.requests: list[tuple[float, dict[str, Any]]] = []
        self.done: list[tuple[int, str, Any]] = []  # (id, op, a) as executed
        self._pending = bytearray()
        self._forget()
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._slave: int | None = slave  # held, so that the other end may come and go
        self._pulled, self._pull = os.pipe()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.vanish()

    def vanish(self) -> None:
        """The plug is pulled."""
        with self._lock:
            if self._slave is not None:
                os.close(self._slave)
                self._slave = None
                os.close(self._pull)  # lets the reading thread close the rest: a descriptor that is read stays open
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def send(self, data: bytes) -> None:
        with self._lock:
            if self._slave is not None:
                os.write(self._master, data)

    def event(self, what: str, dropped: bool = False, **data: Any) -> bytes:
        """Send an event; `dropped` ones are counted only."""
        self.n += 1
        sent = build({"ev": what, "n": self.n, "t": self._ticks(), "d": data})
        if not dropped:
            self.send(sent)
        return sent

    def reboot(self) -> None:
        """A reset that leaves the port open, as a soft reset does."""
        self.boot += "x"
        self.n = 0
        self._forget()

    def ops(self, *without: str) -> list[str]:
        """What was asked for, in order, resends included."""
        return [request["op"] for _, request in self.requests if request["op"] not in without]

    def wait(self, check: Callable[[], bool], within: float = 15.0) -> None:
        deadline = time.monotonic() + within
        while not check():
            assert time.monotonic() < deadline, f"in vain; asked so far: {self.ops()}, heard {bytes(self.heard[-200:])!r}"
            time.sleep(0.005)

    def _forget(self) -> None:
        self.nonce: str | None = None
        self.armed = False
        self.eye: list[Any] = ["off", 0, 0]
        self.chips: list[str] = []
        self.watch = False
        self.safe = False
        self.memory: OrderedDict[int, bytes] = OrderedDict()

    @staticmethod
    def _ticks() -> int:
        return int(time.monotonic() * 1000) % 2**30

    def _serve(self) -> None:
        while self._slave is not None:
            ready, _, _ = select.select([self._master, self._pulled], [], [])
            if self._pulled in ready:
                break
            with contextlib.suppress(OSError):  # pulled meanwhile
                data = os.read(self._master, 4096)
                self.heard += data
                getattr(self, f"_{self.mode}")(data)
        os.close(self._master)
        os.close(self._pulled)

    # What may be behind the port

    def _silent(self, _: bytes) -> None:
        pass

    def _other(self, _: bytes) -> None:
        self.send(b"temperature 21.4\r\n")

    def _program(self, data: bytes) -> None:
        if b"\x03" in data:
            self.send(b"Traceback (most recent call last):\r\nKeyboardInterrupt: \r\n" + BANNER + b">>> ")
            self.mode = "prompt"
        else:
            self.send(b"blink\r\n")

    def _raw(self, data: bytes) -> None:
        if b"\x02" in data:
            self.mode = "prompt"
            self.send(b"\r\n" + BANNER + b">>> ")

    def _prompt(self, data: bytes) -> None:
        for byte in re.split(rb"([\x02-\x04\n])", data):
            if byte == b"\x04":
                self.send(b"\r\nMPY: soft reboot\r\n")
                self.mode = self.after_reset
                if self.mode == "prompt":
                    self.send(BANNER + b">>> ")
                elif self.mode == "program":
                    self.send(b"blink\r\n")
                self.reboot()
                return
            self.send({b"\x02": BANNER + b">>> ", b"\x03": b"\r\n>>> ", b"\n": b"\r\n>>> "}.get(byte, byte))

    def _broken(self, _: bytes) -> None:
        """A firmware that does not start."""
        self.send(b"Traceback (most recent call last):\r\nImportError: no module named 'eyedeck.app'\r\n")
        self.send(BANNER + b">>> ")
        self.mode = "prompt"

    def _firmware(self, data: bytes) -> None:
        self._pending += data
        *lines, rest = bytes(self._pending).split(b"\n")
        self._pending[:] = rest
        for line in lines:
            for request in parse(line + b"\n"):
                if not self.hear(request):
                    continue
                self.requests.append((time.monotonic(), request))
                number = request["id"]
                if number not in self.memory:
                    self.done.append((number, request["op"], request.get("a")))
                    op, a = request["op"], request.get("a", {})
                    reply = build({"re": number, **(self.do(op, a) or self._do(op, a))})
                    self.memory[number] = reply
                    while len(self.memory) > 8:
                        self.memory.popitem(last=False)
                self._reply(self.memory[number])

    def _reply(self, reply: bytes) -> None:
        if self.delay:
            time.sleep(self.delay)
        for piece in self.mangle(reply):
            self.send(piece)

    def _do(self, op: str, a: dict[str, Any]) -> dict[str, Any]:
        if op == "hello":
            return self._hello(a)
        if self.nonce is None and op not in ("stop", "state"):
            return {"er": ["lease", "say hello first"]}
        match op:
            case "arm" if self.safe:
                return {"er": ["lease", "hello and arm"]}
            case "arm":
                self.armed = True
            case "disarm" | "stop":
                self.armed, self.eye = False, ["off", 0, 0]
            case "eye" if not self.armed and a["mode"] != "off":
                return {"er": ["lease" if self.safe else "not_armed", "arm first"]}
            case "eye":
                self.eye = [a["mode"], a.get("power", 0), a.get("ms", 0)]
                return {"ok": {"job": self.n}}
            case "chips":
                self.chips = a["c"]
                return {"ok": {"shown": min(6, len(a["c"]))}}
            case "watch":
                self.watch = a["on"]
            case "hb":
                return {"ok": {"now": self._ticks()}}
            case "die":
                return {"ok": {"face": "red", "conf": 90, "why": None, "raw": [1, 2, 3, 4], "age": 5}}
            case "state":
                return {"ok": self._state()}
            case "stats":
                return {"ok": {"up": 1}}
            case _:
                return {"er": ["bad_op", op]}
        return {"ok": {}}

    def _state(self) -> dict[str, Any]:
        return {
            "eye": self.eye,
            "die": ["red", 90, None, 5],
            "chips": self.chips,
            "fx": "steady",
            "switch": True,
            "armed": self.armed,
            "safe": self.safe,
            "n": self.n,
            "cal": None,
            "watch": self.watch,
            "job": [0, "ok"],
        }

    def _hello(self, a: dict[str, Any]) -> dict[str, Any]:
        if self.hello_error is not None:
            return {"er": self.hello_error}
        if a["nonce"] != self.nonce:
            self.nonce, self.watch, self.safe, self.armed = a["nonce"], False, False, False
            self.memory.clear()
        return {
            "ok": {
                "nonce": self.answer_nonce or a["nonce"],
                "proto": self.proto,
                "fw": "0.1.0",
                "build": "dev",
                "board": "rp2-pico",
                "uid": self.uid,
                "boot": self.boot,
                "reset": "power",
                "caps": "s",
                "lease": [500, a.get("lease", 1500), 5000],
                "now": self._ticks(),
            }
        }
