"""`captain emulate`: a simulated board that other programs can open like a real one."""

from pathlib import Path

import click

from eyecaptain.cli import console
from eyecaptain.language import _


@click.command()
@click.option("--json", "as_json", is_flag=True, help="The first line is JSON: port, control socket, serial number.")
@click.option("--record", type=click.Path(path_type=Path), help="Write every change at pins and buses to this file.")
@click.option("--seed", help="Makes die, noise and the board's tolerances repeatable.")
@click.option("--serial", help="Its USB serial number, 16 hex digits (default: a new one).")
@click.option("--pace", type=click.FloatRange(0.01, 100), default=1.0, show_default=True, help="Scales the eye's seconds.")
@click.option("--firmware", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Run another firmware.")
@click.option(
    "--flash",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep its flash (a littlefs, as on a Pico) in this file, and go on with what is in it.",
)
@click.option("--faults", metavar="NAME=SHARE,...", help="Let things go wrong: corrupt=0.01,drop=0.01 (see above).")
@click.option("--uncalibrated", is_flag=True, help="Begin without a calibration: the board reads no colour until it has one.")
@click.option("--owned", is_flag=True, help="End 10 s after the last connection to the control socket.")
def emulate(
    *,
    as_json: bool,
    record: Path | None,
    seed: str | None,
    serial: str | None,
    pace: float,
    firmware: Path | None,
    flash: Path | None,
    faults: str | None,
    uncalibrated: bool,
    owned: bool,
) -> None:
    """Run the real firmware on a simulated board: a port for any serial program, a socket for its world.

    It runs until Ctrl-C.

    --faults says which share, 0 to 1, of the lines that go by (either way) meets each of drop, duplicate, corrupt, truncate,
    merge, delay, stall, unplug, kill (the chip hangs) and reboot; of the bus transfers i2c_nak and sda_stuck; of the
    motor's starts motor_stall. The seed decides, and the end tells how often each happened.
    """
    from eyecaptain.boards.simulated import check_system

    check_system()
    from eyecaptain.boards.simulated import faults as mishaps
    from eyecaptain.boards.simulated.emulator import Emulator, Options
    from eyecaptain.errors import UsageProblem

    try:
        rates = mishaps.parse(faults) if faults else {}
    except ValueError as error:
        raise UsageProblem(_("--faults: {error}.").format(error=error), _("Example: --faults corrupt=0.01,drop=0.01")) from None
    emulator = Emulator(
        Options(seed, serial, record, pace, owned, firmware, flash and flash.absolute(), rates, calibrated=not uncalibrated)
    )
    try:
        emulator.start()
        entry = emulator.entry
        if as_json:
            console.emit({"port": entry.port, "control": entry.control, "serial": entry.serial})
        else:
            words = _("A simulated board is at {port} (seed {seed}); Ctrl-C ends it.")
            click.echo(words.format(port=entry.port, seed=emulator.seed))
        emulator.run()
    finally:
        emulator.close()
        if rates:
            met = ", ".join(f"{name} {emulator.met[name]}" for name in rates)
            console.say(_("Faults: {met}").format(met=met))
