"""`captain geier`: Hol's der Geier by mail, at the game master's desk."""

import click

from eyecaptain.cli.geier.desk import order, preview, run, status
from eyecaptain.cli.geier.inbox import inbox
from eyecaptain.cli.geier.new import new
from eyecaptain.cli.geier.papers import export, report, verify
from eyecaptain.cli.geier.repairs import rollback, standby


@click.group()
def geier() -> None:
    """Run Hol's der Geier by mail: take orders, evaluate, send reports.

    A game is named by the last four characters of its id; where there is only one it need not be named.
    """


for command in (new, order, status, preview, run, report, verify, rollback, standby, inbox, export):
    geier.add_command(command)
