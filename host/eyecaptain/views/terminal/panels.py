"""What stands where on the screen, as text of a given size. Names are always the last thing in their line, so that a
terminal that measures one differently cannot push anything else out of place.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rich.style import Style
from rich.text import Text

from eyecaptain.games.base import COLORS, Color
from eyecaptain.language import N_, _, pgettext
from eyecaptain.views.reasons import DIE_COMES, reason
from eyecaptain.views.terminal.cells import cut, fitted, folded
from eyecaptain.views.terminal.hand import Answer
from eyecaptain.views.terminal.palette import PAINTS, UNKNOWN, seat_letter, seat_style
from eyecaptain.views.terminal.scene import Scene
from eyecaptain.views.terminal.shapes import key_drawing, letters, shape

TITLES = {"team": N_(" Team"), "solo": N_(" Solo"), "captain": N_(" Captain · round {round}")}
SOUGHT = N_("sought")
ANNOUNCED = N_("announced")
UNKNOWN_FACE = N_("look at the die")
NO_DIE = N_("say a colour, then lift")
TURN = N_(" Tongs: {player}")
OVER = N_(" The game is over")
TEAM, GALLEY, DECK = N_("team"), N_("galley"), N_("on the deck")
KEPT = N_("kept")
# Translators: it stands on two lines of 50 cells.
LOOK = N_("{color} is under dropping {dropping}. Any key covers it. Only for {player}")
ASK_TO_LOOK = N_("{player}, press v when nobody else can see the screen.")
PAUSED = N_("Pause: the eye stands still. p goes on.")
CALLED = N_("Pause. Did somebody call? c says who; p goes on.")
HELD = N_("Taken back. Enter goes on, u takes back one more.")
DANGER = N_("The die is about to fall! e saves it.")
NO_FACE = N_("Look at the die: its colour is not known.")
EMPTY = N_("The deck is empty. Who calls?")
BOT = N_("{player} is at it.")
LIFT_VIRTUAL = N_("Type a number, or arrows and Enter.")
LIFT_SOLO = N_("Announce a colour, then the number.")
LIFT_REAL = {
    "team": N_("Lift one. Which colour is it?"),
    "solo": N_("Announce a colour, lift, and say what it was."),
    "captain": N_("Lift one, look alone: a match, or not?"),
}
AGAIN = N_("u takes the last action back, Enter ends.")
WHAT_NOW = {"enter": N_("Enter"), "escape": N_("Esc"), "question_mark": "?"}
STAR = "★"
PIECE = "▰"
HEAPS = Style(color="#b07a48", bold=True)
TALL = 3  # rows of a large key
ROOMY = 45  # rows of a field in which also the word is large


class Keys(NamedTuple):
    """The list of keys, and which key is at which cell."""

    text: Text
    hits: dict[tuple[int, int], str]


def lines(rows: Iterable[Text]) -> Text:
    """Rows of text as one, without a line break after the last."""
    return Text("\n", end="").join(rows)


def field(sign: str | None, caption: str, word: str, width: int, height: int) -> Text:
    """The colour that is sought, or how it ended: as large as it goes, with its shape and its word."""
    paint = next((PAINTS[color] for color in COLORS if color == sign), UNKNOWN)
    name = letters(word, width - 2, large=height >= ROOMY) if word else []
    foot = [*name, "", caption] if height > len(name) + 6 else name or [caption]
    tall = max(0, height - len(foot) - 3)
    body = ["", *shape(sign, min(width - 2, tall * 2), tall), "", *foot]
    body = body[:height] + [""] * (height - len(body))
    style = Style(color=paint.ink, bgcolor=paint.ground, bold=True)
    return lines(Text(cut(row, width).center(width), style) for row in body)


def scene_field(scene: Scene, announced: Color | None, width: int, height: int) -> Text:
    """The field of this moment: the end, the announced colour, or the die's."""
    if scene.over:
        # In no colour of the die: nobody shall take it for what is sought.
        winners = [scene.players[seat] for seat in scene.view.get("winners", ())]
        won, lost = ("won", pgettext("large", "won")), ("lost", pgettext("large", "lost"))
        ended = {"won": won, "lost": lost}.get(scene.view["status"], ("won", pgettext("large", "end")))
        return field(ended[0], " + ".join(winners), ended[1], width, height)
    if not scene.kind.has_die:
        return field(announced, _(ANNOUNCED) if announced else _(NO_DIE), _(announced) if announced else "", width, height)
    if scene.sought is None:
        return field(None, _(UNKNOWN_FACE), "", width, height)
    return field(scene.sought, _(SOUGHT), _(scene.sought), width, height)


