"""Plugging in, the motor's start, and its ripple at a USB port: what the bulk capacitor and its resistor do (ngspice)."""

from pathlib import Path

from sim import facts, spice
from sim.plots import figure

# The motor's rail behind the fuse: resistor in ohms, and bulk capacitor beside the driver's own.
RAILS = {
    "no capacitor, no resistor": (0.0, 0.0),
    "capacitor without resistor": (0.0, facts.BULK_FARADS),
    "ours": (facts.BULK_OHMS, facts.BULK_FARADS),
}
KEYS = {"no capacitor, no resistor": "bare", "capacitor without resistor": "direct", "ours": "ours"}


def _supply(rail: str, charged: bool) -> str:
    ohms, farads = RAILS[rail]
    volts = facts.VOLTS if charged else 0
    return f"""
Rcable port wire {facts.CABLE_OHMS}
Lcable wire vbus {facts.CABLE_HENRYS} ic=0
Rfuse vbus rail {facts.FUSE_OHMS + ohms}
Crail rail 0 {facts.DRIVER_FARADS + farads} ic={volts}
"""


def plug_in(rail: str) -> tuple[spice.Samples, ...]:
    """Time, the hub's voltage, and the current into the board after the plug has made contact at 0.1 ms."""
    circuit = f"""
Vup up 0 {facts.VOLTS}
Rup up hub 0.2
Chub hub 0 {facts.HUB_FARADS} ic={facts.VOLTS}
Vplug plug 0 pulse(0 1 0.1m 1u 1u 1 2)
Splug hub port plug 0 contact
.model contact sw(vt=0.5 ron=0.01 roff=10meg)
{_supply(rail, charged=False)}
"""
    return spice.run(circuit, 2e-6, 4e-3, "v(hub)", "i(Lcable)")


def motor_start(rail: str, motor: float) -> tuple[spice.Samples, ...]:
    """Time, the voltage at the Pico, and the motor's current after the bridge has closed at 2 ms.

    The motor's inertia is a capacitor: it charges to the counter voltage.
    """
    inertia = facts.MOTOR_SECONDS / facts.loop_ohms(motor)
    circuit = f"""
Vport port 0 {facts.VOLTS}
Ipico vbus 0 {facts.PICO_AMPS}
Von on 0 pulse(0 1 2m 1u 1u 1 2)
Sbridge rail m1 on 0 bridge
.model bridge sw(vt=0.5 ron={facts.BRIDGE_OHMS} roff=10meg)
Rmotor m1 m2 {motor}
Lmotor m2 m3 {facts.MOTOR_HENRYS} ic=0
Cinertia m3 sense {inertia} ic=0
Rshunt sense 0 {facts.SHUNT_OHMS}
{_supply(rail, charged=True)}
"""
    return spice.run(circuit, 10e-6, 60e-3, "v(vbus)", "i(Lmotor)")


def ripple(rail: str) -> tuple[spice.Samples, ...]:
    """Time, and the voltage at the Pico, while a blocked motor is driven at half duty; steady after 15 ms."""
    circuit = f"""
Vport port 0 {facts.VOLTS}
Ipico vbus 0 {facts.PICO_AMPS}
Von on 0 pulse(0 1 1m 0.1u 0.1u {0.5 / facts.PWM_HERTZ} {1 / facts.PWM_HERTZ})
Sdrive rail m1 on 0 drive
Sbrake m1 0 on 0 brake
.model drive sw(vt=0.5 ron={facts.BRIDGE_OHMS} roff=10meg)
.model brake sw(vt=0.5 ron=10meg roff={facts.BRIDGE_OHMS})
Rmotor m1 m2 {facts.MOTOR_OHMS}
Lmotor m2 0 {facts.MOTOR_HENRYS} ic=0
{_supply(rail, charged=True)}
"""
    time, vbus = spice.run(circuit, 1e-6, 16e-3, "v(vbus)")
    return time[time > 15e-3], vbus[time > 15e-3]


def run(folder: Path) -> dict[str, float]:
    """Draw `start.svg`; return droops and ripple in mV, currents in A."""
    numbers = {
        "hub_droop_limit_mv": facts.HUB_DROOP * 1e3,
        "device_limit_uf": facts.DEVICE_FARADS * 1e6,
        "driver_uf": facts.DRIVER_FARADS * 1e6,
    }
    with figure(folder / "start.svg", rows=3) as (inrush, start, waves):
        for rail, key in KEYS.items():
            time, hub, current = plug_in(rail)
            inrush.plot(time * 1e3, hub, label=rail)
            numbers[f"plug_{key}_a"] = float(current.max())
            numbers[f"plug_{key}_mv"] = float(facts.VOLTS - hub.min()) * 1e3
            time, vbus, current = motor_start(rail, facts.MOTOR_OHMS)
            start.plot(time * 1e3, vbus, label=rail)
            numbers[f"start_{key}_mv"] = float(vbus[time < 1.9e-3][-1] - vbus.min()) * 1e3
            numbers[f"start_{key}_a"] = float(current.max())
            time, vbus = ripple(rail)
            waves.plot((time - time[0]) * 1e3, vbus, label=rail)
            numbers[f"ripple_{key}_mv"] = float(vbus.max() - vbus.min()) * 1e3
        inrush.axhline(facts.VOLTS - facts.HUB_DROOP, linestyle=":", color="black", label="USB 2.0 allows")
        inrush.set(title="Plugging in, seen by a hub's other devices", xlabel="ms", ylabel="V at the hub")
        start.set(title="Start of the motor", xlabel="ms", ylabel="V at the Pico")
        waves.set(title="PWM at half duty, motor blocked", xlabel="ms", ylabel="V at the Pico")
        inrush.legend()
    return numbers
