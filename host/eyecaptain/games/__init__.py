"""The games: pure rules, found by their entry points (group ``eyecaptain.games``)."""

from importlib.metadata import entry_points

from eyecaptain.games.base import Game

GROUP = "eyecaptain.games"


def names() -> list[str]:
    """The names of the games that are installed, sorted."""
    return sorted(entry_points(group=GROUP).names)


def find(name: str) -> type[Game]:
    """The game of this name.

    :raises KeyError: no such game is installed.
    """
    for entry in entry_points(group=GROUP, name=name):
        game: type[Game] = entry.load()
        return game
    raise KeyError(name)
