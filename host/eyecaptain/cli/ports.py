"""`captain ports`: which boards are attached, what runs on them, and who holds them."""

import click

from eyecaptain.cli import console
from eyecaptain.language import _


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One line of JSON: a list of objects.")
def ports(as_json: bool) -> None:
    """List the boards that are attached: Picos on USB, and simulated boards that run here.

    Each is asked who it is, with one line that does no harm to other programs; a port that a program has open is left alone,
    and the program is named. `captain doctor` asks a board how it is.
    """
    from eyecaptain.doctor.attached import look

    found = look()
    if as_json:
        console.emit([seen.as_json() for seen in found])
        return
    if not found:
        console.say(_("No board is attached. `captain emulate` starts a simulated one."))
    for seen in found:
        port = seen.port
        note = ", " + _("started for a game that runs") if port.owned else ""
        click.echo(f"{port.port}  {port.serial or '-'}  {port.kind}  {_(port.description)}{note}: {seen.runs}")
