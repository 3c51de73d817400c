"""The window's optics: how much of the reading comes from the die's face, when it lies flat and when it stands off.

Lamp and sensor lie side by side below a round window. The lamp shines, and the sensor sees, with the cosine of the
angle (Lambert). Light comes back, once, from the face (only what both see through the window), from the black rim
around the window, and from the black wall of the well. A bar between lamp and sensor hides one half of the well from
each. Wavelength, gloss and second reflections are left out.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.plots import figure
from tools import geometry

FACE = 0.4  # reflectance of a painted face, assumed
BLACK = 0.05  # of black plastic, assumed
GAPS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)  # mm between window and face
GRID = 161

Grid = NDArray[np.float64]


class Parts(NamedTuple):
    """Light that comes to the sensor, in the same unit for all three."""

    face: float
    rim: float
    wall: float

    @property
    def share(self) -> float:
        """The face's share of it all."""
        return self.face / sum(self)


class Well:
    """The light well of the holder and the flap, as `cad/params.scad` has it, in mm.

    :param recess: how deep the face lies in the flap.
    :param bar: whether the bar between lamp and sensor is there.
    """

    def __init__(self, recess: float = 0.0, bar: bool = True) -> None:
        size = geometry.params()
        self.window = size["window"] / 2
        self.bore = size["bore"] / 2
        self.distance = size["distance"] - recess
        self.lip = size["lip"]
        self._bar = (size["bar_low"], size["bar_high"], size["bar"] / 2) if bar else None
        self._lamp = size["lamp_x"] / 2
        self._eye = -size["lamp_x"] / 2

    def look(self, gap: float) -> Parts:
        """What comes back when the face is `gap` above the window."""
        deep = self.distance + gap
        face = self._disc(deep, self.window + 3 * gap + 0.01, FACE, through=True)
        under = self.distance - self.lip
        rim = self._disc(under, self.bore, BLACK) - self._disc(under, self.window, BLACK)
        return Parts(face, rim, self._wall(under))

    def _disc(self, z: float, radius: float, reflectance: float, through: bool = False) -> float:
        side = np.linspace(-radius, radius, GRID)
        x, y = np.meshgrid(side, side)
        seen = (np.hypot(x, y) <= radius) & self._free(self._lamp, x, z) & self._free(self._eye, x, z)
        if through:
            for at in (self._lamp, self._eye):
                seen &= np.hypot(at + (x - at) * self.distance / z, y * self.distance / z) <= self.window
        light = np.ones_like(x)
        for at in (self._lamp, self._eye):
            light *= z * z / ((x - at) ** 2 + y**2 + z * z) ** 2
        return float(np.sum(light * seen) * reflectance / np.pi * (side[1] - side[0]) ** 2)

    def _wall(self, high: float) -> float:
        heights, angles = np.linspace(0.01, high, GRID), np.linspace(0, 2 * np.pi, GRID)
        z, angle = np.meshgrid(heights, angles)
        x, y = self.bore * np.cos(angle), self.bore * np.sin(angle)
        light = np.ones_like(x)
        for at in (self._lamp, self._eye):
            squared = (x - at) ** 2 + y**2 + z**2
            light *= z * (self.bore - at * np.cos(angle)) / squared**2
        seen = self._free(self._lamp, x, z) & self._free(self._eye, x, z)
        cell = (heights[1] - heights[0]) * (angles[1] - angles[0]) * self.bore
        return float(np.sum(light * seen) * BLACK / np.pi * cell)

    def _free(self, at: float, x: Grid, z: Grid | float) -> NDArray[np.bool_]:
        """Whether the bar is not in the way from (at, 0, 0) to (x, ., z)."""
        free = np.ones(x.shape, bool)
        if self._bar is None:
            return free
        low, high, half = self._bar
        away = np.where(np.abs(x - at) < 1e-9, 1e-9, x - at)
        for side in (-half, half):
            part = (side - at) / away
            free &= ~((part > 0) & (part < 1) & (z * part > low) & (z * part < high))
        return free


def run(folder: Path) -> dict[str, float]:
    """Draw `optics.svg`; return shares of the face in percent, and stray light as a share of the face's."""
    numbers: dict[str, float] = {}
    wells = {"with the bar": Well(), "without the bar": Well(bar=False), "with the bar, in the bowl": Well(recess=1.0)}
    with figure(folder / "optics.svg", rows=2) as (share, light):
        flat = wells["with the bar"].look(0.0).face
        for name, well in wells.items():
            looks = [well.look(gap) for gap in GAPS]
            share.plot(GAPS, [look.share * 100 for look in looks], marker="o", label=name)
            light.plot(GAPS, [look.face / flat * 100 for look in looks], marker="o", label=name)
        share.set(title="What comes from the die's face", xlabel="mm between window and face", ylabel="% of the reading")
        light.set(title="How much that is", xlabel="mm between window and face", ylabel="% of a flat face")
        share.legend()
    for gap in (0, 1, 2, 3):
        numbers[f"share_{gap}mm_pct"] = wells["with the bar"].look(gap).share * 100
        numbers[f"share_{gap}mm_no_bar_pct"] = wells["without the bar"].look(gap).share * 100
        numbers[f"light_{gap}mm_pct"] = wells["with the bar"].look(gap).face / flat * 100
    numbers["share_bowl_pct"] = wells["with the bar, in the bowl"].look(0).share * 100
    parts = wells["with the bar"].look(0)
    numbers["stray_share_of_face_pct"] = (parts.rim + parts.wall) / parts.face * 100
    return numbers
