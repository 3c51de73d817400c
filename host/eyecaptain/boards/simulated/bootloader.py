"""The bootloader in a Pico's ROM, as a folder that plays the drive: a UF2 file that is copied there starts the board again.

What is in the file counts for nothing, because MicroPython is the one that is installed on this computer.
"""

import shutil
import struct
from pathlib import Path

LOOK = 0.05  # seconds between two looks whether the file is there
INFO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
BLOCK = 512


class Bootloader:
    """The drive of one board.

    :param folder: where it appears.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.look_at: float | None = None

    def appear(self, now: float) -> None:
        """The drive is there."""
        self._folder.mkdir()
        (self._folder / "INFO_UF2.TXT").write_text(INFO, encoding="ascii")
        self.look_at = now + LOOK

    def done(self, now: float) -> bool:
        """Whether a whole file has just come; then the drive is gone."""
        if self.look_at is None or now < self.look_at:
            return False
        self.look_at = now + LOOK
        if not any(_whole(file) for file in self._folder.glob("*.uf2")):
            return False
        shutil.rmtree(self._folder)
        self.look_at = None
        return True


def _whole(file: Path) -> bool:
    """Whether all the blocks are there that the first one announces."""
    data = file.read_bytes()
    return len(data) >= BLOCK and len(data) == BLOCK * struct.unpack_from("<I", data, 24)[0]
