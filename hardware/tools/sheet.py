"""Draws the schematic to look at, from the wiring: a block for each job, every end labelled with its net."""

from pathlib import Path
from typing import Any

from tools.wiring import Part, Wiring

# What belongs together, in the columns of the sheet; a test says that no part is forgotten.
COLUMNS = [
    {
        "Microcontroller": ["U1"],
        "Supply": ["F1", "R11", "C2", "C3"],
        "Eye switch": ["J3", "S1", "R8"],
        'Index, variant "index"': ["U4", "J6", "R19"],
    },
    {
        "Colour sensor": ["U2", "J1", "R1", "R2", "R3"],
        "Eye motor": ["U3", "J2", "M1", "C4", "R4", "R5", "R6", "R7", "R9", "R10", "C1"],
    },
    {
        'Lights, variant "rgb"': ["W1", "J4", "D7", "R12"],
        'Lights, variant "plain"': ["J5", *(f"D{n}" for n in range(1, 7)), *(f"R{n}" for n in range(13, 19))],
    },
]
_WIDE = 18.0
_ACROSS = 2  # parts with two pins in a row
_CELL = (8.4, 1.6)
_ROW = 0.6
_BOX = 4.0
_TWO_SIDED = 8  # a part with more pins has them on both sides


def draw(wiring: Wiring, path: Path) -> None:
    """Write the schematic as SVG."""
    import schemdraw
    from schemdraw import elements

    schemdraw.use("svg")
    schemdraw.svgconfig.text = "text"
    with schemdraw.Drawing(show=False, fontsize=10, unit=2) as sheet:
        pen = _Pen(sheet, elements, wiring)
        for column, blocks in enumerate(COLUMNS):
            top = 0.0
            for title, refs in blocks.items():
                top = pen.block(title, [wiring.parts[ref] for ref in refs], column * _WIDE, top)
    path.write_bytes(sheet.get_imagedata("svg"))


class _Pen:
    """Draws on a sheet of schemdraw, with everything at absolute places."""

    def __init__(self, sheet: Any, elements: Any, wiring: Wiring) -> None:
        self._sheet = sheet
        self._elements = elements
        self._wiring = wiring

    def block(self, title: str, parts: list[Part], left: float, top: float) -> float:
        """Draw a block below `top`; return where it ends."""
        self._text(title, (left - 1.8, top), 16, "left")
        boxes = [part for part in parts if len(part.kind.pins) > 2 or part.to]
        pairs = [part for part in parts if part not in boxes]
        top -= 1.2
        at = left
        for part in boxes:
            self._box(part, at, top)
            at += _WIDE / 2
        top -= max((self._rows(part) * _ROW + 1.5 for part in boxes), default=0.0)
        for index, part in enumerate(pairs):
            self._pair(part, left + index % _ACROSS * _CELL[0], top - index // _ACROSS * _CELL[1])
        return top - (len(pairs) + _ACROSS - 1) // _ACROSS * _CELL[1] - 0.6

    def _rows(self, part: Part) -> int:
        pins = len(part.kind.pins)
        return (pins + 1) // 2 if pins > _TWO_SIDED else pins

    def _text(self, text: str, at: tuple[float, float], size: int, align: str, colour: str = "black") -> None:
        label = self._elements.Label().at(at)
        self._sheet += label.label(text, fontsize=size, halign=align, valign="center", loc="center", color=colour)

    def _box(self, part: Part, left: float, top: float) -> None:
        """A part with many pins, with the nets outside; a two-sided one counts down on the left and up on the right."""
        pins, rows = list(part.kind.pins.values()), self._rows(part)
        corners = {"corner1": (left, top), "corner2": (left + _BOX, top - rows * _ROW - 0.3)}
        self._sheet += self._elements.Rect(**corners).at((0, 0)).theta(0)
        self._text(_title(part), (left + _BOX / 2, top + 0.3), 11, "center")
        for index, pin in enumerate(pins):
            right = index >= rows
            y = top - 0.45 - _ROW * (len(pins) - 1 - index if right else index)
            edge, out = (left + _BOX, 0.5) if right else (left, -0.5)
            inside, outside = ("right", "left") if right else ("left", "right")
            self._sheet += self._elements.Line().at((edge, y)).to((edge + out, y))
            self._text(f"{pin.name} {pin.number}" if right else f"{pin.number} {pin.name}", (edge - out * 0.45, y), 10, inside)
            self._text(self._net(part, pin.name), (edge + out * 1.2, y), 10, outside, "navy")

    def _pair(self, part: Part, left: float, y: float) -> None:
        """A part with two pins, by its symbol, with the nets at both ends."""
        one, two = part.kind.pins
        symbol = getattr(self._elements, _SYMBOLS[part.kind.id])()
        self._sheet += symbol.at((left, y)).to((left + 2, y)).label(_title(part), fontsize=10)
        self._text(self._net(part, one), (left - 0.1, y), 10, "right", "navy")
        self._text(self._net(part, two), (left + 2.1, y), 10, "left", "navy")

    def _net(self, part: Part, pin: str) -> str:
        net = self._wiring.net_of(part.ref, pin)
        return net.name if net else "open"


_SYMBOLS = {
    "resistor": "ResistorIEC",
    "power_resistor": "ResistorIEC",
    "ceramic": "Capacitor",
    "electrolytic": "Capacitor2",
    "diode": "Diode",
    "led": "LED",
    "fuse": "FuseIEC",
    "motor": "Motor",
    "switch": "Switch",
}


def _title(part: Part) -> str:
    return f"{part.ref} {part.value or part.kind.id}"
