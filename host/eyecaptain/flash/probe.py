"""What is on a board, and whether our firmware can run there."""

from dataclasses import dataclass, field
from typing import Any, Self

from eyecaptain.errors import CheckFailed, NoBoard
from eyecaptain.flash.slots import Files, Pointer, folder
from eyecaptain.language import _

OLDEST = (1, 26, 0)  # of MicroPython: hard timer interrupts on rp2
DOWNLOAD = "https://micropython.org/download/"
PLATFORMS = ("rp2", "linux", "darwin")  # a Pico; a simulated board
KEPT = ".kept"  # ends the name of a start file that was there before us
OURS = {"boot.py", "main.py", "slot.json", "board.json", "cal.json", "eyedeck/", "slot_a/", "slot_b/"}


@dataclass(frozen=True, slots=True)
class Found:
    """What a board told.

    :ivar dialect: `sys.implementation._mpy`: which .mpy files it reads; 0: none.
    :ivar start: of boot.py, main.py and what was kept of others: SHA-256, and whether it is one of ours.
    :ivar files: what is in the slots, by full path.
    :ivar root: names in the root, folders with a slash.
    """

    port: str
    version: tuple[int, ...]
    machine: str
    platform: str
    dialect: int
    uid: str
    free: int
    pointer: Pointer
    start: dict[str, tuple[str, bool]] = field(repr=False)
    files: Files = field(repr=False)
    root: list[str] = field(repr=False)

    @classmethod
    def parse(cls, port: str, raw: dict[str, Any]) -> Self:
        """Take what `probe()` of onboard.py printed."""
        return cls(
            port=port,
            version=tuple(raw["version"]),
            machine=raw["machine"],
            platform=raw["platform"],
            dialect=raw["mpy"],
            uid=raw["uid"],
            free=raw["block"] * raw["free"],
            pointer=Pointer.parse(raw["pointer"]),
            start={name: (digest, ours) for name, (digest, ours) in raw["start"].items()},
            files=raw["files"],
            root=sorted(raw["root"]),
        )

    def check(self) -> None:
        """Refuse a board on which our firmware cannot run.

        :raises NoBoard: it is no Pico.
        :raises CheckFailed: its MicroPython is too old.
        """
        if self.platform not in PLATFORMS:
            what = self.machine or self.platform
            words = _("The board at {port} is no Pico: it is {what}.")
            raise NoBoard(words.format(port=self.port, what=what), _("It was left as it is."))
        if self.version < OLDEST:
            have, need = (".".join(map(str, version)) for version in (self.version, OLDEST))
            raise CheckFailed(
                _("The MicroPython on the board at {port} is {have}; {need} or newer is needed.").format(
                    port=self.port, have=have, need=need
                ),
                _("Get it at {page} and put it on the board: captain flash --firmware FILE.uf2.").format(
                    page=f"{DOWNLOAD}{self.model}/"
                ),
            )

    @property
    def model(self) -> str:
        """What MicroPython calls this board on its download page."""
        return "RPI_PICO2" if "RP2350" in self.machine else "RPI_PICO"

    @property
    def runs_ours(self) -> bool:
        """Whether its main.py is one of ours and has something to start."""
        _, ours = self.start.get("main.py", ("", False))
        return ours and (self.pointer.settled.slot is not None or "eyedeck/" in self.root)

    def slot(self, name: str) -> Files:
        """What is in a slot, by the name in it, without its manifest."""
        top = folder(name) + "/"
        return {path[len(top) :]: value for path, value in self.files.items() if path.startswith(top)}

    @property
    def others(self) -> list[str]:
        """Files and folders of somebody else; they stay."""
        return [name for name in self.root if name not in OURS and not name.endswith((KEPT, ".new"))]

    @property
    def foreign(self) -> list[str]:
        """Start files of somebody else."""
        return [name for name in ("boot.py", "main.py") if name in self.start and not self.start[name][1]]

    @property
    def kept(self) -> list[str]:
        """Start files of somebody else that were put aside earlier."""
        return [name.removesuffix(KEPT) for name in sorted(self.start) if name.endswith(KEPT)]
