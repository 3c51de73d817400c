"""The die as a thing: where the eye has knocked it, and what of it lies over the window, rolling or at rest."""

from random import Random

from eyecaptain.games.base import Color
from eyecaptain.world.deck import CENTRE
from eyecaptain.world.window import sitting

# Seconds that a knocked die rolls before it lies flat.
ROLLS = (0.15, 0.35)


class RollingDie:
    """A die on the deck, over the window or beside it.

    :param rng: how long it rolls, and how it comes to rest.
    :param face: the face that players see.
    """

    def __init__(self, rng: Random, face: Color) -> None:
        self._rng = rng
        self.face = face
        self.zone: int | None = CENTRE
        self._from: Color | None = None
        self.rests_at: float | None = None
        self.seat = sitting(rng)

    def knock(self, now: float, face: Color, zone: int | None) -> bool:
        """The die goes over to this face and zone (None: overboard); return whether that is anything new.

        It rolls from now until `rests_at`.
        """
        if face == self.face and zone == self.zone:
            return False
        self._from = self.face if CENTRE in {self.zone, zone} else None
        self.face, self.zone = face, zone
        self.rests_at = now + self._rng.uniform(*ROLLS)
        return True

    def put(self, face: Color, zone: int | None) -> None:
        """A hand puts the die there: it rests at once."""
        self.face, self.zone, self._from, self.rests_at = face, zone, None, None
        self.seat = sitting(self._rng)

    def rest(self) -> None:
        """The die has come to rest."""
        self._from, self.rests_at = None, None
        self.seat = sitting(self._rng)

    def over_window(self) -> tuple[Color, ...]:
        """The faces that the sensor in the middle of the deck sees now: none, one, or two while it rolls over the window.

        Opposite faces of the die have the same colour, so the lower face is the upper one's.
        """
        if self._from is not None:
            return (self._from, self.face)
        return (self.face,) if self.zone == CENTRE else ()
