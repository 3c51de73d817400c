"""Options that several commands share."""

import sys
from pathlib import Path
from typing import Any

import click

from eyecaptain.language import _


def _folder(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path:
    del ctx, param
    if value is not None:
        return value
    from eyecaptain.sessions.store import default_root

    return default_root()


def sessions_folder(command: Any) -> Any:
    """Add ``--sessions DIR``; the command gets the folder as `sessions`."""
    return click.option(
        "--sessions",
        type=click.Path(file_okay=False, path_type=Path),
        callback=_folder,
        metavar="DIR",
        help="Where sessions are (default: CAPTAIN_SESSIONS, or the user's data folder).",
    )(command)


def pick_board() -> Any:
    """What asks at a terminal which of several boards it is; None where nobody can be asked."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def pick(found: list[Any]) -> Any:
        click.echo(_("{number} boards are attached:").format(number=len(found)), err=True)
        for number, port in enumerate(found, start=1):
            click.echo(f"  {number}  {port.port}  {port.description} {port.serial}", err=True)
        number = click.prompt(_("Which one? (it is remembered)"), type=click.IntRange(1, len(found)), err=True)
        return found[number - 1]

    return pick


def as_json(command: Any) -> Any:
    """Add ``--json``; the command gets it as `json`."""
    return click.option("--json", is_flag=True, help="Print the result as JSON on standard output.")(command)
