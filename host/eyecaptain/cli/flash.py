"""`captain flash`: the firmware of this program on a board, checked and with a way back."""

from contextlib import ExitStack
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.attach import board_option, patience_option, port_of
from eyecaptain.cli.options import as_json
from eyecaptain.language import _


@click.command()
@board_option
@patience_option
@click.option("--force", is_flag=True, help="Also when the same build runs there: every file is checked and written anew.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@click.option("--status", is_flag=True, help="Only ask the board which firmware it runs; nothing is interrupted.")
@click.option("--remove", is_flag=True, help="Take the firmware off; a program that was there before is put back.")
@click.option("--firmware", metavar="FILE.uf2|latest", help="First put MicroPython itself on the board.")
@as_json
def flash(
    *, board: str, patience: float, force: bool, dry_run: bool, status: bool, remove: bool, firmware: str | None, json: bool
) -> None:
    """Put the firmware on a board.

    It goes into the slot that is not in use, is checked there by the board (SHA-256), and then counts by one rename. The board
    starts it on trial: unless it answers and passes its self-test, the board goes back to the firmware that it had, also by
    itself. So a pulled cable never leaves it without one. Settings (board.json) and calibration stay, and so do other
    people's files; a main.py or boot.py of somebody else is put aside (--remove puts it back).

    When the same build runs there already, nothing is done.
    """
    from eyecaptain.flash import update
    from eyecaptain.flash.report import lines

    if sum((status, remove, firmware is not None)) > 1:
        raise click.UsageError(_("--status, --remove and --firmware are three different things: choose one."))
    with ExitStack() as stack:
        if firmware is not None:
            from eyecaptain.flash import interpreter

            port = interpreter.install(firmware, board, console.say, patience, dry_run=dry_run)
            if port is None:
                return
        else:
            port = stack.enter_context(port_of(board))
        wish = update.Wish(port, force=force, dry_run=dry_run, patience=patience)
        if status:
            _status(port, patience, json)
            return
        done = update.remove(wish) if remove else update.update(wish, voice(stack))
    if json:
        console.emit(done.as_json())
    else:
        for line in lines(done):
            click.echo(line)


def voice(stack: ExitStack) -> Any:
    """Who tells a person how far it is: a bar at a terminal, nothing elsewhere."""
    from eyecaptain.cli.bar import Bar
    from eyecaptain.flash.update import Voice

    bar = stack.enter_context(Bar())
    return Voice(bar.say, bar.tell)


def _status(port: Any, patience: float, json: bool) -> None:
    from eyecaptain.flash.report import status_lines
    from eyecaptain.flash.status import ask

    found = ask(port, patience)
    if json:
        console.emit(found.as_json())
    else:
        for line in status_lines(found):
            click.echo(line)
