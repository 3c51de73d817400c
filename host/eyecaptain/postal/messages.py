"""The mails that a game sends. Nothing that came in by mail gets into a header of one, but a well-formed Message-ID."""

import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from eyecaptain.games.auction import ROUNDS, bids_of
from eyecaptain.games.geier import GeierGame
from eyecaptain.language import _
from eyecaptain.postal import reporthtml, reporttext
from eyecaptain.postal.orders import Reading
from eyecaptain.postal.reporttext import listed, signed
from eyecaptain.postal.spool import WHAT

_POLICY = policy.SMTP.clone(cte_type="7bit", max_line_length=76)


@dataclass(frozen=True, slots=True)
class Envelope:
    """Where a mail goes, and what it is.

    :param id: tells it from every other.
    :param what: as the log names it.
    :param name: the game's short name.
    :param sender, to: addresses; answers go to the sender, whose mailbox the program reads.
    :param round: the one that an answer is for.
    """

    id: str
    what: str
    name: str
    sender: str
    to: str
    round: int | None
    now: datetime


def mail(
    envelope: Envelope,
    subject: str,
    text: str,
    *,
    html: str | None = None,
    paper: dict[str, Any] | None = None,
    answer_to: str = "",
) -> bytes:
    """A whole message as bytes.

    :param answer_to: the Message-ID of the mail that it answers, or empty.
    """
    message = EmailMessage(policy=_POLICY)
    message["From"] = envelope.sender
    message["To"] = envelope.to
    tag = f"[geier {envelope.name}" + (f" R{envelope.round}]" if envelope.round is not None else "]")
    message["Subject"] = f"{tag} {subject}"
    message["Date"] = format_datetime(envelope.now)
    message["Message-ID"] = f"<{envelope.id}.{envelope.name}@{envelope.sender.partition('@')[2]}>"
    if answer_to:
        message["In-Reply-To"] = answer_to
        message["References"] = answer_to
    # RFC 3834: no program that knows manners answers this one.
    message["Auto-Submitted"] = "auto-replied" if answer_to else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message[WHAT] = f"{envelope.name} {envelope.what}"
    message.set_content(text)
    if html is not None:
        message.add_alternative(html, subtype="html")
    if paper is not None:
        data = json.dumps(paper, ensure_ascii=False, indent=1).encode()
        message.add_attachment(data, "application", "json", filename=f"geier-{envelope.name}-{paper['round']}.json")
    return message.as_bytes()


# --- what is in them -------------------------------------------------------------------------------------------------


def _wrapped(text: str) -> str:
    return textwrap.fill(text, reporttext.WIDTH)


def how_to_order(name: str, round_: int) -> str:
    """How an order is written."""
    keywords = (
        ("wait", _("do not evaluate before the deadline (nowait takes it back)")),
        ("absent", _("I am away (back ends it)")),
        ("clear", _("take my order back")),
        ("show", _("how do I stand?")),
        ("press: ...", _("something for the next report")),
    )
    parts = [
        _wrapped(_("Write your order for a round in one line, and your code in a line of its own:")),
        f"    R{round_}: A=12 B=4\n    xxxx-xxxx-xxxx",
        _wrapped(
            _(
                'A and B are the two animals. "12 4" means the same, and so does "+7=12 -4=4" with the animals themselves. '
                "The last order that was understood counts. You may order ahead for later rounds."
            )
        ),
        _("These words are understood, too, each in a line of its own:"),
        "\n".join(f"    {word:12}{meaning}" for word, meaning in keywords),
        _wrapped(_("What follows # in a line is not read. Keep [geier {name}] in the subject.").format(name=name)),
    ]
    return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class Welcome:
    """What a new player has to be told.

    :param deadline: by the player's clock; empty when there is none.
    :param nonces: whether a word for the shuffle is wanted.
    """

    name: str
    code: str
    commitment: str
    deadline: str
    nonces: bool


def welcome(game: GeierGame, told: Welcome, seat: int) -> tuple[str, str]:
    """Subject and text of the first mail to a player: the code, who plays, how orders are written."""
    others = listed([player for other, player in enumerate(game.players) if other != seat])
    parts = [
        _("Hello {player},").format(player=game.players[seat]),
        _wrapped(_("you play Hol's der Geier by mail, game {name}, with {others}.").format(name=told.name, others=others)),
        _("Your secret code is: {code}").format(code=told.code),
        _wrapped(_("Only with it, and only from this address, is a mail taken for yours. Nobody else needs to know it.")),
    ]
    if told.nonces:
        parts += [
            _wrapped(_("Before the animals are shuffled, send a word of your own: so nobody can have chosen the shuffle.")),
            "    nonce: ...",
        ]
    if told.deadline:
        until = _("Until {deadline}") if told.nonces else _("Orders until {deadline}")
        parts.append(until.format(deadline=told.deadline))
    parts += [how_to_order(told.name, game.round), _("Commitment to the shuffle: SHA-256") + f"\n  {told.commitment}"]
    return _("Welcome, and your code"), "\n\n".join(parts) + "\n"


def report(paper: dict[str, Any], language: str) -> tuple[str, str, str]:
    """Subject, text and HTML of a report."""
    if paper["over"]:
        subject = _("Round {round}, the last: {names}").format(round=paper["round"], names=listed(paper["winners"]) or "-")
    elif paper["round"] == 0:
        subject = _("The game begins")
    elif paper["correction"]:
        subject = _("CORRECTED report of round {round}").format(round=paper["round"])
    else:
        subject = _("Report of round {round}").format(round=paper["round"])
    return subject, reporttext.as_text(paper), reporthtml.as_html(paper, language)


