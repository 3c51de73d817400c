"""Checking a report without trusting who made it: the shuffle, every hand, every auction (rules.md A10)."""

from collections.abc import Mapping
from typing import Any

from eyecaptain.errors import BrokenSession, CaptainError
from eyecaptain.games.base import BadAction, Refused
from eyecaptain.games.commitment import commitment, deck, mixed
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import Deal
from eyecaptain.games.geierviews import round_summary
from eyecaptain.language import N_, Text, _


class NotSo(CaptainError):
    """Something in a report is not as the rules or the shuffle have it."""

    exit_code = 6


def check(report: Mapping[str, Any], seed: str | None = None) -> list[Text]:
    """Check a report as `paper` makes it; returns what was checked, in words.

    :param seed: the seed as hex digits, where the report does not have it (yet).
    :raises NotSo: something is wrong; it says what.
    :raises BrokenSession: this is no report.
    """
    try:
        return _checked(report, seed or report.get("seed"))
    except (KeyError, TypeError, IndexError, AttributeError, ValueError, BadAction) as error:
        raise BrokenSession(
            _("This is no report of a game: {name}: {error}.").format(name=type(error).__name__, error=error),
            _("It is the JSON of a report."),
        ) from None


def _checked(report: Mapping[str, Any], seed: str | None) -> list[Text]:
    if report["type"] != "geier report":
        raise ValueError(report["type"])
    history, players = report["history"], report["players"]
    said = []
    drawn = [each[slot]["pot"][-1] for each in history for slot in ("A", "B")]
    if seed is not None:
        raw = bytes.fromhex(seed)
        if report["commitment"] and commitment(report["game"], raw) != report["commitment"]:
            raise NotSo(_("The seed does not fit the commitment of the first report."), _("The shuffle may have been chosen."))
        animals = deck(raw if report["nonces"] is None else mixed(raw, report["nonces"]))
        if animals[: len(drawn)] != drawn:
            at = next(index for index, (one, other) in enumerate(zip(animals, drawn, strict=False)) if one != other)
            slot = "AB"[at % 2]
            raise NotSo(
                _("Round {round}, {slot}: the seed gives {animal:+d}, the report has {reported:+d}.").format(
                    round=at // 2 + 1, slot=slot, animal=animals[at], reported=drawn[at]
                )
            )
        said.append(Text(N_("The seed fits the commitment, and gives these animals in this order.")))
    else:
        # Any deck that begins as reported: what comes later decides nothing of what was.
        animals = drawn + [animal for animal in deck(b"") if animal not in drawn]
        said.append(Text(N_("The seed is not known yet: the shuffle can be checked after the last round.")))
    game = GeierGame(players, report["options"])
    game.apply(Deal(_each_once(animals)))
    for number, reported in enumerate(history, start=1):
        _round(game, number, reported)
    if report["over"] != game.over:
        raise NotSo(
            _("The report says that the game is over, but rounds are missing.") if report["over"] else _("The game is over.")
        )
    scores = dict(zip(players, game.scores(), strict=True))
    for row in report["standings"]:
        if scores[row["player"]] != row["score"]:
            raise NotSo(
                _("{player} has {points} points, not {reported}.").format(
                    player=row["player"], points=scores[row["player"]], reported=row["score"]
                )
            )
    if report["over"] and [players[seat] for seat in game.winners()] != report["winners"]:
        raise NotSo(_("The winners are not those of the report."))
    words = N_("{number} rounds: every card was in its player's hand, every auction went as the rules have it.")
    said.append(Text(words, number=len(history)))
    return said


def _each_once(animals: list[int]) -> list[int]:
    if sorted(animals) != sorted(deck(b"")):
        raise NotSo(_("An animal comes twice."))
    return animals


def _round(game: GeierGame, number: int, reported: Mapping[str, Any]) -> None:
    """Play a round with the cards that were reported, and compare."""
    for player, hand in zip(game.players, game.hands, strict=True):
        cards = {reported[slot]["bids"][player] for slot in ("A", "B")}
        if len(cards) != 2 or not cards <= hand:
            raise NotSo(
                _("Round {round}: {player} did not have the cards that were played.").format(round=number, player=player)
            )
    _substitutions(game, number, reported)
    try:
        game.play_round([tuple(reported[slot]["bids"][player] for slot in ("A", "B")) for player in game.players])
    except Refused as refused:
        raise NotSo(_("Round {round}: {why}.").format(round=number, why=refused.message)) from None
    ours = round_summary(game, number)
    for slot in ("A", "B"):
        for key in ("pot", "winner"):
            if ours[slot][key] != reported[slot][key]:
                raise NotSo(
                    _("Round {round}, {slot}: by the rules it is {ours}, the report has {reported}.").format(
                        round=number, slot=slot, ours=ours[slot][key], reported=reported[slot][key]
                    )
                )


def _substitutions(game: GeierGame, number: int, reported: Mapping[str, Any]) -> None:
    """A card that stands for a missing or irregular one is the lowest that was left (A4)."""
    for player, hand in zip(game.players, game.hands, strict=True):
        kept = {reported[slot]["bids"][player] for slot in ("A", "B") if reported[slot]["flags"][player] == "ok"}
        lowest = sorted(hand - kept)
        for slot in ("A", "B"):
            if reported[slot]["flags"][player] != "ok" and reported[slot]["bids"][player] != lowest.pop(0):
                raise NotSo(
                    _("Round {round}, {slot}: {player} had a lower card to be substituted.").format(
                        round=number, slot=slot, player=player
                    )
                )