def title(scene: Scene, where: str, width: int) -> Text:
    """The game, the round, and on the right which deck and board."""
    left = _(TITLES.get(scene.kind.name, f" {scene.kind.name}")).format(round=scene.view["round"])
    right = cut(where + " ", max(0, width - len(left) - 1))
    return Text(left + " " * (width - len(left) - len(right)) + right, Style(dim=True))


def turn(scene: Scene, width: int, height: int) -> Text:
    """Whose turn it is, in the colour of the seat."""
    seat = scene.view["turn"]
    words = _(OVER) if seat is None else f" {seat_letter(seat)} {_(TURN).format(player=scene.players[seat])}"
    style = Style(reverse=True, bold=True) if seat is None else seat_style(seat)
    rows = [""] * height
    rows[height // 2] = words
    return lines(Text(fitted(row, width), style) for row in rows)


def hint(scene: Scene) -> tuple[str, bool]:
    """What is to be done now, and whether it is urgent."""
    view = scene.view
    if scene.over:
        return _(AGAIN), False
    if view["paused"]:
        return (_(CALLED) if scene.kind.name == "captain" else _(PAUSED)), True
    if scene.held:
        return _(HELD), False
    if scene.places is not None and scene.places["danger"]:
        return _(DANGER), True
    if not view["deck"] and scene.kind.name == "captain":
        return _(EMPTY), True
    if scene.kind.has_die and scene.sought is None:
        if scene.unseen:
            return reason(scene.unseen), True
        return (_(NO_FACE), True) if scene.deck_kind == "real" else (_(DIE_COMES), False)
    player = scene.players[view["turn"]]
    if view["turn"] not in scene.people:
        return _(BOT).format(player=player), False
    if scene.deck_kind == "real":
        return (_(LIFT_REAL[scene.kind.name]) if scene.kind.name in LIFT_REAL else ""), False
    return (_(LIFT_VIRTUAL) if scene.kind.has_die else _(LIFT_SOLO)), False


def prompt(words: str, style: Style, width: int, height: int) -> Text:
    """A question, a refusal or what is to be done, in a few lines."""
    rows = folded(words, width - 2)[:height]
    rows += [""] * (height - len(rows))
    return lines(Text(fitted(f" {row}", width), style) for row in rows)


def key_word(key: str) -> str:
    """What stands on a key."""
    return _(WHAT_NOW[key]) if key in WHAT_NOW else key


def counts(colors: dict[Color, int]) -> Text:
    """How many of each colour."""
    return Text(" ").join(Text(f" {PAINTS[color].sign}{colors[color]} ", PAINTS[color].style) for color in COLORS)


def holdings(scene: Scene, width: int, height: int) -> Text:
    """What everybody has: the team's and the galley's pile, chips and droppings by seat."""
    view = scene.view
    rows: list[Text] = []
    if "team" in view:
        spare = height - len(view["players"]) - 4
        for name, number in ((_(TEAM), view["team"]), (_(GALLEY), view["galley"])):
            rows.append(Text(f" {name:<12}{number:>2}"))
            rows += [Text(" " + PIECE * number, HEAPS)] if spare >= 2 else []
        rows.append(Text(f" {_(DECK):<12}{view['deck']:>2}"))
        rows += [Text(f" {_(KEPT)}"), Text(" ") + counts(view["kept"])] if spare >= 4 else []
        if "galley_colors" in view and spare >= 6:
            rows += [Text(f" {_(GALLEY)}"), Text(" ") + counts(view["galley_colors"])]
    else:
        rows.append(Text(f" {_(DECK):<12}{view['deck']:>2}"))
    rows.append(Text(""))
    winners = view.get("winners", ())
    for seat, player in enumerate(view["players"]):
        chips = f"{STAR * view['chips'][seat]:<3}" if "chips" in view else ""
        held = f"{view['collected'][seat]:>2} " if "collected" in view else ""
        mark = "▶" if seat == view["turn"] else "♛" if seat in winners else " "
        row = Text(f"{mark}")
        row.append(f" {seat_letter(seat)} ", seat_style(seat))
        row.append(f" {chips}{held}")
        row.append(cut(player, max(0, width - row.cell_len)), Style(bold=seat == view["turn"]))
        rows.append(row)
    rows = rows[:height]
    return lines(rows)


def events(said: Sequence[str], width: int, height: int) -> Text:
    """The last events in words, the newest at the bottom and bold."""
    rows: list[Text] = []
    for age, words in enumerate(reversed(said)):
        style = Style(bold=True) if age == 0 else Style(dim=age > 2)
        told = [Text(f" {row}", style) for row in folded(words, width - 2)]
        if rows and len(rows) + len(told) > height:
            break  # half a sentence would puzzle
        rows = told + rows
    rows = rows[-height:]
    return lines([Text("")] * (height - len(rows)) + rows)


def keys(answers: Sequence[Answer], typed: str, width: int, height: int) -> Keys:
    """The keys that work now, each with what it does; a click on one is the key.

    :param typed: a number that is being typed.
    """
    text = Text(no_wrap=True, end="")
    hits: dict[tuple[int, int], str] = {}
    column = row = 0
    if typed:
        shown = f" {typed}_ "
        text.append(shown, Style(reverse=True, bold=True, underline=True))
        text.append(" ")
        column = len(shown) + 1
    for answer in answers:
        if not answer.label:
            continue
        key = f" {key_word(answer.key)} "
        sign = f" {PAINTS[answer.paint].sign}" if answer.paint else ""
        label = cut(f"{sign} {answer.label}", width - len(key) - 2) + "  "
        size = Text(key + label).cell_len
        if column and column + size > width + 2:
            if row + 1 == height:
                break
            text.append("\n")
            column, row = 0, row + 1
        text.append(key, PAINTS[answer.paint].style if answer.paint else Style(reverse=True, bold=True))
        text.append(label)
        hits.update({(at, row): answer.key for at in range(column, column + size - 2)})
        column += size
    return Keys(text, hits)


def small(scene: Scene, said: Sequence[str], words: str, width: int, height: int) -> Text:
    """Everything in a few lines, while the window is too small for more."""
    color = scene.sought
    rows: list[Text] = []
    if scene.kind.has_die and not scene.over:
        paint = PAINTS[color] if color else UNKNOWN
        rows.append(Text(fitted(f" {paint.sign} {_(color or UNKNOWN_FACE).upper()} {paint.sign}", width), paint.style))
    rows.append(turn(scene, width, 1))
    rows += [Text(cut(f" {row}", width), Style(bold=True)) for row in folded(words, width - 2)[:2]]
    if scene.deck_kind == "virtual":
        there = " ".join(str(number) for number in scene.view["on_deck"])
        rows += [Text(f" {row}") for row in folded(_("on the deck: {droppings}").format(droppings=there), width - 2)[:2]]
    if said:
        rows += [Text(f" {row}", Style(dim=True)) for row in folded(said[-1], width - 2)]
    rows = rows[: max(1, height)]
    return lines(rows)


def big_keys(answers: Sequence[Answer], width: int, height: int) -> Keys:
    """The reports of a real deck as large as they go: hands are full of tongs, and the screen is at the table's edge."""
    rows: list[Text] = []
    hits: dict[tuple[int, int], str] = {}
    shown = [answer for answer in answers if answer.label and answer.key != "escape"][: max(1, min(6, height // TALL))]
    each = TALL
    if any(answer.paint is None for answer in shown) or height > len(shown) * (TALL + 1):
        each = TALL + 1  # keys of one colour would run together
        shown = shown[: max(1, (height + 1) // each)]
    for answer in shown:
        key = key_word(answer.key)
        drawn = key_drawing(key) if len(key) == 1 else ["", key, ""]
        drawn = drawn if len(drawn) == TALL else ["", *drawn, ""]
        style = PAINTS[answer.paint].style if answer.paint else Style(reverse=True, bold=True)
        sign = f"{PAINTS[answer.paint].sign} " if answer.paint else ""
        words = folded(sign + answer.label, width - 13)[:TALL]
        words = [*[""] * ((TALL + 1 - len(words)) // 2), *words, "", ""]
        hits.update({(at, len(rows) + row): answer.key for at in range(width) for row in range(TALL)})
        rows += [Text(" ") + Text(drawn[row].center(9), style) + Text(f"  {words[row]}", "bold") for row in range(TALL)]
        rows += [Text("")] * (each - TALL)
    return Keys(lines(rows[:height]), hits)


def secret(scene: Scene, seat: int, look: dict[str, Any]) -> tuple[str, Style]:
    """A secret look in words, on its colour."""
    color: Color = look["color"]
    paint = PAINTS[color]
    words = _(LOOK).format(player=scene.players[seat], dropping=look["dropping"], color=f"{paint.sign} {_(color).upper()}")
    return words, paint.style
