"""Draws the perfboard to scale: its plan, component side and solder side as it is seen turned over; and where to measure."""

from collections.abc import Iterator
from html import escape

from tools.perfboard import PITCH, Board, label
from tools.wiring import Wiring

_EDGE = 6.0  # mm around the holes
_TITLE = 5.0  # mm above each side
_GAP = 7.0  # mm between both
_CSS = {
    "black": "#111",
    "white": "#bbb",
    "grey": "#777",
    "pink": "#f4a",
    "red": "#d22",
    "orange": "#f80",
    "yellow": "#cb0",
    "green": "#292",
    "blue": "#24d",
    "violet": "#83c",
    "brown": "#853",
}

Point = tuple[float, float]


# Where the guide has people measure while the board is powered, by part and pin.
PROBES = (("U1", "VBUS"), ("U1", "GND38"), ("U1", "3V3"), ("U3", "VM"), ("U3", "SLEEP"), ("U3", "FAULT"), ("J4", "1"))


def render(wiring: Wiring, board: Board) -> str:
    """Return the plan as SVG; one of its units is a millimetre."""
    front = _Side(wiring, board, _TITLE, solder=False)
    back = _Side(wiring, board, _TITLE + front.high + _GAP, solder=True)
    return _sheet(front.wide, back.bottom, [*front.parts("component side; 1:1 when printed at 100 %"), *back.wires()])


def probes(wiring: Wiring, board: Board) -> str:
    """Return the component side with a ring around each hole in which the guide measures, as SVG."""
    front = _Side(wiring, board, _TITLE, solder=False)
    return _sheet(front.wide, front.bottom, [*front.parts("where to measure"), front.usb(), *map(front.probe, PROBES)])


def _sheet(wide: float, high: float, drawn: list[str]) -> str:
    size = f'width="{wide:.2f}mm" height="{high:.2f}mm" viewBox="0 0 {wide:.2f} {high:.2f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">',
        '<rect width="100%" height="100%" fill="white"/>',
        *drawn,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


