"""The screen of a replay: a time line, steps, speed, jumps, and what was hidden when it was played."""

import queue
import threading
from collections.abc import Callable
from typing import NamedTuple

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from eyecaptain.language import N_, _
from eyecaptain.views.terminal import deckmap, panels
from eyecaptain.views.terminal.app import SEATS_WIDTH
from eyecaptain.views.terminal.hand import Answer
from eyecaptain.views.terminal.recording import Head, Moment
from eyecaptain.views.terminal.scene import Scene
from eyecaptain.views.terminal.screen import Panel, Screen, at_a_terminal

STEP, RUN, HALT, JUMP, CALL, SPEED, SHOW, QUIT = (
    N_("step"),
    N_("run"),
    N_("halt"),
    N_("round"),
    N_("call, undo"),
    N_("speed"),
    N_("reveal"),
    N_("quit"),
)
WHERE = N_(" {number} of {total} · {minutes}:{seconds:02.0f} · {speed:g}x {state}")
RUNNING, HALTED, ENDED = "▶", "▮▮", "■"
PUBLIC, REVEALED = N_("as the table saw it"), N_("all revealed")
NO_MORE = N_("There is no other one in this direction.")
NOTHING = N_("The key {key} does nothing here.")
MARKS = {"deal": "┃", "call": "!", "void": "!", "undo": "<", "final": "!", "die_fell": "!"}
ROUNDS = ("deal",)
TURNS = ("call", "void", "undo", "final", "die_fell")
LONGEST_WAIT = 5.0  # seconds between two actions, however long people thought


class Key(NamedTuple):
    """One key of the replay."""

    shown: str
    label: str
    keys: tuple[str, ...]


KEYS = (
    Key("← →", STEP, ("left", "right")),
    Key(N_("Space"), RUN, ("space",)),
    Key("[ ]", JUMP, ("left_square_bracket", "right_square_bracket")),
    Key(", .", CALL, ("comma", "full_stop")),
    Key("- +", SPEED, ("minus", "plus")),
    Key("v", SHOW, ("v",)),
    Key("q", QUIT, ("q",)),
)


