"""Which firmware a board runs, asked without interrupting it."""

from dataclasses import asdict, dataclass
from typing import Any

from eyecaptain import __version__
from eyecaptain.flash import firmware
from eyecaptain.flash.meet import meet
from eyecaptain.link.ports import Port


@dataclass(frozen=True, slots=True)
class Status:
    """What runs on a board, beside what this program would put there.

    :ivar fw, build: of the board; empty when our firmware does not answer.
    :ivar trial: boots that are left without `confirm`; None: it is confirmed, or not known.
    :ivar slot, was: the slot in use, and the build before this one.
    :ivar failed, why: a build from which the board went back by itself, and why.
    :ivar ours, our_build: the version and build of this program's firmware.
    """

    port: str
    fw: str
    build: str
    trial: int | None
    slot: str | None
    was: str | None
    failed: str | None
    why: str | None
    ours: str
    our_build: str

    @property
    def current(self) -> bool:
        """Whether there is nothing to do."""
        return self.build == self.our_build and self.trial is None

    def as_json(self) -> dict[str, Any]:
        """The fields, for `--json`."""
        return {**asdict(self), "current": self.current}


def ask(port: Port, patience: float = 1.0) -> Status:
    """Ask the board at `port`.

    :raises NoBoard: the port cannot be had.
    """
    build = firmware.build_of(firmware.read(firmware.sources()))
    met = meet(port, patience)
    if met is None:
        return Status(port.port, "", "", None, None, None, None, None, __version__, build)
    with met:
        hello = met.client.hello
        slot, was, failed, why = met.where()
        trial = hello.raw.get("trial")
        return Status(port.port, hello.fw, hello.build, trial, slot, was, failed, why, __version__, build)
