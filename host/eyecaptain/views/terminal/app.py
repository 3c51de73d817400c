"""The screen of a game that is being played."""

import queue
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from eyecaptain.games.captain import Lift as SecretLift
from eyecaptain.games.team import Lift as TeamLift
from eyecaptain.language import N_, _
from eyecaptain.table.loop import Wish
from eyecaptain.views.reasons import DIE_COMES
from eyecaptain.views.terminal import deckmap, panels
from eyecaptain.views.terminal.hand import LIFT, Answer, Hands, Number, Outcome, Question
from eyecaptain.views.terminal.help import help_text
from eyecaptain.views.terminal.messages import Ended, Happened, Now, Reading, Refusal, Said
from eyecaptain.views.terminal.scene import Scene
from eyecaptain.views.terminal.screen import Panel, Screen

SECRET_SECONDS = 3.0
SEATS_WIDTH = 22
ROOMY = 110  # columns
ARROWS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
NOTHING = N_("The key {key} does nothing now.")
NOT_ALLOWED = N_("Not allowed: {error}.")
WAIT_A_MOMENT = N_("A moment: the table is being laid.")
URGENT = Style(color="#000000", bgcolor="#ffffff", bold=True)
REFUSED = Style(color="#ffffff", bgcolor="#8c1d18", bold=True)
ASKING = Style(color="#ffffff", bgcolor="#4a2a80", bold=True)
PLAIN = Style(bold=True)
NO_FACE = ("no_face", "color_needed")  # refusals that say that the die's colour is missing
NUMBERS = "0-11"
DROPS = ("undo", "call", "void", "deal", "final", "die_fell", "concede")  # what a question does not outlive
ONE_CALL = N_("Somebody has just called: one call counts.")
KEEPS = 60  # lines of events