class ReplayApp(Screen):
    """Shows a recording.

    :param recording: at least one moment.
    :param title: the session.
    :param speed: how many times faster than it was.
    :param stage: is told every moment that is shown, to show it on a board too; called in a thread of its own.
    :param broken: why the recording ends where it does, when that is a fault.
    """

    CSS = """
    Screen { layout: vertical; overflow: hidden; }
    Panel { width: 1fr; height: 1fr; }
    #top { height: 1fr; }
    #right { width: 1fr; }
    #title, #turn { height: 1; }
    #prompt, #keys { height: 2; }
    #body { height: 1fr; }
    #line { height: 2; }
    """

    def __init__(
        self,
        recording: list[Moment],
        title: str,
        *,
        speed: float | None = None,
        stage: Callable[[Moment], None] | None = None,
        broken: str = "",
    ) -> None:
        super().__init__()
        self.head = Head(recording, speed or 1.0)
        self.head.running = speed is not None
        self._session = title
        self._stage = _Backstage(stage) if stage is not None else None
        self._broken = broken
        self.revealed = False
        self._notice = ""
        self._timer: Timer | None = None

    # -- the screen --

    def compose(self) -> ComposeResult:
        """As at the table, with a time line."""
        with Horizontal(id="top"):
            yield Panel("field", lambda width, height: panels.scene_field(self.scene, None, width, height))
            with Vertical(id="right"):
                yield Panel("title", self._draw_title)
                yield Panel("turn", lambda width, height: panels.turn(self.scene, width, height))
                yield Panel("prompt", self._draw_prompt)
                with Horizontal(id="body"):
                    yield Panel("deck", self._draw_deck)
                    yield Panel("holdings", lambda width, height: panels.holdings(self.scene, width, height))
                yield Panel("events", self._draw_events)
        yield Panel("line", self._draw_line)
        yield Panel("keys", self._draw_keys)

    def on_mount(self) -> None:
        """Begin."""
        self.room = (self.size.width, self.size.height)
        self.arrange()
        self._show()

    def arrange(self) -> None:
        """As at the table; a small screen has no field and no deck."""
        width, height = self.room
        small = self.small
        self.query_one("#field").display = not small
        self.query_one("#body").display = not small
        self.query_one("#field").styles.width = round(width * height / max(1, height - 4) / 3)
        self.query_one("#events").styles.height = "1fr" if small else max(4, height // 5)
        self.query_one("#holdings").styles.width = SEATS_WIDTH + (8 if width >= 110 else 0)
        self.redraw()

    @property
    def scene(self) -> Scene:
        """The moment as a scene."""
        game = self.head.moment.game
        return Scene(type(game), game.view(None), game.deck_kind, (), eye=game.eye, places=_places(self.head.moment))

    def _draw_title(self, width: int, _height: int) -> Text:
        return panels.title(self.scene, f"{_(REVEALED if self.revealed else PUBLIC)} · {self._session}", width)

    def _draw_prompt(self, width: int, height: int) -> Text:
        words = self._notice or (self._broken if self.head.last else "") or next(iter(self.head.moment.said), "")
        return panels.prompt(words or f"({self.head.moment.action.type})", Style(bold=True), width, height)

    def _draw_deck(self, width: int, height: int) -> Text:
        scene = self.scene
        marks = deckmap.Marks(
            scene.sought,
            eye=scene.eye,
            barred=scene.view.get("barred"),
            colors=self.head.moment.colors if self.revealed else {},
            open_corners=scene.view.get("open_corners", 0),
        )
        return deckmap.draw(scene.places or {}, width, height, marks).text

    def _draw_events(self, width: int, height: int) -> Text:
        until_now = self.head.recording[max(0, self.head.at - 200) : self.head.at + 1]
        said = [words for moment in until_now if moment.action.type != "die" for words in moment.said]
        return panels.events(said, width, height)

    def _draw_line(self, width: int, _height: int) -> Text:
        """The time line: where it stands, and where rounds, calls and undos are."""
        head = self.head
        cells = [" "] * width
        end = max(head.recording[-1].t, 0.001)
        for moment in head.recording:
            if mark := MARKS.get(moment.action.type):
                cells[min(width - 1, int(moment.t / end * (width - 1)))] = mark
        here = min(width - 1, int(head.moment.t / end * (width - 1)))
        text = Text(no_wrap=True, end="")
        for at, cell in enumerate(cells):
            text.append(cell if cell != " " else "━" if at < here else "─", Style(reverse=at == here, bold=at <= here))
        minutes, seconds = divmod(int(head.moment.t), 60)
        state = ENDED if head.last else RUNNING if head.running else HALTED
        number, total = head.at + 1, len(head.recording)
        words = _(WHERE).format(number=number, total=total, minutes=minutes, seconds=seconds, speed=head.speed, state=state)
        return panels.lines([text, Text(words[:width])])

    def _draw_keys(self, width: int, height: int) -> Text:
        answers = []
        for key in KEYS:
            label = {RUN: HALT if self.head.running else RUN, SHOW: PUBLIC if self.revealed else REVEALED}
            answers.append(Answer(_(key.shown), _(label.get(key.label, key.label)), lambda: None))
        return panels.keys(answers, "", width, height).text

    # -- keys --

    def press(self, event: events.Key) -> None:
        """One key."""
        key, head = event.key, self.head
        self._notice = ""
        moves: dict[str, Callable[[], object]] = {
            "left": lambda: head.step(-1),
            "right": lambda: head.step(1),
            "home": lambda: head.step(-len(head.recording)),
            "end": lambda: head.step(len(head.recording)),
            "left_square_bracket": lambda: self._jump(ROUNDS, -1),
            "right_square_bracket": lambda: self._jump(ROUNDS, 1),
            "comma": lambda: self._jump(TURNS, -1),
            "full_stop": lambda: self._jump(TURNS, 1),
        }
        if key in moves:
            head.running = False
            moves[key]()
        elif key in ("space", "enter"):
            if head.last:
                head.at = 0
            head.running = not head.running
        elif key in ("plus", "minus"):
            head.faster(1 if key == "plus" else -1)
        elif key == "v":
            self.revealed = not self.revealed
        elif key in ("q", "escape"):
            self.exit()
            return
        else:
            self._notice = _(NOTHING).format(key=panels.key_word(key))
        self._show()

    def _jump(self, kinds: tuple[str, ...], by: int) -> None:
        if not self.head.jump(kinds, by):
            self._notice = _(NO_MORE)

    def _show(self) -> None:
        """Show this moment, also on the board, and come back for the next one while it runs."""
        if self._stage is not None:
            self._stage.show(self.head.moment)
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.head.running and not self.head.last:
            self._timer = self.set_timer(min(LONGEST_WAIT, max(0.01, self.head.wait())), self._next)
        self.redraw()

    def _next(self) -> None:
        self.head.step(1)
        self.head.running = not self.head.last
        self._show()

    def close(self) -> None:
        """Let go of the board's thread."""
        if self._stage is not None:
            self._stage.close()


class _Backstage:
    """Tells a board what is shown, in a thread: it may take its time, and only the newest moment matters."""

    def __init__(self, show: Callable[[Moment], None]) -> None:
        self._show = show
        self._moments: queue.Queue[Moment | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="stage", daemon=True)
        self._thread.start()
        self.failure: BaseException | None = None

    def show(self, moment: Moment) -> None:
        """Tell the board the newest moment."""
        self._moments.put(moment)

    def close(self) -> None:
        """Wait for the thread's end.

        :raises CaptainError: the board was lost meanwhile.
        """
        self._moments.put(None)
        self._thread.join()
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            while (moment := self._moments.get()) is not None:
                while not self._moments.empty():
                    newer = self._moments.get()
                    if newer is None:
                        return
                    moment = newer
                self._show(moment)
        except BaseException as error:  # noqa: BLE001 - raised again by `close`
            self.failure = error


def _places(moment: Moment) -> dict[str, object]:
    """Where things lay is not in a log: what is on the deck is drawn by its number."""
    game = moment.game
    there = game.ids_on_deck() if game.deck_kind == "virtual" else list(range(game.deck))
    return {
        "droppings": {str(dropping): 1 + dropping // 4 % 2 for dropping in there},
        "corners": {str(dropping): dropping % 4 for dropping in there},
        "die": 0 if game.has_die else None,
        "danger": False,
    }


def run(app: ReplayApp) -> None:
    """Show it until people leave.

    :raises KeyboardInterrupt: Ctrl-C, a signal, or a closed terminal.
    """
    with at_a_terminal(app):
        try:
            app.run()
        finally:
            app.close()
    if app.interrupted:
        raise KeyboardInterrupt
