"""Options that several commands share."""

from pathlib import Path
from typing import Any

import click


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


def as_json(command: Any) -> Any:
    """Add ``--json``; the command gets it as `json`."""
    return click.option("--json", is_flag=True, help="Print the result as JSON on standard output.")(command)
