"""The plain view: one line after the other, for a screen reader, a pipe, a small terminal, or anybody who likes it."""

import json
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import Any, TextIO

from eyecaptain.games.base import COLORS, Action, BadAction, Die, Effect, Game, Refused, Undo
from eyecaptain.language import N_, _, ngettext
from eyecaptain.table.loop import Wish
from eyecaptain.table.referee import News, Table
from eyecaptain.views.phrases import color, parse, parse_mend
from eyecaptain.views.reasons import DIE_COMES, reason
from eyecaptain.views.vocabulary import english, typed

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
DROPPINGS_LIE = (
    N_("In the centre: {droppings}."),
    N_("In the middle: {droppings}."),
    N_("At the edge: {droppings}."),
    N_("At a corner: {droppings}."),
)
DIE_LIES = (
    N_("The die is in the centre."),
    N_("The die is in the middle."),
    N_("The die is at the edge."),
    N_("The die is at a corner."),
)

HELP_DIE = {
    "virtual": (("recentre falling", N_("put the die back; also: recentre stuck, recentre exhausted")),),
    "real": (
        ("die red", N_("the die shows red; die gone: it cannot be seen")),
        ("recentre falling", N_("you put the die back; also: recentre stuck, recentre exhausted")),
    ),
}
HELP_MEND = (
    ("missed red", N_("a match of red was missed before the last report; missed no: one that was no match")),
    ("last red", N_("the last report really was red; also: last no, last Ben")),
    ("earlier red", N_("the report before the last one really was red")),
)
HELP_ALL = (
    ("Enter, wait", N_("let the eye roll on")),
    ("undo", N_("take the last action back")),
    ("turn Ben", N_("the tongs are with Ben")),
    ("pause, resume", N_("the eye stands still, goes on")),
    ("status, where", N_("how things stand, where they lie")),
    ("quit", N_("leave; captain play --resume goes on")),
    ('{"type":"pause"}', N_("a line that begins with { is an action as in the log")),
)


