"""The first minutes and the whole evening: what to play, who plays, and another game with the same people."""

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from eyecaptain.errors import UsageProblem
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import N_, _, ngettext
from eyecaptain.sessions.writer import sync
from eyecaptain.table.names import checked

GAMES = (
    ("team", N_("together against the eye, from 5 years")),
    ("solo", N_("every sailor for himself, from 4 years")),
    ("captain", N_("who sees first that a colour is gone, from 6 years")),
)
MOST = 4  # players (rules.md E2)


def ask(remembered: Path) -> dict[str, Any]:
    """Ask what to play and who plays, with the last answers as the defaults; return them as the options of `play`.

    :param remembered: where the last answers are kept; a file that cannot be read or written is done without.
    """
    last = _last(remembered)
    for number, (name, words) in enumerate(GAMES, start=1):
        click.echo(f"  {number}  {name:8} {_(words)}", err=True)
    names = [name for name, _words in GAMES]
    default = names.index(last["game"]) + 1 if last.get("game") in names else 1
    game = click.prompt(_("Which game?"), default=str(default), value_proc=_game, err=True)
    you = last.get("players") or _("You")
    people = click.prompt(_("Who plays? (names with commas)"), default=you, value_proc=_people, err=True)
    least, most = max(0, 2 - len(people)), MOST - len(people)
    bots = 0
    if most:
        usual = last.get("bots") if last.get("players") == ",".join(people) else None
        usual = usual if isinstance(usual, int) and least <= usual <= most else min(most, 2 if least else 0)
        bots = click.prompt(_("How many bots?"), type=click.IntRange(least, most), default=usual, err=True)
    board = click.prompt(_("Which board? (auto, none, sim, or a port)"), default=last.get("board") or "auto", err=True)
    answers = {"game": game, "players": ",".join(people), "bots": bots, "board": board}
    _remember(remembered, answers)
    return answers | {"bots": str(bots)}


def _game(text: str) -> str:
    """The game that an answer names, or numbers as in the list.

    :raises click.UsageError: it is neither; click asks again.
    """
    for number, (name, _words) in enumerate(GAMES, start=1):
        if text.strip().casefold() in (str(number), name):
            return name
    names = ", ".join(f"{number} {name}" for number, (name, _words) in enumerate(GAMES, start=1))
    raise click.UsageError(_("The games are: {names}.").format(names=names))


def _people(text: str) -> list[str]:
    """The names in an answer.

    :raises click.UsageError: one cannot be a name; click asks again.
    """
    try:
        people = checked(text.split(","))
    except UsageProblem as error:
        raise click.UsageError(error.message) from None
    if len(people) > MOST:
        raise click.UsageError(_("{most} can play, not {number}.").format(most=MOST, number=len(people)))
    return people


def _last(remembered: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = json.loads(remembered.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    return {}


def _remember(remembered: Path, answers: dict[str, Any]) -> None:
    with suppress(OSError):
        remembered.parent.mkdir(parents=True, exist_ok=True)
        fresh = remembered.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(answers, file, ensure_ascii=False)
            file.flush()
            sync(file.fileno())
        fresh.replace(remembered)


class Evening:
    """The games that the same people have played since the program began."""

    def __init__(self) -> None:
        self._games = 0
        self._wins: Counter[str] = Counter()

    def add(self, game: TwelveGame) -> None:
        """A game is over."""
        self._games += 1
        self._wins.update(dict.fromkeys(game.players, 0) | {game.players[seat]: 1 for seat in game.winners()})

    def score(self) -> str:
        """How often everybody has won, in one line."""
        wins = ", ".join(f"{player} {number}" for player, number in self._wins.items())
        words = ngettext(
            "This evening: {number} game, won by {wins}.", "This evening: {number} games, won by {wins}.", self._games
        )
        return words.format(number=self._games, wins=wins)
