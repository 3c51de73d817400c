"""Mail on its way out: a file in the session's folder until it is known to be sent, and what the log says of it.

A message is written to the disk whole before anybody tries to send it, and named by what it is (the report of this
evaluation, for this seat). The log has `sending` before it is handed over and `sent` after: so a crash at any moment leaves
it unsent, sent, or, in between and where nobody can know, marked for a check by the game master. Nothing is sent twice.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from email import policy
from email.parser import BytesParser
from pathlib import Path
from typing import NamedTuple

from eyecaptain.errors import CaptainError
from eyecaptain.language import _
from eyecaptain.postal.outboxes import NotSent, Outbox, Unsure, put

FOLDER = "spool"
WHAT = "X-Captain-Game"  # also how our own mail is known when it comes back


class Waiting(NamedTuple):
    """A message in the spool."""

    id: str
    what: str  # as the log names it: report 3 seat 2
    to: str
    data: bytes


class Spool:
    """The outgoing mail of one game.

    :param folder: the session's.
    :param states: of messages by id, as the log has them; kept up to date here.
    :param record: writes an id, what it is, and its new state into the log.
    """

    def __init__(self, folder: Path, states: dict[str, str], record: Callable[[str, str, str], None]) -> None:
        self._folder = folder / FOLDER
        self._states = states
        self._record = record

    def _path(self, id_: str) -> Path:
        return self._folder / f"{id_}.eml"

    def has(self, id_: str) -> bool:
        """Whether this message was written, sent or not."""
        return id_ in self._states or self._path(id_).exists()

    def add(self, id_: str, message: bytes) -> None:
        """Put a message on the disk, once.

        :raises CaptainError: the disk does not take it; nothing of it is left.
        """
        if self.has(id_):
            return
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            put(self._folder / f"{id_}.new", message)
            (self._folder / f"{id_}.new").replace(self._path(id_))
        except OSError as error:
            raise CaptainError(
                _("The mail in {folder} cannot be written: {strerror}.").format(
                    folder=self._folder, strerror=error.strerror or error
                ),
                _("Make room and run the same again: nothing is evaluated or sent twice."),
            ) from None

    def waiting(self) -> Iterator[Waiting]:
        """What was not sent yet, oldest first."""
        for path in sorted(self._folder.glob("*.eml"), key=lambda path: (path.stat().st_mtime_ns, path.name)):
            if self._states.get(path.stem) == "sent":  # the crash came before the file was removed
                path.unlink()
                continue
            data = path.read_bytes()
            head = BytesParser(policy=policy.default).parsebytes(data, headersonly=True)
            yield Waiting(path.stem, str(head[WHAT]).partition(" ")[2], str(head["To"]), data)

    def is_for_check(self, waiting: Waiting) -> bool:
        """Whether nobody knows if it was sent."""
        return self._states.get(waiting.id) == "check"

    def for_check(self) -> list[Waiting]:
        """What may have been sent, or not."""
        return [waiting for waiting in self.waiting() if self.is_for_check(waiting)]

    def copies(self, folder: Path, name: str) -> Iterator[Waiting]:
        """Put copies of what waits into a folder, to be looked at before it is sent; yields each.

        :raises CaptainError: it cannot be written.
        """
        for waiting in list(self.waiting()):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                put(folder / f"{name}-{waiting.what.replace(' ', '-')}-{waiting.id}.eml", waiting.data)
            except OSError as error:
                raise CaptainError(
                    _("{folder} cannot be written: {strerror}.").format(folder=folder, strerror=error.strerror or error),
                    _("Name another folder."),
                ) from None
            yield waiting

    def settle(self, id_: str, *, again: bool) -> None:
        """The game master has looked: send it again, or let it count as sent.

        :param id_: of a message, or `all`.
        :raises CaptainError: no such message waits for a check.
        """
        found = next((waiting for waiting in self.for_check() if id_ in (waiting.id, "all")), None)
        if found is None:
            raise CaptainError(_("No message {id} waits for a check.").format(id=id_), _("captain geier status says which do."))
        for waiting in self.for_check():
            if id_ in (waiting.id, "all"):
                self._set(waiting, "failed" if again else "sent")

    def _set(self, waiting: Waiting, state: str) -> None:
        self._record(waiting.id, waiting.what, state)
        self._states[waiting.id] = state
        if state == "sent":
            with suppress(OSError):  # the log says it; the file goes next time
                self._path(waiting.id).unlink()

    def send(self, outbox: Outbox) -> Iterator[tuple[Waiting, str, str]]:
        """Hand everything over that waits; yields each message with its new state, and why when it was not sent."""
        for waiting in list(self.waiting()):
            state = self._states.get(waiting.id)
            if state == "check":
                continue
            if state == "sending":  # a crash, in the middle
                had = outbox.had(waiting.id)
                if had is not False:
                    self._set(waiting, "sent" if had else "check")
                    yield waiting, "sent" if had else "check", "" if had else "the program ended while it was sent"
                    continue
            else:
                self._set(waiting, "sending")
            try:
                outbox.send(waiting.id, waiting.to, waiting.data)
            except NotSent as error:
                self._set(waiting, "failed")
                yield waiting, "failed", str(error)
            except Unsure as error:
                self._set(waiting, "check")
                yield waiting, "check", str(error)
            else:
                self._set(waiting, "sent")
                yield waiting, "sent", ""
