"""The plain view: one line after the other, for a screen reader, a pipe, a small terminal, or anybody who likes it."""

import json
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import Any, TextIO

from eyecaptain.games.base import COLORS, Action, BadAction, Die, Effect, Game, Refused, Undo
from eyecaptain.table.loop import Wish
from eyecaptain.table.referee import News, Table
from eyecaptain.views.phrases import color, parse

WORDS = {
    "": "wait",
    "h": "help",
    "?": "help",
    "help": "help",
    "look": "look",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
    "s": "status",
    "status": "status",
    "u": "undo",
    "undo": "undo",
    "w": "wait",
    "wait": "wait",
    "where": "where",
}
ANSI = {"red": "97;41", "green": "30;42", "blue": "97;44", "yellow": "30;43"}
TALLEST = 100  # rows: no screen shows more
ZONES = ("in the centre", "in the middle", "at the edge", "at a corner")

HELP_DIE = {
    "virtual": (("recentre falling", "put the die back; also: recentre stuck, recentre exhausted"),),
    "real": (
        ("die red", "the die shows red; die gone: it cannot be seen"),
        ("recentre falling", "you put the die back; also: recentre stuck, recentre exhausted"),
    ),
}
HELP_ALL = (
    ("Enter, wait", "let the eye roll on"),
    ("undo", "take the last action back"),
    ("turn Ben", "the tongs are with Ben"),
    ("pause, resume", "the eye stands still, goes on"),
    ("status, where", "how things stand, where they lie"),
    ("quit", "leave; captain play --resume goes on"),
    ('{"type":"pause"}', "a line that begins with { is an action as in the log"),
)


def tell(game: Game, effect: Effect) -> str:
    """One effect in words."""
    return game.words[effect.kind].format(
        player=game.players[effect.seat] if effect.seat is not None else "",
        color=effect.color,
        dropping="a dropping" if effect.dropping is None else f"dropping {effect.dropping}",
        number=effect.number,
    )


