"""The electrical checks of the wiring: what a soldering iron would find out too late."""

import re
from collections import defaultdict

from tools import rp2040
from tools.wiring import PICO, BadWiring, End, Fault, Net, Part, Wiring

GROUND = "GND"
# Erratum RP2350-E9: a pulled-down input of a Pico 2 may stick near 2 V unless the resistor is this small.
STRONGEST_PULL_DOWN = 8200
# What a supply may pass through.
IN_THE_WAY = ("fuse", "power_resistor", "diode")
_UNITS = {"Ω": 1.0, "kΩ": 1e3, "MΩ": 1e6}


def check(wiring: Wiring, name: str = "wiring.toml") -> None:
    """Check the circuit.

    :raises BadWiring: with every fault and its line.
    """
    faults = [
        *_names(wiring),
        *_used_twice(wiring),
        *_one_ended(wiring),
        *_open_pins(wiring),
        *_grounds(wiring),
        *_supplies(wiring),
        *_pico(wiring),
        *_pull_downs(wiring),
        *_cables(wiring),
    ]
    if faults:
        raise BadWiring(name, faults)


def ohms(value: str) -> float:
    """Return what a resistor's value says, in ohms.

    :raises ValueError: it is none.
    """
    found = re.fullmatch(r"([\d.]+) (Ω|kΩ|MΩ)", value)
    if not found:
        raise ValueError(f'"{value}" is no resistance: write it as "4.7 kΩ"')
    return float(found[1]) * _UNITS[found[2]]


def _names(wiring: Wiring) -> list[Fault]:
    seen: dict[str, int] = {}
    faults = []
    for net in wiring.nets:
        if net.name in seen:
            faults.append(Fault(net.line, f"{net.name}: there is a net of that name in line {seen[net.name]}"))
        seen.setdefault(net.name, net.line)
    return faults


def _used_twice(wiring: Wiring) -> list[Fault]:
    seen: dict[str, tuple[str, int]] = {}
    faults = []
    for net in wiring.nets:
        for end in net.ends:
            if str(end) in seen:
                other, line = seen[str(end)]
                faults.append(Fault(end.line, f"{net.name}: pin {end} is used twice: also by {other} in line {line}"))
            seen.setdefault(str(end), (net.name, end.line))
    return faults


def _one_ended(wiring: Wiring) -> list[Fault]:
    return [
        Fault(net.line, f"{net.name}: a net needs two ends; this one has {len(net.ends)}")
        for net in wiring.nets
        if len({str(end) for end in net.ends}) < 2
    ]


def _open_pins(wiring: Wiring) -> list[Fault]:
    """Every pin that does something is wired; a microcontroller's need not be, and grounds have a check of their own."""
    wired = {str(end) for net in wiring.nets for end in net.ends}
    return [
        Fault(part.line, f"{part.ref}: pin {pin.name} is wired to nothing")
        for part in wiring.parts.values()
        for pin in part.kind.pins.values()
        if pin.type not in {"io", "free", "ground", "power_out"} or (pin.type == "io" and part.kind.id != PICO)
        if f"{part.ref}.{pin.name}" not in wired
    ]


def _grounds(wiring: Wiring) -> list[Fault]:
    faults = []
    on_ground = {str(end) for net in wiring.nets if net.name == GROUND for end in net.ends}
    for part in wiring.parts.values():
        grounds = [f"{part.ref}.{pin.name}" for pin in part.kind.pins.values() if pin.type == "ground"]
        if grounds and not on_ground & set(grounds):
            faults.append(Fault(part.line, f"{part.ref}: missing ground: none of {' '.join(grounds)} is on the net {GROUND}"))
    for net in wiring.nets:
        for end in net.ends:
            kind = wiring.pin(end).type
            if net.name != GROUND and kind == "ground":
                faults.append(Fault(end.line, f"{net.name}: {end} is a ground pin"))
            if net.name == GROUND and kind in {"power_out", "out", "power_in"}:
                faults.append(Fault(end.line, f"{net.name}: {end} must not be grounded"))
    return faults


def _supplies(wiring: Wiring) -> list[Fault]:
    faults = []
    for net in wiring.nets:
        driven = [end for end in net.ends if wiring.pin(end).type in {"power_out", "out"}]
        faults += [
            Fault(end.line, f"{net.name}: {end} drives against {driven[0]} (line {driven[0].line})") for end in driven[1:]
        ]
    supplied = {net.name for nets in supplies(wiring) for net in nets}
    faults += [
        Fault(end.line, f"{net.name}: nothing supplies {end}")
        for net in wiring.nets
        for end in net.ends
        if wiring.pin(end).type == "power_in" and net.name not in supplied
    ]
    return faults


