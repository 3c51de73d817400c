"""UF2 files: what a Pico's bootloader takes (format: github.com/microsoft/uf2)."""

import re
import struct
from dataclasses import dataclass
from pathlib import Path

from eyecaptain.errors import UsageProblem
from eyecaptain.language import _

BLOCK = 512
BEGIN, SECOND, END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
NOT_MAIN_FLASH, HAS_FAMILY = 0x0001, 0x2000
PAYLOAD = 476  # bytes at most
FAMILIES = {0xE48BFF56: "RP2040", 0xE48BFF59: "RP2350", 0xE48BFF5A: "RP2350", 0xE48BFF5B: "RP2350"}
ABSOLUTE = 0xE48BFF57  # one block in front of files for the RP2350, for the chip's own needs
BANNER = re.compile(rb"MicroPython v?(\d+\.\d+[\w.-]*) on [\d-]+")


@dataclass(frozen=True, slots=True)
class Uf2:
    """A UF2 file for one chip.

    :ivar chip: `RP2040` or `RP2350`.
    :ivar micropython: the version that it says it is; empty when it does not.
    """

    path: Path
    chip: str
    micropython: str
    data: bytes

    @property
    def release(self) -> list[int]:
        """The three numbers of that version; none when it does not say."""
        numbers = [int(part) for part in re.findall(r"\d+", self.micropython.partition("-")[0])]
        return [*numbers, 0, 0][:3] if numbers else []


def read(path: Path) -> Uf2:
    """Read a UF2 file.

    :raises UsageProblem: it is not there, no UF2 file, damaged, or for no chip of a Pico.
    """
    if path.is_dir():
        raise UsageProblem(_("{file} is a folder.").format(file=path), _("Name the .uf2 file in it."))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageProblem(_("{file} cannot be read: {why}.").format(file=path, why=error.strerror)) from None
    families, content = set(), bytearray()
    if not data or len(data) % BLOCK:
        words = _("{file} is no whole UF2 file: its length is no multiple of {size}.")
        raise UsageProblem(words.format(file=path, size=BLOCK), _("Download it again."))
    expected: dict[int, int] = {}
    for at in range(0, len(data), BLOCK):
        begin, second, flags, _address, size, number, total, family = struct.unpack_from("<8I", data, at)
        (end,) = struct.unpack_from("<I", data, at + BLOCK - 4)
        if (begin, second, end) != (BEGIN, SECOND, END) or size > PAYLOAD:
            words = _("{file} is no UF2 file, or damaged at byte {at}.")
            raise UsageProblem(words.format(file=path, at=at), _("Download it again."))
        if flags & NOT_MAIN_FLASH:
            continue
        family = family if flags & HAS_FAMILY else 0
        if family == ABSOLUTE:
            continue
        if number != expected.get(family, 0):
            words = _("{file} is damaged: block {number} of {total} is missing.")
            said = words.format(file=path, number=expected.get(family, 0), total=total)
            raise UsageProblem(said, _("Download it again."))
        expected[family] = number + 1
        families.add((family, total))
        content += data[at + 32 : at + 32 + size]
    if any(expected[family] != total for family, total in families):
        raise UsageProblem(_("{file} is damaged: its end is missing.").format(file=path), _("Download it again."))
    chips = {FAMILIES.get(family) for family, _total in families}
    if len(chips) != 1 or None in chips:
        told = ", ".join(f"{family:#010x}" for family, _total in sorted(families))
        words = _("{file} is for another chip than a Pico's (family {family}).")
        raise UsageProblem(words.format(file=path, family=told), _("Download the file for your Pico."))
    banner = BANNER.search(content)
    return Uf2(path, chips.pop() or "", banner[1].decode() if banner else "", data)
