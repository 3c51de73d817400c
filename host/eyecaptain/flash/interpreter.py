"""Puts MicroPython itself on a Pico: through its bootloader, which appears as a drive."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from eyecaptain.errors import CheckFailed, NoBoard, UsageProblem
from eyecaptain.flash import drives, uf2
from eyecaptain.flash.console import Repl
from eyecaptain.flash.drives import Drive
from eyecaptain.flash.meet import await_permission, await_port, meet
from eyecaptain.flash.probe import DOWNLOAD
from eyecaptain.language import _
from eyecaptain.link.ports import Port, boards, choose, find

DRIVE = 20.0  # seconds until the drive is there; a desktop takes a while to mount it
BOARD = 20.0  # seconds until MicroPython answers on USB after that
LABELS = Path("/dev/disk/by-label")
LATEST = "latest"

Say = Callable[[str], None]


def install(
    name: str, board: str, say: Say, patience: float = 1.0, *, dry_run: bool = False, places: Iterable[Path] | None = None
) -> Port | None:
    """Put MicroPython on a board; return its port, or None after a dry run.

    :param name: a UF2 file, or `latest`: then mpflash, if it is installed, fetches and writes the newest.
    :param board: auto, or a port or serial number; with auto, a Pico in BOOTSEL mode will do.
    :param places: where drives appear.
    :raises UsageProblem: the file cannot be used, or is for another chip.
    :raises NoBoard: there is no board, or its drive does not appear.
    :raises CheckFailed: MicroPython does not come up, or another version than the file's.
    """
    if name == LATEST:
        return _latest(board, say, dry_run=dry_run)
    image = uf2.read(Path(name))
    what = f"MicroPython {image.micropython}" if image.micropython else f"{image.path.name}"
    found = drives.find(places)
    port = None
    if board != "auto" or not found:
        port = choose(None if board == "auto" else board)
    else:
        _only(found)
        _fits(image, found[0].chip)
    if dry_run:
        words = _("{what} for the {chip} would be put on {place}.")
        say(words.format(what=what, chip=image.chip, place=found[0].folder if port is None else port.port))
        return None
    if port is not None:
        known = [drive.folder for drive in found]
        _enter(port, image, say, patience)
        found = [_appear(known, places, patience)]
        _fits(image, found[0].chip)
    before = {other.serial for other in boards()}
    words = _("Copying {what} to {folder} ({size} kB).")
    say(words.format(what=what, folder=found[0].folder, size=len(image.data) // 1000))
    _copy(image, found[0])
    there = _await(port, before, patience)
    _check(image, there, patience)
    return there


def _only(found: list[Drive]) -> None:
    """Refuse to guess which of several Picos is meant."""
    if len(found) > 1:
        raise NoBoard(_("{count} Picos are in BOOTSEL mode.").format(count=len(found)), _("Unplug all but one."))


def _enter(port: Port, image: uf2.Uf2, say: Say, patience: float) -> None:
    """Take a board that runs MicroPython to its bootloader."""
    met = meet(port, patience)
    if met is not None:
        with met:
            met.quiet()
    with Repl(port.port, max(patience, port.slow)) as repl:
        told = repl.ask("print(json.dumps(getattr(sys.implementation, '_machine', '')))")
        _fits(image, "RP2350" if "RP2350" in told else "RP2040" if "RP2040" in told else told or "no Pico")
        say(_("The board at {port} becomes a drive.").format(port=port.port))
        repl.bootloader()


def _appear(known: list[Path], places: Iterable[Path] | None, patience: float) -> Drive:
    """Wait for a drive that was not there before."""
    end = time.monotonic() + DRIVE * patience
    while time.monotonic() < end:
        for drive in drives.find(places):
            if drive.folder not in known:
                return drive
        time.sleep(0.2)
    raise NoBoard(_("The board's drive does not appear."), _mount_hint())


def _mount_hint() -> str:
    for label in drives.CHIPS:
        if (LABELS / label).exists():
            words = _("This system does not mount it: udisksctl mount -b {device}, then run the command again.")
            return words.format(device=LABELS / label)
    return _("Unplug it, hold BOOTSEL while you plug it in, and run the command again.")


def _fits(image: uf2.Uf2, chip: str) -> None:
    if image.chip != chip:
        raise UsageProblem(
            _("{file} is for the {chip}, and the board is a {other}.").format(file=image.path, chip=image.chip, other=chip),
            _("Get the right file from {page}.").format(page=DOWNLOAD),
        )


def _copy(image: uf2.Uf2, drive: Drive) -> None:
    """Copy the file; the drive vanishes as soon as it has all of it, which is no error."""
    try:
        with (drive.folder / image.path.name).open("wb") as file:
            written = file.write(image.data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if (drive.folder / drives.INFO).exists():
            words = _("{file} cannot be written: {why}.")
            raise NoBoard(words.format(file=drive.folder, why=error.strerror), _("Copy the file by hand.")) from error
    else:
        assert written == len(image.data)


def _await(port: Port | None, before: set[str], patience: float) -> Port:
    """Wait for the board's port: the same serial number, or one that was not there before."""
    end = time.monotonic() + BOARD * patience
    while time.monotonic() < end:
        if port is not None and port.serial:
            there = find(port.serial)
        else:
            there = next((other for other in boards() if other.serial not in before), None)
        if there is not None:
            await_permission(there)
            return there
        time.sleep(0.2)
    raise CheckFailed(
        _("MicroPython does not come up after it was copied."), _("Unplug the board, plug it in, and look again.")
    )


def _check(image: uf2.Uf2, port: Port, patience: float) -> None:
    """Look whether what runs there now is what was copied, as far as the file says what it is."""
    if not image.release:
        return
    try:
        with Repl(port.port, max(patience, port.slow)) as repl:
            runs = repl.ask("print(json.dumps(list(sys.implementation.version[:3])))")
    finally:
        await_port(port)
    if runs != image.release:
        words = _("MicroPython {wanted} was copied to the board at {port}, and {runs} runs there.")
        raise CheckFailed(
            words.format(wanted=image.micropython, port=port.port, runs=".".join(map(str, runs))),
            _("Unplug the board, plug it in, and look again."),
        )


def _latest(board: str, say: Say, *, dry_run: bool) -> Port | None:
    """Let mpflash do it, which knows every board and where its firmware is."""
    program = shutil.which("mpflash")
    if program is None:
        raise UsageProblem(
            _("`latest` needs mpflash: pip install mpflash."),
            _("Or download the file for your Pico from {page} and name it: captain flash --firmware FILE.uf2.").format(
                page=DOWNLOAD
            ),
        )
    if board == "auto" and not boards() and (found := drives.find()):
        raise NoBoard(
            drives.explain(found[0]),
            _("Download the file for it from {page} and name it: captain flash --firmware FILE.uf2.").format(page=DOWNLOAD),
        )
    port = choose(None if board == "auto" else board)
    command = [program, "flash", "--version", "stable", "--serial", port.port]
    say(" ".join(command))
    if dry_run:
        return None
    met = meet(port, 1.0)
    if met is not None:
        with met:
            met.quiet()
    if subprocess.run(command, check=False).returncode:  # noqa: S603 - our own arguments
        raise CheckFailed(_("mpflash did not put MicroPython on the board."), _("What it says is above."))
    return _await(port, set(), 1.0)
