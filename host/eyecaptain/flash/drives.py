"""The drive as which a Pico in BOOTSEL mode appears."""

import os
import string
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from eyecaptain.language import N_, _

INFO = "INFO_UF2.TXT"
CHIPS = {"RPI-RP2": "RP2040", "RP2350": "RP2350"}  # by Board-ID
HINT = N_("captain flash --firmware FILE.uf2 puts MicroPython on it; or unplug it and plug it in without holding BOOTSEL.")


@dataclass(frozen=True, slots=True)
class Drive:
    """A drive, and the chip behind it."""

    folder: Path
    chip: str


def roots() -> list[Path]:
    """Where this system puts drives, and simulated boards theirs: each is a drive, or a folder of drives."""
    from eyecaptain.boards.simulated import registry  # noqa: PLC0415 - only when a drive is looked for

    return [*_mounts(), *(registry.folder().iterdir() if registry.folder().is_dir() else [])]


def _mounts() -> list[Path]:
    if sys.platform == "win32":
        return [Path(f"{letter}:\\") for letter in string.ascii_uppercase]
    if sys.platform == "darwin":
        return [Path("/Volumes")]
    user = os.environ.get("SUDO_USER") or os.environ.get("USER") or ""
    return [Path("/media", user), Path("/run/media", user), Path("/media"), Path("/mnt")]


def find(places: Iterable[Path] | None = None) -> list[Drive]:
    """The Picos in BOOTSEL mode, among drives that are mounted at or right below `places`."""
    found = {}
    for place in roots() if places is None else places:
        try:
            candidates = [place, *(sorted(place.iterdir()) if place.is_dir() else [])]
        except OSError:  # not ours to see, or an empty card reader
            continue
        for folder in candidates:
            if chip := _chip(folder):
                found[folder.resolve()] = Drive(folder, chip)
    return list(found.values())


def explain(drive: Drive) -> str:
    """What it means that there is such a drive."""
    words = _("A Pico ({chip}) is in BOOTSEL mode, as the drive {folder}: nothing runs on it.")
    return words.format(chip=drive.chip, folder=drive.folder)


def _chip(folder: Path) -> str | None:
    try:
        text = (folder / INFO).read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    ids = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("Board-ID:")]
    return next((CHIPS[name] for name in ids if name in CHIPS), None)
