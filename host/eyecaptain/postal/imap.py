"""Reading mail by IMAP, with imap-tools (the extra `mail`)."""

import imaplib
import re
import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import imap_tools

from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import _
from eyecaptain.postal import letters
from eyecaptain.postal.inboxes import Incoming
from eyecaptain.postal.ledger import Ledger
from eyecaptain.postal.servers import Server

TIMEOUT = 30.0  # seconds that the server may be silent
DAYS = 90  # how far back the folder is looked through


class Imap:
    """A folder on a server: ``imaps://user@host/INBOX``, or ``imap://`` with STARTTLS (without it only on this computer).

    :raises UsageProblem: the URL names no server or no user.
    """

    def __init__(self, url: str) -> None:
        self._server = Server("imap", url)
        if not self._server.user:
            raise UsageProblem(
                _("The IMAP server wants to know who you are."), _("Example: imaps://user@mail.example.org/INBOX")
            )

    def messages(self, known: Ledger) -> Iterator[Incoming]:
        """The messages of the last 90 days; those whose Message-ID is known are not fetched whole.

        :raises CaptainError: the server is not to be trusted, refuses, hangs or goes away; what came before counts.
        """
        server = self._server
        password = server.password()
        try:
            box = self._connected()
            try:
                box.login(server.user, password, initial_folder=None)
                box.folder.set(server.folder or "INBOX", readonly=True)
                yield from self._unknown(box, known)
            finally:
                box.client.shutdown()  # not a polite logout: a server that hangs would keep us
        except ssl.SSLCertVerificationError as error:
            raise server.untrusted(error) from None
        except (OSError, imaplib.IMAP4.error, imap_tools.ImapToolsError) as error:
            why = " ".join(str(error).split())[:200].replace(password or "\0", "***")
            raise CaptainError(
                _("The mailbox on {host} cannot be read: {why}.").format(host=server.host, why=why or type(error).__name__),
                _("Nothing is lost: try again."),
            ) from None

    def _connected(self) -> imap_tools.BaseMailBox:
        server = self._server
        if server.secure:
            # With a context of our own: that of the standard library's imaplib takes any certificate.
            return imap_tools.MailBox(server.host, server.port or 993, timeout=TIMEOUT, ssl_context=server.context())
        if server.local:
            return imap_tools.MailBoxUnencrypted(server.host, server.port or 143, timeout=TIMEOUT)
        return imap_tools.MailBoxStartTls(server.host, server.port or 143, timeout=TIMEOUT, ssl_context=server.context())

    @staticmethod
    def _unknown(box: imap_tools.BaseMailBox, known: Ledger) -> Iterator[Incoming]:
        since = imap_tools.AND(date_gte=(datetime.now(UTC) - timedelta(days=DAYS)).date())
        heads = list(box.fetch(since, headers_only=True, mark_seen=False, bulk=200))
        for head in heads:
            named = str(head.obj["Message-ID"] or "").strip()
            if named and known.has_named(letters.digest(named)):
                continue
            _, parts = box.client.uid("FETCH", head.uid or "", "(INTERNALDATE BODY.PEEK[])")
            for part in parts:
                if isinstance(part, tuple):
                    rest = b"".join(other for other in parts if isinstance(other, bytes))
                    yield Incoming(part[1], _internal_date(part[0] + rest))


def _internal_date(response: bytes) -> datetime:
    """When the server took the message in, else now."""
    found = re.search(rb'INTERNALDATE "[^"]*"', response)
    local = imaplib.Internaldate2tuple(found[0]) if found else None
    return datetime.fromtimestamp(time.mktime(local), UTC) if local else datetime.now(UTC)
