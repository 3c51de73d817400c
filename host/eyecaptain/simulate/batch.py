"""One game by bots alone, as fast as rules and world allow; without a log, it is the game that the table would play.

The same seed gives the game of ``captain play GAME --bots ... --board none --seed ...``, action by action.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from eyecaptain.boards.none import VirtualBoard
from eyecaptain.games.base import Action, Deal, Die, Effect, Recentre, action_from_json
from eyecaptain.games.bots import Bot, bot_for, seat_view
from eyecaptain.games.draws import Draws, seed_bytes
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.world.deck import VirtualDeck

LONGEST = 5000  # lifts; a game that has not ended by then counts as unfinished


class Outcome(NamedTuple):
    """What came of one game, by seat where it says so.

    :param status: as the game says it, or ``unfinished``.
    :param why: of the team's end: count or die.
    :param winners: the seats that won.
    :param lifts: how many droppings were lifted, which is how many turns there were.
    :param rounds: how many were begun.
    :param right, wrong: calls by seat.
    """

    status: str
    why: str | None
    winners: tuple[int, ...]
    lifts: int
    rounds: int
    right: tuple[int, ...]
    wrong: tuple[int, ...]


class Batch:
    """A game of bots without a table.

    :param kind: the game.
    :param strengths: of the bots, by seat.
    :param options: those of the game.
    :param seed: of deck and bots.
    """

    def __init__(self, kind: type[TwelveGame], strengths: Sequence[str], options: Mapping[str, Any], seed: str) -> None:
        players = [f"Bot {number}" for number in range(1, len(strengths) + 1)]
        self.game = kind(players, options)
        self.deck = VirtualDeck(Draws(seed_bytes(seed), b"EEC1"), self.game.options.get("open_corners", 0), kind.has_die)
        self._board = VirtualBoard(self.deck)
        self._bots: list[Bot] = [bot_for(kind, seat, f"{seed}/0".encode(), how) for seat, how in enumerate(strengths)]
        self.actions: list[Action] = []  # of this game; only a test keeps them
        self.keep = False
        self._heard = True
        self._lifts = 0
        self._calls: dict[str, list[int]] = {kind: [0] * len(players) for kind in ("call_right", "call_wrong")}

    def play(self) -> Outcome:
        """Play to the end."""
        game, board = self.game, self._board
        self._deal()
        board.eye(game.eye)
        board.new_turn()
        while not game.over and self._lifts < LONGEST:
            events = board.poll()
            for event in events or ():
                self._reported(event)
            # A bot's reaction follows from what it has heard and from the die's danger: in between nobody needs to be asked.
            if (self._heard or events is None or self.deck.in_danger) and not game.over:
                self._heard = False
                self._act(settled=events is None)
        return Outcome(
            game.status if game.over else "unfinished",
            game.summary().get("why"),
            tuple(game.winners()),
            self._lifts,
            game.round,
            *(tuple(calls) for calls in self._calls.values()),
        )

    def _act(self, *, settled: bool) -> None:
        """Let one bot act: whoever has the tongs first, then to the left (E24)."""
        game = self.game
        places = self.deck.places()
        for step in range(len(self._bots)):
            seat = (game.turn + step) % len(self._bots)
            bot = self._bots[seat]
            view = seat_view(game, seat, places)
            action = bot.react(view)
            if action is None and settled and step == 0 and game.deck:
                action = bot.move(view)
            if action is not None:
                self._happen(game.answered(action, self.deck.look))
                return

    def _reported(self, event: dict[str, Any]) -> None:
        """The world did something."""
        game = self.game
        if game.over or event["type"] not in game.actions:
            return
        action = action_from_json(game, event)
        if not (isinstance(action, Die) and action.face == game.die):
            self._happen(game.answered(action, self.deck.look))

    def _happen(self, action: Action) -> None:
        """Judge, move what hands move on the deck, and tell the bots."""
        game = self.game
        before = game.turn, game.round, game.deck
        news = game.apply(action)
        if self.keep:
            self.actions.append(action)
        if game.dealt and game.deck != before[2] and action.type not in game.world_actions:
            self.deck.lay(game.layout, game.ids_on_deck(), None)
        if isinstance(action, Recentre):
            self.deck.recentre()
        self._lifts += action.type == "lift"
        self._see(news)
        self._board.eye(game.eye)
        if action.type != "die":  # all can see it whenever they look: nobody has to remember it
            self._heard = True
            for seat, bot in enumerate(self._bots):
                bot.notice(news, seat_view(game, seat, None))
        if before[:2] != (game.turn, game.round):
            self._board.new_turn()
        self._deal()

    def _see(self, news: tuple[Effect, ...]) -> None:
        """Put a missed dropping back to the centre, and count calls."""
        for effect in news:
            if effect.kind == "miss" and effect.dropping is not None:
                self.deck.put_back(effect.dropping)
            elif effect.kind in self._calls and effect.seat is not None:
                self._calls[effect.kind][effect.seat] += 1

    def _deal(self) -> None:
        """Begin a round as soon as the game is ready for one."""
        if self.game.needs_deal:
            self._happen(Deal(self.game.round, self.deck.deal()))
