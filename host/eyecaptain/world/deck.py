"""The virtual deck: what lies where, and what the eye does to it (rules.md C7).

Zones of an object: 0 centre, 1 middle, 2 edge, 3 the mouth of a corner. The corner is fixed when the object leaves the
centre. Only an object in zone 3 at an *open* corner can fall.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from eyecaptain.games.base import COLORS, LETTERS, Color
from eyecaptain.games.draws import Draws

CENTRE, MIDDLE, EDGE, MOUTH = range(4)
TICKS_A_TURN = 12  # K of rules.md C7: a sensible ladder of difficulty by the number of open corners
TICK_SECONDS = 0.5  # design.md, two decks: the pace of a turn's first K ticks ...
SLOW_TICK_SECONDS = 5.0  # ... and of those after them


@dataclass(slots=True)
class Place:
    """Where one object lies."""

    zone: int
    corner: int


class VirtualDeck:
    """Twelve droppings and the die on a deck whose eye rolls.

    :param draws: where chance comes from; the same draws give the same deck.
    :param open_corners: 0 to 4; corners 0 to n - 1 are open.
    :param has_die: solo is played without a die.
    """

    def __init__(self, draws: Draws, open_corners: int = 0, has_die: bool = True) -> None:
        self._draws = draws
        self._open = open_corners
        self.layout: str | None = None
        self.droppings: dict[int, Place] = {}
        self.die: Place | None = None
        self.face: Color | None = None
        self._has_die = has_die

    # -- people --

    def deal(self) -> str:
        """Mix the twelve droppings and lay them out; return the layout (twelve letters by id)."""
        letters = list("RRRGGGBBBYYY")
        self._draws.shuffle(letters)
        if self._has_die and self.face is None:
            self.face = self._new_face()
        layout = "".join(letters)
        self.layout = None
        self.lay(layout, range(12), self.face)
        return layout

    def lay(self, layout: str | None, on_deck: Iterable[int], face: Color | None) -> None:
        """Make the deck agree with a game: after an undo or a resume, what comes back lies in the centre.

        Where things lay is not in the log: with another layout than before, all begin anew in the middle.
        """
        there = set(on_deck)
        if layout != self.layout:
            self.layout = layout
            self.droppings = {dropping: Place(MIDDLE, self._draws.draw(4)) for dropping in sorted(there)}
            self.die = Place(CENTRE, 0) if self._has_die else None
        else:
            kept = {dropping: place for dropping, place in self.droppings.items() if dropping in there}
            self.droppings = {dropping: kept.get(dropping, Place(CENTRE, 0)) for dropping in sorted(there)}
        if self._has_die:
            self.face = face or self.face or self._new_face()

    def look(self, dropping: int) -> Color:
        """The colour under a dropping.

        :raises KeyError: nothing has been dealt.
        """
        if self.layout is None:
            raise KeyError(dropping)
        return LETTERS[self.layout[dropping]]

    def put_back(self, dropping: int) -> None:
        """A dropping that was lifted goes back to the centre."""
        self.droppings[dropping] = Place(CENTRE, 0)

    def may_recentre(self, reason: str) -> bool:
        """Whether the die lies so that it may be put back for this reason (`exhausted` is for the game to judge)."""
        if self.die is None:
            return False
        if reason == "falling":
            return self.in_danger
        return reason != "stuck" or self.die.zone >= EDGE

    def recentre(self) -> None:
        """The die goes to the centre; it does not turn (E9)."""
        self.die = Place(CENTRE, 0) if self._has_die else None

    @property
    def in_danger(self) -> bool:
        """Whether the next push may send the die through an open corner."""
        return self.die is not None and self._at_open_corner(self.die)

    def places(self) -> dict[str, Any]:
        """What anybody at the table can see: zones and corners by id, and the die's; plain values for JSON."""
        return {
            "droppings": {str(dropping): place.zone for dropping, place in self.droppings.items()},
            "corners": {str(dropping): place.corner for dropping, place in self.droppings.items()},
            "die": self.die.zone if self.die else None,
            "die_corner": self.die.corner if self.die else None,
            "danger": self.in_danger,
        }

    # -- the eye --

    def tick(self) -> list[dict[str, Any]]:
        """The eye knocks one object; return what happened as actions of the log, without the colour of what fell."""
        objects: list[int | None] = list(self.droppings)
        if self.die is not None:
            objects.append(None)
        if not objects:
            return []
        hit = objects[self._draws.draw(len(objects))]
        return self._knock_die() if hit is None else self._knock_dropping(hit)

    def _knock_die(self) -> list[dict[str, Any]]:
        assert self.die is not None
        before, self.face = self.face, self._new_face()
        news: list[dict[str, Any]] = []
        if self.face != before:
            news.append({"type": "die", "face": self.face, "by": "world"})
        if self._push(self.die):
            self.die = None
            news.append({"type": "die_fell"})
        return news

    def _knock_dropping(self, dropping: int) -> list[dict[str, Any]]:
        if not self._push(self.droppings[dropping]):
            return []
        del self.droppings[dropping]
        return [{"type": "fall", "dropping": dropping}]

    def _push(self, place: Place) -> bool:
        """Push an object outward or inward, as a coin decides; return whether it falls."""
        outward = self._draws.draw(2) == 0
        if not outward:
            place.zone = max(place.zone - 1, CENTRE)
            return False
        if place.zone == MOUTH:
            return self._at_open_corner(place)
        if place.zone == CENTRE:
            place.corner = self._draws.draw(4)
        place.zone += 1
        return False

    def _at_open_corner(self, place: Place) -> bool:
        return place.zone == MOUTH and place.corner < self._open

    def _new_face(self) -> Color:
        """Two faces of the eight for each colour (E0)."""
        return COLORS[self._draws.draw(8) % 4]
