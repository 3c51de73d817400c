"""The table itself: one place where an action is completed, judged, written to disk, shown, and sent to the board."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from eyecaptain.boards.base import Board, Deck
from eyecaptain.games.base import (
    Action,
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
    Undo,
    action_from_json,
    action_to_json,
)
from eyecaptain.games.history import History
from eyecaptain.games.mending import Mend, mending, reports
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import N_
from eyecaptain.sessions.writer import Writer
from eyecaptain.table.lights import lights

NOT_SO = {
    "falling": N_("the die is not falling"),
    "stuck": N_("the die is not stuck"),
    "exhausted": N_("the die is not exhausted"),
}


class News(NamedTuple):
    """What happened at the table, for views and bots. `game` is the state after it."""

    seq: int
    action: Action
    effects: tuple[Effect, ...]
    game: Game


class Table:
    """A game being played: the only thing that changes its state.

    :param history: the game and its past, as far as it was played already.
    :param writer: the log, open at its end.
    :param board: the eye and the deck.
    :param clock: seconds since the session was created, never falling.
    """

    def __init__(self, history: History[TwelveGame], writer: Writer, board: Board, clock: Callable[[], float]) -> None:
        self._history = history
        self._writer = writer
        self._clock = clock
        self._listeners: list[Callable[[News], None]] = []
        self._lit: tuple[list[str], str] | None = None
        self.board = board

    @property
    def game(self) -> TwelveGame:
        """The state; read it, do not change it."""
        return self._history.game

    @property
    def latest(self) -> int | None:
        """The seq of what an undo would take back, or None."""
        return self._history.latest()

    def listen(self, listener: Callable[[News], None]) -> None:
        """Have `listener` called with the news of every action, once it is on disk."""
        self._listeners.append(listener)

    def begin(self) -> None:
        """Deal if the round needs it, and let the eye roll: the start of a process."""
        game = self.game
        if self.board.deck is not None and game.dealt:
            self.board.deck.lay(game.layout, game.ids_on_deck(), game.die)
        self._deal_if_due()
        self._light()
        self.board.eye(self.game.eye)
        self.board.new_turn()

    # -- what happens --

    def reported(self, event: dict[str, Any]) -> None:
        """The board, or the world, saw something; what the game cannot use (any more) is dropped."""
        game = self.game
        if game.over or event["type"] not in game.actions:
            return
        action = action_from_json(game, event)
        known = (
            (isinstance(action, Die) and action.face == game.die)
            or (isinstance(action, Pause) and game.paused)
            or (isinstance(action, Resume) and not game.paused)
        )
        if known or self._out_of_date(action):
            return
        with suppress(Refused):  # it came too late: what fell had just been lifted
            self._happen(self._answered(action))

    def _out_of_date(self, action: Action) -> bool:
        """Whether what fell lies on the deck again: it was lifted meanwhile, and put back."""
        deck = self.board.deck
        return (
            action.type == "fall" and deck is not None and str(getattr(action, "dropping", None)) in deck.places()["droppings"]
        )

    def wanted(self, action: Action) -> None:
        """A person or a bot does something.

        :raises Refused: it is not allowed now; nothing was logged and nothing moved.
        """
        if isinstance(action, Deal | Link):
            raise Refused("not_yours", N_('"{type}" is for the table to say, not for players'), type=action.type)
        if self.board.deck is not None:
            if isinstance(action, Die) or action.type in self.game.world_actions:
                raise Refused("not_yours", N_('on the virtual deck "{type}" is for the world to say'), type=action.type)
            # A call is made by switching the eye off, which pauses (C4).
            if self.game.paused and not isinstance(action, Note | Pause | Resume | Turn | Undo) and action.type != "call":
                raise Refused("paused", N_("the game is paused: resume it first"))
        self._happen(self._answered(action))

    def undo(self) -> None:
        """Take back the latest action of a seat or the table.

        :raises Refused: there is none.
        """
        if self.latest is None:
            raise Refused("nothing_to_undo", N_("there is nothing to take back"))
        self._happen(Undo(self.latest))

    @property
    def reports(self) -> int:
        """How many lifts of this round can be mended: those that people have told of a real deck."""
        return len(reports(self._history.past)) if self.game.deck_kind == "real" and not self.game.over else 0

    def mend(self, mend: Mend) -> None:
        """Put in what was missed, or right what was wrong, as if it had been told so in time.

        :raises Refused: there is no such report, or what was told after it contradicts; nothing was logged.
        """
        self._happen(*mending(self._history, mend))

    # -- how --

    def _answered(self, action: Action) -> Action:
        """The action with what the virtual deck knows filled in."""
        deck = self.board.deck
        if deck is None:
            return action
        if isinstance(action, Recentre) and not action.force and not deck.may_recentre(action.reason):
            raise Refused("not_so", NOT_SO[action.reason], "C7")
        return self.game.answered(action, deck.look)

    def _happen(self, *actions: Action) -> None:
        """Judge, write, and only then show and move; of several all, or none."""
        trial, steps = self._history.copy(), []
        for seq, action in enumerate(actions, self._writer.seq + 1):
            effects = trial.apply(seq, action)
            steps.append((News(seq, action, effects, trial.game), trial.game))
        self._writer.append(self._clock(), *(action_to_json(action) for action in actions))
        for news, game in steps:
            before = self.game
            self._history.add(news.seq, news.action, game)
            if self.board.deck is not None:
                self._move(self.board.deck, before, news.action, news.effects)
            self.board.eye(game.eye)
            self._light()
            for listener in self._listeners:
                listener(news)
            if (before.turn, before.round) != (game.turn, game.round):
                self.board.new_turn()
        self._deal_if_due()

    def _move(self, deck: Deck, before: TwelveGame, action: Action, effects: tuple[Effect, ...]) -> None:
        """What hands do on the virtual deck: take droppings off, put a missed one, or the die, back to the centre (C7)."""
        game = self.game
        taken_back = isinstance(action, Undo)
        if game.dealt and (taken_back or (game.on_deck != before.on_deck and action.type not in game.world_actions)):
            deck.lay(game.layout, game.ids_on_deck(), None)
        if isinstance(action, Recentre):
            deck.recentre()
        for effect in effects:
            if effect.kind == "miss" and effect.dropping is not None:
                deck.put_back(effect.dropping)

    def _light(self) -> None:
        """Show the chips on the board when they have changed."""
        wanted = lights(self.game)
        if wanted != self._lit:
            self._lit = wanted
            self.board.chips(*wanted)

    def _deal_if_due(self) -> None:
        """Begin a round as soon as the game is ready for one."""
        if self.game.needs_deal:
            deck = self.board.deck
            self._happen(Deal(self.game.round, deck.deal() if deck is not None else None))