def understood(game: GeierGame, seat: int, reading: Reading, count: int | None, deadline: str) -> tuple[str, str]:
    """Subject and text of an acknowledgement: how it was read, what would be substituted, what is left (rules.md B)."""
    lines = [_("Hello {player},").format(player=game.players[seat]), ""]
    for round_ in sorted(reading.orders):
        lines += _order_words(game, seat, round_)
    said = {
        "wait": _("The round is not evaluated before its deadline."),
        "nowait": _("The round may be evaluated as soon as all orders are in."),
        "absent": _("You are away: you are not reminded, and a missing order is excused. Your lowest cards are played then."),
        "back": _("You are back."),
        "clear": _("Your order is taken back: there is none on file."),
    }
    lines += [said[word] for word in reading.says if word in said]
    if reading.press:
        lines.append(_("Your press comes with the next report."))
    if reading.nonce:
        lines.append(_("Your word for the shuffle: {nonce}").format(nonce=reading.nonce))
    lines += ["", *standing(game, seat, deadline)]
    if count is not None:
        lines += ["", _("(Your mail number {count} that was understood in this game.)").format(count=count)]
    return _("Understood"), "\n".join(lines) + "\n"


def _order_words(game: GeierGame, seat: int, round_: int) -> list[str]:
    filed = game.filed(seat, round_)
    if filed is None:
        return []
    a, b = ("-" if card is None else str(card) for card in filed)
    lines = [_("Your order for round {round}: A={a} B={b}").format(round=round_, a=a, b=b)]
    animals = game.animals(round_) if round_ <= game.shown() else None
    if animals:
        lines[0] += _(" (A is {a}, B is {b})").format(a=signed(animals[0]), b=signed(animals[1]))
    if round_ > game.round:
        lines.append(_("  It is for a later round: what is not in your hand then is replaced by your lowest card."))
        return lines
    bids = bids_of(game.hands[seat], filed)
    for letter, card, played, flag in zip("AB", filed, bids.cards, bids.flags, strict=True):
        if flag == "missing":
            lines.append(
                _("  There is no card for {letter}: {played} would be played, your lowest.").format(
                    letter=letter, played=played
                )
            )
        elif flag == "illegal":
            lines.append(
                _("  {card} cannot be played for {letter}: {played} would be played instead, your lowest.").format(
                    card=card, letter=letter, played=played
                )
            )
    left = sorted(game.hands[seat] - set(bids.cards))
    lines.append(_("  Then you have left: {cards}").format(cards=" ".join(map(str, left)) or "-"))
    return lines


def standing(game: GeierGame, seat: int, deadline: str) -> list[str]:
    """How a player stands: the order on file, the hand, the deadline."""
    if game.over:
        return [_("The game is over.")]
    lines = [_("This is round {round} of {rounds}.").format(round=game.round, rounds=ROUNDS)]
    filed = game.filed(seat)
    if filed is None:
        lines.append(_("No order of yours is on file for it."))
    else:
        a, b = ("-" if card is None else str(card) for card in filed)
        lines.append(_("On file for it: A={a} B={b}").format(a=a, b=b))
    lines.append(_("Your hand: {cards}").format(cards=" ".join(map(str, sorted(game.hands[seat])))))
    if deadline:
        lines.append(_("Orders until {deadline}").format(deadline=deadline))
    return lines


def refused(game: GeierGame, seat: int, why: str, deadline: str) -> tuple[str, str]:
    """Subject and text for a mail that was not understood, or came too late: nothing of it counts."""
    lines = [
        _("Hello {player},").format(player=game.players[seat]),
        "",
        _("your mail was not accepted, and nothing has changed:"),
        f"  {why}",
        "",
        *standing(game, seat, deadline),
    ]
    return _("Not accepted"), "\n".join(lines) + "\n"


def suspicious(player: str | None) -> tuple[str, str]:
    """Subject and text for the game master: a mail that may be forged. Who claims to have sent it, and no address."""
    if player is None:
        text = _("A mail for this game came from an address that no player has. Nothing has changed.")
    else:
        text = _("A mail that claims to be by {player} came without the right code. Nothing has changed.").format(player=player)
    return _("A mail that may be forged"), _wrapped(text) + "\n"


def reminder(game: GeierGame, seat: int, deadline: str) -> tuple[str, str]:
    """Subject and text for somebody whose order is missing."""
    lines = [
        _("Hello {player},").format(player=game.players[seat]),
        "",
        _("your order is missing."),
        "",
        *standing(game, seat, deadline),
    ]
    return _("Your order is missing"), "\n".join(lines) + "\n"


def rolled_back(round_: int) -> tuple[str, str]:
    """Subject and text of a correction notice (H20)."""
    parts = [
        _(
            "There was a mistake. The game goes back to the beginning of round {round}; the reports of that round and of later "
            "ones do not count. Orders on file for round {round} stay, later ones are gone. A corrected report follows."
        ).format(round=round_),
        _("Whoever finds something wrong with it, please say so before the next deadline."),
    ]
    return _("Round {round} is evaluated again").format(round=round_), "\n\n".join(map(_wrapped, parts)) + "\n"


def moved(round_: int, deadline: Sequence[str]) -> tuple[str, str]:
    """Subject and text of the news that a deadline was moved."""
    text = _("The deadline of round {round} has been moved. Orders until:").format(round=round_)
    return _("New deadline of round {round}").format(round=round_), text + "\n" + "".join(f"  {at}\n" for at in deadline)
