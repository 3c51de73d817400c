"""Which boards are attached: Picos on USB, and simulated boards that run on this computer."""

from dataclasses import asdict, dataclass
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
    """

    port: str
    serial: str
    kind: str
    description: str
    owned: bool = False

    def as_json(self) -> dict[str, Any]:
        """The fields, for `captain ports --json`."""
        return asdict(self)


def boards() -> list[Port]:
    """Return the boards that are attached, real ones first. Whether our firmware runs there, only `hello` tells."""
    return [*_usb(), *_simulated()]


def find(serial: str) -> Port | None:
    """Return the board with this serial number, wherever it is attached now."""
    return next((port for port in boards() if port.serial == serial), None)


def choose(name: str | None = None) -> Port:
    """Return the board to use: the one named by port or serial number, else the only one that is attached.

    A name that is not in the list is believed: it may be a link to a port, or the address of a bridge.

    :raises NoBoard: none is attached, or more than one and none was named.
    """
    found = boards()
    if name is not None:
        for port in found:
            if name in (port.port, port.serial):
                return port
        return Port(name, "", "usb", "named by hand")
    found = [port for port in found if not port.owned]
    if not found:
        raise NoBoard(_("No board is attached."), _("Plug one in, or start a simulated one: `captain emulate`."))
    if len(found) > 1:
        names = ", ".join(f"{port.port} ({port.description}, {port.serial or 'no serial number'})" for port in found)
        raise NoBoard(
            _("{number} boards are attached: {names}.").format(number=len(found), names=names),
            _("Name one, such as --board {port}.").format(port=found[0].port),
        )
    return found[0]


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
        Port(entry.port, entry.serial, "sim", entry.description, entry.owned)
        for entry in sorted(running(), key=lambda entry: entry.port)
    ]
