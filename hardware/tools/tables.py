"""Tables of the guide, made from the wiring: pins, connections, parts, and what each step needs."""

import csv
import io
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from tools.shapes import PLA, Shape
from tools.wiring import PICO, Part, Wiring

FITS = {"": "always", "rgb": 'only with "rgb"', "plain": 'only with "plain"', "index": 'only with "index"'}


class Item(NamedTuple):
    """One line of the bill of materials."""

    quantity: int
    name: str
    refs: str
    fit: str
    step: int
    substitutes: str
    without: str
    why: str
    source: str


def bill(wiring: Wiring, shapes: list[Shape]) -> list[Item]:
    """Return what has to be bought, cut or printed."""
    groups: dict[tuple[str, str, str, int], list[Part]] = defaultdict(list)
    for part in wiring.parts.values():
        groups[(part.kind.id, part.value, part.fit, part.step)].append(part)
    items = []
    for (_, value, fit, step), parts in groups.items():
        kind = parts[0].kind
        refs = " ".join(part.ref for part in parts)
        name = f"{kind.name}, {value}" if value else kind.name
        items.append(Item(len(parts), name, refs, fit, step, kind.substitutes, kind.without, kind.why, kind.source))
    items += [Item(m.count, m.name, "", "", m.step, m.substitutes, "", "", "any") for m in wiring.materials]
    items += [
        Item(s.count, f"{s.name} ({'laser-cut' if s.flat else 'printed'}: {s.file})", "", "", s.step, "", "", "", "this folder")
        for s in shapes
        if s.count
    ]
    return items


def bill_csv(items: list[Item]) -> str:
    """Return the bill of materials as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Item._fields)
    writer.writerows(items)
    return out.getvalue()


def bill_table(items: list[Item]) -> str:
    """Return what has to be bought as a Markdown table."""
    rows = ["| number | part | for | fitted | instead | without it |", "|---|---|---|---|---|---|"]
    rows += [
        f"| {i.quantity} | {i.name} | {i.refs} | {FITS[i.fit]} | {i.substitutes} | {i.without} |"
        for i in items
        if i.source != "this folder"
    ]
    return "\n".join(rows)


def reasons_table(wiring: Wiring) -> str:
    """Return why each kind of part is there, and where its figures are from."""
    rows = ["| part | why | source |", "|---|---|---|"]
    kinds = {part.kind.id: part.kind for part in wiring.parts.values()}
    rows += [f"| {kind.name} | {kind.why} | {kind.source} |" for kind in kinds.values() if not kind.id.startswith("header")]
    return "\n".join(rows)


def step_list(items: list[Item], step: int) -> str:
    """Return what a step needs, as a Markdown list."""
    lines = [
        f"* {i.quantity} × {i.name}" + (f": {i.refs}" if i.refs else "") + (f" ({FITS[i.fit]})" if i.fit else "")
        for i in items
        if i.step == step
    ]
    return "\n".join(["You need:", "", *lines]) if lines else "You need nothing new."


def pins_table(wiring: Wiring) -> str:
    """Return the pins of the Pico that are used, as a Markdown table."""
    rows = ["| GP | pin | in pins.py | must be able to | wire | leads to | note |", "|---|---|---|---|---|---|---|"]
    for gpio, net in wiring.pico_nets():
        pico = next(end for end in net.ends if wiring.parts[end.part].kind.id == PICO)
        others = " ".join(str(end) for end in net.ends if end is not pico)
        rows.append(
            f"| {gpio} | {wiring.pin(pico).number} | {net.firmware} | {net.needs} | {net.colour} | {others} | {net.note} |"
        )
    return "\n".join(rows)


def nets_table(wiring: Wiring) -> str:
    """Return all other nets, as a Markdown table."""
    rows = ["| net | wire | joins | note |", "|---|---|---|---|"]
    used = {net.name for _, net in wiring.pico_nets()}
    rows += [
        f"| {net.name} | {net.colour} | {' '.join(map(str, net.ends))} | {net.note} |"
        for net in wiring.nets
        if net.name not in used
    ]
    return "\n".join(rows)


def shapes_table(shapes: list[Shape], measures: Mapping[str, Any]) -> str:
    """Return the printed and cut parts as a Markdown table; `measures` as `made/shapes.json` has them."""
    rows = ["| part | count | size in mm | cm³ | g of PLA | closed mesh | how it lies |", "|---|---|---|---|---|---|---|"]
    for shape in shapes:
        found = measures[shape.name]
        size = " × ".join(f"{side:.1f}" for side in found["box"])
        closed = "yes" if found["watertight"] else "no"
        grams = found["volume"] * PLA
        rows.append(
            f"| [{shape.name}](made/stl/{shape.name}.stl) | {shape.count or 'instead'} | {size} | {found['volume']:.1f} | "
            f"{grams:.0f} | {closed} | {shape.lies} |"
        )
    return "\n".join(rows)
