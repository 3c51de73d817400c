"""Reads `wiring.toml` and `parts.toml`: parts, nets, and where each stands in the file.

Nothing is made from a file with a fault: `load` raises `BadWiring` with every fault it finds and its line.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parents[1]
MADE = HERE / "made"
PICO = "pico"
TYPES = ("io", "in", "out", "open", "passive", "power_in", "power_out", "ground", "free")
FITS = ("rgb", "plain", "index")
# IEC 60757 codes, as WireViz has them.
COLOURS = {
    "black": "BK",
    "white": "WH",
    "grey": "GY",
    "pink": "PK",
    "red": "RD",
    "orange": "OG",
    "yellow": "YE",
    "green": "GN",
    "blue": "BU",
    "violet": "VT",
    "brown": "BN",
}


class Fault(NamedTuple):
    """What is wrong, and in which line of `wiring.toml`."""

    line: int
    reason: str


class BadWiring(Exception):
    """The file cannot be built from; `faults` says why."""

    def __init__(self, name: str, faults: list[Fault]) -> None:
        self.faults = sorted(faults)
        super().__init__("\n".join(f"{name}:{line}: {reason}" for line, reason in self.faults))


class Pin(NamedTuple):
    """A pin of a kind of part; `type` is one of TYPES."""

    number: str
    name: str
    type: str


@dataclass(frozen=True)
class Kind:
    """A kind of part, as `parts.toml` has it."""

    id: str
    pins: dict[str, Pin]
    name: str
    why: str
    substitutes: str
    without: str
    source: str


@dataclass(frozen=True)
class Part:
    """One part.

    `to` is what a connector's cable leads to, `mm` its length; `at` the part it is soldered to, if not to the board;
    `fit` names the variant that it belongs to, or is empty.
    """

    ref: str
    kind: Kind
    line: int
    value: str = ""
    step: int = 0
    fit: str = ""
    at: str = ""
    to: tuple[str, ...] = ()
    mm: int = 0


class End(NamedTuple):
    """One end of a net."""

    part: str
    pin: str
    line: int

    def __str__(self) -> str:
        return f"{self.part}.{self.pin}"


@dataclass(frozen=True)
class Net:
    """What is joined; the last three are for pins of the Pico."""

    name: str
    ends: tuple[End, ...]
    line: int
    colour: str
    note: str = ""
    firmware: str = ""
    needs: str = ""


@dataclass(frozen=True)
class Material:
    """What is needed beside the circuit."""

    name: str
    count: int
    step: int
    substitutes: str


@dataclass
class Wiring:
    """Everything in both files."""

    parts: dict[str, Part]
    nets: list[Net]
    materials: list[Material] = field(default_factory=list)

    def pin(self, end: End) -> Pin:
        """The pin that an end is."""
        return self.parts[end.part].kind.pins[end.pin]

    def net_of(self, part: str, pin: str) -> Net | None:
        """The net that a pin is on, or None."""
        return next((net for net in self.nets if any((end.part, end.pin) == (part, pin) for end in net.ends)), None)

    def gpio(self, net: Net) -> int | None:
        """The number of the Pico's GP pin on this net, or None."""
        for end in net.ends:
            if self.parts[end.part].kind.id == PICO and self.pin(end).type == "io":
                return int(end.pin[2:])
        return None

    def pico_nets(self) -> Iterator[tuple[int, Net]]:
        """The nets that a GP pin is on, with its number, in the order of the file."""
        for net in self.nets:
            number = self.gpio(net)
            if number is not None:
                yield number, net


def load(wiring: Path = HERE / "wiring.toml", parts: Path = HERE / "parts.toml") -> Wiring:
    """Read both files.

    :raises BadWiring: with every fault in the form of the file; `checks.check` looks at the circuit.
    """
    kinds, materials = _kinds(parts)
    return _Reader(wiring, kinds).read(materials)


def _kinds(path: Path) -> tuple[dict[str, Kind], list[Material]]:
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    kinds = {}
    for ident, entry in raw["kind"].items():
        pins = {pin.name: pin for pin in (Pin(*word.split(":")) for word in entry.pop("pins").split())}
        assert all(pin.type in TYPES for pin in pins.values()), ident
        kinds[ident] = Kind(id=ident, pins=pins, **entry)
    return kinds, [Material(**entry) for entry in raw["material"]]


