"""Bots: they know what their seat may know, and nothing else."""

from typing import Any

from eyecaptain.games.base import Game
from eyecaptain.games.bots.base import DEFAULT, STRENGTHS, Bot
from eyecaptain.games.bots.captain import CaptainBot
from eyecaptain.games.bots.solo import SoloBot
from eyecaptain.games.bots.team import TeamBot
from eyecaptain.games.draws import Draws

__all__ = ["DEFAULT", "STRENGTHS", "Bot", "bot_for", "seat_view"]

_BOTS: dict[str, type[Bot]] = {"team": TeamBot, "solo": SoloBot, "captain": CaptainBot}


def bot_for(game: type[Game], seat: int, seed: bytes, strength: str = DEFAULT) -> Bot:
    """A bot for a seat of this game; the same seed makes the same bot. An unknown strength is played as the default."""
    strength = strength if strength in STRENGTHS else DEFAULT
    return _BOTS[game.name](seat, Draws(seed, f"BOT{seat}".encode()), strength)


def seat_view(game: Game, seat: int, places: dict[str, Any] | None) -> dict[str, Any]:
    """What a seat sees: its view of the game, and where things lie."""
    return game.view(seat) | {"seat": seat, "places": places}
