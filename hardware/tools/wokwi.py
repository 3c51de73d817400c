"""Makes `diagram.json` for the Wokwi simulator: what it has parts for, which are the Pico, the lights and the switch.

Wokwi knows neither the colour sensor nor the motor driver; the simulated board of this project does (`captain emulate`).
"""

import json
from typing import Any

from tools import checks
from tools.wiring import PICO, End, Wiring

# Wokwi's names of parts and of their pins (docs.wokwi.com).
TYPES = {
    "pico": "wokwi-pi-pico",
    "resistor": "wokwi-resistor",
    "led": "wokwi-led",
    "switch": "wokwi-slide-switch",
}
PINS = {"led": {"A": "A", "K": "C"}, "switch": {"A": "1", "B": "2"}, "resistor": {"1": "1", "2": "2"}}
GROUNDS = {"GND3": 1, "GND8": 2, "GND13": 3, "GND18": 4, "GND23": 5, "GND28": 6, "AGND": 7, "GND38": 8}
PIXELS = 6


def render(wiring: Wiring) -> str:
    """Return the diagram's text."""
    parts: list[dict[str, Any]] = []
    column = 0
    for part in wiring.parts.values():
        kind = TYPES.get(part.kind.id)
        if kind is None or not _used(wiring, part.ref):
            continue
        attributes = {"value": str(int(checks.ohms(part.value)))} if part.kind.id == "resistor" else {}
        place = (0, 0) if part.kind.id == PICO else (250, 60 * column)
        column += part.kind.id != PICO
        parts.append({"type": kind, "id": part.ref, "top": place[1], "left": place[0], "attrs": attributes})
    strip = next(part.ref for part in wiring.parts.values() if part.kind.id == "strip")
    parts += [
        {"type": "wokwi-neopixel", "id": f"{strip}_{n}", "top": 60 * n, "left": 420, "attrs": {}} for n in range(1, PIXELS + 1)
    ]
    connections = []
    # It has no fuse and no diode: what lies behind them is joined to the supply.
    behind = [net for nets in checks.supplies(wiring) for net in nets]
    groups = [*checks.supplies(wiring), *([net] for net in wiring.nets if net not in behind)]
    for net, *others in groups:
        ends = [name for each in (net, *others) for end in each.ends for name in _wokwi_ends(wiring, end, strip)]
        connections += [[ends[0], end, net.colour, []] for end in ends[1:]]
    connections += [[f"{strip}_{n}:DOUT", f"{strip}_{n + 1}:DIN", "violet", []] for n in range(1, PIXELS)]
    diagram = {
        "version": 1,
        "author": "Eye Eye Captain, electronic",
        "editor": "wokwi",
        "parts": parts,
        "connections": connections,
    }
    return json.dumps(diagram, indent=1) + "\n"


def _used(wiring: Wiring, ref: str) -> bool:
    """A part whose neighbours Wokwi does not know would hang in the air."""
    nets = [net for net in wiring.nets if any(end.part == ref for end in net.ends)]
    known = {*TYPES, "strip"}
    return wiring.parts[ref].kind.id == PICO or all(
        any(wiring.parts[end.part].kind.id in known and end.part != ref for end in net.ends) for net in nets
    )


def _wokwi_ends(wiring: Wiring, end: End, strip: str) -> list[str]:
    kind = wiring.parts[end.part].kind.id
    if end.part == strip:
        pin = {"5V": "VDD", "GND": "VSS", "DIN": "DIN"}[end.pin]
        return [f"{strip}_{n}:{pin}" for n in range(1, 2 if pin == "DIN" else PIXELS + 1)]
    if kind == PICO:
        return [f"{end.part}:GND.{GROUNDS[end.pin]}" if end.pin in GROUNDS else f"{end.part}:{end.pin}"]
    if kind in TYPES and _used(wiring, end.part):
        return [f"{end.part}:{PINS[kind][end.pin]}"]
    return []
