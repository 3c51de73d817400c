"""The figures that the simulations start from, each with where it is from. "Assumed" means that nobody looked it up."""

VOLTS = 5.0  # a USB port's
PORT_AMPS = 0.5  # USB 2.0, 7.2.1: what a configured device may draw
HUB_FARADS = 120e-6  # USB 2.0, 7.2.4.1: a hub's capacitor, at least
DEVICE_FARADS = 10e-6  # the same: what a device may put straight on the port, more only behind a limit of its surge
HUB_DROOP = 0.33  # V; the same: how far it may be pulled down when something is plugged in

# A cable of 1 m of AWG 28, there and back (0.213 ohm a metre, the gauge's definition), and 0.1 ohm of contacts (assumed).
CABLE_OHMS = 2 * 0.213 + 0.1
CABLE_HENRYS = 1e-6  # assumed: about 1 uH a metre for a pair

# Pololu Micro Metal Gearmotors, table LP 6V, 100:1.
RATED = 6.0
RPM = 130.0
FREE_AMPS = 0.02
BLOCKED_AMPS = 0.36
EFFICIENT_AMPS = 0.10  # at maximum efficiency: as hard as it is meant to work
MOTOR_OHMS = RATED / BLOCKED_AMPS
MOTOR_HENRYS = 3e-3  # assumed
MOTOR_SECONDS = 0.08  # assumed, as in the simulated world (eyecaptain.world.chips.drv8833): to 63 % of full speed

BRIDGE_OHMS = 0.36  # TI SLVSAR1: both transistors of a DRV8833
TRIP_VOLTS = 0.2  # the same, 7.3.2: the chip's limit over its sense resistor
SHUNT_OHMS = 0.68
DRIVER_FARADS = 20e-6  # two times 10 uF on Adafruit's board
PWM_HERTZ = 20e3  # device/eyedeck/drivers/drv8833.py
FUSE_OHMS = 0.5  # assumed, of a 0.5 A polyfuse
BULK_FARADS = 470e-6
BULK_OHMS = 2.2

# Assumed, on the high side: a Pico that runs MicroPython takes 40 to 60 mA, and each colour of a WS2812 20 mA.
PICO_AMPS = 0.060
SENSOR_AMPS = 0.020  # with its lamp on
STRIP_IDLE_AMPS = 6 * 0.001
STRIP_FULL_AMPS = 0.360
STRIP_CAPPED_AMPS = 0.075  # at board.json's 20 percent

ADC_VOLTS = 3.3
CAP = 100  # board.json of this build: a 6 V motor may have all of 5 V
SLOWEST = 0.6 * 0.6  # duty: the table asks for 60 percent, and roaming goes down to 60 percent of that
STALL_MILLIAMPS = 75  # board.json of this build; what the filter's simulation is about


def loop_ohms(motor: float = MOTOR_OHMS) -> float:
    """All that is in the way of the motor's current while the bridge drives it."""
    return motor + BRIDGE_OHMS + SHUNT_OHMS
