"""A real browser for tests, told what to do over a pipe (Chrome DevTools Protocol): nothing of it is our own but this wire."""

import base64
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = "600"  # seconds for everything that one browser is asked


class Browser:
    """One page, of a width that can be chosen."""

    def __init__(self, say: IO[bytes], hear: IO[bytes]) -> None:
        self._say, self._hear = say, hear
        self._number = 0
        self._session = ""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        message |= {"sessionId": self._session} if self._session else {}
        self._say.write(json.dumps(message).encode() + b"\0")
        self._say.flush()
        answer = self._wait("id", self._number)
        assert "error" not in answer, answer
        found: dict[str, Any] = answer["result"]
        return found

    def _wait(self, key: str, value: Any) -> dict[str, Any]:
        while True:
            heard = bytearray()
            while (byte := self._hear.read(1)) != b"\0":
                assert byte, "the browser has ended"
                heard += byte
            message: dict[str, Any] = json.loads(heard)
            if message.get(key) == value:
                return message

    def show(self, page: Path, width: int, *, media: str = "screen", dark: bool = False) -> None:
        """Load a page into a window that is so many CSS pixels wide."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self._call("Page.navigate", url=page.as_uri())
        self._wait("method", "Page.loadEventFired")

    def find(self, expression: str) -> Any:
        """What an expression of JavaScript is worth on the page; asked from outside, which no policy of the page forbids."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def printed(self) -> bytes:
        """The page as a PDF, on the paper that it asks for."""
        return base64.b64decode(self._call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)["data"])

    def photograph(self) -> bytes:
        """What the window shows, as PNG; as high as the page is."""
        height = self.find("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": self.find("innerWidth"), "height": height, "scale": 1}
        return base64.b64decode(self._call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"])


def installed() -> str | None:
    """The browser of this computer; with `timeout`, which ends it whatever happens."""
    if shutil.which("timeout") is None:
        return None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def browser(program: str) -> Iterator[Browser]:
    """Start one, and end it in the end."""
    with tempfile.TemporaryDirectory(prefix="eec-browser", ignore_cleanup_errors=True) as profile:
        # It reads what it is told from 3 and answers on 4; without a sandbox it also runs as root in a container.
        command = 'exec timeout "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1'
        options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run")
        with subprocess.Popen(
            ["sh", "-c", command, "sh", PATIENCE, program, *options, f"--user-data-dir={profile}", "--remote-debugging-pipe"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                yield Browser(process.stdin, process.stdout)
            finally:
                process.terminate()  # timeout hands it on
