"""A post office on loopback for tests: a real SMTP server (aiosmtpd) and a real IMAP server (pymap).

Mail for the game master goes into the IMAP server's INBOX, as a delivery agent would put it there; everybody else's is kept in
`delivered`. The SMTP server can be told to refuse, and to wait in the middle of a message, so that whoever sends can be killed.
Both speak TLS when they are given a certificate: from the first byte, or after STARTTLS.
"""

import asyncio
import imaplib
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import suppress
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import pytest

MASTER = "geier@post.example"
PASSWORD = "correct horse"


# Loopback as well, but not an address by which the program knows its own computer: there it insists on encryption.
FAR = "127.0.0.2"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Encryption(NamedTuple):
    """A certificate with its key, in one file; `at_once`: TLS from the first byte, else STARTTLS."""

    certificate: Path
    at_once: bool

    def context(self) -> ssl.SSLContext:
        found = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        found.load_cert_chain(self.certificate)
        return found


class TlsDoor:
    """TLS in front of a server that speaks none from the first byte, as stunnel does it."""

    def __init__(self, host: str, to_port: int, context: ssl.SSLContext) -> None:
        self.port = free_port()
        self._to = (host, to_port)
        self._loop = asyncio.new_event_loop()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, host, self.port, ssl=context))
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind_reader, behind_writer = await asyncio.open_connection(*self._to)
        await asyncio.gather(self._copy(reader, behind_writer), self._copy(behind_reader, writer))

    @staticmethod
    async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def _end(self) -> None:
        self._server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(20)
        self._loop.close()


class MailHouse:
    """Use it in a `with` statement.

    :param host: where both servers listen.
    :param encryption: with it the SMTP server takes a login, too; after STARTTLS it insists (aiosmtpd can only there).
    """

    def __init__(self, host: str = "127.0.0.1", encryption: Encryption | None = None) -> None:
        controller = pytest.importorskip("aiosmtpd.controller", reason="pip install aiosmtpd: a real SMTP server")
        pytest.importorskip("pymap", reason="pip install pymap: a real IMAP server")
        pytest.importorskip("imap_tools", reason="pip install imap-tools")
        self.delivered: list[tuple[str, EmailMessage]] = []
        self.refuse = 0  # so many recipients
        self.hold_at: int | None = None  # the message, counted from now, in whose middle to wait
        self.held_counts = True  # whether that one is delivered
        self.held = threading.Event()
        self.go_on = threading.Event()
        self.host = host
        self.encryption = encryption
        self.logins: list[tuple[bytes, bytes]] = []  # that the SMTP server accepted or refused
        self._door: TlsDoor | None = None
        self._imap_port = free_port()
        later = encryption is not None and not encryption.at_once
        tls = ["--cert", str(encryption.certificate)] if encryption is not None and later else ["--no-tls"]
        self._pymap = subprocess.Popen(
            [
                *(sys.executable, "-c", "from pymap.main import main; main()", "--host", host),
                *("--port", str(self._imap_port), *tls, "--no-service", "admin"),
                *("dict", "--demo-user", "geier", "--demo-password", PASSWORD),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        login: dict[str, Any] = {"authenticator": self._authenticate, "auth_required": later, "auth_require_tls": later}
        if encryption is None:
            more: dict[str, Any] = {}
        elif later:
            more = login | {"tls_context": encryption.context(), "require_starttls": True}
        else:
            more = login | {"ssl_context": encryption.context()}
        self._smtp = controller.Controller(self, hostname=host, port=free_port(), **more)
        self._smtp.start()
        self._wait_for_imap()
        if encryption is not None and encryption.at_once:
            self._door = TlsDoor(host, self._imap_port, encryption.context())

    def _wait_for_imap(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                imaplib.IMAP4(self.host, self._imap_port).logout()
            except OSError:
                assert time.monotonic() < deadline, "pymap does not answer"
                assert self._pymap.poll() is None, "pymap has ended"
                time.sleep(0.05)
            else:
                return

    @property
    def smtp(self) -> str:
        if self.encryption is None:
            return f"smtp://{self.host}:{self._smtp.port}"
        return f"smtp{'s' if self._door else ''}://geier@{self.host}:{self._smtp.port}"

    @property
    def imap(self) -> str:
        if self._door is not None:
            return f"imaps://geier@{self.host}:{self._door.port}/INBOX"
        return f"imap://geier@{self.host}:{self._imap_port}/INBOX"

    # -- aiosmtpd asks these --

    def _authenticate(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> Any:
        from aiosmtpd.smtp import AuthResult

        self.logins.append((data.login, data.password))
        return AuthResult(success=(data.login, data.password) == (b"geier", PASSWORD.encode()), handled=False)

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
        with imaplib.IMAP4(self.host, self._imap_port) as box:
            if self.encryption is not None and self._door is None:
                box.starttls()  # with any certificate: this is the server's own delivery
            box.login("geier", PASSWORD)
            answer, _ = box.append("INBOX", "", "", data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
            assert answer == "OK"

    def flags(self) -> list[bytes]:
        """The flags of all messages: reading must not change them."""
        with imaplib.IMAP4(self.host, self._imap_port) as box:
            box.login("geier", PASSWORD)
            box.select("INBOX", readonly=True)
            _, found = box.fetch("1:*", "(FLAGS)")
            return [line for line in found if isinstance(line, bytes)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.go_on.set()
        self._smtp.stop()
        if self._door is not None:
            self._door.close()
        self._pymap.terminate()
        self._pymap.wait(20)
