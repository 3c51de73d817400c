"""A Pico's flash in a file, with the littlefs that its port makes there (MicroPython). The world is told each write."""

import struct

import vfs
import world_line

BLOCK = 4096
BLOCKS = 352  # of the 2 MB, what the port of a Pico leaves for files
PROGRAM = 256


class Flash:
    """A block device, as littlefs wants it."""

    def __init__(self, file: object) -> None:
        self._file = file
        self.told = True

    def readblocks(self, block: int, buf: bytearray, offset: int = 0) -> None:
        """Read."""
        self._file.seek(block * BLOCK + offset)
        self._file.readinto(buf)

    def writeblocks(self, block: int, buf: bytearray, offset: int = 0) -> None:
        """Program what was erased."""
        self._put(block, offset, buf)
        self._tell(block, offset, buf)

    def ioctl(self, op: int, arg: int) -> int | None:
        """Tell the size (4, 5), or erase a block (6)."""
        if op == 4:
            return BLOCKS
        if op == 5:
            return BLOCK
        if op == 6:
            self._put(arg, 0, b"\xff" * BLOCK)
            self._tell(arg, 0, b"")
        return 0

    def _put(self, block: int, offset: int, data: bytes) -> None:
        self._file.seek(block * BLOCK + offset)
        self._file.write(data)

    def _tell(self, block: int, offset: int, data: bytes) -> None:
        if self.told:
            world_line.tell(ord("F"), struct.pack("<HH", block, offset) + bytes(data))


def littlefs(image: str, folder: str) -> object:
    """Open the filesystem in the image; a new one is made as the port does it, and filled from the folder."""
    try:
        flash = Flash(open(image, "r+b"))
        return vfs.VfsLfs2(flash, progsize=PROGRAM)
    except OSError:
        pass
    with open(image, "wb") as file:
        for _ in range(BLOCKS):  # noqa: FURB122 - MicroPython has no writelines
            file.write(b"\xff" * BLOCK)
    flash = Flash(open(image, "r+b"))
    flash.told = False
    vfs.VfsLfs2.mkfs(flash, progsize=PROGRAM)
    system = vfs.VfsLfs2(flash, progsize=PROGRAM)
    _fill(system, vfs.VfsPosix(folder), "")
    flash.told = True
    return system


def _fill(system: object, source: object, path: str) -> None:
    for entry in source.ilistdir(path or "/"):
        name = path + "/" + entry[0]
        if entry[1] & 0x4000:
            system.mkdir(name)
            _fill(system, source, name)
            continue
        with source.open(name, "rb") as old, system.open(name, "wb") as new:
            new.write(old.read())
