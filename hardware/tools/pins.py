"""Makes the firmware's `device/eyedeck/pins.py`."""

from collections import defaultdict

from tools.wiring import Net, Wiring

HEAD = '''"""Which pin does what: GP numbers of a Raspberry Pi Pico, Pico 2 or Pico W.

Made by `make hardware` from hardware/wiring.toml: change that. GP23, 24, 25 and 29 differ on a Pico W and are not used.
"""

from micropython import const

'''


def render(wiring: Wiring) -> str:
    """Return the module's text: one constant for each name, a tuple where several nets share one."""
    groups: dict[str, list[tuple[int, Net]]] = defaultdict(list)
    for gpio, net in wiring.pico_nets():
        groups[net.firmware].append((gpio, net))
    lines = []
    for name, members in groups.items():
        numbers = [str(gpio) for gpio, _ in members]
        value = f"const({numbers[0]})" if len(numbers) == 1 else f"({', '.join(numbers)})"
        note = members[0][1].note
        lines.append(f"{name} = {value}" + (f"  # {note}" if note else ""))
    return HEAD + "\n".join(lines) + "\n"
