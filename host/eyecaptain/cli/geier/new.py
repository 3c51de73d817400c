"""`captain geier new`: a game by mail begins."""

from pathlib import Path

import click

from eyecaptain.cli import console
from eyecaptain.cli.geier import common
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import UsageProblem
from eyecaptain.language import LANGUAGES, _


@click.command()
@click.option(
    "--player", "players", multiple=True, metavar="NAME=ADDRESS[,ZONE][,LANGUAGE]", help="A player; as often as needed."
)
@click.option("--bots", metavar="N[:STRENGTH]", help="So many bots for empty seats: easy, medium or hard.")
@click.option("--zone", default="UTC", show_default=True, help="The time zone of the game, as Europe/Berlin.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="The language of its reports.")
@click.option(
    "--deadline", metavar="'YYYY-MM-DD HH:MM'", help="Until when the first orders must be in, by the clock of --zone."
)
@click.option("--days", type=click.IntRange(0, 365), default=0, help="So many days from one deadline to the next.")
@click.option(
    "--remind", default="72,24", show_default=True, metavar="HOURS", help="When to remind, in hours before a deadline."
)
@click.option("--nonces", is_flag=True, help="Players add a word to the shuffle; --deadline is for these words.")
@click.option("--tie-break", type=click.Choice(["shared", "cancel", "best_mouse"]), help="Who wins with equal scores.")
@click.option("--late", type=click.Choice(["accept", "refuse"]), help="Orders after the deadline, before the evaluation.")
@click.option("--blind", is_flag=True, help="The animals are announced after their auction only.")
@click.option("--hide-filed", is_flag=True, help="Do not tell who has an order on file.")
@click.option("--master", default="", metavar="ADDRESS", help="The game master's address.")
@click.option("--seed", metavar="HEX", help="The seed of the shuffle (default: drawn).")
@common.sending
@sessions_folder
@as_json
def new(
    players: tuple[str, ...],
    bots: str | None,
    zone: str,
    language: str,
    deadline: str | None,
    days: int,
    remind: str,
    nonces: bool,
    tie_break: str | None,
    late: str | None,
    blind: bool,
    hide_filed: bool,
    master: str,
    seed: str | None,
    via: str | None,
    outbox: Path | None,
    sessions: Path,
    json: bool,
) -> None:
    """Begin a game: everybody gets a welcome with a secret code, and the first two animals.

    The shuffle is committed to: its fingerprint is in the first mail, its seed in the last report, and captain geier verify
    checks one against the other.
    """
    from eyecaptain.postal import founding, roster
    from eyecaptain.postal.deadlines import zone_of

    zone = zone_of(zone).key
    options: dict[str, object] = {"announce": "blind"} if blind else {}
    options |= {"show_filed": False} if hide_filed else {}
    options |= {key: value for key, value in (("tie_break", tie_break), ("late", late)) if value is not None}
    plan = founding.Plan(
        [_player(text, zone, language) for text in players],
        zone,
        language,
        bots=_bots(bots),
        deadline=common.moment(deadline, zone) if deadline else None,
        days=days,
        remind=_hours(remind),
        nonces=nonces,
        master=roster.address_of(master) if master else "",
        options=options,
        seed=_seed(seed),
    )
    with founding.begin(sessions, plan, common.now) as desk:
        if warning := founding.unusual(len(plan.people) + len(plan.bots)):
            console.say(_("Note: {warning}").format(warning=warning))
        desk.catch_up()
        result = {"game": desk.header["id"], "name": desk.name, "commitment": desk.paper(0)["commitment"]}
        if json:
            console.emit(result)
        else:
            click.echo(_("Game {name} begins. Commitment to the shuffle: {commitment}").format(**result))
        common.must_be_sent(common.send([desk], via, outbox))


def _player(text: str, zone: str, language: str) -> tuple[str, str, str, str]:
    """A player as typed: name, address, time zone, language."""
    from eyecaptain.postal.deadlines import zone_of

    name, _equals, rest = text.partition("=")
    address, *more = (part.strip() for part in rest.split(","))
    for part in more:
        if part in LANGUAGES:
            language = part
        else:
            zone = zone_of(part).key
    return name.strip(), address, zone, language


def _bots(text: str | None) -> list[str]:
    from eyecaptain.games.bots import DEFAULT, STRENGTHS

    if text is None:
        return []
    number, _colon, strength = text.partition(":")
    strength = strength or DEFAULT
    if not (number.isascii() and number.isdecimal()) or strength not in STRENGTHS or int(number) > 99:
        raise UsageProblem(_("--bots {text}: say how many, and how strong.").format(text=text), _("Example: --bots 2:hard"))
    return [strength] * int(number)


def _hours(text: str) -> list[int]:
    try:
        hours = sorted({int(part) for part in text.split(",") if part.strip()}, reverse=True)
    except ValueError:
        hours = [-1]
    if any(not 0 < each <= 1000 for each in hours):
        raise UsageProblem(_("--remind {text}: these are no hours.").format(text=text), _("Example: --remind 72,24"))
    return hours


def _seed(text: str | None) -> str | None:
    try:
        if text is not None and len(bytes.fromhex(text)) < 16:
            raise ValueError(text)
    except ValueError:
        raise UsageProblem(_("--seed: it must be 32 hex digits or more, so that nobody can guess it.")) from None
    return text
