"""Spectra: what shines, what reflects, and how the sensor's four channels answer, in sixteen bands from 400 to 700 nm.

Shapes are plain curves after published ones (white LEDs, Planck's law, coloured plastics, skin, wood); none was measured on
the game's own die. The sensor's numbers are the datasheet's (TAOS135, optical characteristics).
"""

from collections.abc import Callable
from math import exp
from random import Random

BANDS = tuple(range(400, 701, 20))
Spectrum = tuple[float, ...]


def spectrum(curve: Callable[[float], float]) -> Spectrum:
    """A curve over wavelength (nm), by bands."""
    return tuple(curve(float(band)) for band in BANDS)


def bump(middle: float, width: float) -> Callable[[float], float]:
    """A bell of height 1."""
    return lambda nm: exp(-(((nm - middle) / width) ** 2) / 2)


def edge(middle: float, width: float) -> Callable[[float], float]:
    """From 0 to 1."""
    return lambda nm: 1 / (1 + exp(-(nm - middle) / width))


def white_led(phosphor: float) -> Spectrum:
    """A white LED: the blue of the chip and the yellow of its phosphor, which is `phosphor` of it in height."""
    blue, yellow = bump(452, 11), bump(560, 55)
    return spectrum(lambda nm: blue(nm) + phosphor * yellow(nm))


def glow(kelvin: float) -> Spectrum:
    """A black body (Planck), 1 at 560 nm."""

    def planck(nm: float) -> float:
        return 1 / (nm**5 * (exp(14_387_769 / (nm * kelvin)) - 1))

    return spectrum(lambda nm: planck(nm) / planck(560))


LAMP_PHOSPHOR = 0.62  # of the breakout's lamp, a cool white
LAMPS = {
    "bulb": glow(2700),
    "led": spectrum(lambda nm: 0.45 * bump(452, 12)(nm) + bump(600, 62)(nm)),
    "daylight": glow(6500),
}

# How much of the light comes back, by band. Four plastics of the die, and what else may come over the window.
SURFACES: dict[str, Spectrum] = {
    "red": spectrum(lambda nm: 0.045 + 0.56 * edge(605, 9)(nm)),
    "green": spectrum(lambda nm: 0.05 + 0.30 * bump(528, 36)(nm)),
    "blue": spectrum(lambda nm: 0.05 + 0.36 * bump(462, 40)(nm)),
    "yellow": spectrum(lambda nm: 0.055 + 0.68 * edge(517, 11)(nm)),
    "white": spectrum(lambda nm: 0.86 - 0.18 * bump(400, 15)(nm)),
    "hand": spectrum(lambda nm: 0.24 + 0.38 * edge(590, 18)(nm) - 0.05 * bump(555, 22)(nm) + 0.08 * edge(480, 25)(nm)),
    "wood": spectrum(lambda nm: 0.18 + 0.36 * (nm - 400) / 300),
    "table": spectrum(lambda nm: 0.09 + 0.08 * (nm - 400) / 300),
}

# Datasheet, optical characteristics: clear, counts per uW/cm2 at gain 16 and 24 ms; and the other channels as shares of
# clear, from the least part to the most. By wavelength: 465, 525, 615 nm.
ANCHORS = (465.0, 525.0, 615.0)
CLEAR = ((11.0, 16.6), (13.2, 20.0), (15.6, 23.4))
SHARES = {
    "red": ((0.00, 0.15), (0.04, 0.25), (0.80, 1.10)),
    "green": ((0.10, 0.42), (0.60, 0.85), (0.00, 0.14)),
    "blue": ((0.65, 0.88), (0.10, 0.45), (0.05, 0.24)),
}


def responses(rng: Random) -> tuple[Spectrum, Spectrum, Spectrum, Spectrum]:
    """How clear, red, green and blue of one part answer to light: drawn from the whole range that the datasheet allows."""
    strong = rng.random()  # of the part as a whole; the range is about the same at each wavelength
    clear = _between([low + strong * (high - low) for low, high in CLEAR])
    colors = [_between([rng.uniform(low, high) for low, high in ranges]) for ranges in SHARES.values()]
    # The filter lets nothing of the ultraviolet and infrared through.
    rims = spectrum(lambda nm: edge(405, 8)(nm) * (1 - edge(690, 10)(nm)))
    whole = [one * rim for one, rim in zip(clear, rims, strict=True)]
    red, green, blue = (tuple(share * all_ for share, all_ in zip(color, whole, strict=True)) for color in colors)
    return tuple(whole), red, green, blue


def _between(values: list[float]) -> Spectrum:
    """Values at the anchors, joined by straight lines, and level outside."""
    result = []
    for band in BANDS:
        nm = min(max(float(band), ANCHORS[0]), ANCHORS[-1])
        at = 0 if nm <= ANCHORS[1] else 1
        part = (nm - ANCHORS[at]) / (ANCHORS[at + 1] - ANCHORS[at])
        result.append(values[at] + part * (values[at + 1] - values[at]))
    return tuple(result)


def seen(light: Spectrum, surface: Spectrum, response: Spectrum) -> float:
    """How much of a light, sent back by a surface, a channel answers to."""
    return sum(a * b * c for a, b, c in zip(light, surface, response, strict=True))
