"""Game 3, Eye Eye Captain!: look in secret, and call when three droppings of one colour are gone (rules.md C4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from eyecaptain.games.base import Action, Color, Die, Effect, Recentre, Refused, kinds, start_option
from eyecaptain.games.twelve import PER_COLOR, WORDS, TwelveGame
from eyecaptain.language import N_


@dataclass(frozen=True, slots=True)
class Lift(Action):
    """`seat` looked at a dropping alone. A match is shown and kept; a miss goes back and its colour stays secret (E22)."""

    type: ClassVar[str] = "lift"
    seat: int
    match: bool | None = None
    dropping: int | None = None
    color: Color | None = None


@dataclass(frozen=True, slots=True)
class Call(Action):
    """`seat` thinks that three of one colour are off the deck; `right` only when the table's look differs from the count."""

    type: ClassVar[str] = "call"
    seat: int
    right: bool | None = None


@dataclass(frozen=True, slots=True)
class Void(Action):
    """The deck is empty and nobody called: the round does not count (E27)."""

    type: ClassVar[str] = "void"


RULES = N_("""\
EYE EYE CAPTAIN, GAME 3: EYE EYE CAPTAIN! (2 to 4 players, from 6 years)

    railing           railing
    +-----------------------+
    |    o     o    o    o  |
    |  o    o  .---.   o    |      the die shows red; look underneath, alone:
    |          | R |     o  |
    |   o      '---'   o    |        it is red:   show it, and keep it
    |     o      @   o      |        it is not:   back with it, say nothing
    +-----------------------+
    railing           railing        (*) (*)  two victory chips win

All corners are closed. In each round you find out when the last dropping of
some colour has left the deck, and you are the first to say so.

 1. Whoever has the tongs lifts a dropping and looks underneath, alone.
      The colour of the die:  show it, and keep it, face down in front of you.
                              From then on nobody may look at it again.
      Another colour:         back with it. Only you know which one it is.
    Then the tongs go to the left.
 2. Do you believe that all three of one colour are gone? Then call, at any
    time, whoever has the tongs: switch the eye off. Now everybody looks at
    what is left on the deck.
      A colour is missing:  you get a victory chip.
      All four are there:   with two players the other one gets it. With more,
                            whoever else has most droppings gets it; in a tie
                            all of them do.
 3. After a call everything goes back on the deck for a new round, and whoever
    called begins it.

The game ends as soon as somebody has two chips, and everybody who has two
wins. With fewer than three droppings gone a call is always wrong, with nine or
more it is always right. In between it is your memory that counts.
""")