def tell(game: Game, effect: Effect) -> str:
    """One effect in words."""
    number = effect.dropping
    text = _(game.words[effect.kind]).format(
        player=game.players[effect.seat] if effect.seat is not None else "",
        color=_(effect.color) if effect.color else "",
        dropping=_("a dropping") if number is None else _("dropping {number}").format(number=number),
        number=effect.number,
    )
    return text[0].upper() + text[1:]


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
        self._asks_for_die = False  # it is for people to say which colour it shows
        self._asked: str | None = None
        self._prompted = False
        self._why: str | None = None  # why the die is not seen, as it was said last
        self._in_json = False  # answers come as the line came
        self._wanted: tuple[Action, ...] = ()  # the last wish ...
        self._pending: tuple[Action, ...] = ()  # ... which is repeated once the die's colour is said

    def write(self, text: str) -> None:
        """One line, with its colour words in colour."""
        if self._live:
            text = textwrap.fill(text, shutil.get_terminal_size().columns - 1)
        if self._colored:
            for name in COLORS:
                text = re.sub(rf"\b{_(name)}\b", f"\x1b[{ANSI[name]}m{_(name)}\x1b[0m", text)
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
                self.write(_("Taken back."))
            else:
                text = tell(news.game, effect)
                if effect.kind == "no_die" and isinstance(news.action, Die) and news.action.why:
                    self._why = news.action.why
                    text += " " + reason(self._why)
                self.write(text)
        if any(effect.kind == "miss" for effect in news.effects):
            self._tell_look(news)
        if any(effect.kind not in ("die", "no_die") for effect in news.effects):
            self._asked = None

    def _tell_look(self, news: News) -> None:
        """Who has looked in secret may know what it was."""
        for seat in self._people:
            look = news.game.view(seat).get("look")
            if look and len(self._people) == 1:
                words = _("Only you know: dropping {dropping} is {color}.")
                self.write(words.format(dropping=look["dropping"], color=_(look["color"])))
            elif look:
                words = _("{player}, type look when nobody else can see it: only you may know the colour.")
                self.write(words.format(player=news.game.players[seat]))

    def ask(self, table: Table, held: bool) -> None:
        """Say how things stand, unless that has just been said; the die's face is news of its own."""
        game = table.game
        self._tell_why(table)
        for_people = game.turn in self._people or game.over or game.paused or held or not game.deck
        asked = self._question(table, held, die=False)
        if for_people and asked != self._asked:
            self.write(self._question(table, held, die=True))
            self._asked = asked
        if self._live and not self._prompted:
            self._out.write("> ")
            self._out.flush()
            self._prompted = True

    def _tell_why(self, table: Table) -> None:
        """Say why the board does not see the die, when that is another reason than the one said last."""
        why = table.board.unseen
        if why and why != self._why and table.game.view(None).get("die", "") is None:
            self.write(reason(why))
        self._why = why

    def _question(self, table: Table, held: bool, *, die: bool) -> str:
        game = table.game
        view = game.view(None)
        if game.over:
            return _("The game is over. undo takes the last action back; anything else ends.")
        if game.paused and "call" in game.actions:
            return _("Paused. call NAME if somebody calls; resume lets the eye go on.")
        if game.paused:
            return _("Paused. resume lets the eye go on.")
        if not die:
            view["die"] = None
        if held:
            return _("Enter goes on, undo takes back one more. {status}").format(status=status(view))
        parts = [status(view)]
        if table.board.deck is not None and table.board.deck.places()["danger"]:
            parts.append(_("The die is about to fall through an open corner! recentre falling saves it."))
        if not game.deck:
            parts.append(_("The deck is empty: who calls? call NAME, or nobody."))
        return " ".join(parts)

    def hear(self, line: str, table: Table) -> Wish:
        """Understand one line."""
        self._prompted = False
        self._asks_for_die = table.board.deck is None
        self._cover()
        line = line.strip()
        self._in_json = line.startswith("{")
        pending, self._pending = self._pending, ()
        word = WORDS.get(english(line))
        wish = self._meant(line, word, table, pending)
        return Wish(word="quit") if table.game.over and wish.word != "undo" else wish

    def _meant(self, line: str, word: str | None, table: Table, pending: tuple[Action, ...]) -> Wish:
        """What a line wants; a question about the game is answered at once."""
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
            mend = parse_mend(line, table.game)
            if mend is not None:
                return Wish(mend=mend)
            action = parse(line, table.game, self._people)
        except BadAction as error:
            self.refuse(Refused("bad_action", error.text))
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
        elif error.code == "no_face" and self._asks_for_die:
            self._pending = self._wanted
            self.write(_("Look at the die: which colour does it show? red, green, blue or yellow."))
        elif error.code == "bad_action":
            self.write(_("Not understood: {error}.").format(error=error))
        else:
            self.write(_("Not allowed: {error}.").format(error=error))

    def reading(self) -> None:
        """What was wanted is done as soon as the board has read the die; who speaks JSON hears only how it ends."""
        if not self._in_json:
            self.write(_(DIE_COMES))

    def _help(self, game: Game) -> None:
        die = HELP_DIE[game.deck_kind] if "recentre" in game.actions else ()
        mend = HELP_MEND if game.deck_kind == "real" else ()
        lines = [(typed(usage), _(meaning)) for usage, meaning in (*game.help[game.deck_kind], *die, *mend, *HELP_ALL)]
        width = max(18, *(len(usage) + 2 for usage, meaning in lines))
        for usage, meaning in lines:
            self._line(f"{usage:{width}}{meaning}")

    def _where(self, table: Table) -> None:
        """Where things lie on the virtual deck."""
        if table.board.deck is None:
            self.write(_("Look at the deck: only you can see it."))
            return
        places = table.board.deck.places()
        for zone, words in enumerate(DROPPINGS_LIE):
            there = [dropping for dropping, at in places["droppings"].items() if at == zone]
            if there:
                self.write(_(words).format(droppings=", ".join(there)))
        if places["die"] is not None:
            self.write(_(DIE_LIES[places["die"]]))

    def _look(self, game: Game) -> None:
        """Show the last secret look to whoever had it; the next line covers it."""
        for seat in self._people:
            look = game.view(seat).get("look")
            if look:
                words = _("{player} saw: dropping {dropping} is {color}. Enter covers it.")
                self.write(words.format(player=game.players[seat], dropping=look["dropping"], color=_(look["color"])))
                self._uncovered = True
                return
        self.write(_("There is nothing to look at: nobody has just looked in secret."))

    def _cover(self) -> None:
        """Take a secret off the screen: the line that asked for it, itself, and the prompt after it."""
        if self._uncovered and self._live:
            self._out.write("\x1b[3A\x1b[J" if self._wipes else "\n" * TALLEST)
        self._uncovered = False


STATUS = (N_("running"), N_("won"), N_("lost"), N_("over"), N_("broken"))  # of a game, and of a session


def status(view: dict[str, Any]) -> str:
    """How things stand, in one line, from a public view."""
    if "scores" in view:  # a game by mail: there is no table
        points = ", ".join(f"{player} {score}" for player, score in zip(view["players"], view["scores"], strict=True))
        return f"Points: {points}."
    parts = []
    if view["turn"] is not None:
        parts.append(_("The tongs are with {player}.").format(player=view["players"][view["turn"]]))
    if "die" in view:
        face = view["die"]
        parts.append(
            _("The die shows {color}.").format(color=_(face)) if face else _("Look at the die: its colour is not known.")
        )
    if "team" in view:
        parts.append(_("Team {team}, galley {galley}.").format(team=view["team"], galley=view["galley"]))
    for key, words in (("collected", _("Collected: {counts}.")), ("chips", _("Chips: {counts}."))):
        if key in view:
            counts = [f"{player} {number}" for player, number in zip(view["players"], view[key], strict=True)]
            parts.append(words.format(counts=", ".join(counts)))
    if view["on_deck"]:
        parts.append(_("On the deck: {droppings}.").format(droppings=" ".join(map(str, view["on_deck"]))))
    elif view["on_deck"] is not None:
        parts.append(_("On the deck: nothing."))
    else:
        parts.append(
            ngettext("On the deck: {number} dropping.", "On the deck: {number} droppings.", view["deck"]).format(
                number=view["deck"]
            )
        )
    if view.get("barred") is not None and view["deck"] > 1:
        parts.append(_("Not {number}: it was just put back.").format(number=view["barred"]))
    return " ".join(parts)
