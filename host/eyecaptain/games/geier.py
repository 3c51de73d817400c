"""Hol's der Geier by mail: eight rounds of two auctions, sealed orders, number cards 1 to 16 (rules.md part A).

There is no table and no deck: the game master's actions and the players' orders are all there is. Who may see what is
the view's affair: nobody sees an order before its evaluation, and nobody the animals to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from eyecaptain.games import geierviews
from eyecaptain.games.auction import CARDS, NO_ORDER, ROUNDS, SLOTS, Bids, Order, bids_of, winner
from eyecaptain.games.base import Action, Effect, Game, Link, Note, Refused, Undo
from eyecaptain.games.geieractions import (
    Absence,
    Deadline,
    Deal,
    Evaluate,
    FileOrder,
    Mail,
    Nonce,
    Press,
    Rollback,
    Standby,
    Wait,
)
from eyecaptain.games.standings import TIE_BREAKS, winners
from eyecaptain.language import N_

RULES = N_("""\
HOL'S DER GEIER BY MAIL (2 players or more, 5 to 9 are best)

    round 3       A: mouse +7          B: vulture -4
                 (\\_/)                   ,_   _,
                 (o.o)                    \\(")/
    Ada           12  <- takes it          4
    Ben           16 \\                     2 \\
    Cleo          16 / knocked out         2 / knocked out
    Dan            9                       3  <- has to take it

Ten mice (+1 to +10) and six vultures (-1 to -6) are auctioned, two animals a
round, for eight rounds. Everybody has the number cards 1 to 16, each for once.

 1. Write to the game master which card you play for A and which for B.
    Nobody sees it before all cards are turned over.
 2. Equal cards for the same animal knock each other out.
      A mouse goes to the highest card that is left.
      A vulture goes to the lowest card that is left.
 3. When all are knocked out, the animal waits for the same letter's auction of
    the next round, and goes along with it. What counts then is the sum of the
    pot: zero or more is auctioned like a mouse, less like a vulture. What is
    left after the last round is lost.
 4. Who sends nothing, or a card that is not there any more, plays the lowest
    card left instead.

After eight rounds whoever has most points wins; in a tie all do.
""")


class Round(NamedTuple):
    """What came of one round, for both slots.

    :param pots: the animals that were auctioned, what waited before first.
    :param bids: what each player played, by seat.
    :param takers: the seat that took each pot, or None.
    :param unordered: the seats that had no order on file (H14).
    """

    pots: tuple[list[int], list[int]]
    bids: tuple[Bids, ...]
    takers: tuple[int | None, int | None]
    unordered: tuple[int, ...]


class GeierGame(Game):
    """The state of a game by mail."""

    __slots__ = (
        "absent",
        "cards",
        "carry",
        "deadlines",
        "forfeited",
        "hands",
        "nonces",
        "orders",
        "press",
        "results",
        "round",
        "waiting",
        "won",
    )  # fmt: skip

    name = "geier"
    section = "A3"
    seats = (2, None, "H17")
    rules = RULES
    actions: ClassVar = {
        kind.type: kind
        for kind in (
            Deal,
            Nonce,
            FileOrder,
            Wait,
            Absence,
            Deadline,
            Press,
            Evaluate,
            Standby,
            Rollback,
            Mail,
            Undo,
            Note,
            Link,
        )
    }
    also_after_the_end = (Note, Link, Press, Rollback, Mail, Standby)
    option_kinds: ClassVar = {
        "tie_break": (N_("one of shared, cancel, best_mouse"), "shared", lambda value: value in TIE_BREAKS),
        "late": (N_("accept or refuse"), "accept", lambda value: value in ("accept", "refuse")),
        "announce": (N_("open or blind"), "open", lambda value: value in ("open", "blind")),
        "show_filed": (N_("true or false"), True, lambda value: isinstance(value, bool)),
    }
    help: ClassVar = {"virtual": (), "real": ()}
    words: ClassVar = {
        "begin": N_("The animals are shuffled."),
        "filed": N_("{player} has an order on file for round {number}."),
        "evaluated": N_("Round {number} is evaluated."),
        "takes_A": N_("{player} takes the pot of A: {number}."),
        "takes_B": N_("{player} takes the pot of B: {number}."),
        "waits_A": N_("All are knocked out: A waits, with {number} in the pot."),
        "waits_B": N_("All are knocked out: B waits, with {number} in the pot."),
        "lost_A": N_("All are knocked out: the pot of A, {number}, is lost."),
        "lost_B": N_("All are knocked out: the pot of B, {number}, is lost."),
        "rollback": N_("Back to the beginning of round {number}."),
        "standby": N_("{player} plays on in this seat."),
        "over": N_("All eight rounds are played."),
        "winner": N_("The win goes to {player}, with {number}!"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        number = len(self.players)
        self.cards: list[int] | None = None
        self.nonces: dict[int, str] = {}
        self.orders: dict[int, dict[int, Order]] = {}  # by round, then by seat; the latest accepted (H12)
        self.waiting: set[int] = set()
        self.absent: set[int] = set()
        self.deadlines: dict[int, str] = {}
        self.press: list[tuple[int, int | None, str]] = []
        self.results: list[Round] = []
        self.round = 1
        self.hands: list[set[int]] = [set(CARDS) for _ in range(number)]
        self.won: list[list[int]] = [[] for _ in range(number)]
        self.carry: tuple[list[int], list[int]] = ([], [])
        self.forfeited: list[int] = []

    def copy(self) -> Self:
        """A copy that changes on its own."""
        other = object.__new__(type(self))
        for owner in type(self).__mro__:
            for slot in owner.__dict__.get("__slots__", ()):
                value = getattr(self, slot)
                setattr(other, slot, value.copy() if isinstance(value, list | dict | set) else value)
        other.orders = {round_: dict(filed) for round_, filed in self.orders.items()}
        other.hands = [set(hand) for hand in self.hands]
        other.won = [list(animals) for animals in self.won]
        return other  # `carry` and `results` are never changed in place

    @property
    def eye(self) -> bool:
        """There is none."""
        return False

    @property
    def needs_deal(self) -> bool:
        """Whether the animals are still to be shuffled."""
        return self.cards is None

    def undoable(self, action: Action) -> bool:
        """Nothing: an order is replaced by a later one, and a round is corrected in the open, by `rollback` (H20)."""
        del action
        return False

    # -- reading the state --

    def animals(self, round_: int) -> tuple[int, int] | None:
        """The two animals of a round, A and B, once they are shuffled."""
        if self.cards is None or not 1 <= round_ <= ROUNDS:
            return None
        return self.cards[2 * round_ - 2], self.cards[2 * round_ - 1]

    def shown(self) -> int:
        """How many rounds' animals are public: with the report of a round the next two are announced, unless blind (H1)."""
        return 0 if self.cards is None else min(ROUNDS, self.round - (self.options["announce"] == "blind"))

    def filed(self, seat: int, round_: int | None = None) -> Order | None:
        """The order on file for a round (None: the current one), or None."""
        return self.orders.get(round_ or self.round, {}).get(seat)

    def missing(self) -> list[int]:
        """The seats without an order for the current round."""
        return [] if self.over else [seat for seat in range(len(self.players)) if self.filed(seat) is None]

    def missed(self, seat: int) -> int:
        """How many rounds in a row, up to the last one, a seat had no order on file (H15)."""
        count = 0
        while count < len(self.results) and seat in self.results[-1 - count].unordered:
            count += 1
        return count

    def scores(self) -> list[int]:
        """The points by seat."""
        return [sum(animals) for animals in self.won]

    def winners(self) -> list[int]:
        """The seats that have won, once all rounds are played (A6, H16)."""
        return winners(self.won, self.options["tie_break"]) if self.over else []

    # -- what happens --

    def play_round(self, orders: Sequence[Order | None]) -> Round:
        """File an order for every seat (None: none) and evaluate the round: the same as the single actions, in one call.

        :raises Refused: the animals are not shuffled, or the game is over.
        """
        if self.over:
            raise Refused("over", N_("the game is over"), "A6")
        self._must_be_dealt()
        self.orders[self.round] = {seat: order for seat, order in enumerate(orders) if order is not None}
        return self._settle()

    def _settle(self) -> Round:
        """Evaluate the current round (A5)."""
        number, hands, carry = self.round, self.hands, self.carry
        filed = self.orders.get(number) or {}
        bids = tuple([bids_of(hand, filed.get(seat, NO_ORDER)) for seat, hand in enumerate(hands)])
        animals = self.animals(number)
        assert animals is not None
        pots = ([*carry[0], animals[0]], [*carry[1], animals[1]])
        left: tuple[list[int], list[int]] = ([], [])
        takers = []
        for slot, pot in enumerate(pots):
            taker = winner(pot, [bid.cards[slot] for bid in bids])
            takers.append(taker)
            if taker is not None:
                self.won[taker] += pot
            elif number < ROUNDS:  # H3: it waits for the same slot's auction of the next round
                left[slot].extend(pot)
            else:  # H6
                self.forfeited += pot
        for hand, bid in zip(hands, bids, strict=True):
            hand.difference_update(bid.cards)
        unordered = () if len(filed) == len(hands) else tuple(seat for seat in range(len(hands)) if seat not in filed)
        done = Round(pots, bids, (takers[0], takers[1]), unordered)
        self.results.append(done)
        self.carry = left
        self.waiting.clear()
        self.round = number + 1
        if number == ROUNDS:
            self.status = "over"
        return done

    def _must_be_dealt(self) -> None:
        if self.cards is None:
            raise Refused("not_dealt", N_("the animals are not shuffled yet"), "A2")

    def _deal(self, action: Deal) -> tuple[Effect, ...]:
        if self.cards is not None:
            raise Refused("dealt", N_("the animals are shuffled already"), "A2")
        self.cards = list(action.cards)
        return (Effect("begin"),)

    def _nonce(self, action: Nonce) -> tuple[Effect, ...]:
        self._seat(action.player)
        if self.cards is not None:
            raise Refused("dealt", N_("the animals are shuffled already: this comes too late"), "A10")
        self.nonces[action.player] = action.text
        return ()

    def _order(self, action: FileOrder) -> tuple[Effect, ...]:
        seat, number = self._seat(action.player), action.round
        if number > ROUNDS:
            raise Refused(
                "no_such_round", N_("there is no round {round}: the last one is round {last}"), "A2", round=number, last=ROUNDS
            )
        if number < self.round:
            raise Refused(
                "evaluated", N_("round {round} has been evaluated: this is round {now}"), "H13", round=number, now=self.round
            )
        if action.late and self.options["late"] == "refuse":
            raise Refused("late", N_("the deadline of round {round} has passed"), "H13", round=number)
        if action.a is None and action.b is None:  # taken back by its writer: as if there had been none
            self.orders.get(number, {}).pop(seat, None)
            return ()
        self.orders.setdefault(number, {})[seat] = (action.a, action.b)
        return (Effect("filed", seat, number=number),) if self.options["show_filed"] else ()

    def _wait(self, action: Wait) -> tuple[Effect, ...]:
        (self.waiting.add if action.on else self.waiting.discard)(self._seat(action.player))
        return ()

    def _absence(self, action: Absence) -> tuple[Effect, ...]:
        (self.absent.add if action.on else self.absent.discard)(self._seat(action.player))
        return ()

    def _deadline(self, action: Deadline) -> tuple[Effect, ...]:
        if not (self.round if self.cards is not None else 0) <= action.round <= ROUNDS:
            raise Refused("evaluated", N_("round {round} can have no deadline any more"), "H13", round=action.round)
        self.deadlines[action.round] = action.at
        return ()

    def _press(self, action: Press) -> tuple[Effect, ...]:
        if action.player is not None:
            self._seat(action.player)
        self.press.append((self.round, action.player, action.text))
        return ()

    def _evaluate(self, action: Evaluate) -> tuple[Effect, ...]:
        self._must_be_dealt()
        if action.round != self.round:
            raise Refused("wrong_round", N_("this is round {now}, not {round}"), "A5", now=self.round, round=action.round)
        done = self._settle()
        news = [Effect("evaluated", number=action.round)]
        for slot, pot, taker in zip(SLOTS, done.pots, done.takers, strict=True):
            what = "takes" if taker is not None else "lost" if self.over else "waits"
            news.append(Effect(f"{what}_{slot}", taker, number=sum(pot)))
        if self.over:
            news.append(Effect("over"))
            scores = self.scores()
            news += (Effect("winner", seat, number=scores[seat]) for seat in self.winners())
        return tuple(news)

    def _standby(self, action: Standby) -> tuple[Effect, ...]:
        seat = self._seat(action.player)
        if any(name.casefold() == action.name.casefold() for other, name in enumerate(self.players) if other != seat):
            raise Refused("same_name", N_("there is another player called {name}"), "H15", name=action.name)
        self.players = (*self.players[:seat], action.name, *self.players[seat + 1 :])
        self.absent.discard(seat)
        return (Effect("standby", seat),)

    def _rollback(self, action: Rollback) -> tuple[Effect, ...]:
        """Take back every evaluation from a round on, and every order after it (H20)."""
        number = action.round
        if number > len(self.results):
            raise Refused("not_evaluated", N_("round {round} has not been evaluated"), "H20", round=number)
        kept = [self.orders.get(round_, {}) for round_ in range(1, number)]
        again = type(self)(self.players, self.options, self.deck_kind)
        again.cards = self.cards
        for filed in kept:
            again.play_round([filed.get(seat) for seat in range(len(self.players))])
        self.orders = {round_: filed for round_, filed in self.orders.items() if round_ <= number}
        self.deadlines = {round_: at for round_, at in self.deadlines.items() if round_ <= number}
        self.results, self.hands, self.won = again.results, again.hands, again.won
        self.carry, self.forfeited = again.carry, again.forfeited
        self.waiting.clear()
        self.round, self.status = number, "running"
        return (Effect("rollback", number=number),)

    # -- projections --

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may know: its own orders, and what is public. Nothing of the animals to come."""
        return geierviews.view(self, seat)

    def summary(self) -> dict[str, Any]:
        """The promised keys (design.md, sessions)."""
        return geierviews.summary(self)

    handlers: ClassVar = {
        Deal: _deal,
        Nonce: _nonce,
        FileOrder: _order,
        Wait: _wait,
        Absence: _absence,
        Deadline: _deadline,
        Press: _press,
        Evaluate: _evaluate,
        Standby: _standby,
        Rollback: _rollback,
        Mail: Game._nothing,
        Note: Game._nothing,
        Link: Game._nothing,
    }
