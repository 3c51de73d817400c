"""`captain geier inbox`: orders come in."""

from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.geier import common
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import N_, _

STATES = {
    "done": N_("{game}: {player}: {what}"),
    "refused": N_("{game}: {player}: not accepted: {what}"),
    "ignored": N_("left alone: {what}"),
    "duplicate": N_("left alone: {what}"),
}


@click.command()
@click.option("--maildir", type=click.Path(path_type=Path), metavar="DIR", help="Read this Maildir.")
@click.option("--mbox", type=click.Path(path_type=Path), metavar="FILE", help="Read this mbox file.")
@click.option("--imap", metavar="URL", help="Read this folder: imaps://user@host/INBOX (default: as in servers.toml).")
@common.sending
@sessions_folder
@as_json
def inbox(
    maildir: Path | None, mbox: Path | None, imap: str | None, via: str | None, outbox: Path | None, sessions: Path, json: bool
) -> None:
    """Read orders from a mailbox, for all games, and answer them. The mailbox is only read; every message counts once.

    Mail of strangers, of machines, or without the right code changes nothing and is listed here.
    """
    from eyecaptain.postal import office
    from eyecaptain.postal.office import Office

    box = _inbox(maildir, mbox, imap)
    outcomes = []
    fault: CaptainError | None = None
    with Office(sessions, office.running(sessions), common.now) as desks:
        try:
            for outcome in desks.read(box):
                outcomes.append(outcome)
                mark = "! " if outcome.suspicious else ""
                text = _(STATES[outcome.state]).format(game=outcome.game, player=outcome.player or "?", what=outcome.words)
                console.say(mark + text)
        except CaptainError as error:  # what came before it is answered all the same
            fault = error
        sent = common.send(desks.desks, via, outbox)
        if json:
            console.emit({"read": [outcome.as_json() for outcome in outcomes], "mail": sent})
        if fault is not None:
            raise fault
        common.must_be_open(desks.broken)
        common.must_be_sent(sent)


def _inbox(maildir: Path | None, mbox: Path | None, imap: str | None) -> Any:
    from eyecaptain.postal import inboxes
    from eyecaptain.postal.servers import config_file, settings

    if sum(each is not None for each in (maildir, mbox, imap)) > 1:
        raise UsageProblem(_("Only one mailbox is read at a time."), _("Say --maildir, --mbox or --imap."))
    if maildir is not None:
        return inboxes.Maildir(maildir)
    if mbox is not None:
        return inboxes.Mbox(mbox)
    url = imap or settings("imap").get("url")
    if url is None:
        raise UsageProblem(
            _("Which mailbox?"), _("Put [imap] into {path}, or say --maildir, --mbox or --imap.").format(path=config_file())
        )
    try:
        from eyecaptain.postal.imap import Imap
    except ImportError:
        raise UsageProblem(_("Reading mail by IMAP needs imap-tools."), _("pip install 'eye-eye-captain[mail]'")) from None
    return Imap(url)
