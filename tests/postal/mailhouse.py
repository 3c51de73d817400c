"""A post office on loopback for tests: a real SMTP server (aiosmtpd) and a real IMAP server (pymap).

Mail for the game master goes into the IMAP server's INBOX, as a delivery agent would put it there; everybody else's is kept in
`delivered`. The SMTP server can be told to refuse, and to wait in the middle of a message, so that whoever sends can be killed.
"""

import imaplib
import socket
import subprocess
import sys
import threading
import time
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from types import TracebackType
from typing import Any, Self

import pytest

MASTER = "geier@post.example"
PASSWORD = "correct horse"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class MailHouse:
    """Use it in a `with` statement."""

    def __init__(self) -> None:
        controller = pytest.importorskip("aiosmtpd.controller", reason="pip install aiosmtpd: a real SMTP server")
        pytest.importorskip("pymap", reason="pip install pymap: a real IMAP server")
        pytest.importorskip("imap_tools", reason="pip install imap-tools")
        self.delivered: list[tuple[str, EmailMessage]] = []
        self.refuse = 0  # so many recipients
        self.hold_at: int | None = None  # the message, counted from now, in whose middle to wait
        self.held_counts = True  # whether that one is delivered
        self.held = threading.Event()
        self.go_on = threading.Event()
        self._imap_port = free_port()
        self._pymap = subprocess.Popen(
            [
                *(sys.executable, "-c", "from pymap.main import main; main()", "--host", "127.0.0.1"),
                *("--port", str(self._imap_port), "--no-tls", "--no-service", "admin"),
                *("dict", "--demo-user", "geier", "--demo-password", PASSWORD),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._smtp = controller.Controller(self, hostname="127.0.0.1", port=free_port())
        self._smtp.start()
        self._wait_for_imap()

    def _wait_for_imap(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                imaplib.IMAP4("127.0.0.1", self._imap_port).logout()
            except OSError:
                assert time.monotonic() < deadline, "pymap does not answer"
                assert self._pymap.poll() is None, "pymap has ended"
                time.sleep(0.05)
            else:
                return

    @property
    def smtp(self) -> str:
        return f"smtp://127.0.0.1:{self._smtp.port}"

    @property
    def imap(self) -> str:
        return f"imap://geier@127.0.0.1:{self._imap_port}/INBOX"

    # -- aiosmtpd asks these --

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if self.refuse:
            self.refuse -= 1
            return "451 4.7.1 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - as above
        hold = self.hold_at == 1
        self.hold_at = None if self.hold_at is None or hold else self.hold_at - 1
        if not hold or self.held_counts:
            for address in envelope.rcpt_tos:
                self._deliver(address, envelope.content)
        if hold:
            self.held.set()
            while not self.go_on.is_set():  # the sender is killed now, and cannot know whether this one counts
                await self._pause()
        return "250 OK"

    @staticmethod
    async def _pause() -> None:
        import asyncio

        await asyncio.sleep(0.01)

    def _deliver(self, address: str, data: bytes) -> None:
        if address == MASTER:
            self.put(data)
            return
        message = BytesParser(policy=policy.default).parsebytes(data)
        assert isinstance(message, EmailMessage)
        self.delivered.append((address, message))

    # -- the game master's mailbox --

    def put(self, data: bytes) -> None:
        """Deliver a message to the game master."""
        with imaplib.IMAP4("127.0.0.1", self._imap_port) as box:
            box.login("geier", PASSWORD)
            answer, _ = box.append("INBOX", "", "", data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
            assert answer == "OK"

    def flags(self) -> list[bytes]:
        """The flags of all messages: reading must not change them."""
        with imaplib.IMAP4("127.0.0.1", self._imap_port) as box:
            box.login("geier", PASSWORD)
            box.select("INBOX", readonly=True)
            _, found = box.fetch("1:*", "(FLAGS)")
            return [line for line in found if isinstance(line, bytes)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.go_on.set()
        self._smtp.stop()
        self._pymap.terminate()
        self._pymap.wait(20)
