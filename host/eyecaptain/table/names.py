"""Names of players: what may be one (design.md, two decks)."""

import unicodedata
from collections.abc import Iterable

from eyecaptain.errors import UsageProblem
from eyecaptain.language import _

LONGEST = 20
# Format characters that emoji are made of: the joiner, and the letters of the flags of England, Scotland and Wales.
_OF_EMOJI = {"\u200d", *map(chr, range(0xE0020, 0xE0080))}


def checked(names: Iterable[str]) -> list[str]:
    """The names in NFC and trimmed.

    :raises UsageProblem: one is empty, too long, holds what a name cannot hold, or is there twice.
    """
    result: list[str] = []
    for given in names:
        name = unicodedata.normalize("NFC", given).strip()
        if problem := _problem(name):
            raise UsageProblem(
                _("{given!r} cannot be a player's name: {problem}.").format(given=given, problem=problem),
                _("Example: --players Ada,Ben"),
            )
        same = next((other for other in result if other.casefold() == name.casefold()), None)
        if same is not None:
            raise UsageProblem(
                _("Two players are called {name!r}: nobody could tell them apart.").format(name=name),
                _("Give each another name."),
            )
        result.append(name)
    return result


def _problem(name: str) -> str | None:
    """Why `name` cannot be one, or None."""
    if not name:
        return _("it is empty")
    if len(name) > LONGEST:
        return _("it has {number} characters, and {most} are the most").format(number=len(name), most=LONGEST)
    if "," in name:
        return _("it has a comma, which separates names")
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and c not in _OF_EMOJI for c in name):
        return _("it has a character that cannot be printed (or that turns the direction of the text)")
    if all(c in _OF_EMOJI or unicodedata.category(c).startswith(("Z", "M")) for c in name):
        return _("nothing of it can be seen")
    return None
