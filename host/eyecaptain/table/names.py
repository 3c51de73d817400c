"""Names of players: what may be one (design.md, two decks)."""

import unicodedata
from collections.abc import Iterable

from eyecaptain.errors import UsageProblem

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
            raise UsageProblem(f"{given!r} cannot be a player's name: {problem}.", "Example: --players Ada,Ben")
        same = next((other for other in result if other.casefold() == name.casefold()), None)
        if same is not None:
            raise UsageProblem(f"Two players are called {name!r}: nobody could tell them apart.", "Give each another name.")
        result.append(name)
    return result


def _problem(name: str) -> str | None:
    """Why `name` cannot be one, or None."""
    if not name:
        return "it is empty"
    if len(name) > LONGEST:
        return f"it has {len(name)} characters, and {LONGEST} are the most"
    if "," in name:
        return "it has a comma, which separates names"
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and c not in _OF_EMOJI for c in name):
        return "it has a character that cannot be printed (or that turns the direction of the text)"
    if all(c in _OF_EMOJI or unicodedata.category(c).startswith(("Z", "M")) for c in name):
        return "nothing of it can be seen"
    return None
