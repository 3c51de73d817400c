"""The report of a round as plain data: what text, HTML and JSON are made from. All of it is public (rules.md B)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from eyecaptain.games.auction import ROUNDS, SLOTS, knocked_out
from eyecaptain.games.commitment import commitment
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geierviews import round_summary
from eyecaptain.games.standings import ranks
from eyecaptain.postal.deadlines import in_zones

FORMAT = 1


def short_name(game_id: str) -> str:
    """What a game is called in mail: the last four characters of its id."""
    return game_id[-4:].lower()


def paper(
    game: GeierGame, header: Mapping[str, Any], number: int, *, correction: bool = False, zones: Sequence[str] = ("UTC",)
) -> dict[str, Any]:
    """The report of round `number`, 0 for the start; the game may have gone on since.

    :param header: of the session; its seed comes into the report of the last round only, when there is nothing to win by it.
    :param zones: those in which the next deadline is said.
    """
    results = game.results[:number]
    won: list[list[int]] = [[] for _ in game.players]
    before = [0] * len(game.players)
    for done in results:
        before = [sum(animals) for animals in won]
        for pot, taker in zip(done.pots, done.takers, strict=True):
            if taker is not None:
                won[taker] += pot
    over = number == ROUNDS
    return {
        "type": "geier report",
        "format": FORMAT,
        "game": header["id"],
        "name": short_name(header["id"] or "game"),
        "players": list(game.players),
        "bots": [bot is not None for bot in header["bots"] or [None] * len(game.players)],
        "options": dict(game.options),
        "round": number,
        "over": over,
        "correction": correction,
        "auctions": [_auction(game, number, slot) for slot in range(2)] if number else [],
        "standings": _standings(game, won, before),
        "hands": {
            player: sorted(set(range(1, 17)).difference(*(done.bids[seat].cards for done in results)))
            for seat, player in enumerate(game.players)
        },
        "missing": [
            {"player": game.players[seat], "in_a_row": _in_a_row(game, number, seat), "excused": seat in game.absent}
            for seat in (results[-1].unordered if results else ())
        ],
        "press": [
            {"player": None if seat is None else game.players[seat], "text": text}
            for round_, seat, text in game.press
            if round_ == number or (over and round_ > number)
        ],
        "next": None if over else _next(game, number, zones),
        "winners": [game.players[seat] for seat in game.winners()] if over else [],
        "forfeited": list(game.forfeited) if over else [],
        "commitment": commitment(header["id"], bytes.fromhex(header["seed"])) if header["seed"] else None,
        # By seat, "" where none came; null: nobody was asked, and the seed alone shuffles.
        "nonces": [game.nonces.get(seat, "") for seat in range(len(game.players))] if 0 in game.deadlines else None,
        "seed": header["seed"] if over else None,
        "history": [round_summary(game, round_) for round_ in range(1, number + 1)],
    }


def _auction(game: GeierGame, number: int, slot: int) -> dict[str, Any]:
    """One auction with its bids in the order in which they are looked at, and who knocked out whom."""
    done = game.results[number - 1]
    pot, taker = done.pots[slot], done.takers[slot]
    cards = [bids.cards[slot] for bids in done.bids]
    out = knocked_out(pot, cards)
    out_seats = {seat for _, seats in out for seat in seats}
    order = sorted(range(len(cards)), key=lambda seat: (-cards[seat] if sum(pot) >= 0 else cards[seat], seat))
    return {
        "slot": SLOTS[slot],
        "animal": pot[-1],
        "pot": list(pot),
        "sum": sum(pot),
        "kind": "mouse" if sum(pot) >= 0 else "vulture",
        "bids": [
            {
                "player": game.players[seat],
                "card": cards[seat],
                "flag": done.bids[seat].flags[slot],
                "state": "takes" if seat == taker else "out" if seat in out_seats else "beaten",
            }
            for seat in order
        ],
        "knocked_out": [{"card": card, "players": [game.players[seat] for seat in seats]} for card, seats in out],
        "winner": None if taker is None else game.players[taker],
        "outcome": "taken" if taker is not None else "lost" if number == ROUNDS else "waits",
    }


def _standings(game: GeierGame, won: Sequence[Sequence[int]], before: Sequence[int]) -> list[dict[str, Any]]:
    """Everybody by rank, with what the last round changed."""
    scores = [sum(animals) for animals in won]
    places = ranks(scores)
    return [
        {
            "rank": places[seat],
            "player": game.players[seat],
            "score": scores[seat],
            "change": scores[seat] - before[seat],
            "won": list(won[seat]),
        }
        for seat in sorted(range(len(scores)), key=lambda seat: (places[seat], seat))
    ]


def _in_a_row(game: GeierGame, number: int, seat: int) -> int:
    """How many rounds in a row, up to this one, a seat had no order on file (H15)."""
    count = 0
    while count < number and seat in game.results[number - 1 - count].unordered:
        count += 1
    return count


def _next(game: GeierGame, number: int, zones: Sequence[str]) -> dict[str, Any]:
    """What is auctioned next, and until when orders are taken."""
    round_ = number + 1
    waits: tuple[list[int], list[int]] = ([], [])
    if number:
        done = game.results[number - 1]
        for slot, taker in enumerate(done.takers):
            if taker is None:
                waits[slot].extend(done.pots[slot])
    animals = game.animals(round_) if round_ <= game.shown() else None
    at = game.deadlines.get(round_)
    return {
        "round": round_,
        "animals": dict(zip(SLOTS, animals, strict=True)) if animals else None,
        "carry": dict(zip(SLOTS, waits, strict=True)),
        "deadline": at,
        "deadline_in_zones": in_zones(datetime.fromisoformat(at), zones) if at else [],
    }
