"""Runs the screen in the main thread and the table's loop beside it, and brings both to a clean end."""

import os
import queue
import threading
from contextlib import suppress
from typing import Any, NamedTuple

from textual.message import Message

from eyecaptain.errors import CaptainError
from eyecaptain.table.loop import Loop, Wish
from eyecaptain.table.sitting import Sitting
from eyecaptain.views.terminal.app import TableApp
from eyecaptain.views.terminal.bridge import TerminalView
from eyecaptain.views.terminal.messages import Ended, Said
from eyecaptain.views.terminal.screen import INTERRUPTED, LIGHT, at_a_terminal

GIVE_UP = 2.0  # seconds for the loop to end, when the screen has not


class Manner(NamedTuple):
    """How to show it.

    :param thinking: seconds that a bot takes on a live board.
    :param pace: scales the time for which news stays where nothing happens in real time.
    :param still: reduced motion.
    :param light: a light ground.
    :param one_call: seconds after a call in which another one is taken for the same.
    """

    thinking: float
    pace: float = 1.0
    still: bool = False
    light: bool = False
    one_call: float = 1.0


class Seat:
    """One sitting at a screen.

    :param where: deck and board in words.
    """

    def __init__(self, sitting: Sitting, inbox: "queue.Queue[Any]", where: str, manner: Manner) -> None:
        self._inbox = inbox
        self._sitting = sitting
        self._left = threading.Event()
        self._over = False
        self._failure: BaseException | None = None
        self.app = TableApp(inbox, self._start, where, still=manner.still, one_call=manner.one_call)
        if manner.light:
            self.app.theme = LIGHT
        self.app.give_up = self._give_up  # type: ignore[method-assign] # of one screen
        view = TerminalView(sitting.table, sitting.people, self._send, manner.pace, self._left)
        self._loop = Loop(sitting.table, view, sitting.bots, inbox, manner.thinking)
        self._thread = threading.Thread(target=self._play, name="table", daemon=True)

    def say(self, text: str) -> None:
        """Something that people should know; from any thread."""
        self._send(Said(text))

    def run(self) -> bool:
        """Play; return whether the game is over.

        :raises KeyboardInterrupt: Ctrl-C, a signal, or a closed terminal.
        :raises CaptainError: what ended the loop, such as a lost board.
        """
        with at_a_terminal(self.app):
            try:
                self.app.run()
            finally:
                self.stop()
        if self._failure is not None:
            raise self._failure
        if self.app.interrupted:
            raise KeyboardInterrupt
        if self.app.return_code:
            raise RuntimeError("the screen failed")
        return self._over

    def _give_up(self) -> None:
        """The screen hangs: close the sitting from here."""
        self._left.set()
        self._inbox.put(Wish(word="quit"))
        try:
            if self._thread.ident is not None:  # else the screen never began
                self._thread.join(GIVE_UP)
            self._sitting.close()
        finally:
            os._exit(INTERRUPTED)

    def stop(self) -> None:
        """Have the loop end, and wait for it."""
        self._left.set()
        self._inbox.put(Wish(word="quit"))
        if self._thread.ident is not None:
            self._thread.join()

    def _start(self) -> None:
        self._thread.start()

    def _send(self, message: Message) -> None:
        try:
            self.app.post_message(message)
        except RuntimeError:
            return  # the screen has just closed: nobody is there to be told

    def _play(self) -> None:
        """The loop's thread."""
        try:
            self._over = self._loop.run()
        except BaseException as error:  # noqa: BLE001 - raised again in the main thread
            self._failure = error
        finally:
            # At once: the screen may take its time to end, and only then is the sitting closed.
            with suppress(CaptainError, OSError):
                self._sitting.table.board.eye(False)
            self._send(Ended())
