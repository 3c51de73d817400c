"""What the three games at the table share: twelve droppings, tongs that go to the left, and (in two of them) the die.

Colours are counted for droppings that are known to be off the deck. On a virtual deck the layout is dealt and every
report is checked against it; on a real deck (layout None) people are believed, as far as three droppings a colour allow.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

from eyecaptain.games.base import (
    LETTERS,
    Action,
    Color,
    Deal,
    Die,
    Effect,
    Game,
    Link,
    Note,
    Pause,
    Recentre,
    Refused,
    Resume,
    Turn,
)
from eyecaptain.language import N_, Text

DROPPINGS = 12  # C1: twelve, three of each colour
PER_COLOR = 3


class TwelveGame(Game):
    """State and rules that the games of one deck share (rules.md C1, C5)."""

    __slots__ = ("dealt", "deck", "die", "gone", "layout", "on_deck", "round", "told")

    has_die = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.round = 1
        self.die: Color | None = None
        self._clear_deck()

    def _clear_deck(self) -> None:
        """All twelve on the deck, colours unknown: what is true before a deal."""
        self.dealt = False
        self.layout: str | None = None
        self.deck = DROPPINGS
        self.on_deck = [True] * DROPPINGS  # by id; a dropping that left without an id is only in the count
        self.gone: dict[Color, int] = dict.fromkeys(LETTERS.values(), 0)  # off the deck, with a known colour
        self.told: dict[int, Color] = {}  # colours said aloud, by id; for files without a layout

    def copy(self) -> Self:
        """A copy that changes on its own."""
        other = object.__new__(type(self))
        for owner in type(self).__mro__:
            for slot in owner.__dict__.get("__slots__", ()):
                value = getattr(self, slot)
                setattr(other, slot, value.copy() if isinstance(value, list | dict) else value)
        return other

    @property
    def eye(self) -> bool:
        """The eye runs from `deal` until a call, a pause or the end (design.md, sessions)."""
        return self.dealt and not self.paused and self.status == "running"

    @property
    def needs_deal(self) -> bool:
        """Whether a round waits for its `deal`."""
        return not self.dealt and not self.over

    def awards(self) -> list[int]:
        """The seat of each victory chip, in the order in which they were won: only one game has any."""
        return []

    # -- reading the deck --

    def ids_on_deck(self) -> list[int]:
        """The ids of the droppings that are not known to be off the deck."""
        return [dropping for dropping, there in enumerate(self.on_deck) if there]

    def color_of(self, dropping: int | None) -> Color | None:
        """The colour under a dropping when the layout is known; it is private."""
        if self.layout is None or dropping is None:
            return None
        return LETTERS[self.layout[dropping]]

    @staticmethod
    def _named(dropping: int | None) -> int:
        """The dropping that a lift names; a virtual deck has to know which one it is."""
        if dropping is None:
            raise Refused("dropping_needed", N_("say the number of the dropping to lift"), "C2")
        return dropping

    # -- checks --

    def _lifter(self, seat: int) -> None:
        """Refuse a lift out of turn, or from an empty deck."""
        if self._seat(seat) != self.turn:
            raise Refused(
                "not_your_turn",
                N_("the tongs are with {player}, not with {other}"),
                self.section,
                player=self.players[self.turn],
                other=self.players[seat],
            )
        if not self.deck:
            raise Refused("deck_empty", N_("no dropping is left on the deck"), self.section)

    def _there(self, dropping: int | None) -> None:
        """Refuse a dropping that is not on the deck."""
        if dropping is not None and not self.on_deck[dropping]:
            raise Refused("not_on_deck", N_("dropping {dropping} is not on the deck"), self.section, dropping=dropping)

    def _found(self, color: Color | None, dropping: int | None) -> Color:
        """The colour that a report says; refused when there cannot be such a dropping on the deck."""
        if color is None:
            raise Refused("color_needed", N_("say the colour that was found"), self.section)
        known = self.color_of(dropping) or self.told.get(dropping if dropping is not None else -1)
        if known is not None and known != color:
            raise Refused("other_color", N_("dropping {dropping} has another colour"), "C5", dropping=dropping)
        if self.gone[color] == PER_COLOR or (
            known is None and dropping is not None and list(self.told.values()).count(color) == PER_COLOR
        ):
            raise Refused(
                "fourth",
                N_("that would be a fourth {color} dropping; take back the report that was wrong"),
                "C5",
                color=Text(color),
            )
        return color

    # -- changes --

    def _take(self, dropping: int | None, color: Color | None) -> None:
        """One dropping leaves the deck."""
        self.deck -= 1
        if dropping is not None:
            self.on_deck[dropping] = False
        if color is not None:
            self._tell(dropping, color)
            self.gone[color] += 1

    def _tell(self, dropping: int | None, color: Color) -> None:
        """A colour was said aloud."""
        if dropping is not None:
            self.told[dropping] = color

    def _pass_left(self) -> None:
        """The tongs go to the left: the next seat (E1)."""
        self.turn = (self.turn + 1) % len(self.players)

    def _deal(self, action: Deal) -> tuple[Effect, ...]:
        if self.dealt:
            raise Refused("dealt", N_("round {round} has been dealt already"), self.section, round=self.round)
        if action.round != self.round:
            raise Refused(
                "wrong_round", N_("this is round {round}, not {given}"), self.section, round=self.round, given=action.round
            )
        if self.deck != DROPPINGS:
            raise Refused("too_late", N_("the round is under way: a deal comes before its first lift"), self.section)
        if action.layout is not None and self.deck_kind == "real":
            raise Refused("real_deck", N_("on a real deck nobody knows the layout"), "C5")
        self.layout = action.layout
        self.dealt = True
        self.paused = False  # the eye runs from the deal (design.md, sessions), also after a call with its switch
        return (Effect("deal", self.turn, number=self.round),)

    def _die(self, action: Die) -> tuple[Effect, ...]:
        if action.face == self.die:
            return ()
        self.die = action.face
        return (Effect("die", color=action.face) if action.face else Effect("no_die"),)

    def _recentre(self, action: Recentre) -> tuple[Effect, ...]:
        """The die goes back to the centre: it does not turn, and costs nothing (E9)."""
        return (Effect("recentre_" + action.reason),)

    # -- what was told too late, on a real deck (mending.py) --

    def frozen(self, lift: Action) -> Action:
        """A lift with what the die shows now, so that it means the same later (E4)."""
        return lift

    @abstractmethod
    def match_of(self, color: Color) -> Action:
        """A lift of that colour that was a match, whatever the die shows now."""

    def no_match(self) -> Action:
        """A lift that was no match. In an open game that only moves the tongs: nobody has to remember its colour."""
        return Turn((self.turn + 1) % len(self.players))

    @abstractmethod
    def amended(self, lift: Action, color: Color | None) -> Action:
        """A frozen lift in which another colour was found; None: it was a match all the same."""

    # -- reading the state --

    def _public(self) -> dict[str, Any]:
        """The part of a view that all games share."""
        view: dict[str, Any] = {
            "game": self.name,
            "players": list(self.players),
            "status": self.status,
            "round": self.round,
            "turn": None if self.over else self.turn,
            "paused": self.paused,
            "deck": self.deck,
            "on_deck": self.ids_on_deck() if self.deck_kind == "virtual" else None,
        }
        if self.has_die:
            view["die"] = self.die
        return view

    def _turn_name(self) -> str | None:
        return None if self.over else self.players[self.turn]

    def _by_name(self, values: list[int]) -> dict[str, int]:
        return dict(zip(self.players, values, strict=True))

    handlers: ClassVar = {
        Deal: _deal,
        Turn: Game._turn,
        Pause: Game._pause,
        Resume: Game._resume,
        Note: Game._nothing,
        Link: Game._nothing,
    }


WORDS = {
    "deal": N_("A new round: twelve droppings on the deck, the tongs are with {player}."),
    "die": N_("The die shows {color}."),
    "no_die": N_("The die cannot be seen."),
    "turn": N_("The tongs are with {player}."),
    "pause": N_("Pause: the eye stands still."),
    "resume": N_("The eye goes on."),
    "recentre_falling": N_("The die was about to fall: back to the centre with it."),
    "recentre_stuck": N_("The die was stuck: back to the centre with it."),
    "recentre_exhausted": N_("The die goes back to the centre."),
}
