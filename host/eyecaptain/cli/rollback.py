"""`captain rollback`: the firmware before this one."""

from contextlib import ExitStack

import click

from eyecaptain.cli import console
from eyecaptain.cli.attach import board_option, patience_option, port_of
from eyecaptain.cli.flash import voice
from eyecaptain.cli.options import as_json


@click.command()
@board_option
@patience_option
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@as_json
def rollback(*, board: str, patience: float, dry_run: bool, json: bool) -> None:
    """Let a board run the firmware that it had before this one.

    It is checked first, and then tried as a new one is. A second rollback goes forward again.
    """
    from eyecaptain.flash import update
    from eyecaptain.flash.report import lines

    with ExitStack() as stack:
        wish = update.Wish(stack.enter_context(port_of(board)), dry_run=dry_run, patience=patience)
        done = update.rollback(wish, voice(stack))
    if json:
        console.emit(done.as_json())
    else:
        for line in lines(done):
            click.echo(line)
