"""`captain record`: readings of a board's colour sensor, as they are, in a CSV file."""

import sys
import time
from pathlib import Path

import click

from eyecaptain.cli import console
from eyecaptain.cli.attach import attach, board_option
from eyecaptain.language import _, ngettext

AT_ONCE = 10  # pairs in one job


@click.command()
@click.option("--label", required=True, help="What lies there: red, green, blue, yellow, or what else it is.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The CSV file; it is gone on with.")
@click.option("--count", type=click.IntRange(1, 100000), default=50, show_default=True, help="How many pairs of readings.")
@click.option("--group", help="What is held out together, such as an evening (default: this start).")
@click.option("--cycles", type=click.IntRange(1, 64), help="Integrate over so many cycles of 2.4 ms (default: as calibrated).")
@click.option("--gain", type=click.Choice(["1", "4", "16", "60"]), help="The sensor's gain (default: as calibrated).")
@board_option
def record(*, label: str, out: Path, count: int, group: str | None, cycles: int | None, gain: str | None, board: str) -> None:
    """Write readings to a file: red, green, blue, clear, with the board's light on and with it off.

    What `captain evaluate` reads. Ctrl-C ends it; what was read is in the file.
    """
    from eyecaptain.sight.recording import Recorder

    began = time.strftime("%Y-%m-%dT%H:%M:%S")
    live = sys.stderr.isatty()
    with attach(board) as attached:
        recorder = Recorder(out)
        try:
            sensor = attached.sensor
            usual = (sensor.load() or {"exp": [21, 4]})["exp"]
            exposure = (cycles or usual[0], int(gain or usual[1]))
            if attached.hands is not None:
                _lay(attached.hands, label)
            while recorder.rows < count:
                pairs = sensor.take(min(AT_ONCE, count - recorder.rows), *exposure)
                for pair in pairs:
                    said = (time.strftime("%Y-%m-%dT%H:%M:%S"), sensor.uid, label, group or began)
                    recorder.write(said, exposure, pair)
                if live:
                    click.echo(f"\r{recorder.rows}/{count}  {pairs[-1].lit}   ", err=True, nl=False)
        finally:
            recorder.close()
            if live:
                console.say("")
            words = ngettext("{n} reading of {label} is in {file}.", "{n} readings of {label} are in {file}.", recorder.rows)
            console.say(words.format(n=recorder.rows, label=label, file=out))
    click.echo(_("Done."))


def _lay(hands: object, label: str) -> None:
    """On a simulated board the program lays there what the label says, if there is such a thing."""
    from eyecaptain.boards.simulated.hands import Hands
    from eyecaptain.games.base import COLORS

    assert isinstance(hands, Hands)
    if label in COLORS:
        hands.die(label)
    elif label == "white":
        hands.white()
    elif label in ("nothing", "absent"):
        hands.nothing()
