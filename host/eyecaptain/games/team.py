"""Game 1, for young sailors: the team collects droppings before they roll into the galley (rules.md C2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from eyecaptain.games.base import (
    COLORS,
    Action,
    Color,
    Die,
    Effect,
    Recentre,
    Refused,
    kinds,
    start_option,
)
from eyecaptain.games.twelve import PER_COLOR, WORDS, TwelveGame
from eyecaptain.language import N_


@dataclass(frozen=True, slots=True)
class Lift(Action):
    """`seat` lifted a dropping and said its colour aloud; `sought` only when the table was asked which colour was meant."""

    type: ClassVar[str] = "lift"
    seat: int
    color: Color | None = None
    dropping: int | None = None
    sought: Color | None = None


@dataclass(frozen=True, slots=True)
class Fall(Action):
    """A dropping went into the galley."""

    type: ClassVar[str] = "fall"
    dropping: int | None = None
    color: Color | None = None


@dataclass(frozen=True, slots=True)
class DieFell(Action):
    """The die fell through an open corner."""

    type: ClassVar[str] = "die_fell"


@dataclass(frozen=True, slots=True)
class Final(Action):
    """The team named the colour of the last dropping, then looked: it was `color`."""

    type: ClassVar[str] = "final"
    named: Color
    color: Color | None = None


@dataclass(frozen=True, slots=True)
class Concede(Action):
    """The team gives up a game that is certainly lost (E7)."""

    type: ClassVar[str] = "concede"


RULES = N_("""\
EYE EYE CAPTAIN, GAME 1: ALL TOGETHER (2 to 4 players, from 5 years)

    railing           railing
    +-----------------------+
    |    o     o    o    o  |      o  a dropping: its colour is underneath,
    |  o    o  .---.   o    |         three each of red, green, blue, yellow
    |          | R |     o  |      R  the die shows red
    |   o      '---'   o    |      @  the eye: it rolls about and knocks
    |     o      @   o      |         everything
    +-------------------
    railing           open corner: down into the galley

Here the eye rolls over your deck, and you tidy up as one team, before too
many droppings go through the open corner and down into the galley.

 1. Choose how many corners stay open: one is easy, four are hard. The twelve
    droppings lie on the deck, the die in its centre.
 2. Whoever has the tongs looks at the die, lifts a dropping and says its
    colour aloud, so that everybody can remember it.
      The colour of the die:  the dropping belongs to the team.
      Another colour:         back to the centre of the deck with it.
    Then the tongs go to the left.
 3. What rolls through an open corner counts against you.
 4. The die must not fall, or the game is lost at once. Anybody may put it
    back into the centre when it is about to fall, when it is stuck, or when
    it shows a colour of which you have all three.
 5. The last dropping on the deck: together you may name its colour without
    the die. Right, it is yours; wrong, it goes into the galley.