class _Side:
    """One side of the board on the sheet, `top` mm below its upper edge."""

    def __init__(self, wiring: Wiring, board: Board, top: float, solder: bool) -> None:
        self._wiring = wiring
        self._board = board
        self._top = top
        self._solder = solder
        self.wide = (board.columns - 1) * PITCH + 2 * _EDGE
        self.high = (board.rows - 1) * PITCH + 2 * _EDGE

    @property
    def bottom(self) -> float:
        """Where this side ends on the sheet."""
        return self._top + self.high + 2

    def parts(self, title: str) -> Iterator[str]:
        """Draw the component side."""
        yield from self._grid(title)
        for ref, (left, above, right, below) in self._board.bodies.items():
            (x1, y1), (x2, y2) = self._at((left, above)), self._at((right, below))
            box = f'x="{x1:.2f}" y="{y1:.2f}" width="{x2 - x1:.2f}" height="{y2 - y1:.2f}"'
            yield f'<rect {box} rx="0.8" fill="#dfe8f2" stroke="#456" stroke-width="0.2"/>'
            yield self._caption(ref, x1, y1, x2, y2)
        for (ref, pin), hole in self._board.holes.items():
            yield self._dot(ref, pin)
            yield self._name(ref, pin, self._at(hole))

    def probe(self, end: tuple[str, str]) -> str:
        """Draw a ring around the hole of a pin, with what the hole is called."""
        hole = self._board.holes[end]
        x, y = self._at(hole)
        ring = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1.5" fill="none" stroke="#d22" stroke-width="0.5"/>'
        look = 'font-weight="bold" fill="#d22" stroke="white" stroke-width="0.6" paint-order="stroke"'
        return f"{ring}<g {look}>{_text((x, y - 2.0), label(hole), 3, 'middle')}</g>"

    def usb(self) -> str:
        """Say at which end of the Pico its USB is."""
        left, above, _right, below = self._board.bodies["U1"]
        x, y = self._at((left, (above + below) / 2))
        return _upright((x + 2.4, y), "USB", "middle", 2.4)

    def wires(self) -> Iterator[str]:
        """Draw the solder side."""
        yield from self._grid("solder side (turned over left to right): the wires")
        colours = {net.name: _CSS[net.colour] for net in self._wiring.nets}
        for wire in self._board.wires:
            (x1, y1), (x2, y2) = self._at(wire.start), self._at(wire.stop)
            ends = f'x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"'
            look = f'stroke="{colours[wire.net]}" stroke-width="0.6" stroke-linecap="round"'
            yield f"<line {ends} {look}><title>{escape(wire.net)}</title></line>"
        for ref, pin in self._board.holes:
            yield self._dot(ref, pin)

    def _at(self, hole: Point) -> Point:
        x = _EDGE + (hole[0] - 1) * PITCH
        return self.wide - x if self._solder else x, self._top + _EDGE + (hole[1] - 1) * PITCH

    def _grid(self, title: str) -> Iterator[str]:
        yield _text((1, self._top - 1.5), title, 3)
        box = f'x="0.2" y="{self._top:.2f}" width="{self.wide - 0.4:.2f}" height="{self.high:.2f}"'
        yield f'<rect {box} fill="#fbf3dd" stroke="#a85" stroke-width="0.3"/>'
        for column in range(1, self._board.columns + 1):
            x, y = self._at((column, 1))
            yield _text((x, y - 3), str(column), 1.6, "middle")
            for row in range(1, self._board.rows + 1):
                yield _circle(self._at((column, row)), 0.35, "#cbb")
        for row in range(1, self._board.rows + 1):
            x, y = self._at((1, row))
            yield _text((x + (3.4 if self._solder else -3.4), y + 0.6), label((1, row))[0], 1.6, "middle")

    def _dot(self, ref: str, pin: str) -> str:
        used = self._wiring.net_of(ref, pin) is not None
        return _circle(self._at(self._board.holes[(ref, pin)]), 0.7, "#c93" if used else "#ddd")

    def _caption(self, ref: str, x1: float, y1: float, x2: float, y2: float) -> str:
        part = self._wiring.parts[ref]
        text = f"{ref} {part.value}".strip()
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        if part.kind.id == "electrolytic":
            return _text((x, y1 + 2.4), text, 1.8, "middle")
        if y2 - y1 > 10 and x2 - x1 < 5:
            return _upright((x + 0.6, y), text, "middle", 1.5)
        if part.to or max(x2 - x1, y2 - y1) < 10:  # no room inside
            return _text((x, y2 + 1.9), text, 1.8, "middle")
        return _text((x, y + 0.6), text, 1.8, "middle")

    def _name(self, ref: str, pin: str, at: Point) -> str:
        """What is written beside a pin: names stand inside a module, upright along its long sides."""
        part = self._wiring.parts[ref]
        if len(part.kind.pins) == 2 and not part.to:
            marked = {"electrolytic": "+", "diode": "K"}.get(part.kind.id)
            return _text((at[0] + 1, at[1] + 1.9), pin, 1.8) if marked == pin else ""
        left, above, right, below = self._board.bodies[ref]
        column, row = self._board.holes[(ref, pin)]
        if below - above < 2:
            return _text((at[0], at[1] - 1.4), pin, 1.3, "middle")
        if right - left > below - above:
            upper = row < (above + below) / 2
            return _upright((at[0], at[1] + (1.1 if upper else -1.1)), pin, "end" if upper else "start")
        first = column < (left + right) / 2
        return _text((at[0] + (1.1 if first else -1.1), at[1] + 0.5), pin, 1.3, "start" if first else "end")


def _circle(at: Point, radius: float, fill: str) -> str:
    return f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{radius}" fill="{fill}"/>'


def _text(at: Point, text: str, size: float, anchor: str = "start") -> str:
    return f'<text x="{at[0]:.2f}" y="{at[1]:.2f}" font-size="{size}" text-anchor="{anchor}">{escape(text)}</text>'


def _upright(at: Point, text: str, anchor: str, size: float = 1.3) -> str:
    return f'<g transform="translate({at[0]:.2f} {at[1]:.2f}) rotate(-90)">{_text((0, 0), text, size, anchor)}</g>'
