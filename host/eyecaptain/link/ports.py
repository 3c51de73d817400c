"""Which boards are attached: Picos on USB, and simulated boards that run on this computer."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eyecaptain.errors import NoBoard
from eyecaptain.language import _

VENDOR = 0x2E8A  # Raspberry Pi
MICROPYTHON = 0x0005  # the product number of MicroPython's console on a Pico


@dataclass(frozen=True, slots=True)
class Port:
    """Where a board may be.

    :param port: what to open.
    :param serial: the board's own number; it stays when the port's name changes. Empty when it is not known.
    :param kind: `usb` or `sim`.
    :param description: what it calls itself.
    :param owned: a simulated board that was started for one game, and is not for others.
    :param slow: it takes so many times as long as a Pico to answer (an emulated chip).
    """

    port: str
    serial: str
    kind: str
    description: str
    owned: bool = False
    slow: float = 1.0

    def as_json(self) -> dict[str, Any]:
        """The fields, for `captain ports --json`."""
        return asdict(self)


Pick = Callable[[list[Port]], Port]


def boards() -> list[Port]:
    """Return the boards that are attached, real ones first. Whether our firmware runs there, only `hello` tells."""
    return [*_usb(), *_simulated()]


def find(serial: str) -> Port | None:
    """Return the board with this serial number, wherever it is attached now."""
    return next((port for port in boards() if port.serial == serial), None)


def choose(name: str | None = None, pick: Pick | None = None, found: list[Port] | None = None) -> Port:
    """Return the board to use: the one named by port or serial number, else the only one that is attached.

    Of several it is the one that was named or picked the last time that there were several; nothing else is ever guessed. A
    name that is not in the list is believed: it may be a link to a port, or the address of a bridge.

    :param pick: asks a person which of several it is; None: nobody can be asked.
    :param found: the boards to choose from; None: all that are attached.
    :raises NoBoard: none is attached, or more than one, and nobody says which.
    """
    found = boards() if found is None else found
    if name is not None:
        for port in found:
            if name in (port.port, port.serial):
                _remember(port, found)
                return port
        return Port(name, "", "usb", "named by hand")
    found = [port for port in found if not port.owned]
    if not found:
        raise NoBoard(_("No board is attached."), _("Plug one in, or start a simulated one: `captain emulate`."))
    if len(found) == 1:
        return found[0]
    last = _remembered()
    for port in found:
        if port.serial and port.serial == last:
            return port
    if pick is not None:
        port = pick(found)
        _remember(port, found)
        return port
    unknown = _("no serial number")
    names = ", ".join(f"{port.port} ({_(port.description)}, {port.serial or unknown})" for port in found)
    raise NoBoard(
        _("{number} boards are attached: {names}.").format(number=len(found), names=names),
        _("Name one, such as --board {port}.").format(port=found[0].port),
    )


def _file() -> Path:
    from platformdirs import user_config_path  # noqa: PLC0415 - only with several boards

    return user_config_path("eye-eye-captain", appauthor=False) / "board.txt"


def _remembered() -> str | None:
    """The serial number of the board that was chosen last; a file that cannot be read is done without."""
    try:
        return _file().read_text(encoding="utf-8").strip() or None
    except (OSError, ValueError):
        return None


def _remember(port: Port, found: list[Port]) -> None:
    """Keep a choice between several boards, as far as the disk lets us."""
    if not port.serial or port.owned or sum(not other.owned for other in found) < 2:
        return
    with suppress(OSError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().write_text(f"{port.serial}\n", encoding="utf-8")


def _usb() -> list[Port]:
    """The Picos on USB whose console is MicroPython's."""
    from serial.tools import list_ports  # noqa: PLC0415 - as in line.py

    return [
        Port(info.device, info.serial_number or "", "usb", info.product or "MicroPython on a Pico")
        for info in sorted(list_ports.comports())
        if info.vid == VENDOR and info.pid == MICROPYTHON
    ]


def _simulated() -> list[Port]:
    """The simulated boards that run now."""
    from eyecaptain.boards.simulated.registry import running  # noqa: PLC0415 - as above

    return [
        Port(entry.port, entry.serial, "sim", entry.description, entry.owned, entry.slow)
        for entry in sorted(running(), key=lambda entry: entry.port)
    ]
