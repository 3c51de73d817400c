"""What is on a new simulated board's flash."""

import shutil
from pathlib import Path

from eyecaptain import __version__
from eyecaptain.flash import slots
from eyecaptain.flash.firmware import START, below, build_of, read, sources


def fill(folder: Path, source: Path | None) -> None:
    """Make the folder: with our firmware as `captain flash` leaves it, or with what a board needs of the folder `source`."""
    folder.mkdir()
    if source is not None:
        for name, file in below(source).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / name)
        return
    contents = read(sources())
    build = build_of(contents)
    slot = slots.SLOTS[0]
    for name, data in contents.items():
        place = folder / name if name in START else folder / slots.folder(slot)[1:] / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    files = {name: data for name, data in contents.items() if name not in START}
    (folder / slots.folder(slot)[1:] / slots.MANIFEST).write_bytes(slots.manifest(files, build, __version__))
    (folder / slots.POINTER).write_text(slots.Pointer(slot, build).text(), encoding="ascii")
