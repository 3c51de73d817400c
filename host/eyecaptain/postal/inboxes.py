"""Where mail comes from: a Maildir, an mbox file, an IMAP folder. They are only read: nothing in them is changed.

What was handled is remembered by us (`ledger`), so that it does not matter who else reads the mailbox, marks messages as
read, or moves them about.
"""

import mailbox
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from eyecaptain.errors import CaptainError
from eyecaptain.language import _
from eyecaptain.postal.ledger import Ledger


class Incoming(NamedTuple):
    """A message: its bytes, and when it arrived here."""

    data: bytes
    arrived: datetime


class Inbox(Protocol):
    """A place that mail is read from."""

    def messages(self, known: Ledger) -> Iterator[Incoming]:
        """The messages, the oldest first; such that are known may be left out.

        :raises CaptainError: it cannot be read.
        """


@dataclass(frozen=True, slots=True)
class Maildir:
    """A Maildir folder: all messages in `new` and `cur`; they arrived when their file was written."""

    path: Path

    def messages(self, known: Ledger) -> Iterator[Incoming]:
        """All messages, the oldest first.

        :raises CaptainError: it is no Maildir, or cannot be read.
        """
        del known
        files = []
        try:
            for part in ("new", "cur"):
                files += [(entry.stat().st_mtime, entry.path) for entry in os.scandir(self.path / part) if entry.is_file()]
        except OSError as error:
            raise _broken(self.path, error, _("A Maildir has the folders new and cur.")) from None
        for written, name in sorted(files):
            try:
                data = Path(name).read_bytes()
            except FileNotFoundError:  # another program moved it from new to cur: it comes next time
                continue
            except OSError as error:
                raise _broken(Path(name), error, _("Look at its permissions.")) from None
            yield Incoming(data, datetime.fromtimestamp(written, UTC))


@dataclass(frozen=True, slots=True)
class Mbox:
    """An mbox file; the line between messages says when one arrived, if it can be read."""

    path: Path

    def messages(self, known: Ledger) -> Iterator[Incoming]:
        """All messages in the order of the file.

        :raises CaptainError: it is no mbox, or cannot be read.
        """
        del known
        try:
            with self.path.open("rb") as file:
                begin = file.read(5)
        except OSError as error:
            raise _broken(self.path, error, _("Is it the file of a mailbox?")) from None
        if begin not in (b"", b"From "):
            raise CaptainError(
                _('{path} is no mbox: it does not begin with "From ".').format(path=self.path), _("Nothing was read from it.")
            )
        box = mailbox.mbox(self.path, create=False)
        try:
            for key in box.iterkeys():
                yield Incoming(box.get_bytes(key), _from_line(box.get_file(key, from_=True).readline()))
        except OSError as error:
            raise _broken(self.path, error, _("What could be read of it was read.")) from None
        finally:
            box.close()


def _from_line(line: bytes) -> datetime:
    """The time in ``From sender Mon Nov 30 10:00:00 2026`` (UTC by custom), else now."""
    found = re.search(rb"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$", line.strip())
    try:
        return datetime.strptime((found or [b""])[0].decode(), "%a %b %d %H:%M:%S %Y").replace(tzinfo=UTC)
    except ValueError:
        return datetime.now(UTC)


def _broken(path: Path, error: OSError, hint: str) -> CaptainError:
    return CaptainError(
        _("The mailbox {path} cannot be read: {strerror}.").format(path=path, strerror=error.strerror or error), hint
    )