class TableApp(Screen):
    """Shows scenes, and turns keys into wishes.

    :param inbox: gets the wishes.
    :param begin: starts the table, once the screen is there.
    :param where: deck and board in words.
    :param still: reduced motion: nothing moves unless somebody acts.
    :param one_call: seconds after a call in which another one is taken for the same.
    """

    CSS = """
    Screen { layout: vertical; overflow: hidden; }
    Panel { width: 1fr; height: 1fr; }
    #top { height: 1fr; }
    #right { width: 1fr; }
    #title { height: 1; }
    #prompt { height: 2; }
    #body { height: 1fr; }
    #small, #help { display: none; }
    """

    def __init__(
        self,
        inbox: "queue.Queue[Any]",
        begin: Callable[[], None],
        where: str = "",
        *,
        still: bool = False,
        one_call: float = 1.0,
    ) -> None:
        super().__init__()
        self._inbox = inbox
        self._begin = begin
        self._where = where
        self._still = still
        self.scene: Scene | None = None
        self.question: Question | None = None
        self.said: deque[str] = deque(maxlen=KEEPS)
        self.ended = False
        self._number = Number()
        self._chosen: int | None = None
        self._moved: int | None = None
        self._notice: str | None = None
        self._secret: tuple[int, dict[str, Any]] | None = None
        self._secret_timer: Timer | None = None
        self._by_mouse = False
        self._own_pause = False
        self._one_call = one_call
        self._called_at = -one_call
        self._wanted: Wish | None = None
        self._help = False
        self._hits: dict[tuple[int, int], int] = {}
        self._key_hits: dict[tuple[int, int], str] = {}
        self._big_hits: dict[tuple[int, int], str] = {}

    # -- the screen --

    def compose(self) -> ComposeResult:
        """Field on the left; turn, prompt, deck, holdings and events on the right; keys below."""
        with Horizontal(id="top"):
            yield Panel("field", self._draw_field)
            with Vertical(id="right"):
                yield Panel("title", self._draw_title)
                yield Panel("turn", self._draw_turn)
                yield Panel("prompt", self._draw_prompt)
                with Horizontal(id="body"):
                    yield Panel("deck", self._draw_deck)
                    yield Panel("holdings", self._draw_holdings)
                yield Panel("events", self._draw_events)
                yield Panel("help", self._draw_help)
        yield Panel("small", self._draw_small)
        yield Panel("keys", self._draw_keys)

    def on_mount(self) -> None:
        """The screen is there: let the table begin."""
        if self._still:
            self.animation_level = "none"
        self.room = (self.size.width, self.size.height)
        self.arrange()
        self._begin()

    def arrange(self) -> None:
        """Sizes and parts for this size of the screen and this kind of deck."""
        width, height = self.room
        small = self.small
        real = self.scene is not None and self.scene.deck_kind == "real"  # where most keys are
        keys = min(3, max(1, height // 4)) if small else 4 if real and width < ROOMY else 3
        self.query_one("#top").display = not small
        self.query_one("#small").display = small
        if self._help:
            keys = 0  # any key closes that page
        self.query_one("#keys").display = not self._help
        self.query_one("#keys").styles.height = keys
        # The field covers a third of the whole screen, although it does not go down to the keys.
        self.query_one("#field").styles.width = round(width * height / max(1, height - keys) / 3)
        self.query_one("#turn").styles.height = 3 if height >= 36 else 1
        self.query_one("#events").styles.height = max(4, height // 5)
        self.query_one("#holdings").styles.width = SEATS_WIDTH + (8 if width >= ROOMY else 0)
        self.query_one("#help").display = self._help
        self.query_one("#body").display = not self._help
        self.query_one("#events").display = not self._help
        self.redraw()

    def _draw_field(self, width: int, height: int) -> Text:
        if self.scene is None:
            return panels.field(None, _(WAIT_A_MOMENT), "", width, height)
        return panels.scene_field(self.scene, self.question.announced if self.question else None, width, height)

    def _draw_title(self, width: int, _: int) -> Text:
        return panels.title(self.scene, self._where, width) if self.scene else Text("")

    def _draw_turn(self, width: int, height: int) -> Text:
        return panels.turn(self.scene, width, height) if self.scene else Text("")

    def _words(self) -> tuple[str, Style]:
        """What the prompt says now: a secret, a refusal, a question, or what is to be done."""
        if self.scene is None:
            return _(WAIT_A_MOMENT), PLAIN
        if self._secret is not None:
            return panels.secret(self.scene, *self._secret)
        if self._notice:
            return self._notice, REFUSED
        if self.question is not None:
            return self.question.text, ASKING
        words, urgent = panels.hint(self.scene)
        return words, URGENT if urgent else PLAIN

    def _draw_prompt(self, width: int, height: int) -> Text:
        return panels.prompt(*self._words(), width, height)

    def _draw_deck(self, width: int, height: int) -> Text:
        scene = self.scene
        if scene is None:
            return Text("")
        if scene.places is None:
            drawn = panels.big_keys(self._menu().answers, width, height)
            self._big_hits = drawn.hits
            return drawn.text
        marks = deckmap.Marks(
            scene.sought,
            eye=scene.eye,
            moved=None if self._still else self._moved,
            barred=scene.view.get("barred") if scene.view["deck"] > 1 else None,
            chosen=self._chosen,
            open_corners=scene.view.get("open_corners", 0),
        )
        picture = deckmap.draw(scene.places, width, height, marks)
        self._hits = picture.hits
        return picture.text

    def _draw_holdings(self, width: int, height: int) -> Text:
        return panels.holdings(self.scene, width, height) if self.scene else Text("")

    def _draw_events(self, width: int, height: int) -> Text:
        return panels.events(list(self.said), width, height)

    def _draw_help(self, width: int, height: int) -> Text:
        return help_text(self.scene, width, height) if self.scene else Text("")

    def _draw_small(self, width: int, height: int) -> Text:
        return panels.small(self.scene, list(self.said), self._words()[0], width, height) if self.scene else Text("")

    def _draw_keys(self, width: int, height: int) -> Text:
        menu = self._menu()
        numbers = (Answer(NUMBERS, _(LIFT), lambda: None),) if menu.numbers is not None and not self._number.typed else ()
        drawn = panels.keys((*numbers, *menu.answers), self._number.typed, width, height)
        self._key_hits = drawn.hits
        return drawn.text

    # -- what the table tells --

    def on_now(self, message: Now) -> None:
        """How things stand."""
        self._take(message.scene)

    def on_happened(self, message: Happened) -> None:
        """Something happened: a question about another round is dropped, a look is shown to a sole person."""
        self.said.extend(message.said)
        scene = message.scene
        if message.kind not in ("die", "note", "link"):
            self._notice = None
        if message.kind in DROPS:
            self.question = None
        if message.kind == "call":
            self._called_at = time.monotonic()
        self._take(scene)
        if message.missed in scene.looks:
            self._secret_is_there(message.missed or 0)
        if message.kind == "pause" and not self._own_pause and "call" in scene.kind.actions and scene.people:
            self.question = Hands(scene, time.monotonic()).who_called()
        if message.kind == "pause":
            self._own_pause = False
        self.redraw()

    def _secret_is_there(self, seat: int) -> None:
        """A sole person sees it at once; among several it waits for a key."""
        assert self.scene is not None
        if len(self.scene.people) == 1:
            self._show_secret(seat)
        else:
            self.said.append(_(panels.ASK_TO_LOOK).format(player=self.scene.players[seat]))

    def _take(self, scene: Scene) -> None:
        before, self.scene = self.scene, scene
        if before is None:
            self.arrange()
        self._moved = _moved(before, scene) if before else None
        if scene.over:
            self.question = None
        if self._notice == _(DIE_COMES) and scene.sought is not None:
            self._notice = None
        if self._chosen is not None and scene.places is not None and str(self._chosen) not in scene.places["droppings"]:
            self._chosen = None
        if not (self._still and before is not None and scene._replace(places=None) == before._replace(places=None)):
            self.redraw()

    def on_refusal(self, message: Refusal) -> None:
        """Not allowed; where people have to say the die's face, it is asked for, and then it is done."""
        error, wanted = message.error, self._wanted
        last = wanted.actions[-1] if wanted is not None and wanted.actions else None
        real = self.scene is not None and self.scene.deck_kind == "real"
        if self.scene is not None and real and error.code in NO_FACE and isinstance(last, TeamLift | SecretLift):
            self.question = Hands(self.scene, time.monotonic()).die_first(last)
        else:
            self._notice = _(NOT_ALLOWED).format(error=error)
        self.redraw()

    def on_reading(self, _message: Reading) -> None:
        """What was wanted is done as soon as the board has read the die."""
        self._notice = _(DIE_COMES)
        self.redraw()

    def on_said(self, message: Said) -> None:
        """The board has something to say."""
        self.said.append(message.text)
        self.redraw()

    def on_ended(self, _: Ended) -> None:
        """The table's loop has ended; the end of a game of bots stays until a key."""
        self.ended = True
        if self.scene is None or not self.scene.over or self.scene.people:
            self.exit()

    # -- keys and mouse --

    def leave(self) -> None:
        """Leave at once; the table's loop is told, and the eye stops when the sitting is closed."""
        self._inbox.put(Wish(word="quit"))
        super().leave()

    def press(self, event: events.Key) -> None:
        """A printable key is what it prints."""
        printable = event.is_printable and event.character is not None and event.key != "question_mark"
        self.key(str(event.character) if printable else event.key)

    def key(self, key: str) -> None:
        """One key, or a click on what stands for one."""
        if self.ended:
            self.exit()
            return
        if self._secret is not None:
            self._cover()
            return
        if self._help:
            self._help = False
            self.arrange()
            return
        self._notice = None
        menu = self._menu()
        if self.scene is None:
            return
        if menu.numbers is not None and self._number_key(key, menu.numbers):
            self.redraw()
            return
        answer = _answer(menu, key)
        if answer is None:
            self._number.typed = ""
            self._notice = _(NOTHING).format(key=panels.key_word(key))
        else:
            self._number.typed = ""
            self._follow(answer.then())
        self.redraw()

    def _menu(self) -> Question:
        if self.scene is None:
            return Question("", ())
        return self.question or Hands(self.scene, time.monotonic()).menu()

    def _number_key(self, key: str, then: Callable[[int], Outcome]) -> bool:
        """Digits, arrows and Enter choose a dropping; return whether the key was one of them."""
        assert self.scene is not None
        on_deck = list(self.scene.view["on_deck"] or ())
        number = None
        if key in ARROWS:
            self._chosen = deckmap.neighbour(self._hits, self._chosen, ARROWS[key])
        elif key.isascii() and key.isdigit():
            number = self._number.digit(key, on_deck)
        elif key == "backspace" and self._number.typed:
            self._number.typed = self._number.typed[:-1]
        elif key == "enter" and (self._number.typed or self._chosen is not None):
            number = self._number.done() if self._number.typed else self._chosen
        else:
            return False
        if number is not None:
            self._follow(then(number))
        return True

    def _follow(self, outcome: Outcome) -> None:
        """What comes of a key: a wish goes to the table, a question is asked, a word is for the screen."""
        self.question = outcome if isinstance(outcome, Question) else None
        if isinstance(outcome, Wish) and any(action.type == "call" for action in outcome.actions):
            # Two people call in the same instant: the second key is not a call in the round after it (E24).
            before, self._called_at = self._called_at, time.monotonic()
            if self._called_at - before < self._one_call:
                self.said.append(_(ONE_CALL))
                return
        if isinstance(outcome, Wish):
            self._chosen = None
            self._wanted = outcome
            self._own_pause = any(action.type == "pause" for action in outcome.actions)
            self._inbox.put(outcome)
        elif outcome == "help":
            self._help = True
            self.arrange()
        elif outcome == "look" and self.scene is not None and self.scene.looks:
            self._show_secret(next(iter(self.scene.looks)))

    def _show_secret(self, seat: int) -> None:
        """Show a secret look, for a while."""
        assert self.scene is not None
        self._secret = (seat, dict(self.scene.looks[seat]))
        if self._secret_timer is not None:
            self._secret_timer.stop()
        self._secret_timer = self.set_timer(SECRET_SECONDS, self._cover)

    def _cover(self) -> None:
        self._secret = None
        self._by_mouse = False
        self.redraw()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click on a dropping lifts it, a click on a key is the key; a secret is shown while the button is down."""
        widget = event.widget
        if not isinstance(widget, Panel) or self._secret is not None or self._help:
            self.key("escape")
            return
        at = (event.screen_x - widget.region.x, event.screen_y - widget.region.y)
        if widget.id == "keys" and self._key_hits.get(at, NUMBERS) != NUMBERS:
            key = self._key_hits[at]
            self.key(key)
            self._by_mouse = self._secret is not None
        elif widget.id == "deck" and at in self._big_hits:
            self.key(self._big_hits[at])
        elif widget.id == "deck" and at in self._hits:
            menu = self._menu()
            if menu.numbers is not None:
                self._notice = None
                self._follow(menu.numbers(self._hits[at]))
                self.redraw()

    def on_mouse_up(self, _: events.MouseUp) -> None:
        """What the mouse has uncovered is covered again."""
        if self._by_mouse:
            self._cover()


def _answer(menu: Question, key: str) -> Answer | None:
    """The answer that a key gives: its own, or (with Caps Lock) that of the small letter, where the capital means nothing."""
    keys = {answer.key: answer for answer in menu.answers}
    return keys.get(key) or (keys.get(key.lower()) if len(key) == 1 else None)


def _moved(before: Scene, after: Scene) -> int | None:
    """What the eye has just knocked: the thing that lies elsewhere than before."""
    if before.places is None or after.places is None:
        return None
    one, other = before.places, after.places
    if (one["die"], one.get("die_corner")) != (other["die"], other.get("die_corner")):
        return None
    for name, zone in other["droppings"].items():
        if one["droppings"].get(name) != zone:
            return int(name)
    return None
