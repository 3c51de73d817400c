"""The simulated boards that are running, so that discovery can list them beside the USB ports.

Each has a folder of its own in the user's runtime folder, named by its serial number: `board.json` (its `Entry`), `port` (the
link to its pseudo-terminal), `control` (its socket) and `flash`. The environment variable CAPTAIN_RUNTIME names another place.
"""

import contextlib
import json
import os
import shutil
import sys
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path

import platformdirs

from eyecaptain.errors import NoBoard
from eyecaptain.language import N_, _

# What a real Pico says on USB.
VENDOR, PRODUCT = 0x2E8A, 0x0005

_CARD = "board.json"
# sun_path has 104 bytes on macOS and 108 on Linux.
_LONGEST_SOCKET = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """One running simulated board.

    :ivar port: what a serial library opens.
    :ivar control: the path of its control socket.
    :ivar serial: its USB serial number, 16 hex digits.
    :ivar pid: the process that runs it.
    :ivar owned: whether one program started it for itself and ends it.
    :ivar vid, product: as on USB.
    :ivar slow: it takes so many times as long as a Pico.
    """

    port: str
    control: str
    serial: str
    pid: int
    owned: bool = False
    vid: int = VENDOR
    product: int = PRODUCT
    description: str = N_("Simulated board")
    slow: float = 1.0


def folder() -> Path:
    """Where the running boards are registered; it need not exist."""
    if place := os.environ.get("CAPTAIN_RUNTIME"):
        return Path(place)
    with warnings.catch_warnings():
        # It warns when the system has no such folder and takes one in the temporary folder, which will do.
        warnings.simplefilter("ignore")
        return Path(platformdirs.user_runtime_dir("eye-eye-captain"))


def running() -> list[Entry]:
    """The boards that are running, by serial number; what dead ones left behind is removed."""
    if sys.platform == "win32" or not folder().is_dir():
        return []
    entries = []
    for place in sorted(folder().iterdir()):
        entry = _read(place / _CARD)
        if entry is None:
            continue
        if _alive(entry.pid):
            entries.append(entry)
        else:
            shutil.rmtree(place, ignore_errors=True)
    return entries


def claim(serial: str) -> Path:
    """Make the folder for a new board.

    :raises NoBoard: one with this serial number is running, or the folder cannot be used.
    """
    running()  # sweeps
    place = folder() / serial
    if len(os.fsencode(place / "control")) > _LONGEST_SOCKET:
        raise NoBoard(
            _("The folder {folder} has too long a name for a socket.").format(folder=folder()),
            _("Set CAPTAIN_RUNTIME to a shorter one."),
        )
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder().stat().st_uid != os.getuid():
            raise NoBoard(
                _("The folder {folder} belongs to another user.").format(folder=folder()),
                _("Set CAPTAIN_RUNTIME to one of yours."),
            )
        if place.exists():
            raise NoBoard(_("A simulated board with the serial number {serial} is running already.").format(serial=serial))
        place.mkdir(mode=0o700)
    except OSError as error:
        raise NoBoard(
            _("The folder {folder} cannot be used: {error}.").format(folder=folder(), error=error.strerror),
            _("Set CAPTAIN_RUNTIME to another."),
        ) from None
    return place


def register(place: Path, entry: Entry) -> None:
    """Show a board to others, or tell them what changed."""
    fresh = place / (_CARD + ".new")
    fresh.write_text(json.dumps(asdict(entry)), encoding="utf-8")
    fresh.replace(place / _CARD)


def withdraw(place: Path) -> None:
    """Hide a board from others while it is unplugged."""
    (place / _CARD).unlink(missing_ok=True)


def release(place: Path) -> None:
    """Take a board and all that it had out of the folder."""
    with contextlib.suppress(OSError):
        (place / _CARD).unlink()
    shutil.rmtree(place, ignore_errors=True)


def _read(card: Path) -> Entry | None:
    """An entry; None when it is not there (yet), or of another version."""
    try:
        return Entry(**json.loads(card.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
