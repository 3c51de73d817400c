"""The circuit once more, block by block, in SKiDL: written by hand, so that it and wiring.toml check each other.

Run as `python schematic.py`: prints the netlist and what SKiDL's electrical rules check found, as JSON. It runs as a
program of its own (`tools/schematic.py` does), because SKiDL writes files where it stands.
"""

import builtins
import json
import sys
import tomllib
from pathlib import Path

from skidl import ERC, POWER, SKIDL, TEMPLATE, Net, Part, Pin, erc_logger
from skidl.pin import pin_types as types

TYPES = {
    "io": types.BIDIR,
    "in": types.INPUT,
    "out": types.OUTPUT,
    "open": types.OPENCOLL,
    "passive": types.PASSIVE,
    "power_in": types.PWRIN,
    "power_out": types.PWROUT,
    "ground": types.PASSIVE,
    "free": types.PASSIVE,
}
KINDS = tomllib.loads((Path(__file__).parent / "parts.toml").read_text(encoding="utf-8"))["kind"]


def part(kind, ref, value=""):
    """Return a part of a kind in parts.toml."""
    pins = [word.split(":") for word in KINDS[kind]["pins"].split()]
    made = [Pin(num=number, name=name, func=TYPES[function]) for number, name, function in pins]
    template = Part(name=kind, tool=SKIDL, dest=TEMPLATE, pins=made)
    return template(ref=ref, value=value or kind, footprint="perfboard")


def between(kind, ref, value, one, two):
    """Put a part with two pins between two nets."""
    made = part(kind, ref, value)
    one += made[1]
    two += made[2]
    return made


def supply(vbus, fused, motor, ground):
    """USB's 5 V, the fuse, and the motor's rail behind its resistor."""
    between("fuse", "F1", "0.5 A", vbus, fused)
    between("power_resistor", "R11", "2.2 Ω", fused, motor)
    between("electrolytic", "C2", "470 µF", motor, ground)
    between("ceramic", "C3", "100 nF", motor, ground)


def sensor(pico, v33, ground):
    """The colour sensor on its cable, with the bus's pull-ups and its lamp off at reset."""
    chip, plug = part("tcs34725", "U2"), part("header5", "J1")
    sda, scl, lamp = Net("SDA"), Net("SCL"), Net("SENSOR_LED")
    sda += pico["GP4"], plug[4], chip["SDA"]
    scl += pico["GP5"], plug[3], chip["SCL"]
    lamp += pico["GP6"], plug[5], chip["LED"]
    v33 += plug[1], chip["VIN"]
    ground += plug[2], chip["GND"]
    between("resistor", "R1", "4.7 kΩ", v33, sda)
    between("resistor", "R2", "4.7 kΩ", v33, scl)
    between("resistor", "R3", "1 kΩ", lamp, ground)


def motor(pico, rail, v33, ground):
    """The bridge with its pull-downs, the motor, and the shunt with its filter."""
    bridge, plug, engine = part("drv8833", "U3"), part("header2", "J2"), part("motor", "M1")
    rail += bridge["VM"]
    ground += bridge["GND"]
    for name, gpio, pin, pull in (
        ("MOTOR_IN1", "GP16", "AIN1", "R4"),
        ("MOTOR_IN2", "GP17", "AIN2", "R5"),
        ("MOTOR_SLEEP", "GP18", "SLEEP", "R6"),
    ):
        net = Net(name)
        net += pico[gpio], bridge[pin]
        between("resistor", pull, "8.2 kΩ", net, ground)
    fault = Net("MOTOR_FAULT")
    fault += pico["GP19"], bridge["FAULT"]
    between("resistor", "R7", "10 kΩ", fault, v33)
    for name, pin, number in (("MOTOR_A", "AOUT1", 1), ("MOTOR_B", "AOUT2", 2)):
        net = Net(name)
        net += bridge[pin], plug[number], engine[number]
    between("ceramic", "C4", "100 nF", engine["A"].net, engine["B"].net)
    shunt, sense = Net("SHUNT"), Net("MOTOR_SENSE")
    shunt += bridge["ASEN"]
    sense += pico["GP26"]
    between("power_resistor", "R9", "0.68 Ω", shunt, ground)
    between("resistor", "R10", "1 kΩ", shunt, sense)
    between("ceramic", "C1", "1 µF", sense, ground)


def lights(pico, fused, ground):
    """Six plain LEDs, and the strip: one of the two is fitted."""
    plug = part("header7", "J5")
    ground += plug[7]
    for index in range(1, 7):
        drive, led = Net(f"CHIP{index}"), Net(f"CHIP{index}_LED")
        drive += pico[f"GP{9 + index}"]
        led += plug[index]
        between("resistor", f"R{12 + index}", "680 Ω", drive, led)
        between("led", f"D{index}", "", led, ground)
    strip, plug = part("strip", "W1"), part("header3", "J4")
    power, out, data = Net("5V_STRIP"), Net("PIXELS"), Net("PIXELS_DATA")
    between("diode", "D7", "", fused, power)
    between("resistor", "R12", "330 Ω", out, data)
    out += pico["GP22"]
    power += plug[1], strip["5V"]
    data += plug[2], strip["DIN"]
    ground += plug[3], strip["GND"]
    power.drive = POWER


def inputs(pico, v33, ground):
    """The eye's switch, and the hall switch for which there is a place."""
    plug, toggle, net = part("header2", "J3"), part("switch", "S1"), Net("SWITCH")
    net += pico["GP21"], plug[1], toggle["A"]
    ground += plug[2], toggle["B"]
    between("resistor", "R8", "10 kΩ", net, v33)
    plug, hall, net = part("header3", "J6"), part("hall", "U4"), Net("INDEX")
    net += pico["GP20"], plug[3], hall["OUT"]
    v33 += plug[1], hall["VCC"]
    ground += plug[2], hall["GND"]
    between("resistor", "R19", "10 kΩ", net, v33)


def main():
    """Build the circuit, check it, print it."""
    pico = part("pico", "U1")
    vbus, fused, rail = Net("VBUS"), Net("5V_FUSED"), Net("5V_MOTOR")
    v33, ground = Net("3V3"), Net("GND")
    vbus += pico["VBUS"]
    v33 += pico["3V3"]
    ground += pico["GND38"], pico["GND8"], pico["AGND"]
    # Behind a fuse, and at the other end of USB's ground, it is still a supply.
    rail.drive = ground.drive = POWER
    supply(vbus, fused, rail, ground)
    sensor(pico, v33, ground)
    motor(pico, rail, v33, ground)
    lights(pico, fused, ground)
    inputs(pico, v33, ground)
    # Which of its pins the Pico only listens to.
    pico["GP19"].func = pico["GP20"].func = types.INPUT
    circuit = builtins.default_circuit
    open_pins = [pin for each in circuit.parts for pin in each.pins if not pin.is_connected()]
    circuit.NC += open_pins
    ERC()
    nets = {net.name: sorted([pin.part.ref, str(pin.num)] for pin in net.pins) for net in circuit.get_nets()}
    json.dump({"errors": erc_logger.error.count, "warnings": erc_logger.warning.count, "nets": nets}, sys.stdout)


if __name__ == "__main__":
    main()
