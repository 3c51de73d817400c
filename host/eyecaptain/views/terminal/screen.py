"""What every screen has: panels that draw themselves, dark and light, and an end that Ctrl-C and signals bring about."""

import asyncio
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.driver import Driver
from textual.widget import Widget

LEAST = (80, 24)  # below it, everything stands in a few lines
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
INTERRUPTED = 130  # design.md, command line
PATIENCE, PATIENCE_GONE = 5.0, 1.0  # seconds in which a screen has to end
LOOK = 0.5  # seconds between two looks whether all is over
DARK, LIGHT = "textual-dark", "textual-light"


class Panel(Widget):
    """A part of the screen that draws itself as the app says.

    :param draw: makes its text for a width and a height.
    """

    def __init__(self, name: str, draw: Callable[[int, int], Text]) -> None:
        super().__init__(id=name)
        self._draw = draw

    def render(self) -> Text:
        """Its text, in its size."""
        width, height = self.size
        return self._draw(width, height) if width > 0 and height > 0 else Text("")


class Screen(App[None]):
    """A screen whose keys all come to `press`.

    A screen must have `arrange` and `press`; `App` has a metaclass of its own, so they cannot be abstract methods.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self) -> None:
        super().__init__()
        self.interrupted = False
        self.finished = threading.Event()  # cleared while it runs at a terminal
        self.finished.set()
        self.room = LEAST  # columns and rows
        self._here: asyncio.AbstractEventLoop | None = None

    def get_driver_class(self) -> type[Driver]:
        """On Linux and macOS one that survives every key."""
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":
            return usual
        from eyecaptain.views.terminal.keyboard import Keyboard  # noqa: PLC0415 - Windows cannot import it

        return Keyboard

    def on_load(self) -> None:
        """Know the loop, so that a signal can wake it."""
        self._here = asyncio.get_running_loop()

    def on_resize(self, event: events.Resize) -> None:
        """Arrange anew for another size."""
        self.room = (event.size.width, event.size.height)
        self.arrange()

    def arrange(self) -> None:
        """Sizes and parts for this size of the screen."""
        raise NotImplementedError

    @property
    def small(self) -> bool:
        """Whether there is too little room for everything."""
        return self.room[0] < LEAST[0] or self.room[1] < LEAST[1]

    def redraw(self) -> None:
        """Draw every panel again."""
        for panel in self.query(Panel):
            panel.refresh()

    def on_key(self, event: events.Key) -> None:
        """Every key comes here; two mean the same on every screen."""
        event.stop()
        event.prevent_default()
        if self.interrupted:
            return  # keys that still waited when Ctrl-C came
        if event.key == "ctrl+c":
            self.leave()
        elif event.key == "ctrl+t":
            self.theme = LIGHT if self.theme == DARK else DARK
        else:
            self.press(event)

    def press(self, event: events.Key) -> None:
        """One key."""
        raise NotImplementedError

    def leave(self) -> None:
        """Ctrl-C, or a signal: leave at once."""
        self.interrupted = True
        self._watch_the_end(PATIENCE)
        self.exit()

    def interrupt(self, *, gone: bool = False) -> None:
        """Leave, asked from a signal's handler: only this way is a waiting loop woken.

        :param gone: the terminal is not there any more.
        """
        self.interrupted = True  # at once: a terminal that is gone may end the loop before it is woken
        self._watch_the_end(PATIENCE_GONE if gone else PATIENCE)
        if self._here is not None:
            self._here.call_soon_threadsafe(self.leave)

    def give_up(self) -> None:
        """The screen does not come to its end: leave without it."""
        os._exit(INTERRUPTED)

    def _watch_the_end(self, seconds: float) -> None:
        """A terminal that is gone, or takes nothing any more, can hold the screen's end up for ever: then do without."""
        watchdog = threading.Timer(seconds, lambda: None if self.finished.is_set() else self.give_up())
        watchdog.daemon = True
        watchdog.start()


def gone(seconds: float) -> bool:
    """Whether the terminal has gone away, or does so within these seconds. On Windows nobody can say."""
    if sys.__stdin__ is None or not hasattr(select, "poll"):
        time.sleep(seconds)
        return False
    terminal = select.poll()
    terminal.register(sys.__stdin__.fileno(), 0)  # a hang-up is always told
    return any(state & select.POLLHUP for _, state in terminal.poll(seconds * 1000))


@contextmanager
def at_a_terminal(screen: Screen) -> Iterator[None]:
    """Have a real terminal's size and signals heeded while `screen` runs.

    A signal leaves as Ctrl-C does: an exception in the midst of the screen's own work would not restore the terminal.
    """
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)  # exported, they would be believed more than the terminal, also after a resize
    before = {}
    screen.finished.clear()

    def leave(number: int, frame: object) -> None:
        del frame
        screen.interrupt(gone=signal.Signals(number).name == "SIGHUP")

    for name in SIGNALS:
        if hasattr(signal, name):
            before[name] = signal.signal(getattr(signal, name), leave)

    def watch() -> None:
        """Not every terminal that goes away sends SIGHUP; the library would wait for it for ever."""
        while not screen.finished.is_set():
            if gone(LOOK):
                screen.interrupt(gone=True)
                return

    threading.Thread(target=watch, name="terminal", daemon=True).start()
    try:
        yield
    except Exception:
        if not gone(0.0):
            raise
    finally:
        screen.finished.set()
        screen.interrupted = screen.interrupted or gone(0.0)
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
