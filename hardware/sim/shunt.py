"""The motor's current as the Pico's ADC sees it: through the shunt, 1 kilohm and 1 microfarad (ngspice).

The shunt carries the motor's current only while the bridge drives; while it brakes the current goes round inside the
bridge. So the filter shows current times duty, and a blocked motor, whose current itself goes with the duty, shows as
the square of the duty. The firmware compares with a limit that goes with the duty alone.
"""

from pathlib import Path

from sim import facts, spice
from sim.plots import figure

STOP = 20e-3
STEADY = 15e-3
# Counter voltage as a share of what would stop the current: none when blocked.
LOADS = {"blocked": 0.0, "hard at work": facts.EFFICIENT_AMPS, "free": facts.FREE_AMPS}


def filtered(duty: float, load: str) -> tuple[spice.Samples, ...]:
    """Time, and the ADC's voltage, after the bridge begins to be driven at 0."""
    amps = LOADS[load]
    before = facts.CABLE_OHMS + facts.FUSE_OHMS + facts.BULK_OHMS
    rail = facts.VOLTS - duty * amps * before
    counter = 0.0 if load == "blocked" else max(0.0, duty * rail - amps * facts.loop_ohms())
    period = 1 / facts.PWM_HERTZ
    pulse = f"{duty * period} {period}" if duty < 1 else "1 2"
    circuit = f"""
Vport port 0 {facts.VOLTS}
Rbefore port rail {before}
Crail rail 0 {facts.BULK_FARADS + facts.DRIVER_FARADS} ic={rail}
Von on 0 pulse(0 1 0 0.1u 0.1u {pulse})
Sdrive rail m1 on 0 drive
Sbrake m1 low on 0 brake
.model drive sw(vt=0.5 ron={facts.BRIDGE_OHMS / 2} roff=10meg)
.model brake sw(vt=0.5 ron=10meg roff={facts.BRIDGE_OHMS / 2})
Rmotor m1 m2 {facts.MOTOR_OHMS}
Lmotor m2 m3 {facts.MOTOR_HENRYS} ic=0
Vcounter m3 m4 {counter}
Sback m4 low on 0 brake
Sreturn m4 sense on 0 drive
Rshunt sense 0 {facts.SHUNT_OHMS}
Rlow low 0 10meg
Rfilter sense adc 1k
Cfilter adc 0 1u ic=0
"""
    return spice.run(circuit, 1e-6, STOP, "v(adc)")


def run(folder: Path) -> dict[str, float]:
    """Draw `shunt.svg`; return readings in mA of the ADC's voltage over the shunt, and times in ms."""
    duties = [round(facts.SLOWEST, 2), 0.6, 1.0]
    numbers: dict[str, float] = {}
    with figure(folder / "shunt.svg", rows=2) as (wave, levels):
        for load in LOADS:
            seen = []
            for duty in duties:
                time, adc = filtered(duty, load)
                steady = adc[time > STEADY]
                seen.append(float(steady.mean()) / facts.SHUNT_OHMS * 1e3)
                key = f"{load.split()[0]}_{round(duty * 100)}"
                numbers[f"{key}_ma"] = seen[-1]
                numbers[f"{key}_counts"] = float(steady.mean()) / facts.ADC_VOLTS * 4095
                if load == "blocked":
                    wave.plot(time[::40] * 1e3, adc[::40] * 1e3, label=f"blocked, duty {duty:.0%}")
                if load == "blocked" and duty == 0.6:
                    numbers["settled_ms"] = float(time[adc >= 0.95 * steady.mean()][0]) * 1e3
                    numbers["ripple_mv"] = float(steady.max() - steady.min()) * 1e3
            levels.plot([duty * 100 for duty in duties], seen, marker="o", label=load)
        levels.plot([0, 100], [0, facts.STALL_MILLIAMPS], linestyle=":", color="black", label="the firmware's limit")
        wave.set(title="At the ADC after the bridge starts", xlabel="ms", ylabel="mV", xlim=(0, 15))
        levels.set(title="Mean at the ADC", xlabel="duty, %", ylabel="mA times duty")
        wave.legend(loc="lower right")
        levels.legend()
    lowest = facts.SLOWEST
    numbers["margin_blocked"] = numbers[f"blocked_{round(lowest * 100)}_ma"] / (facts.STALL_MILLIAMPS * lowest)
    numbers["margin_free"] = facts.STALL_MILLIAMPS / numbers["free_100_ma"]
    numbers["stall_ma"] = facts.STALL_MILLIAMPS
    numbers["limit_ma"] = facts.TRIP_VOLTS / facts.SHUNT_OHMS * 1e3
    return numbers