def supplies(wiring: Wiring) -> list[list[Net]]:
    """For each supply the nets that it reaches, also through what lies in its way; its own net comes first."""
    return [_reached(wiring, net) for net in wiring.nets if any(wiring.pin(end).type == "power_out" for end in net.ends)]


def _reached(wiring: Wiring, first: Net) -> list[Net]:
    found = [first]
    for net in found:  # grows while it is walked
        ways = {end.part for end in net.ends if wiring.parts[end.part].kind.id in IN_THE_WAY}
        found += [other for other in wiring.nets if other not in found and ways & {end.part for end in other.ends}]
    return found


def _pico(wiring: Wiring) -> list[Fault]:
    """Each pin of the microcontroller has a name in the firmware, and can do what is asked of it."""
    faults = []
    names: dict[str, list[Net]] = defaultdict(list)
    channels: dict[str, Net] = {}
    for net in wiring.nets:
        ends = [end for end in net.ends if wiring.parts[end.part].kind.id == PICO and wiring.pin(end).type == "io"]
        if not ends:
            if net.firmware or net.needs:
                faults.append(
                    Fault(net.line, f"{net.name}: no pin of the Pico is on it, so it can have neither firmware nor needs")
                )
            continue
        faults += [Fault(end.line, f"{net.name}: {end} is a second pin of the Pico on one net") for end in ends[1:]]
        if not net.firmware.isidentifier() or not net.firmware.isupper():
            faults.append(Fault(net.line, f'{net.name}: firmware = "NAME_IN_PINS_PY" is missing'))
        names[net.firmware].append(net)
        faults += _able(net, ends[0])
        if net.needs.startswith("pwm") and net.needs in channels:
            other = channels[net.needs]
            faults.append(Fault(net.line, f"{net.name}: {net.needs} is taken by {other.name} in line {other.line}"))
        channels.setdefault(net.needs, net)
    for name, nets in names.items():
        alike = len({re.sub(r"\d+$", "", net.name) for net in nets}) == 1
        if len(nets) > 1 and not alike:
            faults += [Fault(net.line, f"{net.name}: firmware name {name} is taken by {nets[0].name}") for net in nets[1:]]
    return faults


def _able(net: Net, end: End) -> list[Fault]:
    gpio = int(end.pin[2:])
    if net.needs in rp2040.abilities(gpio):
        return []
    able = rp2040.where(net.needs)
    if not able:
        return [Fault(net.line, f'{net.name}: no pin of a Pico can be "{net.needs}"')]
    which = " ".join(f"GP{number}" for number in able)
    return [Fault(end.line, f"{net.name}: GP{gpio} cannot be {net.needs}; that can {which}")]


def _pull_downs(wiring: Wiring) -> list[Fault]:
    faults = []
    for part in wiring.parts.values():
        if part.kind.id != "resistor":
            continue
        try:
            value = ohms(part.value)
        except ValueError as error:
            faults.append(Fault(part.line, f"{part.ref}: {error}"))
            continue
        nets = [wiring.net_of(part.ref, pin) for pin in part.kind.pins]
        grounded = any(net and net.name == GROUND for net in nets)
        if grounded and any(net and wiring.gpio(net) is not None for net in nets) and value > STRONGEST_PULL_DOWN:
            faults.append(Fault(part.line, f"{part.ref}: a pull-down above 8.2 kΩ does not hold a pin of a Pico 2 (RP2350-E9)"))
    return faults


def _cables(wiring: Wiring) -> list[Fault]:
    """Each pin of a connector leads to a pin of the part at the cable's other end, and each such pin is reached."""
    faults = []
    for part in wiring.parts.values():
        if not part.to:
            continue
        reached = set()
        for pin in part.kind.pins:
            ends = far_ends(wiring, part, pin)
            reached |= {str(end) for end in ends}
            if not ends:
                faults.append(Fault(part.line, f"{part.ref}: pin {pin} leads to no pin of {' '.join(part.to)}"))
        wired = {str(end) for net in wiring.nets for end in net.ends if end.part in part.to}
        faults += [Fault(part.line, f"{part.ref}: its cable does not reach {end}") for end in sorted(wired - reached)]
    return faults


def far_ends(wiring: Wiring, connector: Part, pin: str) -> list[End]:
    """The pins at the other end of a connector's cable that share a net with its pin."""
    net = wiring.net_of(connector.ref, pin)
    return [end for end in net.ends if end.part in connector.to] if net else []
