"""Random legal play of each game through the engine's public interface; the caller brings the generator."""

import random
from collections.abc import Iterator

from eyecaptain.games import captain, solo, team
from eyecaptain.games.base import COLORS, LETTERS, Action, Deal, Die, Recentre
from eyecaptain.games.twelve import TwelveGame

KINDS: dict[str, type[TwelveGame]] = {"team": team.TeamGame, "solo": solo.SoloGame, "captain": captain.CaptainGame}
NAMES = ("Ada", "Ben", "Cleo", "Dan")


def new_game(name: str, rng: random.Random) -> TwelveGame:
    """A game with random players and options, on a virtual deck."""
    players = NAMES[: rng.randint(2, 4)]
    options: dict[str, object] = {"start": rng.randrange(len(players))}
    if name == "team":
        options |= {"open_corners": rng.randint(0, 4), "reveal_galley": rng.random() < 0.5}
    return KINDS[name](players, options)


def deal(game: TwelveGame, rng: random.Random) -> Deal:
    letters = list("RRRGGGBBBYYY")
    rng.shuffle(letters)
    return Deal(game.round, "".join(letters))


def next_action(game: TwelveGame, rng: random.Random) -> Action:
    """Something that is allowed now."""
    if game.needs_deal:
        return deal(game, rng)
    roll = rng.random()
    if game.name == "solo":
        return _solo_lift(game, rng)
    if game.die is None or roll < 0.3:
        return Die(rng.choice(COLORS), by="world")
    if game.name == "team":
        return _team_action(game, roll, rng)
    if not game.deck or roll > 0.97:
        return captain.Void() if not game.deck and roll < 0.5 else captain.Call(rng.randrange(len(game.players)))
    if roll > 0.95:
        return Recentre(rng.choice(["stuck", "exhausted"]))
    dropping = rng.choice(game.ids_on_deck())
    return captain.Lift(game.turn, LETTERS[str(game.layout)[dropping]] == game.die, dropping)


def _team_action(game: TwelveGame, roll: float, rng: random.Random) -> Action:
    assert isinstance(game, team.TeamGame)
    dropping = rng.choice(game.ids_on_deck())
    color = LETTERS[str(game.layout)[dropping]]
    if roll > 0.9 and game.options["open_corners"]:
        return team.DieFell() if roll > 0.995 else team.Fall(dropping, color)
    if game.deck == 1 and roll > 0.6:
        return team.Final(rng.choice(COLORS), color)
    if game.galley >= 7 and roll < 0.4:
        return team.Concede()
    return team.Lift(game.turn, color, dropping)


def _solo_lift(game: TwelveGame, rng: random.Random) -> Action:
    assert isinstance(game, solo.SoloGame)
    there = game.ids_on_deck()
    dropping = rng.choice([each for each in there if each != game.barred or len(there) == 1])
    return solo.Lift(game.turn, rng.choice(COLORS), LETTERS[str(game.layout)[dropping]], dropping)


def play(game: TwelveGame, rng: random.Random) -> Iterator[Action]:
    """Play to the end; yields each action after it was applied."""
    while not game.over:
        action = next_action(game, rng)
        game.apply(action)
        yield action
