"""The one writer of a session: every action is on disk before anybody sees its effect (design.md, sessions)."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

if sys.platform == "darwin":
    import fcntl

from filelock import FileLock, Timeout

from eyecaptain.errors import BrokenSession, CaptainError
from eyecaptain.language import _
from eyecaptain.sessions import log

TORN = "session.torn"
LOCK = "session.lock"
FRESH = "session.new"  # a log whose header is being written


def sync(fd: int) -> None:
    """Have the bytes of an open file on the disk itself, by the strongest call that the system has."""
    if sys.platform == "darwin":
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(fd)
    else:
        os.fsync(fd)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk (Windows cannot open one, and needs no such call)."""
    if sys.platform == "win32":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def lock(folder: Path) -> FileLock:
    """Take the session in `folder` for this process alone; the system lets go of it however the process ends.

    :raises BrokenSession: another process has it.
    """
    held = FileLock(folder / LOCK)
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise BrokenSession(
            _("The session {name} is being played by another process.").format(name=folder.name),
            _("End it there first (q, or Ctrl-C)."),
        ) from None
    except OSError as error:
        raise BrokenSession(
            _("The session {name} cannot be written: {error}.").format(name=folder.name, error=error),
            _("Look at the folder's permissions."),
        ) from None
    return held


def _put(path: Path, data: bytes) -> None:
    """Write a whole file, and have it on the disk."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
    try:
        while data:  # a disk that fills up takes a part; the next write names the reason
            data = data[os.write(fd, data) :]
        sync(fd)
    finally:
        os.close(fd)


def _must_be_signed(session: log.Session, path: Path) -> None:
    if not session.signed:
        raise BrokenSession(
            _("{path} was written by hand (it has no hashes): it can be replayed, not resumed.").format(path=path),
            f"captain replay {path}",
        )


def _set_aside(session: log.Session, fd: int, path: Path) -> None:
    """Move the torn last line of the log open as `fd` to `path`; it is safe there before it is cut off here."""
    with path.open("ab") as torn:
        torn.write(session.torn)
        torn.flush()
        sync(torn.fileno())
    os.ftruncate(fd, session.size)
    sync(fd)


class Writer:
    """Appends to the log of one session; use `create` or `reopen`, and `close` it."""

    def __init__(self, folder: Path, held: FileLock, fd: int, link: str) -> None:
        self.folder = folder
        self._held = held
        self._fd = fd
        self._link = link
        self._size = 0
        self._seq = 0

    @classmethod
    def create(cls, folder: Path, header: Mapping[str, Any]) -> Self:
        """Make the folder and the log with its header.

        :raises CaptainError: it cannot be written.
        """
        line = log.dump(dict(header))
        path, fresh = folder / log.FILE_NAME, folder / FRESH
        try:
            folder.mkdir(parents=True)
            held = lock(folder)
            _put(fresh, line + b"\n")
            fresh.replace(path)  # so a session is there with its whole header, or not at all
            fd = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
            os.lseek(fd, 0, os.SEEK_END)
            sync_folder(folder)
            sync_folder(folder.parent)
        except OSError as error:
            raise CaptainError(
                _("No session can be made in {parent}: {error}.").format(parent=folder.parent, error=error.strerror or error),
                _("Make room, look at the permissions, or choose another place: --sessions DIR"),
            ) from None
        writer = cls(folder, held, fd, log.first_hash(line))
        writer._size = len(line) + 1
        return writer

    @classmethod
    def reopen(cls, folder: Path) -> tuple[Self, log.Session]:
        """Go on with a session: take it, move a torn last line to `session.torn`, and return its writer and what it holds.

        :raises BrokenSession: it is damaged, unsigned, or another process has it.
        """
        held = lock(folder)
        path = folder / log.FILE_NAME
        try:
            session = log.read(path.read_bytes(), str(path))
            _must_be_signed(session, path)
            fd = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
            if session.torn:
                _set_aside(session, fd, folder / TORN)
            os.lseek(fd, session.size, os.SEEK_SET)
        except OSError as error:
            held.release()
            raise _cannot_write(folder, error) from None
        except BaseException:
            held.release()
            raise
        writer = cls(folder, held, fd, session.hash)
        writer._size = session.size
        writer._seq = len(session.entries)
        return writer, session

    @property
    def seq(self) -> int:
        """The seq of the last action on disk."""
        return self._seq

    def append(self, t: float, *actions: Mapping[str, Any]) -> int:
        """Put an action on the disk, or several that belong together, and return the last one's seq.

        Several are one write of some hundred bytes and one sync. What ends in the middle of it may leave the first lines: a
        sound log, of a game in which late reports are taken back and not told again yet, as people see when they go on.

        :param t: seconds since the session was created.
        :raises CaptainError: the disk does not take them; the log is as it was.
        """
        lines, link = [], self._link
        for seq, action in enumerate(actions, self._seq + 1):
            line, link = log.sign(link, seq, t, dict(action))
            lines.append(line)
        try:
            self._write(b"".join(lines))
        except OSError as error:
            raise _cannot_write(self.folder, error) from None
        self._seq += len(actions)
        self._link = link
        return self._seq

    def _write(self, data: bytes) -> None:
        """One write and one sync; on any failure the file is cut back to what it was."""
        rest = data
        try:
            while rest:  # a disk that fills up takes a part; the next write names the reason
                rest = rest[os.write(self._fd, rest) :]
            sync(self._fd)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._fd, self._size)
                os.lseek(self._fd, self._size, os.SEEK_SET)
            raise
        self._size += len(data)

    def close(self) -> None:
        """Let go of the session."""
        os.close(self._fd)
        self._held.release()


def _cannot_write(folder: Path, error: OSError) -> CaptainError:
    return CaptainError(
        _("The session in {folder} cannot be written: {error}.").format(folder=folder, error=error.strerror or error),
        _("What was shown is saved. Make room or look at the permissions, then go on with: captain play --resume"),
    )