When the deck is empty you count. You win with at least as many droppings as
there are in the galley: six are enough.
""")


class TeamGame(TwelveGame):
    """The team against the eye: won with at least as many droppings beside the box as in the galley."""

    __slots__ = ("galley", "kept", "team", "why")

    name = "team"
    section = "C2"
    actions = kinds(Die, Lift, Fall, DieFell, Final, Recentre, Concede)
    world_actions = frozenset({"fall", "die_fell"})
    option_kinds: ClassVar = {
        "start": (N_("the number of a seat"), 0, start_option),
        # E3: one at least; 0 is a practice mode
        "open_corners": (N_("0 (practice) to 4"), 1, lambda value: type(value) is int and 0 <= value <= 4),
        "reveal_galley": (N_("true or false"), False, lambda value: isinstance(value, bool)),
    }
    words: ClassVar = {
        **WORDS,
        "match": N_("{player} lifted {dropping}: {color}, a match! It goes to the team."),
        "miss": N_("{player} lifted {dropping}: {color}, no match. Back to the centre with it."),
        "fall": N_("{dropping} falls into the galley."),
        "fall_seen": N_("{dropping} falls into the galley: it was {color}."),
        "final_right": N_("The last one is {color}, as you said: it goes to the team."),
        "final_wrong": N_("The last one is {color}: into the galley with it."),
        "won": N_("The deck is clean, {number} for the team: you have won!"),
        "lost_count": N_("The deck is empty, {number} in the galley: lost this time."),
        "lost_die": N_("The die fell through the open corner: lost this time."),
        "lost_conceded": N_("The team gives up: lost this time."),
    }

    rules = RULES
    help: ClassVar = {
        "virtual": (("5", N_("lift dropping 5")), ("final red", N_("name the colour of the last dropping"))),
        "real": (
            ("red", N_("the dropping that was lifted is red")),
            ("red red", N_("it is red, and the die showed red, which has turned since")),
            ("fall", N_("a dropping went into the galley")),
            ("die fell", N_("the die fell through an open corner")),
            ("final red green", N_("the last one: you named red, it was green")),
            ("concede", N_("give up a game that is surely lost")),
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.team = 0
        self.kept: dict[Color, int] = dict.fromkeys(COLORS, 0)  # the team's, by colour: they lie open beside the box
        self.galley = 0
        self.why: str | None = None  # count, die or conceded, when the game is over

    def answered(self, action: Action, look: Callable[[int], Color]) -> Action:
        """The colour of what is lifted, of the last one, and (with `reveal_galley`) of what falls."""
        match action:
            case Lift():
                return Lift(action.seat, look(self._named(action.dropping)), action.dropping)
            case Final() if self.deck == 1:
                return Final(action.named, look(self.on_deck.index(True)))
            case Fall() if self.options["reveal_galley"]:
                return Fall(action.dropping, look(self._named(action.dropping)))
        return action

    def _lift(self, action: Lift) -> tuple[Effect, ...]:
        """Match: the dropping goes to the team. No match: back to the centre. The tongs go left either way (C2)."""
        self._lifter(action.seat)
        self._there(action.dropping)
        sought = action.sought or self.die  # E4: the colour at the moment of lifting
        if sought is None:
            raise Refused("no_face", N_("the die's face is not known: say which colour it shows"), "C2")
        color = self._found(action.color, action.dropping)
        match = color == sought
        if match:
            self._keep(action.dropping, color)
        else:
            self._tell(action.dropping, color)
        self._pass_left()
        return (Effect("match" if match else "miss", action.seat, color, action.dropping), *self._count())

    def _fall(self, action: Fall) -> tuple[Effect, ...]:
        if self.deck_kind == "virtual" and not self.options["open_corners"]:
            raise Refused("corners_closed", N_("all corners are closed: nothing can fall"), "E3")
        if not self.deck:
            raise Refused("deck_empty", N_("no dropping is left on the deck"), "C2")
        self._there(action.dropping)
        if self.options["reveal_galley"] and action.color is None:
            raise Refused("color_needed", N_("with reveal_galley say the colour of the dropping that fell"), "E10")
        color = action.color and self._found(action.color, action.dropping)
        self._take(action.dropping, color)
        self.galley += 1
        news = Effect("fall", dropping=action.dropping)
        if self.options["reveal_galley"]:
            news = Effect("fall_seen", color=color, dropping=action.dropping)
        return (news, *self._count())

    def _die_fell(self, action: DieFell) -> tuple[Effect, ...]:
        """The game is lost at once (C2), whatever was collected (E7)."""
        del action
        if not self.options["open_corners"]:
            raise Refused("corners_closed", N_("all corners are closed: the die cannot fall"), "E3")
        return self._lose("die")

    def _final(self, action: Final) -> tuple[Effect, ...]:
        if self.deck != 1:
            raise Refused(
                "not_final", N_("{deck} droppings are on the deck: a final guess is for the last one"), "C2", deck=self.deck
            )
        dropping = self.on_deck.index(True) if self.on_deck.count(True) == 1 else None
        color = self._found(action.color, dropping)
        right = action.named == color
        if right:
            self._keep(dropping, color)
        else:
            self._take(dropping, color)
            self.galley += 1
        return (Effect("final_right" if right else "final_wrong", None, color, dropping), *self._count())

    def _concede(self, action: Concede) -> tuple[Effect, ...]:
        del action
        if self.galley < 7:
            raise Refused(
                "not_lost_yet", N_("only {galley} are in the galley: with 7 the game is surely lost"), "E7", galley=self.galley
            )
        return self._lose("conceded")

    def _recentre(self, action: Recentre) -> tuple[Effect, ...]:
        if not action.force:
            if action.reason == "falling" and not self.options["open_corners"]:
                raise Refused("corners_closed", N_("all corners are closed: the die cannot fall"), "C2")
            if action.reason == "exhausted" and self.deck_kind == "virtual" and not self._publicly_exhausted():
                raise Refused("not_exhausted", N_("three droppings of that colour are not seen to be off the deck"), "E10")
        return super()._recentre(action)

    def _publicly_exhausted(self) -> bool:
        """Whether all may know that the die's colour is gone: a galley's colours are hidden without `reveal_galley` (E10)."""
        seen = self.gone if self.options["reveal_galley"] else self.kept
        return self.die is not None and seen[self.die] == PER_COLOR

    def _keep(self, dropping: int | None, color: Color) -> None:
        """One dropping goes to the team."""
        self._take(dropping, color)
        self.team += 1
        self.kept[color] += 1

    def frozen(self, lift: Action) -> Action:
        """With the colour that is sought now (E4)."""
        assert isinstance(lift, Lift)
        return replace(lift, sought=lift.sought or self.die)

    def match_of(self, color: Color) -> Action:
        """That colour was sought."""
        return Lift(self.turn, color, sought=color)

    def amended(self, lift: Action, color: Color | None) -> Action:
        """Another colour was found; or the one that was found had been sought."""
        assert isinstance(lift, Lift)
        return replace(lift, color=color) if color else replace(lift, sought=lift.color)

    def _count(self) -> tuple[Effect, ...]:
        """The end: with the deck empty, the team wins with at least as many as the galley holds (C2)."""
        if self.deck:
            return ()
        if self.team < self.galley:
            return self._lose("count")
        self.status = "won"
        self.why = "count"
        return (Effect("won", number=self.team),)

    def _lose(self, why: str) -> tuple[Effect, ...]:
        self.status = "lost"
        self.why = why
        return (Effect("lost_" + why, number=self.galley),)

    def winners(self) -> list[int]:
        """All seats when the team has won, nobody otherwise."""
        return list(range(len(self.players))) if self.status == "won" else []

    def view(self, seat: int | None) -> dict[str, Any]:
        """What all may see; in a team nobody has a secret."""
        del seat
        view = self._public()
        view |= {"team": self.team, "kept": dict(self.kept), "galley": self.galley, "why": self.why}
        view["open_corners"] = self.options["open_corners"]
        if self.options["reveal_galley"]:
            view["galley_colors"] = {color: self.gone[color] - self.kept[color] for color in COLORS}
        return view

    def summary(self) -> dict[str, Any]:
        """The promised keys of game 1."""
        return {
            "game": self.name,
            "status": self.status,
            "why": self.why,
            "team": self.team,
            "galley": self.galley,
            "deck": self.deck,
            "turn": self._turn_name(),
        }

    handlers: ClassVar = {
        **TwelveGame.handlers,
        Die: TwelveGame._die,
        Lift: _lift,
        Fall: _fall,
        DieFell: _die_fell,
        Final: _final,
        Recentre: _recentre,
        Concede: _concede,
    }
