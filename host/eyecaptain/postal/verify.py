"""Checking a report without trusting who made it: the shuffle, every hand, every auction (rules.md A10)."""

import json
from collections.abc import Mapping
from typing import Any

from eyecaptain.errors import BrokenSession, CaptainError
from eyecaptain.games.auction import NO_ORDER, SLOTS, Order
from eyecaptain.games.base import BadAction, Refused
from eyecaptain.games.commitment import commitment, deck, mixed
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import Deal
from eyecaptain.games.geierviews import round_summary
from eyecaptain.language import _, ngettext
from eyecaptain.postal.paper import paper

_NOT_PLAYED = {"missing": None, "illegal": 0}  # by its flag, what stood in an order instead of the card that was played


class NotSo(CaptainError):
    """Something in a report is not as the rules or the shuffle have it."""

    exit_code = 6


def check(report: Mapping[str, Any], seed: str | None = None) -> list[str]:
    """Check a report as `paper` makes it; returns what was checked, in words.

    :param seed: the seed as hex digits, where the report does not have it (yet).
    :raises NotSo: something is wrong; it says what.
    :raises BrokenSession: this is no report.
    """
    try:
        return list(_checked(report, seed or report.get("seed")))
    except (KeyError, TypeError, IndexError, AttributeError, ValueError, BadAction) as error:
        raise BrokenSession(
            _("This is no report of a game: {name}: {error}.").format(name=type(error).__name__, error=error),
            _("It is the JSON of a report."),
        ) from None


def _checked(report: Mapping[str, Any], seed: str | None) -> list[str]:
    if report["type"] != "geier report":
        raise ValueError(report["type"])
    history, players = report["history"], report["players"]
    said = []
    drawn = [each[slot]["pot"][-1] for each in history for slot in SLOTS]
    if report["next"] and report["next"]["animals"]:
        drawn += [report["next"]["animals"][slot] for slot in SLOTS]
    if seed is not None:
        raw = bytes.fromhex(seed)
        if commitment(report["game"], raw) != report["commitment"]:
            raise NotSo(_("The seed does not fit the commitment of the first report."), _("The shuffle may have been chosen."))
        animals = deck(raw if report["nonces"] is None else mixed(raw, report["nonces"]))
        if animals[: len(drawn)] != drawn:
            at = next(index for index, (one, other) in enumerate(zip(animals, drawn, strict=False)) if one != other)
            raise NotSo(
                _("Round {round}, {slot}: the seed gives {animal:+d}, the report has {reported:+d}.").format(
                    round=at // 2 + 1, slot=SLOTS[at % 2], animal=animals[at], reported=drawn[at]
                )
            )
        said.append(_("The seed fits the commitment, and gives these animals in this order."))
    else:
        # Any deck that begins as reported: what comes later decides nothing of what was.
        animals = drawn + [animal for animal in deck(b"") if animal not in drawn]
        said.append(_("The seed is not known yet: the shuffle can be checked after the last round."))
    if sorted(animals) != sorted(deck(b"")):
        raise NotSo(_("An animal comes twice."))
    game = GeierGame(players, report["options"])
    game.apply(Deal(animals))
    for number, reported in enumerate(history, start=1):
        _round(game, number, reported)
    _shown(game, report)
    said.append(
        ngettext(
            "{number} round: every card was in its player's hand, every auction went as the rules have it.",
            "{number} rounds: every card was in its player's hand, every auction went as the rules have it.",
            len(history),
        ).format(number=len(history))
    )
    return said


def _round(game: GeierGame, number: int, reported: Mapping[str, Any]) -> None:
    """Play a round with the orders that were reported, and compare what comes of it."""
    try:
        game.play_round([_order(reported, player) for player in game.players])
    except Refused as refused:
        raise NotSo(_("Round {round}: {why}.").format(round=number, why=refused.message)) from None
    ours = round_summary(game, number)
    for slot in SLOTS:
        for player, card in ours[slot]["bids"].items():
            if reported[slot]["bids"][player] != card:
                raise NotSo(
                    _("Round {round}, {slot}: by hand and order {player} plays {ours}, the report has {reported}.").format(
                        round=number, slot=slot, player=player, ours=card, reported=reported[slot]["bids"][player]
                    )
                )
        for key in ("pot", "winner"):
            if ours[slot][key] != reported[slot][key]:
                raise NotSo(
                    _("Round {round}, {slot}: by the rules it is {ours}, the report has {reported}.").format(
                        round=number, slot=slot, ours=ours[slot][key], reported=reported[slot][key]
                    )
                )


def _order(reported: Mapping[str, Any], player: str) -> Order | None:
    """The order that a player must have filed: what was played where it is marked as ok, else none or one that cannot be."""
    flags = [reported[slot]["flags"][player] for slot in SLOTS]
    a, b = (
        reported[slot]["bids"][player] if flag == "ok" else _NOT_PLAYED[flag] for slot, flag in zip(SLOTS, flags, strict=True)
    )
    return None if (a, b) == NO_ORDER else (a, b)


def _shown(game: GeierGame, report: Mapping[str, Any]) -> None:
    """Everything that a report shows follows from its rounds: it is worked out anew, and compared."""
    rounds = [each["round"] for each in report["history"]]
    if (report["over"], report["round"], rounds) != (game.over, len(rounds), [*range(1, len(rounds) + 1)]):
        raise NotSo(_("The report does not have as many rounds as it says."))
    scores = dict(zip(game.players, game.scores(), strict=True))
    for row in report["standings"]:
        if scores[row["player"]] != row["score"]:
            raise NotSo(
                _("{player} has {points} points, not {reported}.").format(
                    player=row["player"], points=scores[row["player"]], reported=row["score"]
                )
            )
    ours = paper(game, {"id": report["game"], "bots": None, "seed": None}, len(game.results))
    if ours["winners"] != report["winners"]:
        raise NotSo(_("The winners are not those of the report."))
    for key in ("auctions", "standings", "hands", "forfeited", "missing", "next"):
        if _told(ours[key]) != _told(report[key]):
            raise NotSo(
                _('"{part}" in the report does not follow from its rounds: by the rules it is {ours}.').format(
                    part=key, ours=json.dumps(_told(ours[key]), ensure_ascii=False)
                )
            )


def _told(part: Any) -> Any:
    """What follows from the rounds in a part of a report: deadlines, and who had said to be away, do not."""
    if isinstance(part, list):
        return [_told(each) for each in part]
    if isinstance(part, dict):
        return {key: each for key, each in part.items() if key not in ("deadline", "deadline_in_zones", "excused")}
    return part
