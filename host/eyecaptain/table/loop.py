"""The loop of a game: the world runs, bots act, people speak, in this order, one thing at a time."""

import queue
import sys
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from eyecaptain.games.base import Action, Recentre, Refused, Turn
from eyecaptain.games.bots import seat_view
from eyecaptain.games.bots.base import Bot
from eyecaptain.games.mending import Mend
from eyecaptain.language import N_
from eyecaptain.table.referee import News, Table

THINKING = 2.0  # seconds
SHORT = 0.2  # seconds of a wait that can be interrupted anywhere
READING = 5.0  # seconds in which a board has read its die, however it lies


class Wish(NamedTuple):
    """What a person wants: some actions, or a word (undo, wait or quit), or to mend what was told.

    None of them: nothing, the view has dealt with it.
    """

    actions: tuple[Action, ...] = ()
    word: str | None = None
    mend: Mend | None = None


class View(Protocol):
    """What shows a game to people and hears what they want."""

    def show(self, news: News) -> None:
        """Something happened."""

    def ask(self, table: Table, held: bool) -> None:
        """It is for people to act; `held`: bots wait for a word after an undo."""

    def hear(self, line: str, table: Table) -> Wish:
        """Understand what a person said; say so when it cannot be understood."""

    def refuse(self, error: Refused) -> None:
        """What was wanted is not allowed."""

    def reading(self) -> None:
        """What was wanted is done as soon as the board has read the die."""


class Loop:
    """Plays a game until it is over, or people leave.

    :param inbox: what people want: lines that the view understands, or wishes (None: they have gone); what a live board says.
    :param thinking: seconds that a bot takes for its move on a live board, so that people can follow.
    """

    def __init__(
        self, table: Table, view: View, bots: Mapping[int, Bot], inbox: "queue.Queue[Any]", thinking: float = THINKING
    ) -> None:
        self._table = table
        self._view = view
        self._bots = bots
        self._inbox = inbox
        self._later: deque[Any] = deque()  # what people said while the die was being read
        self._thinking = thinking
        self._moves_at = 0.0  # when a bot may move, on a live board
        self._held = False  # after an undo, bots wait for a word, or they would do the same thing again at once
        table.listen(self._tell)

    def run(self) -> bool:
        """Play; return whether the game is over (else people left, and it can be resumed)."""
        self._table.begin()
        while True:
            self._run_on()
            if self._table.game.over and len(self._bots) == len(self._table.game.players):
                return True
            self._view.ask(self._table, self._held)
            try:
                message = self._later.popleft() if self._later else self._inbox.get(timeout=self._patience())
            except queue.Empty:
                continue
            if isinstance(message, str):
                message = self._view.hear(message, self._table)
            if message is None or (isinstance(message, Wish) and not self._granted(message)):
                return self._table.game.over
            if not isinstance(message, Wish):
                self._heard(message)

    def _heard(self, message: Any) -> None:
        """What a live board said becomes what happened at the table."""
        for event in self._table.board.hear(message):
            self._table.reported(event)

    def _patience(self) -> float | None:
        """Seconds to wait for a message: until bots have thought. On Windows a wait without end cannot be interrupted."""
        longest = SHORT if sys.platform == "win32" else None
        left = self._moves_at - time.monotonic()
        if left <= 0 or not self._bots or not self._table.board.live:
            return longest
        return left if longest is None else min(left, longest)

    def _granted(self, wish: Wish) -> bool:
        """Do what a person wants, as far as it is allowed; return whether to go on."""
        if wish.word == "quit":
            return False
        if self._table.game.over and wish.word != "undo":
            return True  # it came too late: whoever pressed it did not know the end yet
        try:
            if wish.word == "undo":
                self._table.undo()
                self._held = True
                return True
            if wish.word == "wait" or wish.actions or wish.mend:
                self._held = False
            if wish.mend is not None:
                self._table.mend(wish.mend)
            if wish.word == "wait":
                self._table.board.new_turn()
            for action in wish.actions:
                self._not_for_a_bot(action)
                self._wanted(action)
        except Refused as error:
            self._view.refuse(error)
        return True

    def _wanted(self, action: Action) -> None:
        """Do what a person wants; where only the face of a die is missing that a board reads, as soon as it is there."""
        board = self._table.board
        try:
            self._table.wanted(action)
        except Refused as error:
            if error.code != "no_face" or board.deck is None or not board.live:
                raise
            if self._die_is_read():
                self._table.wanted(action)

    def _die_is_read(self) -> bool:
        """Wait for that, or until the time is up; False: people want something else by now.

        Lines that they have typed wait, too: what comes through a pipe is done in its order.
        """
        self._view.reading()
        end = time.monotonic() + READING
        while self._table.game.die is None and time.monotonic() < end:
            try:
                message = self._inbox.get(timeout=SHORT)
            except queue.Empty:
                continue
            if isinstance(message, str | Wish | None):
                self._later.append(message)
            else:
                self._heard(message)
            if isinstance(message, Wish):
                return False
        return True

    def _not_for_a_bot(self, action: Action) -> None:
        """People play for people."""
        if getattr(action, "seat", None) in self._bots and not isinstance(action, Turn):
            raise Refused("not_yours", N_("a bot plays for itself"))

    def _run_on(self) -> None:
        """Let the world and the bots act until it is for people to act."""
        table = self._table
        while not (self._held or table.game.over or table.game.paused):
            events = table.board.poll()
            for event in events or ():
                table.reported(event)
            thought = not table.board.live or time.monotonic() >= self._moves_at
            if not self._bots_act(thought, settled=events is None) and events is None:
                return

    def _bots_act(self, thought: bool, settled: bool) -> bool:
        """Let one bot act: whoever has the tongs first, then to the left (E24); return whether one did.

        :param thought: enough time has passed for a call or a lift, so that people could be faster; the die is saved at once.
        :param settled: the world's ticks before a lift are over.
        """
        game = self._table.game
        if game.over:
            return False
        # On a live board also a call leaves people the time to see what came before it.
        if self._table.board.live and time.monotonic() < self._moves_at:
            return False
        places = self._table.board.deck.places() if self._table.board.deck is not None else None
        if places is not None and not {str(dropping) for dropping in game.ids_on_deck()} <= places["droppings"].keys():
            return False  # a live deck is ahead of the game: the report of what fell is on its way
        for step in range(len(game.players)):
            seat = (game.turn + step) % len(game.players)
            bot = self._bots.get(seat)
            if bot is None:
                continue
            view = seat_view(game, seat, places)
            action = bot.react(view)
            if not (thought or isinstance(action, Recentre)):
                continue
            seen = game.die is not None or places is None or "die" not in game.actions
            if action is None and settled and step == 0 and game.deck and seen:
                action = bot.move(view)
            if action is not None:
                self._table.wanted(action)
                return True
        return False

    def _tell(self, news: News) -> None:
        """Pass the news on: to people first."""
        if news.action.type in ("deal", "lift", "turn", "undo", "resume"):
            self._moves_at = time.monotonic() + self._thinking
        self._view.show(news)
        for seat, bot in self._bots.items():
            bot.notice(news.effects, seat_view(news.game, seat, None))
