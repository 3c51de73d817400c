"""Where mail goes: an SMTP server, a Maildir, or a folder of files."""

import os
import re
import smtplib
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import _
from eyecaptain.postal.roster import address_of
from eyecaptain.postal.servers import Server, config_file, settings
from eyecaptain.sessions.writer import sync

TIMEOUT = 30.0  # seconds that the server may be silent
FOR_FOLDERS = "geier@localhost"


class NotSent(Exception):
    """A message was not taken, for certain: it can be tried again."""


class Unsure(Exception):
    """Nobody can say whether this message was taken: somebody has to look."""


class Outbox(Protocol):
    """A place that mail is handed to."""

    def had(self, id_: str) -> bool | None:
        """Whether it was handed a message with this id before; None where that cannot be known."""

    def send(self, id_: str, to: str, message: bytes) -> None:
        """Hand over one message for one recipient.

        :raises NotSent, Unsure: it could not be done.
        """

    def close(self) -> None:
        """No more comes."""


class Folder:
    """A folder of `.eml` files, or the `new` of a Maildir: a file appears whole, once, under its message's id."""

    def __init__(self, path: Path, *, maildir: bool = False) -> None:
        self._path = path
        self._maildir = maildir
        try:
            for part in ("tmp", "new", "cur") if maildir else (".",):
                (path / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CaptainError(
                _("{path} cannot be made: {strerror}.").format(path=path, strerror=error.strerror or error),
                _("Name another folder."),
            ) from None

    def had(self, id_: str) -> bool | None:
        """Whether the file is there, also when a mail program has moved it."""
        if not self._maildir:
            return (self._path / f"{id_}.eml").exists()
        return any(
            entry.name.partition(":")[0] == f"{id_}.captain"
            for part in ("new", "cur")
            for entry in (self._path / part).iterdir()
        )

    def send(self, id_: str, to: str, message: bytes) -> None:
        """Write the file.

        :raises NotSent: it cannot be written.
        """
        del to
        fresh = self._path / ("tmp" if self._maildir else "") / f".{id_}.new"
        final = self._path / "new" / f"{id_}.captain" if self._maildir else self._path / f"{id_}.eml"
        try:
            put(fresh, message)
            fresh.replace(final)
        except OSError as error:
            raise NotSent(f"{self._path}: {error.strerror or error}") from None

    def close(self) -> None:
        """Nothing is open."""


def put(path: Path, data: bytes) -> None:
    """Write a whole file that only its owner can read, and have it on the disk; nothing is left of one that failed."""
    path.unlink(missing_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        while data:
            data = data[os.write(fd, data) :]
        sync(fd)
    except OSError:
        with suppress(OSError):
            path.unlink()
        raise
    finally:
        os.close(fd)


class Smtp:
    """An SMTP server: ``smtps://user@host``, or ``smtp://`` with STARTTLS (without it only on this computer).

    It is connected to when the first message goes out. Up to the end of a message's data a failure means that it was not
    taken; after that nobody knows, and we never try by ourselves what might come twice.
    """

    def __init__(self, url: str, sender: str) -> None:
        self._server = Server("smtp", url)
        self._sender = sender
        self._open: smtplib.SMTP | None = None
        self._down = ""  # why it cannot be connected to: found out once, not for every message

    def had(self, id_: str) -> bool | None:
        """Nobody can know."""
        del id_
        return None

    def _connected(self) -> smtplib.SMTP:
        server, context = self._server, self._server.context()
        if server.secure:
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port or 465, timeout=TIMEOUT, context=context)
        else:
            smtp = smtplib.SMTP(server.host, server.port or 587, timeout=TIMEOUT)
        try:
            smtp.ehlo()
            if not server.secure and (not server.local or smtp.has_extn("starttls")):
                smtp.starttls(context=context)
                smtp.ehlo()
            if server.user:
                smtp.login(server.user, server.password())
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _ready(self) -> smtplib.SMTP:
        """The open connection; whatever goes wrong before there is one, nothing was sent."""
        if self._open is None and not self._down:
            try:
                self._open = self._connected()
            except ssl.SSLCertVerificationError as error:
                untrusted = self._server.untrusted(error)
                self._down = f"{untrusted.message} {untrusted.hint}"
            except CaptainError as error:  # there is no password
                self._down = f"{error.message} {error.hint}"
            except (OSError, smtplib.SMTPException) as error:
                self._down = _why(error)
        if self._open is None:
            raise NotSent(self._down)
        return self._open

    def send(self, id_: str, to: str, message: bytes) -> None:
        """Hand one message over, step by step.

        :raises NotSent: the server cannot be reached, or refuses it.
        :raises Unsure: the connection broke after its last line.
        """
        del id_
        smtp = self._ready()
        try:
            _wanted(*smtp.mail(self._sender))
            _wanted(*smtp.rcpt(to))
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise NotSent(_why(error)) from None
        try:
            _wanted(*smtp.data(message))
        except smtplib.SMTPResponseException as error:
            self._drop()
            raise NotSent(_why(error)) from None
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise Unsure(_why(error)) from None

    def _drop(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def close(self) -> None:
        """Say good-bye."""
        if self._open is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._open.quit()
            self._drop()


def _wanted(code: int, answer: bytes) -> None:
    if code not in (250, 251):
        raise smtplib.SMTPResponseException(code, answer)


def _why(error: Exception) -> str:
    """What the server said, in one line; never an address, which only its own words could hold."""
    if isinstance(error, smtplib.SMTPResponseException):
        answer = error.smtp_error if isinstance(error.smtp_error, bytes) else str(error.smtp_error).encode()
        text = f"{error.smtp_code} {answer.decode(errors='replace')}"
    else:
        text = str(error) or type(error).__name__
    return re.sub(r"\S+@\S+", "(an address)", " ".join(text.split()))[:200]


def open_outbox(where: str | None) -> Outbox:
    """The outbox that people name: ``smtps://...``, ``smtp://...``, ``maildir:DIR`` or ``folder:DIR``.

    :param where: None: the server of the settings.
    :raises UsageProblem: there is no such thing, or no server is set.
    """
    known = settings("smtp")
    where = where or known.get("url")
    if where is None:
        raise UsageProblem(
            _("Nobody says where mail goes out."),
            _("Put [smtp] into {config_file}, or say --via folder:DIR to see it first.").format(config_file=config_file()),
        )
    kind, _colon, rest = where.partition(":")
    if kind in ("folder", "maildir") and rest:
        return Folder(Path(rest), maildir=kind == "maildir")
    if kind not in ("smtp", "smtps"):
        raise UsageProblem(
            _("--via {where}: mail cannot go there.").format(where=where),
            _("Write smtps://user@host, smtp://host, maildir:DIR or folder:DIR."),
        )
    return Smtp(where, sender())


def sender() -> str:
    """The address that mail comes from: CAPTAIN_FROM, else that of the settings; without a server one for folders.

    :raises UsageProblem: what is named is no address, or nobody names one for the server of the settings.
    """
    known = settings("smtp")
    named = os.environ.get("CAPTAIN_FROM") or known.get("from")
    if not named and "url" in known:
        raise UsageProblem(
            _("Nobody says which address mail comes from: no answer would find its way back."),
            _("Write from = ... into [smtp] of {config_file}, or set CAPTAIN_FROM.").format(config_file=config_file()),
        )
    return address_of(named or FOR_FOLDERS)
