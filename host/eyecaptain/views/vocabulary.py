"""The words that people type in the plain view, in their language; the English ones are always understood, too."""

import re
import unicodedata

from eyecaptain.games.base import COLORS
from eyecaptain.language import _, pgettext


def _words() -> dict[str, str]:
    """The typed words of the language that was chosen, each with the English one that it stands for.

    Each is one word, without a space.
    """
    return {
        pgettext("typed", "absent"): "absent",
        pgettext("typed", "call"): "call",
        pgettext("typed", "concede"): "concede",
        pgettext("typed", "die"): "die",
        pgettext("typed", "earlier"): "earlier",
        pgettext("typed", "exhausted"): "exhausted",
        pgettext("typed", "fall"): "fall",
        pgettext("typed", "falling"): "falling",
        pgettext("typed", "fell"): "fell",
        pgettext("typed", "final"): "final",
        pgettext("typed", "force"): "force",
        pgettext("typed", "gone"): "gone",
        pgettext("typed", "help"): "help",
        pgettext("typed", "last"): "last",
        pgettext("typed", "lift"): "lift",
        pgettext("typed", "look"): "look",
        pgettext("typed", "match"): "match",
        pgettext("typed", "miss"): "miss",
        pgettext("typed", "missed"): "missed",
        pgettext("typed", "no"): "no",
        pgettext("typed", "nobody"): "nobody",
        pgettext("typed", "note"): "note",
        pgettext("typed", "pause"): "pause",
        pgettext("typed", "quit"): "quit",
        pgettext("typed", "recentre"): "recentre",
        pgettext("typed", "resume"): "resume",
        pgettext("typed", "right"): "right",
        pgettext("typed", "status"): "status",
        pgettext("typed", "stuck"): "stuck",
        pgettext("typed", "turn"): "turn",
        pgettext("typed", "undo"): "undo",
        pgettext("typed", "wait"): "wait",
        pgettext("typed", "where"): "where",
        pgettext("typed", "wrong"): "wrong",
        pgettext("typed", "yes"): "yes",
    }


def plain(word: str) -> str:
    """A word in small letters and without accents, which not every keyboard has."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(letter))


def english(word: str) -> str:
    """The English word that a typed word stands for, or the word itself, in small letters."""
    meant = {plain(local): meaning for local, meaning in _words().items()}
    return meant.get(plain(word), word.lower())


def typed(line: str) -> str:
    """What to type for an English line of the help, such as ``call Ada``; JSON is the same in every language."""
    if line.startswith("{"):
        return line
    local = {meaning: word for word, meaning in _words().items()} | {name: _(name) for name in (*COLORS, "Enter")}
    return re.sub(r"\w+", lambda word: local.get(word[0], word[0]), line)
