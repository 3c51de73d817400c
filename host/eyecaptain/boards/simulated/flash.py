"""The firmware's files, and the copy of them that a simulated board has as its flash."""

import shutil
from importlib.util import find_spec
from pathlib import Path

from eyecaptain.errors import NoBoard
from eyecaptain.language import _

# What goes to a board beside the packages; the rest of the folder is for people and tools.
SUFFIXES = {".py", ".mpy", ".json"}
START = ("boot.py", "main.py")


def firmware() -> dict[str, Path]:
    """Our firmware, in a checkout or in an installed wheel: the files by their names on the board.

    A checkout has all of it in `device/`; a wheel has the package `eyedeck` beside ours, and the rest in ours.

    :raises NoBoard: it is not there.
    """
    found = find_spec("eyedeck")
    if found is not None and found.submodule_search_locations:
        package = Path(next(iter(found.submodule_search_locations)))
        for place in (package.parent, Path(__file__).parents[2] / "_device"):
            if all((place / name).is_file() for name in START):
                return {name: place / name for name in START} | _below(package, "eyedeck/")
    raise NoBoard(_("The firmware's files are not there."), _("Install the program anew, or run it from a checkout."))


def in_folder(folder: Path) -> dict[str, Path]:
    """Another firmware: the files in `folder` by their names on the board."""
    return _below(folder, "")


def fill(flash: Path, files: dict[str, Path]) -> None:
    """Copy a firmware to an empty flash."""
    flash.mkdir()
    for name, file in files.items():
        (flash / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, flash / name)


def _below(folder: Path, prefix: str) -> dict[str, Path]:
    names = {file.relative_to(folder): file for file in sorted(folder.rglob("*")) if file.suffix in SUFFIXES}
    return {prefix + name.as_posix(): file for name, file in names.items() if not name.as_posix().startswith(".")}
