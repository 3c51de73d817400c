"""The firmware's files, and the copy of them that a simulated board has as its flash."""

import shutil
from pathlib import Path

from eyecaptain.errors import NoBoard

# What goes to a board beside the packages; the rest of the folder is for people and tools.
SUFFIXES = {".py", ".mpy", ".json"}


def firmware() -> Path:
    """The folder of the firmware: `device` in a checkout, beside the package in a wheel.

    :raises NoBoard: there is none.
    """
    package = Path(__file__).resolve().parents[2]
    for place in (package.parents[1] / "device", package / "device"):
        if (place / "main.py").is_file():
            return place
    raise NoBoard("The firmware's files are not there.", "Install the program anew, or run it from a checkout.")


def fill(flash: Path, source: Path) -> None:
    """Copy the firmware to an empty flash."""

    def ignore(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if not (Path(folder, name).is_dir() or Path(name).suffix in SUFFIXES)} | {
            name for name in names if name.startswith((".", "__pycache__"))
        }

    shutil.copytree(source, flash, ignore=ignore)
