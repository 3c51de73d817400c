"""Calibration files: the copy on this computer, and what is exported and imported. All say which board they belong to."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import platformdirs

from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import _
from eyedeck.core.palette import Palette, checksum

FORMAT = 1


def on_board(uid: str, values: dict[str, list[int]]) -> dict[str, Any]:
    """The file as the board keeps it (device/eyedeck/calibration.py)."""
    return {"format": FORMAT, "uid": uid.lower(), "sum": checksum(values), "cal": values}


def folder() -> Path:
    """Where this computer keeps its copies; CAPTAIN_CALIBRATIONS names another place."""
    place = os.environ.get("CAPTAIN_CALIBRATIONS")
    return Path(place) if place else platformdirs.user_data_path("eye-eye-captain", appauthor=False) / "calibrations"


def copy_of(uid: str) -> Path:
    """Where the copy of this board's calibration is."""
    return folder() / f"{uid.lower()}.json"


def write(path: Path, uid: str, values: dict[str, list[int]], **about: Any) -> None:
    """Write a calibration file; what was there stays until it is whole.

    :raises CaptainError: it cannot be written.
    """
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(on_board(uid, values) | about, indent=1) + "\n", encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise CaptainError(
            _("{path} cannot be written: {error}.").format(path=path, error=error.strerror or error),
            _("Name another file."),
        ) from None


def read(path: Path, uid: str | None = None) -> dict[str, list[int]]:
    """The values in a calibration file.

    :param uid: the board that it has to belong to; None: any.
    :raises UsageProblem: it is not there, cut, damaged, of another board, or two of its colours are alike.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        values, owner, known = found["cal"], found["uid"], found["sum"]
        if found["format"] != FORMAT:
            raise UsageProblem(
                _("{path} is a calibration of another version.").format(path=path), _("Calibrate again: captain calibrate")
            )
        palette = Palette(values)
    except OSError as error:
        raise UsageProblem(
            _("{path} cannot be read: {error}.").format(path=path, error=error.strerror or error),
            _("Name a calibration file."),
        ) from None
    except (KeyError, TypeError, AttributeError, RecursionError, UnicodeDecodeError, json.JSONDecodeError):
        raise UsageProblem(
            _("{path} is no calibration file, or it is cut.").format(path=path), _("Make one: captain calibrate export FILE")
        ) from None
    except ValueError as error:
        raise UsageProblem(
            _("{path} cannot be used: {error}.").format(path=path, error=error), _("Calibrate again: captain calibrate")
        ) from None
    if palette.sum != known:
        raise UsageProblem(
            _("{path} was changed: its checksum is wrong.").format(path=path), _("Calibrate again: captain calibrate")
        )
    if uid is not None and owner != uid.lower():
        raise UsageProblem(
            _("{path} belongs to the board {owner}, and this is {uid}.").format(path=path, owner=owner, uid=uid.lower()),
            _("Each sensor sees its own colours: calibrate this one (captain calibrate)."),
        )
    return values  # type: ignore[no-any-return]
