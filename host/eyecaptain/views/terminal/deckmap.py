"""The virtual deck as a picture: who lies where, with railings, open corners, die and eye; and what a click hits.

The deck is a raster of slots, four cells wide, on a large screen ten by four. Everything takes the free slot that is nearest
to where it lies, always in the same order, so that what does not move is drawn where it was.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rich.style import Style
from rich.text import Text

from eyecaptain.games.base import Color
from eyecaptain.language import N_, _
from eyecaptain.views.terminal.palette import PAINTS, UNKNOWN, Paint
from eyecaptain.views.terminal.shapes import letters

# How far from the centre the zones of rules.md C7 are, and how far their droppings spread round the corner's diagonal.
REACH = (0.0, 0.48, 0.8, 1.0)
SPREAD = (0.0, 34.0, 26.0, 6.0)
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))  # clockwise from the top left; open ones come first
DIE, EYE = -1, -2

WOOD = Style(color="#8a6a48", bgcolor="#2e2014")
RAIL = Style(color="#d9b382", bold=True)
GAP = Style(color="#ff6060", bold=True)
TOKEN = Style(color="#ffffff", bgcolor="#7a4e28", bold=True)
EYEBALL = Style(color="#ffffff", bgcolor="#2e2014", bold=True)
BARRED = Style(color="#b0a090", bgcolor="#3a2a1a", strike=True)
CHOSEN = Style(color="#000000", bgcolor="#ffffff", bold=True, underline=True)
OPEN_SIGN = N_("open")


class Slot(NamedTuple):
    """Cells of one place in the raster."""

    wide: int
    tall: int


SMALL, LARGE = Slot(4, 1), Slot(10, 4)
ROOMY = (80, 34)  # cells of a deck from which slots are large


class Picture(NamedTuple):
    """The drawing, and which dropping is at which cell (column, row)."""

    text: Text
    hits: dict[tuple[int, int], int]


class Marks(NamedTuple):
    """What is drawn besides the places.

    :param colors: undersides that may be seen, by dropping.
    :param chosen: the dropping that the arrow keys have reached.
    """

    face: Color | None = None
    eye: bool = False
    moved: int | None = None
    barred: int | None = None
    chosen: int | None = None
    colors: Mapping[int, Color] = {}
    open_corners: int = 0


def target(thing: int, zone: int, corner: int) -> tuple[float, float]:
    """Where a thing would be drawn if it had the deck for itself, from -1 to 1."""
    right, down = CORNERS[corner % 4]
    if zone == 0:
        if thing == DIE:
            return 0.0, 0.0
        angle = thing * 2 * math.pi / 12
        return 0.3 * math.cos(angle), 0.3 * math.sin(angle)
    turn = math.radians(45 + SPREAD[zone] * ((thing * 5 % 12) - 5.5) / 5.5)
    # On a square deck a corner is farther away than a side.
    far = REACH[zone] / max(abs(math.cos(turn)), abs(math.sin(turn)))
    return right * far * math.cos(turn), down * far * math.sin(turn)


def nearby(things: Mapping[int, tuple[float, float]], columns: int, rows: int) -> dict[int, tuple[int, int]]:
    """A slot for each thing: the free one that is nearest to its target, in the order given."""
    free = {(column, row) for column in range(columns) for row in range(rows)}
    slots: dict[int, tuple[int, int]] = {}
    for thing, (x, y) in things.items():
        if not free:
            break

        def distance(slot: tuple[int, int], x: float = x, y: float = y) -> tuple[float, tuple[int, int]]:
            at_x = slot[0] / max(1, columns - 1) * 2 - 1
            at_y = slot[1] / max(1, rows - 1) * 2 - 1
            return ((at_x - x) ** 2 + (at_y - y) ** 2, slot)

        slots[thing] = min(free, key=distance)
        free.remove(slots[thing])
    return slots


def layout(places: Mapping[str, Any], columns: int, rows: int, moved: int | None) -> dict[int, tuple[int, int]]:
    """The slots of die, droppings and eye; the eye is beside what it has knocked last."""
    corners = places.get("corners", {})
    things: dict[int, tuple[float, float]] = {}
    if places["die"] is not None:
        things[DIE] = target(DIE, places["die"], places.get("die_corner") or 0)
    for name, zone in places["droppings"].items():
        things[int(name)] = target(int(name), zone, corners.get(name, int(name) % 4))
    things[EYE] = things.get(moved if moved is not None else DIE, (0.0, -0.2))
    return nearby(things, columns, rows)


def draw(places: Mapping[str, Any], width: int, height: int, marks: Marks) -> Picture:
    """The deck in so many cells, with its railing around it."""
    slot = LARGE if width >= ROOMY[0] and height >= ROOMY[1] else SMALL
    columns, rows = max(3, (width - 2) // slot.wide), max(3, (height - 2) // slot.tall)
    slots = layout(places, columns, rows, marks.moved)
    at = {place: thing for thing, place in slots.items()}
    hits: dict[tuple[int, int], int] = {}
    text = Text(no_wrap=True, end="")
    lines = rows * slot.tall
    _rail(text, columns * slot.wide, marks.open_corners, top=True)
    for line in range(lines):
        row, part = divmod(line, slot.tall)
        text.append(_side(line, lines, 0, marks.open_corners))
        for column in range(columns):
            thing = at.get((column, row))
            text.append(_token(thing, marks) if slot is SMALL else _large_token(thing, marks)[part])
            if thing is not None and thing >= 0:
                hits.update({(1 + column * slot.wide + cell, 1 + line): thing for cell in range(slot.wide)})
        text.append(_side(line, lines, 1, marks.open_corners))
        text.append("\n")
    _rail(text, columns * slot.wide, marks.open_corners, top=False)
    return Picture(text, hits)


def _rail(text: Text, cells: int, open_corners: int, *, top: bool) -> None:
    """The upper or lower railing; an open corner is a gap that says so."""
    length = cells + 2
    left_open, right_open = (open_corners > 0, open_corners > 1) if top else (open_corners > 3, open_corners > 2)
    left = f" {_(OPEN_SIGN)} " if left_open else ("┏" if top else "┗") + "━" * 5
    right = f" {_(OPEN_SIGN)} " if right_open else "━" * 5 + ("┓" if top else "┛")
    text.append(left, GAP if left_open else RAIL)
    text.append("━" * max(0, length - len(left) - len(right)), RAIL)
    text.append(right, GAP if right_open else RAIL)
    if top:
        text.append("\n")


def _side(row: int, rows: int, side: int, open_corners: int) -> Text:
    """One cell of the railing at the left (0) or right (1)."""
    upper, lower = ((0, 3), (1, 2))[side]
    gap = (row == 0 and open_corners > upper) or (row == rows - 1 and open_corners > lower)
    return Text(" " if gap else "┃", GAP if gap else RAIL)


def _token(thing: int | None, marks: Marks) -> Text:
    """Four cells: a dropping with its number, the die, the eye, or wood."""
    if thing is None:
        return Text("  · ", WOOD)
    style, sign = _look(thing, marks)
    if thing == DIE:
        return Text(f"[{sign}]", style)
    if thing == EYE:
        return Text(f" {sign}  ", style)
    return Text(f"{thing:>2}{sign}" if sign else f"({thing:>2})", style)


def _large_token(thing: int | None, marks: Marks) -> list[Text]:
    """The same in the rows of a large slot; between two there is wood."""
    gap = [Text(" " * LARGE.wide, WOOD)]
    if thing is None:
        return [*gap, Text("·".center(LARGE.wide), WOOD), *gap, *gap]
    style, sign = _look(thing, marks)
    if thing == EYE:
        drawn = ["▄▀▀▀▀▀▄", f"█   {sign}   █", "▀▄▄▄▄▄▀"]
    elif thing == DIE:
        large = letters(sign[1], LARGE.wide)
        drawn = [f"▌ {row} {mark} ▐" for row, mark in zip(large, (" ", sign[0], " "), strict=True)]
    else:
        drawn = letters(str(thing), LARGE.wide - 3)
        if sign:
            drawn = [f"{row:<7}{mark}" for row, mark in zip(drawn, (sign[0], sign[1], ""), strict=True)]
    rows = [Text(row.center(LARGE.wide - 1), style) + Text(" ", WOOD) for row in drawn]
    return [*rows, *gap]


def _look(thing: int, marks: Marks) -> tuple[Style, str]:
    """In which style a thing is drawn, and with which sign: shape and letter of a colour, or the eye's."""
    if thing == EYE:
        return EYEBALL, "◉" if marks.eye else "◎"
    color = marks.face if thing == DIE else marks.colors.get(thing)
    if color is not None or thing == DIE:
        paint: Paint = PAINTS[color] if color else UNKNOWN
        return paint.style, paint.sign + paint.letter
    return (CHOSEN if thing == marks.chosen else BARRED if thing == marks.barred else TOKEN), ""


def neighbour(hits: Mapping[tuple[int, int], int], chosen: int | None, step: tuple[int, int]) -> int | None:
    """The dropping that an arrow key reaches from `chosen`: the nearest one in that direction; else the same.

    :param hits: those of the picture that people see.
    """
    slots: dict[int, tuple[int, int]] = {}
    for (column, row), thing in hits.items():
        slots.setdefault(thing, (column, row))
    if chosen not in slots:
        return min(slots, default=None)
    column, row = slots[chosen]

    def candidates() -> Iterator[tuple[float, int]]:
        for thing, (x, y) in slots.items():
            # A cell is about twice as high as it is wide.
            along = (x - column) * step[0] + (y - row) * step[1] * 2
            across = abs((x - column) * step[1]) + abs((y - row) * step[0]) * 2
            if along > 0:
                yield along + 2 * across, thing

    return min(candidates(), default=(0.0, chosen))[1]
