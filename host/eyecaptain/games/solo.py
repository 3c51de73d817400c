"""Game 2, every man for himself: say a colour, lift, keep what you said (rules.md C3). There is no die."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from eyecaptain.games.base import Action, Color, Effect, Refused, kinds, start_option
from eyecaptain.games.twelve import WORDS, TwelveGame
from eyecaptain.language import N_


@dataclass(frozen=True, slots=True)
class Lift(Action):
    """`seat` announced a colour, lifted a dropping, and showed its underside: it was `color` (E15)."""

    type: ClassVar[str] = "lift"
    seat: int
    announced: Color
    color: Color | None = None
    dropping: int | None = None


RULES = N_("""\
EYE EYE CAPTAIN, GAME 2: EVERY SAILOR FOR HIMSELF (2 to 4 players, from 4 years)

    railing           railing
    +-----------------------+
    |    o     o    o    o  |
    |  o    o          o    |      Ada says "blue!" and lifts one:
    |                    o  |
    |   o        @     o    |        it is blue:  Ada keeps it
    |     o          o      |        it is red:   back with it, and Ben,
    +-----------------------+                     who is next, leaves it alone
    railing           railing

All corners are closed, and there is no die. Twelve droppings lie on the deck,
three each of red, green, blue and yellow. The eye rolls and mixes them.

 1. Whoever has the tongs says a colour, lifts a dropping, and shows everybody
    what is underneath.
      The colour that was said:  keep it.
      Another colour:            put it back. The next player must not take
                                 this one; whoever comes after that may.
 2. Then the tongs go to the left, whatever it was.
 3. If it was the only one left on the deck, the next player may take it.

When the deck is empty, whoever has most droppings wins; in a tie all do.
Watch the others: what they had to put back, you know.
""")


class SoloGame(TwelveGame):
    """Most droppings win; equal numbers share the win (E17)."""

    __slots__ = ("barred", "owned")

    name = "solo"
    section = "C3"
    rulings: ClassVar = {"fall": "E18", "die_fell": "E18"}
    has_die = False
    actions = kinds(Lift)
    option_kinds: ClassVar = {"start": (N_("the number of a seat"), 0, start_option)}
    words: ClassVar = {
        **WORDS,
        "match": N_("{player} lifted {dropping}: {color}, as announced! It is kept."),
        "miss": N_("{player} lifted {dropping}: it is {color}. Back on the deck; the next player leaves it alone."),
        "over": N_("The deck is empty."),
        "winner": N_("The win goes to {player}, with {number}!"),
    }

    rules = RULES
    help: ClassVar = {
        "virtual": (("red 5", N_("announce red and lift dropping 5")),),
        "real": (("red green", N_("red was announced, it was green")),),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owned = [0] * len(self.players)
        self.barred: int | None = None  # the dropping just returned; the bar binds the very next lift only (E14)

    def answered(self, action: Action, look: Callable[[int], Color]) -> Action:
        """The colour of what is lifted."""
        if isinstance(action, Lift):
            return Lift(action.seat, action.announced, look(self._named(action.dropping)), action.dropping)
        return action

    def _lift(self, action: Lift) -> tuple[Effect, ...]:
        """Right: it is the lifter's. Wrong: back on the deck, and barred for the next. The tongs go left either way (C3)."""
        self._lifter(action.seat)
        self._there(action.dropping)
        # E13: the bar lapses for the only dropping on the deck, or the game could never end
        if action.dropping is not None and action.dropping == self.barred and self.deck > 1:
            raise Refused(
                "barred", N_("dropping {dropping} was just put back: take another one"), "C3", dropping=action.dropping
            )
        color = self._found(action.color, action.dropping)
        match = color == action.announced
        if match:
            self._take(action.dropping, color)
            self.owned[action.seat] += 1
            self.barred = None
        else:
            self._tell(action.dropping, color)
            self.barred = action.dropping
        self._pass_left()
        return (Effect("match" if match else "miss", action.seat, color, action.dropping), *self._end())

    def match_of(self, color: Color) -> Action:
        """That colour was announced."""
        return Lift(self.turn, color, color)

    def amended(self, lift: Action, color: Color | None) -> Action:
        """Another colour was found; or the one that was found had been announced."""
        assert isinstance(lift, Lift)
        return replace(lift, color=color) if color else replace(lift, announced=lift.color or lift.announced)

    def _end(self) -> tuple[Effect, ...]:
        if self.deck:
            return ()
        self.status = "over"
        best = max(self.owned)
        return (Effect("over"), *(Effect("winner", seat, number=best) for seat in self.winners()))

    def winners(self) -> list[int]:
        """Every seat with the most droppings, once the deck is empty."""
        if not self.over:
            return []
        best = max(self.owned)
        return [seat for seat, count in enumerate(self.owned) if count == best]

    def view(self, seat: int | None) -> dict[str, Any]:
        """What all may see: undersides are shown to all (E15)."""
        del seat
        return self._public() | {"collected": list(self.owned), "barred": self.barred, "winners": self.winners()}

    def summary(self) -> dict[str, Any]:
        """The promised keys of game 2."""
        return {
            "game": self.name,
            "status": self.status,
            "collected": self._by_name(self.owned),
            "deck": self.deck,
            "turn": self._turn_name(),
            "winners": [self.players[seat] for seat in self.winners()],
        }

    handlers: ClassVar = {**TwelveGame.handlers, Lift: _lift}
