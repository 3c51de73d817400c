"""Where sessions live: one folder each, below the user's data folder or where `--sessions` says."""

import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from secrets import choice

from eyecaptain.errors import BrokenSession, UsageProblem
from eyecaptain.language import _
from eyecaptain.sessions import log
from eyecaptain.sessions.log import FILE_NAME
from eyecaptain.sessions.writer import lock

ALPHABET = "0123456789abcdefghijkmnpqrstuvwxyz"


def default_root() -> Path:
    """The folder of all sessions: CAPTAIN_SESSIONS, or `sessions` in the platform's user data folder."""
    if named := os.environ.get("CAPTAIN_SESSIONS"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("eye-eye-captain", appauthor=False) / "sessions"


def new_id(now: datetime) -> str:
    """A name for a session that sorts by time and is never taken twice, e.g. ``20261130-181502-k3f9``."""
    return f"{now:%Y%m%d-%H%M%S}-{''.join(choice(ALPHABET) for _ in range(4))}"


def folders(root: Path) -> Iterator[Path]:
    """The folders of all sessions, newest first."""
    if root.is_dir():
        yield from sorted((path for path in root.iterdir() if (path / FILE_NAME).is_file()), reverse=True)


def find(root: Path, name: str) -> Path:
    """The log that `name` means: a file, a session's folder, or the id of a session below `root` or its beginning.

    :raises BrokenSession: there is none.
    :raises UsageProblem: it is the beginning of more than one id.
    """
    path = Path(name)
    if path.is_file():
        return path
    if (path / FILE_NAME).is_file():
        return path / FILE_NAME
    found = [folder for folder in folders(root) if folder.name.startswith(name)] if name else []
    if len(found) == 1:
        return found[0] / FILE_NAME
    if found:
        names = ", ".join(folder.name for folder in found[:5])
        raise UsageProblem(
            _('"{name}" could be any of {found} sessions: {names}.').format(name=name, found=len(found), names=names),
            _("Write more of its id."),
        )
    raise BrokenSession(
        _('There is no session "{name}" in {root}, and no such file.').format(name=name, root=root),
        _("captain sessions list shows what there is."),
    )


def read(path: Path) -> log.Session:
    """Read a session file.

    :raises BrokenSession: it cannot be read, or is damaged.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BrokenSession(
            _("{path} cannot be read: {error}.").format(path=path, error=error.strerror or error), _("Look at its permissions.")
        ) from None
    return log.read(data, str(path))


def delete(folder: Path) -> None:
    """Remove a session and all its files.

    :raises BrokenSession: a process plays it, or the folder cannot be removed.
    """
    held = lock(folder)
    try:
        held.release()
        shutil.rmtree(folder)
    except OSError as error:
        raise BrokenSession(
            _("{folder} cannot be removed: {error}.").format(folder=folder, error=error.strerror or error),
            _("Look at its permissions."),
        ) from None
