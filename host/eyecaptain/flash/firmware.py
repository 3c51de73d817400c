"""The firmware's files: where they are, and which build they are."""

import hashlib
from importlib.util import find_spec
from pathlib import Path

from eyecaptain.errors import NoBoard
from eyecaptain.language import _

# What goes to a board; the rest of the folder is for people and tools.
SUFFIXES = {".py", ".mpy", ".json"}
START = ("boot.py", "main.py")
PACKAGE = "eyedeck"
BUILD_DIGITS = 12


def sources() -> dict[str, Path]:
    """Our firmware, in a checkout or in an installed wheel: the files by their names on a board without slots.

    A checkout has all of it in `device/`; a wheel has the package `eyedeck` beside ours, and the rest in ours.

    :raises NoBoard: it is not there.
    """
    found = find_spec(PACKAGE)
    if found is not None and found.submodule_search_locations:
        package = Path(next(iter(found.submodule_search_locations)))
        for place in (package.parent, Path(__file__).parents[1] / "_device"):
            if all((place / name).is_file() for name in START):
                return {name: place / name for name in START} | below(package, f"{PACKAGE}/")
    raise NoBoard(_("The firmware's files are not there."), _("Install the program anew, or run it from a checkout."))


def below(folder: Path, prefix: str = "") -> dict[str, Path]:
    """The files in a folder that a board needs, by their names on it."""
    names = {file.relative_to(folder): file for file in sorted(folder.rglob("*")) if file.suffix in SUFFIXES}
    return {prefix + name.as_posix(): file for name, file in names.items() if not name.as_posix().startswith(".")}


def build_of(contents: dict[str, bytes]) -> str:
    """Which build these sources are: the first digits of a SHA-256 over their names and contents.

    It is of the sources, not of what is made of them, so that it can be compared before the board's dialect is known.
    """
    total = hashlib.sha256()
    for name in sorted(contents):
        total.update(f"{name} {len(contents[name])}\n".encode())
        total.update(contents[name])
    return total.hexdigest()[:BUILD_DIGITS]


def read(files: dict[str, Path]) -> dict[str, bytes]:
    """The contents of the files."""
    return {name: file.read_bytes() for name, file in files.items()}