class PlainView:
    """Writes lines and understands lines.

    :param out: where to write.
    :param people: the seats of persons.
    :param colored: whether colour words are coloured (the word is always there too).
    :param live: whether people sit at a terminal: it gets a prompt, and secrets are covered again.
    :param wipes: whether that terminal can wipe lines away; else they are pushed off the screen.
    """

    def __init__(
        self, out: TextIO, people: Sequence[int], *, colored: bool = False, live: bool = False, wipes: bool = False
    ) -> None:
        self._out = out
        self._people = people
        self._colored = colored
        self._live = live
        self._wipes = wipes
        self._uncovered = False
        self._asked: str | None = None
        self._prompted = False
        self._in_json = False  # answers come as the line came
        self._wanted: tuple[Action, ...] = ()  # the last wish ...
        self._pending: tuple[Action, ...] = ()  # ... which is repeated once the die's colour is said

    def write(self, text: str) -> None:
        """One line, with its colour words in colour."""
        if self._live:
            text = textwrap.fill(text, shutil.get_terminal_size().columns - 1)
        if self._colored:
            for name in COLORS:
                text = re.sub(rf"\b{name}\b", f"\x1b[{ANSI[name]}m{name}\x1b[0m", text)
        self._line(text)

    def _line(self, text: str) -> None:
        """One line as it is; what is being typed stays in the terminal's own buffer, and a new prompt follows."""
        if self._prompted:
            self._out.write("\r\x1b[K" if self._wipes else "\n")
            self._prompted = False
        self._out.write(text + "\n")
        self._out.flush()

    def show(self, news: News) -> None:
        """Something happened: a line for each effect; the only person at the table is told its secret look at once."""
        for effect in news.effects:
            if effect.kind == "undo":
                self.write("Taken back. " + status(news.game.view(None)))
            else:
                text = tell(news.game, effect)
                self.write(text[0].upper() + text[1:])
        if any(effect.kind == "miss" for effect in news.effects):
            self._tell_look(news)
        if any(effect.kind not in ("die", "no_die") for effect in news.effects):
            self._asked = None

    def _tell_look(self, news: News) -> None:
        """Who has looked in secret may know what it was."""
        for seat in self._people:
            look = news.game.view(seat).get("look")
            if look and len(self._people) == 1:
                self.write(f"Only you know: dropping {look['dropping']} is {look['color']}.")
            elif look:
                self.write(f"{news.game.players[seat]}, type look when nobody else can see it: only you may know the colour.")

    def ask(self, table: Table, held: bool) -> None:
        """Say how things stand, unless that has just been said; the die's face is news of its own."""
        game = table.game
        for_people = game.turn in self._people or game.over or game.paused or held or not game.deck
        asked = self._question(table, held, die=False)
        if for_people and asked != self._asked:
            self.write(self._question(table, held, die=True))
            self._asked = asked
        if self._live and not self._prompted:
            self._out.write("> ")
            self._out.flush()
            self._prompted = True

    def _question(self, table: Table, held: bool, *, die: bool) -> str:
        game = table.game
        view = game.view(None)
        if game.over:
            return "The game is over. undo takes the last action back; anything else ends."
        if game.paused:
            call = "call NAME if somebody calls; " if "call" in game.actions else ""
            return f"Paused. {call}resume lets the eye go on."
        if not die:
            view["die"] = None
        if held:
            return f"Enter goes on, undo takes back one more. {status(view)}"
        parts = [status(view)]
        if table.board.deck is not None and table.board.deck.places()["danger"]:
            parts.append("The die is about to fall through an open corner! recentre falling saves it.")
        if not game.deck:
            parts.append("The deck is empty: who calls? call NAME, or nobody.")
        return " ".join(parts)

    def hear(self, line: str, table: Table) -> Wish:
        """Understand one line."""
        self._prompted = False
        self._cover()
        line = line.strip()
        self._in_json = line.startswith("{")
        pending, self._pending = self._pending, ()
        word = WORDS.get(line.lower())
        match word:
            case "wait":
                self._asked = None  # it is said again how things stand, also when nothing happens
                return Wish(word=word)
            case "undo" | "quit":
                return Wish(word=word)
            case "help":
                self._help(table.game)
            case "status":
                self._asked = None  # asking again says it
            case "where":
                self._where(table)
            case "look":
                self._look(table.game)
            case _:
                face = color(line.lower())
                if pending and face:
                    return Wish((Die(face, by="table"), *pending))
                return self._understand(line, table)
        return Wish()

    def _understand(self, line: str, table: Table) -> Wish:
        try:
            action = parse(line, table.game, self._people)
        except BadAction as error:
            self.refuse(Refused("bad_action", str(error)))
            return Wish()
        except Refused as error:
            self.refuse(error)
            return Wish()
        if isinstance(action, Undo) and action.of == table.latest:
            return Wish(word="undo")
        self._wanted = (action,)
        return Wish(self._wanted)

    def refuse(self, error: Refused) -> None:
        """What was wanted is not allowed: say why, as it was asked for."""
        if self._in_json:
            self._out.write(json.dumps({"error": error.as_json()}, separators=(",", ":")) + "\n")
            self._out.flush()
        elif error.code == "no_face":
            self._pending = self._wanted
            self.write("Look at the die: which colour does it show? red, green, blue or yellow.")
        elif error.code == "bad_action":
            self.write(f"Not understood: {error}.")
        else:
            self.write(f"Not allowed: {error}.")

    def _help(self, game: Game) -> None:
        die = HELP_DIE[game.deck_kind] if "recentre" in game.actions else ()
        for usage, meaning in (*game.help[game.deck_kind], *die, *HELP_ALL):
            self._line(f"{usage:18}{meaning}")

    def _where(self, table: Table) -> None:
        """Where things lie on the virtual deck."""
        if table.board.deck is None:
            self.write("Look at the deck: only you can see it.")
            return
        places = table.board.deck.places()
        for zone, words in enumerate(ZONES):
            there = [dropping for dropping, at in places["droppings"].items() if at == zone]
            if there:
                self.write(f"{words[0].upper()}{words[1:]}: {', '.join(there)}.")
        if places["die"] is not None:
            self.write(f"The die is {ZONES[places['die']]}.")

    def _look(self, game: Game) -> None:
        """Show the last secret look to whoever had it; the next line covers it."""
        for seat in self._people:
            look = game.view(seat).get("look")
            if look:
                self.write(f"{game.players[seat]} saw: dropping {look['dropping']} is {look['color']}. Enter covers it.")
                self._uncovered = True
                return
        self.write("There is nothing to look at: nobody has just looked in secret.")

    def _cover(self) -> None:
        """Take a secret off the screen: the line that asked for it, itself, and the prompt after it."""
        if self._uncovered and self._live:
            self._out.write("\x1b[3A\x1b[J" if self._wipes else "\n" * TALLEST)
        self._uncovered = False


def status(view: dict[str, Any]) -> str:
    """How things stand, in one line, from a public view."""
    if "scores" in view:  # a game by mail: there is no table
        points = ", ".join(f"{player} {score}" for player, score in zip(view["players"], view["scores"], strict=True))
        return f"Points: {points}."
    parts = []
    if view["turn"] is not None:
        parts.append(f"The tongs are with {view['players'][view['turn']]}.")
    if "die" in view:
        parts.append(f"The die shows {view['die']}." if view["die"] else "Look at the die: its colour is not known.")
    if "team" in view:
        parts.append(f"Team {view['team']}, galley {view['galley']}.")
    for key, words in (("collected", "Collected"), ("chips", "Chips")):
        if key in view:
            counts = [f"{player} {number}" for player, number in zip(view["players"], view[key], strict=True)]
            parts.append(f"{words}: {', '.join(counts)}.")
    if view["on_deck"] is not None:
        parts.append(f"On the deck: {' '.join(map(str, view['on_deck'])) or 'nothing'}.")
    else:
        parts.append(f"On the deck: {view['deck']} droppings.")
    if view.get("barred") is not None and view["deck"] > 1:
        parts.append(f"Not {view['barred']}: it was just put back.")
    return " ".join(parts)
