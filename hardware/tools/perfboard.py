"""The plan of the perfboard: which hole each pin sits in, and the wires on the solder side that join them.

The wires of a net are its shortest tree. Grounds that carry the motor's current have a tree of their own, which meets
the other one at a single pin.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import hypot
from pathlib import Path
from typing import Any, NamedTuple

from tools.wiring import FITS, HERE, Part, Wiring

PITCH = 2.54
_WAYS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
# Pins of modules, in holes from pin 1's corner: rows of the Pico 7 apart; the driver's rows 5 apart (their board files).
_MODULES = {
    "pico": {str(n): (n - 1, 7) if n <= 20 else (40 - n, 0) for n in range(1, 41)},
    "drv8833": {str(n): (0, n - 1) for n in range(1, 9)} | {str(n): (5, n - 8) for n in range(9, 15)},
}
_BODIES = {"pico": (-0.55, -0.65, 19.55, 7.65), "drv8833": (-1.0, -1.5, 6.0, 8.5)}
# How far a part reaches beyond its pins, in holes: along its line of pins, and across.
_THIN = (0.45, 0.45)
_THICK = {"power_resistor": (0.45, 0.9), "electrolytic": (1.0, 2.0)}

Hole = tuple[int, int]


class Wire(NamedTuple):
    """A wire on the solder side; `fit` names the variant that needs it, or is empty."""

    net: str
    start: Hole
    stop: Hole
    fit: str

    @property
    def mm(self) -> float:
        """Its length, straight."""
        return _far(self.start, self.stop) * PITCH


@dataclass
class Board:
    """A checked plan."""

    columns: int
    rows: int
    holes: dict[tuple[str, str], Hole]  # by part and name of the pin
    bodies: dict[str, tuple[float, float, float, float]]
    wires: list[Wire]


class BadPlan(Exception):
    """The plan cannot be built; the text has a line for each reason."""


def label(hole: Hole) -> str:
    """What a hole is called: a letter for the row, a number for the column."""
    return f"{chr(ord('A') + hole[1] - 1)}{hole[0]}"


def off_board(wiring: Wiring) -> set[str]:
    """Parts at the other end of a cable, and what is soldered to these."""
    far = {ref for part in wiring.parts.values() for ref in part.to}
    return far | {part.ref for part in wiring.parts.values() if part.at}


def plan(wiring: Wiring, path: Path = HERE / "perfboard.toml") -> Board:
    """Place the parts and join them.

    :raises BadPlan: a part is missing or unknown, two share a hole or lie on each other, or one does not fit.
    """
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    wanted = wiring.parts.keys() - off_board(wiring)
    faults = [f"{ref} has no place" for ref in wanted - raw["parts"].keys()]
    faults += [f"{ref} does not belong on the board" for ref in raw["parts"].keys() - wanted]
    board = Board(raw["columns"], raw["rows"], {}, {}, [])
    taken: dict[Hole, str] = {}
    for ref, place in raw["parts"].items():
        if ref not in wanted:
            continue
        part = wiring.parts[ref]
        for pin, hole in _holes(part, place):
            if not (1 <= hole[0] <= board.columns and 1 <= hole[1] <= board.rows):
                faults.append(f"{ref}.{pin} lies off the board")
            if hole in taken:
                faults.append(f"{ref}.{pin} shares hole {label(hole)} with {taken[hole]}")
            taken[hole] = f"{ref}.{pin}"
            board.holes[(ref, pin)] = hole
        board.bodies[ref] = _body(part, place["at"], [board.holes[(ref, pin)] for pin in part.kind.pins])
    faults += [f"{a} lies on {b}" for a, b in combinations(board.bodies, 2) if _overlap(board.bodies[a], board.bodies[b])]
    if faults:
        raise BadPlan("\n".join(sorted(faults)))
    board.wires = list(_wires(wiring, board, raw["star"]["centre"], set(raw["star"]["own"])))
    return board


def _holes(part: Part, place: dict[str, Any]) -> Iterator[tuple[str, Hole]]:
    column, row = place["at"]
    module = _MODULES.get(part.kind.id)
    step = _WAYS[place.get("way", "right")]
    span = place.get("span", 1)
    for index, pin in enumerate(part.kind.pins.values()):
        dx, dy = module[pin.number] if module else (step[0] * span * index, step[1] * span * index)
        yield pin.name, (column + dx, row + dy)


def _body(part: Part, at: Hole, holes: list[Hole]) -> tuple[float, float, float, float]:
    if part.kind.id in _BODIES:
        left, top, right, bottom = _BODIES[part.kind.id]
        return at[0] + left, at[1] + top, at[0] + right, at[1] + bottom
    xs, ys = [hole[0] for hole in holes], [hole[1] for hole in holes]
    along, across = _THICK.get(part.kind.id, _THIN)
    x, y = (along, across) if len(set(ys)) == 1 else (across, along)
    return min(xs) - x, min(ys) - y, max(xs) + x, max(ys) + y


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _wires(wiring: Wiring, board: Board, centre: str, own: set[str]) -> Iterator[Wire]:
    for net in wiring.nets:
        ends = [
            (str(end), board.holes[(end.part, end.pin)], wiring.parts[end.part].fit)
            for end in net.ends
            if (end.part, end.pin) in board.holes
        ]
        if any(name == centre for name, _, _ in ends):
            yield from _tree(net.name, [(hole, fit) for name, hole, fit in ends if name in own or name == centre])
        yield from _tree(net.name, [(hole, fit) for name, hole, fit in ends if name not in own])


def _tree(net: str, ends: list[tuple[Hole, str]]) -> Iterator[Wire]:
    """The shortest tree over the holes (Prim); what only a variant needs hangs on it, so that it can be left out."""
    always = [hole for hole, fit in ends if not fit]
    for fit in ("", *FITS):
        joined = list(always)
        rest = [hole for hole, of in ends if of == fit]
        if not fit or not joined:
            joined, rest = rest[:1], rest[1:]
        while rest:
            start, stop = min(((a, b) for a in joined for b in rest), key=lambda pair: (_far(*pair), pair))
            joined.append(stop)
            rest.remove(stop)
            yield Wire(net, start, stop, fit)


def _far(one: Hole, other: Hole) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def wire_table(wiring: Wiring, board: Board) -> str:
    """Return the list of wires as a Markdown table, net by net."""
    names = {hole: f"{part}.{pin}" for (part, pin), hole in board.holes.items()}
    rows = ["| net | colour | from | to | mm | only with |", "|---|---|---|---|---|---|"]
    colours = {net.name: net.colour for net in wiring.nets}
    rows += [
        f"| {wire.net} | {colours[wire.net]} | {label(wire.start)} {names[wire.start]} "
        f"| {label(wire.stop)} {names[wire.stop]} | {wire.mm:.0f} | {wire.fit} |"
        for wire in board.wires
    ]
    return "\n".join(rows)
