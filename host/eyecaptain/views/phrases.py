"""What people type in the plain view, as actions: a verb, then words in any order.

The words fall into place by what they are: a number is a dropping, a colour fills the next field that takes one, a
name is a seat. So every action of every game can be said, also of a game that is written later.
"""

import json
from collections.abc import Sequence

from eyecaptain.games.base import COLORS, Action, BadAction, Color, Game, action_from_json, field_names
from eyecaptain.games.mending import Mend
from eyecaptain.language import N_, _
from eyecaptain.views.vocabulary import english, plain

VERBS = {
    "c": "call",
    "fell": "die_fell",
    "final": "final",
    "l": "lift",
    "p": "pause",
    "void": "void",
    "nobody": "void",
}
MENDS = {"missed": Mend(missed=True), "last": Mend(), "earlier": Mend(2)}
TRUE = ("match", "yes", "right", "hit")
FALSE = ("miss", "no", "wrong")
_COLOR_FIELDS = ("announced", "named", "face", "color", "sought")


def color(word: str) -> Color | None:
    """The colour that a word names, or the letter of its key; None also for a letter that may be two colours (German: g)."""
    word = plain(word)
    named = [name for name in COLORS if word in (name, name[0], plain(_(name)), _(name)[0])]
    return named[0] if len(named) == 1 else None


def parse(line: str, game: Game, people: Sequence[int]) -> Action:
    """The action that a person means.

    :param people: the seats of persons; where there is one only, it need not be named.
    :raises BadAction: the line cannot be understood; the message says what can.
    :raises Refused: it is an action of another game.
    """
    if line.lstrip().startswith("{"):
        try:
            data = json.loads(line)
        except ValueError as error:
            raise BadAction(N_("this is no JSON object: {error}"), error=error) from None
        return action_from_json(game, data)
    words = line.split()
    verb = english(words[0])
    verb = VERBS.get(verb, verb)
    if [english(word) for word in words[:2]] == ["die", "fell"]:
        verb, words = "die_fell", words[1:]
    if verb in game.actions:
        words = words[1:]
    else:
        verb = "lift"
    if verb == "note":
        return action_from_json(game, {"type": verb, "text": " ".join(words)})
    return action_from_json(game, {"type": verb, **_fields(words, game, verb, people)})


def parse_mend(line: str, game: Game) -> Mend | None:
    """What a person wants to mend: a verb of `MENDS`, then a colour, yes or no, or who it was; None: it is no such line.

    :raises BadAction: the words after the verb cannot be understood.
    """
    verb, *words = line.split() or [""]
    start = MENDS.get(english(verb))
    if start is None:
        return None
    rest, seat = _without_name(words, game.players)
    if seat is not None and not rest and not start.missed:
        return start._replace(seat=seat)
    meant = english(words[0]) if len(words) == 1 else ""
    if color(meant):
        return start._replace(color=color(meant))
    if meant in FALSE or (meant in TRUE and not start.missed):
        return start._replace(match=meant in TRUE)
    raise BadAction(N_("say what it was: {verb} red, or {verb} no"), verb=verb)


def _fields(words: list[str], game: Game, verb: str, people: Sequence[int]) -> dict[str, object]:
    """Put every word into the field that it fits."""
    free = [name for name, _ in field_names(game.actions[verb])]
    found: dict[str, object] = {}
    words, seat = _without_name(words, game.players)
    if seat is not None:
        found["seat"] = seat
    for word in words:
        name, value = _meaning(word, free)
        if name is None or name in found or name not in free:
            raise BadAction(N_('"{word}" is not understood here: type help'), word=word)
        found[name] = value
        free.remove(name)
    if "seat" in free and seat is None:
        found["seat"] = _who(game, verb, people)
    if "announced" in free and "dropping" in found:
        raise BadAction(N_("say the colour first: red {dropping}"), dropping=str(found["dropping"]))
    if verb == "die":
        found.setdefault("face", None)
        found["by"] = "table"
    return found


def _without_name(words: list[str], players: Sequence[str]) -> tuple[list[str], int | None]:
    """Take a player's name (it may have spaces) out of the words."""
    for seat, player in enumerate(players):
        parts = player.casefold().split()
        for at in range(len(words) - len(parts) + 1):
            if [word.casefold() for word in words[at : at + len(parts)]] == parts:
                return words[:at] + words[at + len(parts) :], seat
    return words, None


def _meaning(word: str, free: list[str]) -> tuple[str | None, object]:
    """The field that a word fills, and its value."""
    if color(word):
        return next((name for name in _COLOR_FIELDS if name in free), None), color(word)
    word = english(word)
    if word.isdecimal() and word.isascii():
        return "dropping", int(word)
    if word in TRUE or word in FALSE:
        return next((name for name in ("match", "right") if name in free), None), word in TRUE
    if word in ("falling", "stuck", "exhausted"):
        return "reason", word
    if word == "force":
        return "force", True
    if word in ("absent", "gone"):
        return "why", "absent"
    return None, None


def _who(game: Game, verb: str, people: Sequence[int]) -> int:
    """Whose action it is when nobody is named: a lift is by who has the tongs, anything else by the only person."""
    if verb == "lift":
        return game.turn
    if len(people) == 1 and verb != "turn":
        return people[0]
    names = ", ".join(game.players)
    raise BadAction(N_("say who: {verb} NAME ({names})"), verb=verb, names=names)
