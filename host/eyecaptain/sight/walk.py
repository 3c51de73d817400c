"""The walk of `captain calibrate`: dark, white, then the eight faces; what is wrong is said at the step where it happens.

It knows nothing of people and boards: it is handed readings and answers, and raises `Mistake` with what to do. The same walk
makes the calibration of a simulated board.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean, pstdev
from typing import Any

from eyecaptain.games.base import COLORS, Color
from eyecaptain.language import _
from eyecaptain.sight import fit
from eyecaptain.sight.readings import Pair
from eyedeck.core import die
from eyedeck.core.palette import Palette, full

# Exposures from the most to the least sensitive: cycles, gain. All are (nearly) whole periods of 100 Hz light.
EXPOSURES = ((42, 60), (21, 60), (21, 16), (21, 4), (21, 1), (4, 1))
FACES = 8
A_FACE = 8  # pairs of readings of each face
A_LOOK = 3
HEADROOM = 0.7  # of full scale: white paper stays below, so no face ever comes to the 75 % that saturate
FAINT = 60  # counts that white paper adds at least
SHADE = 0.2  # of white: a dark reading that is brighter was none
GLIMMER = 0.03  # of white: a face is brighter
WHITE = 0.75  # of white: no face is as bright
GREY = 0.03  # a share so near to white's is white's
RESTLESS = (0.02 * die.SHARE, 0.02 * die.SHARE, 0.08 * die.LN)  # a die that lies still scatters less

Take = Callable[[int, int, int], Sequence[Pair]]


class Mistake(Exception):
    """Something is not as it must be at this step: what, and what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Walk:
    """One calibration in the making.

    :param take: takes so many pairs of readings with so many cycles and this gain.
    """

    def __init__(self, take: Take) -> None:
        self._take = take
        self._darks: dict[tuple[int, int], list[int]] = {}
        self._exposure = EXPOSURES[-1]
        self._white = 0.0  # clear of white paper
        self._base: dict[str, list[int]] = {}
        self._faces: list[fit.Face] = []

    @property
    def labels(self) -> list[Color]:
        """What was on top of each face so far."""
        return [COLORS[face.top] for face in self._faces]

    @property
    def counts(self) -> dict[Color, int]:
        """How often each colour was on top."""
        found = Counter(self.labels)
        return {color: found[color] for color in COLORS}

    @property
    def usual(self) -> bool:
        """Whether every colour was there twice, as on the game's own die."""
        return all(count == 2 for count in self.counts.values())

    def dark(self) -> None:
        """Nothing lies on the window: what the light alone throws back.

        :raises Mistake: the room shines in too brightly.
        """
        darks = {}
        for cycles, gain in EXPOSURES:
            pairs = self._take(A_LOOK, cycles, gain)
            if not _saturated(pairs, cycles):
                darks[cycles, gain] = _means(pairs)
        if len(darks) < 2:
            raise Mistake(
                _("The room is so bright that the sensor is blinded."),
                _("Turn the lamp away or draw the curtain, and try again."),
            )
        self._darks = darks

    def white(self) -> None:
        """White paper lies flat on the window: the exposure, and the balance of the channels.

        :raises Mistake: the light makes no difference, or the paper is missing, or the dark reading was none.
        """
        for exposure in EXPOSURES:
            pairs = self._take(1, *exposure)
            if max(max(pair.on) for pair in pairs) < HEADROOM * full(exposure[0]) and exposure in self._darks:
                break
        else:
            raise Mistake(_("White paper is too bright for the sensor."), _("Put it flat on the window; dim the room."))
        pairs = self._take(A_LOOK, *exposure)
        dark = self._darks[exposure]
        lit = [max(1, value - shade) for value, shade in zip(_means(pairs), dark, strict=True)]
        if _means(pairs)[3] < FAINT:
            raise Mistake(
                _("The sensor's light makes no difference."),
                _("Is the paper on the window? Does the white LED shine? Look at its wire to GP6."),
            )
        if dark[3] > SHADE * _means(pairs)[3]:
            raise Mistake(
                _("White paper reads hardly brighter than the empty window did."),
                _("Lay the paper on the window; if it lies there, start again: something was on the window at the first step."),
            )
        self._exposure = exposure
        self._white = float(lit[3])
        strongest = max(lit[:3])
        self._base = {
            "exp": list(exposure),
            "dark": dark,
            "white": [min(24000, round(die.WEIGHT * strongest / channel)) for channel in lit[:3]],
        }

    def face(self, top: Color) -> None:
        """The die lies on the next face; `top` is the colour that people see.

        :raises Mistake: no face can be read there, or it reads like one that showed another colour.
        """
        pairs = self._take(A_FACE, *self._exposure)
        face = fit.Face(COLORS.index(top), self._points(pairs))
        for number, other in enumerate(self._faces, start=1):
            if other.top != face.top and fit.far(fit.mean(face.points), fit.mean(other.points)) < fit.ALIKE:
                raise Mistake(
                    _("This face reads like face {number}, on which {seen} was on top; now it is {top}.").format(
                        number=number, seen=_(COLORS[other.top]), top=_(top)
                    ),
                    _("Was one mistyped? If both are right, this die cannot be read from below: say its colour by hand."),
                )
        self._faces.append(face)

    def back(self) -> None:
        """Forget the last face."""
        if self._faces:
            self._faces.pop()

    def finish(self) -> dict[str, list[int]]:
        """The values of the calibration.

        :raises Mistake: two colours are too much alike, or there is only one.
        """
        found = self._base | fit.values(self._faces)
        apart, one, other = fit.separation(found)
        if len(set(self.labels)) < 2:
            raise Mistake(_("Only one colour was on top."), _("Walk through all faces of the die."))
        try:
            Palette(found)
        except ValueError:
            raise Mistake(
                _("These are too much alike: {one} and {other}, {apart:.1f} of their scatter apart (6 are needed).").format(
                    one=_(COLORS[one]), other=_(COLORS[other]), apart=apart
                ),
                _("More light of its own helps: clean the window, bring the sensor nearer (7 mm), shade the room's light."),
            ) from None
        return found

    def _points(self, pairs: Sequence[Pair]) -> list[fit.Point]:
        """The features of a face's readings, when it is one."""
        shades = Shades(self._base)
        lit = _means(pairs)
        clear = lit[3] - shades.dark[3]
        if _saturated(pairs, self._exposure[0]):
            raise Mistake(_("It is too bright there."), _("Lay the die flat on the window, and dim the room."))
        if clear < max(GLIMMER * self._white, shades.dark[3], 10):
            raise Mistake(_("Nothing lies on the window."), _("Lay the die flat over the middle of the window."))
        if fmean(pair.off[3] for pair in pairs) > fit.AMBIENT * clear:
            raise Mistake(
                _("The room shines in beside the die."), _("Lay it flat over the middle of the window; turn the lamp away.")
            )
        points: list[fit.Point] = [die.features(*pair.lit, shades) for pair in pairs]
        if any(pstdev(axis) > most for axis, most in zip(zip(*points, strict=True), RESTLESS, strict=True)):
            raise Mistake(_("It moved while it was read."), _("Take the hand away, and let it lie still for a second."))
        red, green, _bright = fit.mean(points)
        grey = max(abs(red / die.SHARE - 1 / 3), abs(green / die.SHARE - 1 / 3)) < GREY
        if grey and clear > WHITE * self._white:
            raise Mistake(_("That still reads like the white paper."), _("Take the paper away, and lay the die on the window."))
        return points


class Shades:
    """The part of a palette that features need: `dark` and `white`."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.dark = values["dark"]
        self.white = values["white"]


def _saturated(pairs: Sequence[Pair], cycles: int) -> bool:
    return any(max(*pair.on, *pair.off) >= 0.75 * full(cycles) for pair in pairs)


def _means(pairs: Sequence[Pair]) -> list[int]:
    """What the light adds, on the average."""
    return [round(fmean(channel)) for channel in zip(*(pair.lit for pair in pairs), strict=True)]
