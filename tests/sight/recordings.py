"""The public recordings, where they are at hand, as rows: label, r, g, b, group (tenth of its file in order)."""

import ast
import csv
from pathlib import Path

import pytest

from eyecaptain.sight.recording import Plain, Row, scaled

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "colour"
HELD_OUT = 6  # the first tenth that is held out

needs_recordings = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"the recordings of real sensors are not there ({FOLDER}): they are no part of this project"
)


def ev3() -> list[Row]:
    """A LEGO EV3 sensor in a moving robot: the four colours, white, orange and purple."""
    rows = []
    for path in sorted((FOLDER / "notkaramel_WaddlE_EV3_MIT").glob("color_data_*.csv")):
        label = path.stem.removeprefix("color_data_")
        readings = [ast.literal_eval(line) for line in path.read_text().splitlines() if line.strip()]
        rows += [_plain(label, tuple(map(float, rgb)), at, len(readings)) for at, rgb in enumerate(readings)]
    return scaled(rows)


def hand_held() -> list[Row]:
    """A TCS230 held by hand in the room's light: the four colours, white, and nothing near. Pulse widths: small is bright."""
    rows = []
    for path in sorted((FOLDER / "apilghimire_ColorSensorAI_MIT").glob("*.csv")):
        if path.stem == "data":  # all the others once more
            continue
        label = {"toofar": "too far"}.get(path.stem.lower(), path.stem.lower())
        with path.open(newline="") as file:
            readings = [tuple(1e6 / float(row[name]) for name in ("Red", "Green", "Blue")) for row in csv.DictReader(file)]
        rows += [_plain(label, rgb, at, len(readings)) for at, rgb in enumerate(readings)]
    return scaled(rows)


def _plain(label: str, rgb: tuple[float, ...], at: int, length: int) -> Plain:
    return Plain(label, (*rgb, sum(rgb)), str(at * 10 // length), label)


def halves(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """What may be learnt from, and what is held out."""
    return (
        [row for row in rows if int(row.group) < HELD_OUT],
        [row for row in rows if int(row.group) >= HELD_OUT],
    )