class _Reader:
    """Reads one wiring file, collecting faults with their lines."""

    def __init__(self, path: Path, kinds: dict[str, Kind]) -> None:
        self._name = path.name
        self._text = path.read_text(encoding="utf-8")
        self._lines = self._text.splitlines()
        self._kinds = kinds
        self._faults: list[Fault] = []

    def read(self, materials: list[Material]) -> Wiring:
        try:
            raw = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            raise BadWiring(self._name, [Fault(int(line[1]) if line else len(self._lines), str(error))]) from error
        for key in raw.keys() - {"parts", "net"}:
            self._fault(self._line_of(rf"\[*{re.escape(key)}\b"), f'unknown "{key}": a file has parts and net')
        parts_raw, nets_raw = raw.get("parts", {}), raw.get("net", [])
        if not isinstance(parts_raw, dict) or not isinstance(nets_raw, list):
            raise BadWiring(self._name, [Fault(1, "parts is a table, and each net begins with [[net]]")])
        parts = {part.ref: part for part in map(self._part, parts_raw, parts_raw.values()) if part}
        for part in parts.values():
            for ref in (*part.to, *([part.at] if part.at else [])):
                if ref not in parts_raw:
                    self._fault(part.line, f'{part.ref}: leads to an unknown part "{ref}"')
        starts = [number for number, line in enumerate(self._lines, 1) if line.strip() == "[[net]]"]
        nets = []
        for index, entry in enumerate(nets_raw):
            start = starts[index] if index < len(starts) else 1
            stop = starts[index + 1] if index + 1 < len(starts) else len(self._lines) + 1
            net = self._net(entry, start, stop, parts)
            if net:
                nets.append(net)
        if self._faults:
            raise BadWiring(self._name, self._faults)
        return Wiring(parts, nets, materials)

    def _fault(self, line: int, reason: str) -> None:
        self._faults.append(Fault(line, reason))

    def _line_of(self, pattern: str, start: int = 1, stop: int | None = None) -> int:
        for number in range(start, stop or len(self._lines) + 1):
            if re.match(rf"\s*{pattern}", self._lines[number - 1]):
                return number
        return start

    def _part(self, ref: str, entry: Any) -> Part | None:
        line = self._line_of(rf"{re.escape(ref)}\s*=")
        shape = {"kind": str, "value": str, "step": int, "fit": str, "at": str, "to": list, "mm": int}
        if not self._shaped(entry, shape, ("kind", "step"), line, ref):
            return None
        kind = self._kinds.get(entry["kind"])
        if kind is None:
            self._fault(line, f'{ref}: unknown part "{entry["kind"]}"; parts.toml has {" ".join(sorted(self._kinds))}')
            return None
        if entry.get("fit", "") not in ("", *FITS):
            self._fault(line, f'{ref}: unknown variant "{entry["fit"]}"; there are {" ".join(FITS)}')
        given = {key: value for key, value in entry.items() if key not in {"kind", "to"}}
        return Part(ref, kind, line, to=tuple(entry.get("to", ())), **given)

    def _net(self, entry: Any, start: int, stop: int, parts: dict[str, Part]) -> Net | None:
        shape = dict.fromkeys(("name", "firmware", "needs", "note", "colour"), str) | {"ends": list}
        if not self._shaped(entry, shape, ("name", "colour", "ends"), start, "net"):
            return None
        name = entry["name"]
        if entry["colour"] not in COLOURS:
            line = self._line_of(r"colour\s*=", start, stop)
            self._fault(line, f'{name}: unknown colour "{entry["colour"]}"; there are {" ".join(COLOURS)}')
        ends = []
        seen: dict[str, int] = {}
        for text in entry["ends"]:
            line = self._line_of_end(str(text), seen.get(str(text), 0), start, stop)
            seen[str(text)] = seen.get(str(text), 0) + 1
            ref, _, pin = str(text).partition(".")
            if ref not in parts:
                self._fault(line, f'{name}: unknown part "{ref}"')
            elif pin not in parts[ref].kind.pins:
                self._fault(line, f'{name}: {ref} ({parts[ref].kind.id}) has no pin "{pin}": {" ".join(parts[ref].kind.pins)}')
            else:
                ends.append(End(ref, pin, line))
        return Net(**{**entry, "ends": tuple(ends), "line": self._line_of(r"name\s*=", start, stop)})

    def _line_of_end(self, text: str, before: int, start: int, stop: int) -> int:
        for number in range(start, stop):
            count = self._lines[number - 1].partition("#")[0].count(f'"{text}"')
            if count > before:
                return number
            before -= count
        return start

    def _shaped(self, entry: Any, shape: Mapping[str, type], needed: tuple[str, ...], line: int, what: str) -> bool:
        if not isinstance(entry, dict):
            self._fault(line, f"{what}: not a table")
            return False
        wrong = [f'unknown "{key}"' for key in entry if key not in shape]
        wrong += [f'"{key}" is missing' for key in needed if key not in entry]
        wrong += [
            f'"{key}" must be {shape[key].__name__}' for key in entry if key in shape and type(entry[key]) is not shape[key]
        ]
        for reason in wrong:
            self._fault(line, f"{what}: {reason}")
        return not wrong
