"""Which messages were handled already: their ids, in a file beside the sessions. It outlives every crash (see `inboxes`)."""

import os
from pathlib import Path

from eyecaptain.errors import CaptainError
from eyecaptain.language import _
from eyecaptain.sessions.writer import sync

FILE_NAME = "mail-handled.txt"


class Ledger:
    """The ids of all messages that were handled; a line cut off by a crash is no id, and its message comes again."""

    def __init__(self, root: Path) -> None:
        self._path = root / FILE_NAME
        self._known: set[str] = set()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lines = self._path.read_text(encoding="ascii", errors="replace").split("\n")
        except FileNotFoundError:
            lines = []
        except OSError as error:
            raise _cannot(self._path, error) from None
        for line in lines:
            self._learn(line)

    def _learn(self, id_: str) -> None:
        if len(id_) == 32:
            self._known |= {id_, id_[:16], id_[16:]}

    def has(self, id_: str) -> bool:
        """Whether a message with this id, or a copy of it, was handled."""
        return id_[:16] in self._known or id_[16:] in self._known

    def has_exactly(self, id_: str) -> bool:
        """Whether this very id is known: not only that of a copy."""
        return id_ in self._known

    def has_named(self, digest: str) -> bool:
        """Whether a message whose Message-ID has this digest was handled."""
        return digest in self._known

    def add(self, id_: str) -> None:
        """A message was handled.

        :raises CaptainError: it cannot be written down.
        """
        try:
            fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(fd, f"\n{id_}\n".encode())  # a line that a crash cut off is ended first
                sync(fd)
            finally:
                os.close(fd)
        except OSError as error:
            raise _cannot(self._path, error) from None
        self._learn(id_)


def _cannot(path: Path, error: OSError) -> CaptainError:
    return CaptainError(
        _("{path} cannot be used: {strerror}.").format(path=path, strerror=error.strerror or error),
        _("Make room, or look at its permissions."),
    )
