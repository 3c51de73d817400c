"""What a shell offers after TAB, where click does not know it: games, sessions, boards."""

from contextlib import suppress

import click
from click.shell_completion import CompletionItem


def games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The games that there are."""
    del ctx, param
    from eyecaptain import games

    return [CompletionItem(name) for name in games.names() if name.startswith(incomplete)]


def recorded(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The recorded sessions, the newest first; where a file may be given too, a path is completed as a path."""
    from eyecaptain.sessions import store

    found: list[CompletionItem] = []
    with suppress(OSError):
        folders = store.folders(ctx.params.get("sessions") or store.default_root())
        found = [CompletionItem(folder.name) for folder in folders if folder.name.startswith(incomplete)]
    if incomplete and not found and "FILE" in (param.metavar or ""):
        return [CompletionItem(incomplete, type="file")]
    return found


def boards(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The words for boards, and the ports of those that are attached."""
    del ctx
    from eyecaptain.link import ports

    words = [word for word in ("auto", "none", "sim") if word in (param.metavar or "")]
    names = [*words, *(port.port for port in ports.boards())]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