class CaptainGame(TwelveGame):
    """Rounds that end with a call; two chips win, for everybody who has them."""

    __slots__ = ("awarded", "chips", "collected", "look", "opener")

    name = "captain"
    section = "C4"
    rulings: ClassVar = {"fall": "E28"}
    actions = kinds(Die, Lift, Call, Void, Recentre)
    option_kinds: ClassVar = {"start": (N_("the number of a seat"), 0, start_option)}
    words: ClassVar = {
        **WORDS,
        "match": N_("{player} lifted {dropping}: {color}, a match! It is kept."),
        "miss": N_("{player} lifted {dropping}, looked, and put it back."),
        "call_right": N_("{player} called: right! A colour is gone."),
        "call_wrong": N_("{player} called: wrong, every colour is still there."),
        "chip": N_("A victory chip for {player}: that makes {number}."),
        "void": N_("The deck is empty and nobody called: the round does not count."),
        "winner": N_("The win goes to {player}, with two victory chips!"),
    }

    rules = RULES
    help: ClassVar = {
        "virtual": (
            ("5", N_("lift dropping 5")),
            ("call Ada", N_("Ada calls")),
            ("nobody", N_("nobody calls (when the deck is empty)")),
            ("look", N_("see once more what you saw in secret")),
        ),
        "real": (
            ("match, miss", N_("what the lift was")),
            ("match red", N_("it was red, a match, but the die has turned since")),
            ("call Ada", N_("Ada calls; call Ada right (or wrong) when your own look says so")),
            ("nobody", N_("nobody calls (when the deck is empty)")),
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chips = [0] * len(self.players)
        self.awarded: list[int] = []  # the seat of each chip, in the order in which they were won
        self.collected = [0] * len(self.players)
        self.opener = self.turn  # who began this round; a void round begins with the same seat (E27)
        self.look: tuple[int, int, Color] | None = None  # seat, dropping, colour of the last miss: for that seat alone

    def answered(self, action: Action, look: Callable[[int], Color]) -> Action:
        """Whether what is lifted matches the die; whether a call is right is counted."""
        match action:
            case Lift() if self.die is None:
                raise Refused("no_face", N_("the die's face is not known: say which colour it shows"), "C4")
            case Lift():
                return Lift(action.seat, look(self._named(action.dropping)) == self.die, action.dropping)
            case Call():
                return Call(action.seat)
        return action

    def _lift(self, action: Lift) -> tuple[Effect, ...]:
        self._lifter(action.seat)
        self._there(action.dropping)
        if action.match is None:
            raise Refused("match_needed", N_("say whether it was a match"), "C4")
        if not action.match:
            if action.color is not None:
                raise Refused("secret", N_("the colour of a miss is not told"), "C4")
            return self._miss(action)
        color = self._found(action.color or self.die, action.dropping)
        if self.layout is not None and action.dropping is not None and self.die is not None and color != self.die:
            raise Refused("no_match", N_("that is not the colour of the die"), "C4")
        self._take(action.dropping, color)
        self.collected[action.seat] += 1
        self.look = None
        self._pass_left()
        return (Effect("match", action.seat, color, action.dropping),)

    def _miss(self, action: Lift) -> tuple[Effect, ...]:
        color = self.color_of(action.dropping)
        if color is not None and color == self.die:
            raise Refused("must_show", N_("a match is shown and kept"), "E22")
        self.look = (action.seat, action.dropping, color) if color and action.dropping is not None else None
        self._pass_left()
        return (Effect("miss", action.seat, dropping=action.dropping),)

    def frozen(self, lift: Action) -> Action:
        """A match with the colour that it has."""
        assert isinstance(lift, Lift)
        return replace(lift, color=lift.color or self.die) if lift.match else lift

    def match_of(self, color: Color) -> Action:
        """That colour was shown."""
        return Lift(self.turn, match=True, color=color)

    def no_match(self) -> Action:
        """A secret miss."""
        return Lift(self.turn, match=False)

    def amended(self, lift: Action, color: Color | None) -> Action:
        """It was a match of that colour: of a miss nobody has told one."""
        assert isinstance(lift, Lift)
        if color is None:
            raise Refused("color_needed", N_("say the colour that was found"), "C4")
        return replace(lift, match=True, color=color)

    def _call(self, action: Call) -> tuple[Effect, ...]:
        """Anybody, at any time; the caller begins the next round, right or wrong (C4)."""
        caller = self._seat(action.seat)
        right = PER_COLOR in self.gone.values() or not self.deck  # E20: any colour; E27: an empty deck is always right
        if action.right is not None and action.right != right:
            if self.layout is not None:
                raise Refused("counted", N_("on the virtual deck the count is never wrong"), "E20")
            right = action.right
        winners = [caller] if right else self._paid_for_wrong_call(caller)
        for seat in winners:
            self.chips[seat] += 1
            self.awarded.append(seat)
        news = [Effect("call_right" if right else "call_wrong", caller)]
        news += [Effect("chip", seat, number=self.chips[seat]) for seat in winners]
        self.look = None
        if max(self.chips) >= 2:
            self.status = "over"
            news += [Effect("winner", seat) for seat in self.winners()]
        else:
            self._next_round(caller)
        return tuple(news)

    def _paid_for_wrong_call(self, caller: int) -> list[int]:
        """Two players: the other. More: who has the most droppings, without the caller; all of them when tied (C4, E25)."""
        others = [seat for seat in range(len(self.players)) if seat != caller]
        most = max(self.collected[seat] for seat in others)
        return [seat for seat in others if self.collected[seat] == most]

    def _void(self, action: Void) -> tuple[Effect, ...]:
        del action
        if self.deck:
            raise Refused("not_void", N_("{deck} droppings are on the deck: the round goes on"), "E27", deck=self.deck)
        self._next_round(self.opener)
        return (Effect("void"),)

    def _next_round(self, opener: int) -> None:
        """All droppings back, mixed anew (E31); what was collected does not carry over (E32)."""
        self.round += 1
        self.collected = [0] * len(self.players)
        self.turn = self.opener = opener
        self.look = None
        self._clear_deck()

    def _recentre(self, action: Recentre) -> tuple[Effect, ...]:
        """Reason `exhausted` is not checked: a verdict would tell that a colour is gone (E29)."""
        if action.reason == "falling" and not action.force:
            raise Refused("corners_closed", N_("all corners are closed: the die cannot fall"), "E29")
        return super()._recentre(action)

    def awards(self) -> list[int]:
        """The seat of each chip, in the order in which they were won."""
        return list(self.awarded)

    def winners(self) -> list[int]:
        """Everybody who has two chips."""
        return [seat for seat, chips in enumerate(self.chips) if chips >= 2]

    def view(self, seat: int | None) -> dict[str, Any]:
        """Numbers are public; colours that were shown are hidden again (E23); the last secret look is its seat's alone."""
        view = self._public() | {
            "chips": list(self.chips),
            "collected": list(self.collected),
            "winners": self.winners(),
        }
        if seat is not None:
            mine = self.look is not None and self.look[0] == seat
            view["look"] = {"dropping": self.look[1], "color": self.look[2]} if mine and self.look else None
        return view

    def summary(self) -> dict[str, Any]:
        """The promised keys of game 3."""
        return {
            "game": self.name,
            "status": self.status,
            "round": self.round,
            "chips": self._by_name(self.chips),
            "collected": self._by_name(self.collected),
            "deck": self.deck,
            "turn": self._turn_name(),
            "winners": [self.players[seat] for seat in self.winners()],
        }

    handlers: ClassVar = {
        **TwelveGame.handlers,
        Die: TwelveGame._die,
        Lift: _lift,
        Call: _call,
        Void: _void,
        Recentre: _recentre,
    }
