"""`captain geier order|status|preview|run`: the daily work."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.geier import common
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import UsageProblem
from eyecaptain.language import N_, _


@click.command()
@click.argument("line")
@click.option("--player", metavar="NAME", help="Whose order it is, when it is not in the line.")
@click.option("--seal", is_flag=True, help="Print a commitment to the order, to be published before the deadline.")
@common.game_option
@sessions_folder
@as_json
def order(line: str, player: str | None, seal: bool, game: str | None, sessions: Path, json: bool) -> None:
    """File an order that came by another way, as the player would write it: 'R3 Ada: A=12 B=4'.

    A game master who plays, too, can seal an order (--seal): the commitment is made public at once, and what it was made of
    after the evaluation.
    """
    from eyecaptain.postal import intake, messages, office
    from eyecaptain.postal.desk import Desk
    from eyecaptain.postal.orders import Unclear

    with Desk.open(office.find(sessions, game), common.now) as desk:
        try:
            seat, reading = intake.line(desk, line, player)
            if reading.empty:
                raise Unclear(N_("No order was found in it."))
        except Unclear as unclear:
            raise UsageProblem(str(unclear), _("Nothing has changed.")) from None
        intake.apply(desk, seat, reading, late=intake.is_late(desk, common.now()))
        result: dict[str, Any] = {"player": desk.game.players[seat], "orders": reading.orders, "says": reading.says}
        if seal:
            result |= {"seals": _seals(desk, seat, reading.orders)}
        if json:
            console.emit(result)
            return
        _subject, text = messages.understood(desk.game, seat, reading, None, desk.deadline_words(seat))
        click.echo(text, nl=False)
        for seal_ in result.get("seals", ()):
            click.echo(_("Publish now: {commitment}").format(**seal_))
            click.echo(_("Keep until the evaluation: {opening}").format(**seal_))


def _seals(desk: Any, seat: int, orders: dict[int, tuple[int | None, int | None]]) -> list[dict[str, str]]:
    """A commitment for each whole order, and what opens it (rules.md A10)."""
    import secrets

    from eyecaptain.games.commitment import sealed

    seals = []
    for round_, (a, b) in orders.items():
        if a is None or b is None:
            raise UsageProblem(_("Only a whole order can be sealed: A and B."))
        nonce, game = secrets.token_hex(16), desk.header["id"]
        opening = f"{game}|{round_}|{seat}|{a}|{b}|{nonce}"
        seals.append({"commitment": sealed(game, round_, seat, (a, b), nonce), "opening": opening})
    return seals


@click.command()
@common.game_option
@sessions_folder
@as_json
def status(game: str | None, sessions: Path, json: bool) -> None:
    """Say how the games stand: whose order is missing, until when, and what mail waits. It names no order."""
    from eyecaptain.postal import office
    from eyecaptain.postal.desk import Desk

    folders = [office.find(sessions, game)] if game is not None else office.games(sessions)
    found = []
    for folder in folders:
        with Desk.open(folder, common.now) as desk:
            found.append(desk.status())
    if json:
        console.emit(found)
        return
    for each in found:
        for line in _in_words(each):
            click.echo(line)
    if not found:
        console.say(_("No game by mail is in {folder} yet. Begin one: captain geier new --help").format(folder=sessions))


def _in_words(found: dict[str, Any]) -> list[str]:
    head = (
        _("{name}: round {round} of 8").format(**found) if found["status"] == "running" else _("{name}: over").format(**found)
    )
    lines = [head + f"  ({found['game']})"]
    if found["deadline"]:
        lines.append(_("  Deadline: {deadline}").format(**found))
    for key, words in (
        ("missing", N_("  No order yet: {names}")),
        ("waiting", N_("  Want to wait for the deadline: {names}")),
        ("absent", N_("  Away: {names}")),
        ("to_remind", N_("  To be reminded (captain geier run): {names}")),
        ("missed", N_("  Silent for two rounds or more: {names}")),
    ):
        if found[key]:
            lines.append(_(words).format(names=", ".join(found[key])))
    if found["held"]:
        lines.append(
            _("  Rolled back: set a deadline (captain geier run --deadline), or evaluate it (captain geier run --now).")
        )
    elif found["due"]:
        lines.append(_("  To be evaluated: captain geier run"))
    if found["to_send"]:
        lines.append(_("  Mail that waits to be sent: {number}").format(number=found["to_send"]))
    lines += [_("  Was it sent? {what} ({id}): --resend or --settled").format(**check) for check in found["to_check"]]
    if found["suspicious"]:
        lines.append(_("  Mail that was put aside as wrong or forged: {number}").format(number=found["suspicious"]))
    return lines


@click.command()
@common.game_option
@sessions_folder
@as_json
def preview(game: str | None, sessions: Path, json: bool) -> None:
    """Show the report that an evaluation right now would give. Nothing happens; only you may see it."""
    from eyecaptain.postal import office, reporttext
    from eyecaptain.postal.desk import Desk

    with Desk.open(office.find(sessions, game), common.now) as desk:
        paper = desk.preview()
    if json:
        console.emit(paper)
    else:
        click.echo(reporttext.as_text(paper), nl=False)


@click.command()
@click.option("--now", "at_once", is_flag=True, help="Evaluate the round at once, whatever is missing.")
@click.option("--deadline", metavar="'YYYY-MM-DD HH:MM'", help="Move the deadline first; everybody is told.")
@click.option("--press", metavar="TEXT", help="Something of yours for the next report.")
@click.option("--resend", metavar="ID|all", help="Send again what may have been sent or not.")
@click.option("--settled", metavar="ID|all", help="What may have been sent or not has arrived.")
@click.option(
    "--board", metavar="auto|sim|PORT", help="Reveal the evaluated rounds on a board: the eye rolls, chips show who takes."
)
@common.game_option
@common.sending
@sessions_folder
@as_json
def run(
    at_once: bool,
    deadline: str | None,
    press: str | None,
    resend: str | None,
    settled: str | None,
    board: str | None,
    game: str | None,
    via: str | None,
    outbox: Path | None,
    sessions: Path,
    json: bool,
) -> None:
    """Evaluate what is due, remind who is missing, and send all mail that waits; in all games, or in one.

    A round is due when its deadline has passed, or when all orders are in and nobody wants to wait. It may be run as often as
    you like: nothing is evaluated or sent twice. A line for cron:

        */10 * * * *  captain geier inbox --imap imaps://geier@mail.example.org; captain geier run
    """
    from eyecaptain.games.geieractions import Press
    from eyecaptain.postal import office
    from eyecaptain.postal.office import Office
    from eyecaptain.postal.orders import LONGEST_PRESS

    one = bool(at_once or deadline or press or resend or settled)
    folders = [office.find(sessions, game)] if one or game is not None else office.running(sessions)
    with ExitStack() as stack:
        desks = stack.enter_context(Office(sessions, folders, common.now))
        evaluated = []
        for desk in desks.desks:
            if deadline is not None:
                desk.set_deadline(common.moment(deadline, desk.roster.zone))
            if press is not None:
                desk.happen(Press(press[:LONGEST_PRESS]))
            for id_, again in ((resend, True), (settled, False)):
                if id_ is not None:
                    desk.spool.settle(id_, again=again)
            rounds = desk.run(at_once=at_once)
            evaluated += [(desk, number) for number in rounds]
            for number in rounds:
                console.say(_("{game}: round {round} is evaluated.").format(game=desk.name, round=number))
        sent = common.send(desks.desks, via, outbox)
        if json:
            console.emit({"evaluated": [{"game": desk.name, "round": number} for desk, number in evaluated], "mail": sent})
        if board is not None:
            _reveal(board, evaluated)
        for error in desks.broken:
            console.say(_("Error: {error}").format(error=error))
        if desks.broken:
            raise desks.broken[0]
        common.must_be_sent(sent)


def _reveal(board: str, evaluated: list[tuple[Any, int]]) -> None:
    from eyecaptain.postal.reveal import Reveal, sentences

    if not evaluated:
        return
    with Reveal(board, console.say) as stage:
        for desk, number in evaluated:
            for auction in desk.paper(number)["auctions"]:
                click.echo(sentences(auction))
                stage.show(desk.game.players, auction)
