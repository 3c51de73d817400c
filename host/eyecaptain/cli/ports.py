"""`captain ports`: which boards are attached."""

import click

from eyecaptain.cli import console
from eyecaptain.language import _


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One line of JSON: a list of objects.")
def ports(as_json: bool) -> None:
    """List the boards that are attached: Picos on USB that run MicroPython, and simulated boards that run here.

    Nothing is opened; `captain doctor` asks a board how it is.
    """
    from eyecaptain.link.ports import boards

    found = boards()
    if as_json:
        console.emit([port.as_json() for port in found])
        return
    if not found:
        console.say(_("No board is attached. `captain emulate` starts a simulated one."))
    for port in found:
        note = ", " + _("started for a game that runs") if port.owned else ""
        click.echo(f"{port.port}  {port.serial or '-'}  {port.kind}  {port.description}{note}")
