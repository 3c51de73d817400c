"""What is attached: which of it is ours, what runs on it, and who holds it."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from eyecaptain.errors import CaptainError
from eyecaptain.flash import drives
from eyecaptain.flash.meet import meet
from eyecaptain.language import _
from eyecaptain.link.holders import holders
from eyecaptain.link.ports import VENDOR, Port, boards


@dataclass(frozen=True, slots=True)
class Seen:
    """One board.

    :ivar runs: in words, what runs on it.
    :ivar fw, build: of our firmware; empty when it does not answer.
    :ivar holders: the programs that have the port; then it was not asked.
    """

    port: Port
    runs: str
    fw: str = ""
    build: str = ""
    holders: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The port's fields and ours."""
        return {**self.port.as_json(), **{key: value for key, value in asdict(self).items() if key != "port"}}


def look() -> list[Seen]:
    """Look at all boards, those in BOOTSEL mode and with other programs, too. Who does not answer is left alone."""
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(_ask, boards()))
    for drive in drives.find():
        port = Port(str(drive.folder), "", "drive", f"{drive.chip}, BOOTSEL")
        found.append(Seen(port, _("nothing: it waits for MicroPython (captain flash --firmware FILE.uf2)")))
    return [*found, *_others()]


def _ask(port: Port) -> Seen:
    held = tuple(holders(port.port))
    if held:
        return Seen(port, _("unknown: {program} uses it").format(program=", ".join(held)), holders=held)
    try:
        met = meet(port, 1.0)
    except CaptainError as error:
        return Seen(port, error.message)
    if met is None:
        return Seen(port, _("not our firmware, or it does not answer"))
    with met:
        hello = met.client.hello
        return Seen(port, _("firmware {version} ({build})").format(version=hello.fw, build=hello.build), hello.fw, hello.build)


def _others() -> list[Seen]:
    """Boards of Raspberry Pi that run something else than MicroPython."""
    from serial.tools import list_ports  # noqa: PLC0415 - takes a while

    known = {port.port for port in boards()}
    return [
        Seen(Port(info.device, info.serial_number or "", "other", info.product or "Raspberry Pi"), _("not MicroPython"))
        for info in sorted(list_ports.comports())
        if info.vid == VENDOR and info.device not in known
    ]
