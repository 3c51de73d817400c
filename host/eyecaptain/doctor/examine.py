"""`captain doctor` from beginning to end: this computer, the board, its parts, a verdict, and a report to attach."""

import json
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from eyecaptain import __version__
from eyecaptain.doctor import board, computer
from eyecaptain.doctor.checks import Check
from eyecaptain.errors import LinkLost, UsageProblem
from eyecaptain.flash import status
from eyecaptain.flash.meet import Met
from eyecaptain.language import _
from eyecaptain.link.errors import BoardRefused, OtherVersion
from eyecaptain.link.ports import Port, boards


@dataclass(slots=True)
class Report:
    """What was found.

    :ivar raw: the last lines of the link, for whoever helps.
    """

    sections: dict[str, list[Check]] = field(default_factory=dict)
    raw: list[str] = field(default_factory=list)

    @property
    def failed(self) -> list[Check]:
        """What is not as it should be."""
        return [check for checks in self.sections.values() for check in checks if check.ok is False]

    def as_json(self) -> dict[str, Any]:
        """Everything but the raw lines."""
        return {
            "version": __version__,
            "good": not self.failed,
            **{name: [check.as_json() for check in checks] for name, checks in self.sections.items()},
        }

    def lines(self) -> list[str]:
        """The same for people."""
        heads = {
            "computer": _("This computer"),
            "board": _("The board"),
            "counters": _("What it has counted since it was switched on"),
            "parts": _("Its parts"),
        }
        said = []
        for name, checks in self.sections.items():
            if checks:
                said += [heads[name], *(line for check in checks for line in check.lines()), ""]
        return [*said, _("What the lights say"), *board.legend(), "", self.verdict()]

    def verdict(self) -> str:
        """One sentence."""
        if self.failed:
            names = ", ".join(check.name for check in self.failed)
            return _("Not everything is well: {names}.").format(names=names)
        if "board" not in self.sections:
            return _("This computer is well; no board was looked at.")
        return _("All is well.")

    def write(self, file: Path) -> None:
        """Write the report that somebody can attach to a question.

        :raises UsageProblem: it cannot be written there.
        """
        text = [
            f"captain doctor {__version__}, {datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}, {platform.platform()}",
            "",
            *self.lines(),
            "",
            json.dumps(self.as_json(), ensure_ascii=False, indent=1),
            "",
            *self.raw,
        ]
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(text) + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageProblem(
                _("{path} cannot be written: {error}.").format(path=file, error=error.strerror or error),
                _("Name another file."),
            ) from error


def of_computer() -> Report:
    """Look at this computer."""
    return Report({"computer": computer.look(boards())})


def of_board(report: Report, port: Port, *, motor: bool, patience: float, seen: Callable[[], bool | None]) -> None:
    """Look at a board, and add to the report.

    :param motor: let it turn for a moment.
    :param seen: asks a person whether the lights were seen.
    :raises NoBoard: the port cannot be had.
    :raises LinkLost: our firmware does not answer.
    """
    found = status.ask(port, patience)
    try:
        met = Met(port, patience)
    except (OtherVersion, LinkLost, BoardRefused) as error:
        lost = LinkLost(
            _("Our firmware does not answer at {port}.").format(port=port.port),
            _("`captain flash` puts it there; `captain flash --status` only asks."),
        )
        lost.lines = report.raw = error.lines
        raise lost from error
    with met:
        try:
            stats = met.client.request("stats")
            report.sections["board"] = board.firmware(found, met.client.hello.raw, stats)
            report.sections["counters"] = board.counters(stats)
            report.sections["parts"] = [*_parts(met, motor=motor), board.lights(met, seen)]
        finally:
            report.raw = met.client.tape.lines()


def _parts(met: Met, *, motor: bool) -> list[Check]:
    """What the self-test says; a motor that may not run is one of the parts that are not well."""
    if not motor:
        return board.parts(met.selftest())
    try:
        met.client.request("arm")
        parts = board.parts(met.selftest(motor=True))
    except BoardRefused as refusal:
        parts = [*board.parts(met.selftest()), board.refused_motor(refusal)]
    met.client.request("disarm")  # nothing stays armed while somebody is asked about the lights
    return parts
