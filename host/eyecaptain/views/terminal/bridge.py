"""Between the table's loop and the screen: a view that lives in the loop's thread and only sends messages."""

import threading
from collections.abc import Callable, Sequence

from textual.message import Message

from eyecaptain.games.base import Refused
from eyecaptain.language import N_, _
from eyecaptain.table.loop import Wish
from eyecaptain.table.referee import News, Table
from eyecaptain.views.plain import tell
from eyecaptain.views.terminal.messages import Happened, Now, Reading, Refusal
from eyecaptain.views.terminal.scene import Scene, Watch

TAKEN_BACK = N_("Taken back.")
# Seconds for which news stays before the next, where nothing happens in real time.
STEPS = {"lift": 1.0, "call": 1.5, "fall": 0.8, "die": 0.12, "deal": 0.5}


class TerminalView:
    """A `table.loop.View` that shows on a screen in another thread.

    :param send: hands a message to the screen, from any thread.
    :param pace: scales `STEPS`; 0 waits for nothing.
    :param left: set when people leave, so that nobody waits any more.
    """

    def __init__(
        self, table: Table, people: Sequence[int], send: Callable[[Message], None], pace: float, left: threading.Event
    ) -> None:
        self._table = table
        self._people = tuple(people)
        self._send = send
        self._pace = 0.0 if table.board.live else pace
        self._left = left
        self._watch = Watch()
        self._last: Scene | None = None

    def show(self, news: News) -> None:
        """Something happened: say it, show how things stand after it, and give people the time to see it."""
        self._watch.notice(news)
        self._last = self._watch.scene(self._table, self._people, held=False)
        said = tuple(self._words(news))
        missed = next((effect.seat for effect in news.effects if effect.kind == "miss"), None)
        self._send(Happened(news.action.type, said, missed, self._last))
        if self._pace:
            self._left.wait(STEPS.get(news.action.type, 0.0) * self._pace)

    def _words(self, news: News) -> list[str]:
        """The news in words, without the die: its colour has a third of the screen."""
        said = []
        for effect in news.effects:
            if effect.kind == "undo":
                said.append(_(TAKEN_BACK))
            elif effect.kind not in ("die", "no_die"):
                said.append(tell(news.game, effect))
        return said

    def ask(self, table: Table, held: bool) -> None:
        """It is for people to act."""
        # On a real deck nothing waits for a word after an undo.
        scene = self._watch.scene(table, self._people, held=held and table.game.deck_kind == "virtual")
        if scene != self._last:
            self._last = scene
            self._send(Now(scene))

    def hear(self, line: str, table: Table) -> Wish:
        """Lines never come: keys are understood where they are pressed."""
        del line, table
        return Wish()

    def refuse(self, error: Refused) -> None:
        """What was wanted is not allowed."""
        self._send(Refusal(error))

    def reading(self) -> None:
        """What was wanted is done as soon as the board has read the die."""
        self._send(Reading())
