"""Makes the wiring harness: the input of WireViz, which draws it and lists its wires.

WireViz is under the GPL: it is run as a program of its own, and nothing of ours contains it.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tools.checks import far_ends
from tools.wiring import COLOURS, Net, Part, Wiring

SQUARE_MM = 0.25


def data(wiring: Wiring) -> dict[str, Any]:
    """Return what WireViz reads: connectors, cables, connections."""
    connectors: dict[str, Any] = {}
    cables: dict[str, Any] = {}
    connections: list[Any] = []
    for part in wiring.parts.values():
        if part.to:
            _cable(wiring, part, connectors, cables, connections)
    return {"connectors": connectors, "cables": cables, "connections": connections}


def _cable(wiring: Wiring, part: Part, connectors: dict[str, Any], cables: dict[str, Any], connections: list[Any]) -> None:
    nets = [net for net in (wiring.net_of(part.ref, pin) for pin in part.kind.pins) if net]
    variant = f' (variant "{part.fit}")' if part.fit else ""
    connectors[part.ref] = {
        "type": f"{len(nets)} pins, on the board{variant}",
        "pins": [int(pin.number) for pin in part.kind.pins.values()],
        "pinlabels": [net.name for net in nets],
    }
    for ref in part.to:
        pins = [pin for pin in wiring.parts[ref].kind.pins.values() if wiring.net_of(ref, pin.name)]
        connectors[ref] = {
            "type": wiring.parts[ref].kind.id,
            "pins": [int(pin.number) for pin in pins],
            "pinlabels": [pin.name for pin in pins],
        }
    cable = f"cable {part.ref}"
    cables[cable] = _wires(nets, part.mm)
    for wire, (pin, net) in enumerate(zip(part.kind.pins.values(), nets, strict=True), 1):
        first, *others = far_ends(wiring, part, pin.name)
        connections.append([{part.ref: [int(pin.number)]}, {cable: [wire]}, {first.part: [int(wiring.pin(first).number)]}])
        # What more is on the net is joined from part to part.
        if others:
            joint = f"{cable}, {net.name}"
            cables[joint] = _wires([net] * len(others), 20)
        for number, (here, there) in enumerate(zip([first, *others], others, strict=False), 1):
            connections.append(
                [
                    {here.part: [int(wiring.pin(here).number)]},
                    {f"{cable}, {net.name}": [number]},
                    {there.part: [int(wiring.pin(there).number)]},
                ]
            )


def _wires(nets: list[Net], mm: int) -> dict[str, Any]:
    return {
        "wirecount": len(nets),
        "gauge": f"{SQUARE_MM} mm2",
        "length": f"{mm / 1000} m",
        "colors": [COLOURS[net.colour] for net in nets],
        "wirelabels": [net.name for net in nets],
    }


def render(wiring: Wiring) -> str:
    """Return the text that WireViz reads; JSON is YAML, too."""
    return json.dumps(data(wiring), indent=1, ensure_ascii=False) + "\n"


def wireviz() -> str | None:
    """The WireViz of this environment, or one on the PATH."""
    beside = Path(sys.executable).with_name("wireviz")
    return str(beside) if beside.exists() else shutil.which("wireviz")


def draw(source: Path, folder: Path) -> None:
    """Run WireViz: `harness.svg`, `harness.png` and `harness.bom.tsv` in `folder`.

    :raises FileNotFoundError: WireViz (or Graphviz) is missing.
    :raises subprocess.CalledProcessError: it failed.
    """
    from PIL import Image

    program = wireviz()
    if program is None or shutil.which("dot") is None:
        raise FileNotFoundError("wireviz and graphviz")
    subprocess.run(
        [program, "--format", "spt", "--output-dir", str(folder), "--output-name", "harness", str(source)],
        check=True,
        capture_output=True,
        text=True,
    )
    picture = folder / "harness.png"
    with Image.open(picture) as drawn:
        drawn.convert("RGB").quantize(32).save(picture, optimize=True)
