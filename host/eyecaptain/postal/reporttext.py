"""A report as text, 80 columns: for mail, and for a zine (rules.md B)."""

import textwrap
import unicodedata
from collections.abc import Iterator
from typing import Any

from eyecaptain.games.auction import ROUNDS
from eyecaptain.language import N_, _

WIDTH = 76

KINDS = {"mouse": N_("mouse"), "vulture": N_("vulture")}
STATES = {"takes": N_("takes it"), "out": N_("knocked out"), "beaten": ""}
FLAGS = {"ok": "", "missing": N_("no order: lowest card"), "illegal": N_("card not in hand: lowest card")}


def signed(number: int) -> str:
    """An animal or points: +7, -4, 0."""
    return f"{number:+d}" if number else "0"


def pot_words(auction: dict[str, Any]) -> str:
    """What was auctioned: the animals, their sum where there are several, and what it counts as."""
    animals = " ".join(signed(animal) for animal in auction["pot"])
    kind = _(KINDS[auction["kind"]])
    if len(auction["pot"]) == 1:
        return f"{animals} ({kind})"
    return _("{animals} = {sum}: auctioned as a {kind}").format(animals=animals, sum=signed(auction["sum"]), kind=kind)


def explanation(auction: dict[str, Any]) -> str:
    """An auction in words: who knocked out whom, and who takes what with which card."""
    parts = [
        _("{players} knock each other out with {card}.").format(players=listed(out["players"]), card=out["card"])
        for out in auction["knocked_out"]
    ]
    animals = " ".join(signed(animal) for animal in auction["pot"])
    match auction["outcome"]:
        case "taken":
            card = next(bid["card"] for bid in auction["bids"] if bid["state"] == "takes")
            best = _("the highest card") if auction["kind"] == "mouse" else _("the lowest card")
            left = _("{best} that is left").format(best=best) if parts else best
            parts.append(
                _("{player} takes {animals} with {card}, {best}.").format(
                    player=auction["winner"], animals=animals, card=card, best=left
                )
            )
        case "waits":
            parts.append(
                _("Nobody is left: {animals} waits for the next {slot}.").format(animals=animals, slot=auction["slot"])
            )
        case _:
            parts.append(_("Nobody is left, and no round comes: {animals} is lost.").format(animals=animals))
    return " ".join(parts)


def listed(names: list[str]) -> str:
    """Names in a row: Ada, Ben and Cleo."""
    if len(names) < 2:
        return "".join(names)
    return _("{some} and {last}").format(some=", ".join(names[:-1]), last=names[-1])


def title(paper: dict[str, Any]) -> str:
    """What the report is."""
    if paper["round"] == 0:
        name = _("Hol's der Geier, game {name}: the start")
    elif paper["correction"]:
        name = _("Hol's der Geier, game {name}: CORRECTED report of round {round} of {rounds}")
    else:
        name = _("Hol's der Geier, game {name}: report of round {round} of {rounds}")
    return name.format(name=paper["name"], round=paper["round"], rounds=ROUNDS)


def wide(text: str) -> int:
    """How many columns a text takes in a terminal or a mail program."""
    return sum(
        0
        if unicodedata.combining(c) or unicodedata.category(c) == "Cf"
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in text
    )


def padded(text: str, columns: int) -> str:
    """The text with spaces after it."""
    return text + " " * max(0, columns - wide(text))


def as_text(paper: dict[str, Any]) -> str:
    """The whole report."""
    return "\n".join(_lines(paper)) + "\n"


def _lines(paper: dict[str, Any]) -> Iterator[str]:
    name = title(paper)
    yield name
    yield "=" * wide(name)
    names = max(wide(player) for player in paper["players"])
    for auction in paper["auctions"]:
        yield ""
        yield f"{auction['slot']}: {pot_words(auction)}"
        for bid in auction["bids"]:
            notes = "; ".join(_(note) for note in (STATES[bid["state"]], FLAGS[bid["flag"]]) if note)
            mark = {"takes": "*", "out": "x", "beaten": " "}[bid["state"]]
            yield f"  {mark} {padded(bid['player'], names)} {bid['card']:3}  {notes}".rstrip()
        yield from textwrap.wrap(explanation(auction), WIDTH, initial_indent="  ", subsequent_indent="  ")
    for missing in paper["missing"]:
        yield ""
        yield from textwrap.wrap(missing_words(missing), WIDTH)
    yield ""
    yield _("Standings")
    for row in paper["standings"]:
        change = f"({signed(row['change'])})" if paper["round"] else ""
        animals = " ".join(signed(animal) for animal in row["won"])
        yield f"  {row['rank']:2}. {padded(row['player'], names)} {signed(row['score']):>4} {change:>6}  {animals}".rstrip()
    yield from _rest(paper, names)


def _rest(paper: dict[str, Any], names: int) -> Iterator[str]:
    if paper["over"]:
        yield ""
        winners = listed(paper["winners"])
        yield _("The game is over. Winner: {names}.").format(names=winners) if winners else _("The game is over. Nobody wins.")
        if paper["forfeited"]:
            lost = " ".join(signed(animal) for animal in paper["forfeited"])
            yield _("Lost: {animals}").format(animals=lost)
    else:
        yield ""
        yield _("Cards in hand")
        for player, hand in paper["hands"].items():
            text = " ".join(map(str, hand))
            yield from textwrap.wrap(
                text, WIDTH, initial_indent=f"  {padded(player, names)}  ", subsequent_indent=" " * (names + 4)
            )
        yield ""
        yield from next_words(paper["next"])
    for press in paper["press"]:
        yield ""
        yield _("Press by {player}:").format(player=press["player"]) if press["player"] else _("Press by the game master:")
        yield from textwrap.wrap(press["text"], WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield ""
    yield from proof_words(paper)


def missing_words(missing: dict[str, Any]) -> str:
    """Who had no order on file (H14, H15)."""
    if missing["excused"]:
        return _("{player} had no order on file, and had said so.").format(player=missing["player"])
    if missing["in_a_row"] > 1:
        return _("{player} had no order on file, for {number} rounds now. Who would play on in this seat?").format(
            player=missing["player"], number=missing["in_a_row"]
        )
    return _("{player} had no order on file.").format(player=missing["player"])


def next_words(coming: dict[str, Any]) -> Iterator[str]:
    """The next two animals, what waits for them, and the deadline."""
    yield _("Round {round}").format(round=coming["round"])
    for slot in ("A", "B"):
        animal = _("not announced") if coming["animals"] is None else signed(coming["animals"][slot])
        waits = " ".join(signed(each) for each in coming["carry"][slot])
        pot = _(" (with {waits} from before)").format(waits=waits) if waits else ""
        yield f"  {slot}: {animal}{pot}"
    if coming["deadline_in_zones"]:
        yield _("  Orders until {deadline}").format(deadline=coming["deadline_in_zones"][0])
        for other in coming["deadline_in_zones"][1:]:
            yield f"    = {other}"
    else:
        yield _("  There is no deadline yet.")


def proof_words(paper: dict[str, Any]) -> Iterator[str]:
    """What anybody needs to check the shuffle (A10)."""
    if paper["commitment"] is None:
        return
    yield _("Commitment to the shuffle: SHA-256")
    yield f"  {paper['commitment']}"
    for player, nonce in zip(paper["players"], paper["nonces"] or (), strict=False):
        yield _("  {player} added: {nonce}").format(player=player, nonce=nonce or "-")
    if paper["seed"]:
        yield _("Seed of the shuffle, to check it with: captain geier verify")
        yield f"  {paper['seed']}"
