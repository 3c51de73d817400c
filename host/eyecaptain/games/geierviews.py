"""What may be seen of Hol's der Geier by mail, as plain values: by a seat, by everybody, in the keys that are promised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eyecaptain.games.auction import SLOTS
from eyecaptain.games.standings import ranks

if TYPE_CHECKING:
    from eyecaptain.games.geier import GeierGame


def view(game: GeierGame, seat: int | None) -> dict[str, Any]:
    """What a seat may know: its own orders, and what is public. Nothing of the animals to come."""
    shows = game.options["show_filed"]
    view: dict[str, Any] = {
        "game": game.name,
        "players": list(game.players),
        "status": game.status,
        "round": game.round,
        "turn": None,
        "animals": [list(game.animals(round_) or ()) for round_ in range(1, game.shown() + 1)],
        "carry": [list(pot) for pot in game.carry],
        "scores": game.scores(),
        "won": [list(animals) for animals in game.won],
        "hands": [sorted(hand) for hand in game.hands],
        "forfeited": list(game.forfeited),
        "filed": [game.filed(player) is not None if shows else None for player in range(len(game.players))],
        "absent": sorted(game.absent),
        "deadline": game.deadlines.get(game.round),
        "winners": game.winners(),
    }
    if seat is not None:
        view["orders"] = {
            round_: list(filed[seat]) for round_, filed in game.orders.items() if seat in filed and round_ >= game.round
        }
        view["waits"] = seat in game.waiting
    return view


def summary(game: GeierGame) -> dict[str, Any]:
    """The promised keys (design.md, sessions)."""
    scores = game.scores()
    return {
        "game": game.name,
        "status": game.status,
        "round": game.round,
        "scores": _by_name(game, scores),
        "won": _by_name(game, game.won),
        "forfeited": list(game.forfeited),
        "carry": dict(zip(SLOTS, map(list, game.carry), strict=True)),
        "hands": _by_name(game, [sorted(hand) for hand in game.hands]),
        "ranks": _by_name(game, ranks(scores)),
        "winners": [game.players[seat] for seat in game.winners()],
        "rounds": [round_summary(game, number) for number in range(1, len(game.results) + 1)],
    }


def round_summary(game: GeierGame, number: int) -> dict[str, Any]:
    """An evaluated round in the promised keys."""
    done = game.results[number - 1]
    found: dict[str, Any] = {"round": number}
    for slot, letter in enumerate(SLOTS):
        taker = done.takers[slot]
        found[letter] = {
            "pot": list(done.pots[slot]),
            "bids": _by_name(game, [bids.cards[slot] for bids in done.bids]),
            "flags": _by_name(game, [bids.flags[slot] for bids in done.bids]),
            "winner": None if taker is None else game.players[taker],
        }
    return found


def _by_name(game: GeierGame, values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(game.players, values, strict=True))
