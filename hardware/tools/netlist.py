"""The netlist: in KiCad's format to import elsewhere, and as plain sets to compare."""

from tools.wiring import Wiring

Nets = dict[str, frozenset[tuple[str, str]]]


def nets(wiring: Wiring) -> Nets:
    """Return the ends of each net as (part, number of the pin)."""
    return {net.name: frozenset((end.part, wiring.pin(end).number) for end in net.ends) for net in wiring.nets}


def differences(ours: Nets, theirs: Nets, other: str) -> list[str]:
    """Return in words where two netlists differ; names count as well as ends."""
    found = [f"net {name} is missing in {other}" for name in ours.keys() - theirs.keys()]
    found += [f"net {name} is only in {other}" for name in theirs.keys() - ours.keys()]
    for name in ours.keys() & theirs.keys():
        found += [f"{name}: {part} pin {pin} is missing in {other}" for part, pin in ours[name] - theirs[name]]
        found += [f"{name}: {part} pin {pin} is only in {other}" for part, pin in theirs[name] - ours[name]]
    return sorted(found)


def render(wiring: Wiring) -> str:
    """Return the netlist in KiCad's exchange format (version E)."""
    lines = ['(export (version "E")', '  (design (source "wiring.toml") (tool "hardware/tools"))', "  (components"]
    lines += [f'    (comp (ref "{part.ref}") (value "{part.value or part.kind.id}"))' for part in wiring.parts.values()]
    lines[-1] += ")"
    lines.append("  (nets")
    for code, net in enumerate(wiring.nets, 1):
        lines.append(f'    (net (code "{code}") (name "{net.name}")')
        nodes = [f'      (node (ref "{end.part}") (pin "{wiring.pin(end).number}"))' for end in net.ends]
        lines += [*nodes[:-1], nodes[-1] + ")"]
    lines[-1] += "))"
    return "\n".join(lines) + "\n"
