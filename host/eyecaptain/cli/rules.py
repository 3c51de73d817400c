"""`captain rules`: how a game is played, in our own words."""

import click

from eyecaptain.cli import completion, console
from eyecaptain.cli.options import as_json
from eyecaptain.errors import UsageProblem
from eyecaptain.language import _


@click.command()
@click.argument("game", required=False, shell_complete=completion.games)
@as_json
def rules(game: str | None, json: bool) -> None:
    """Explain GAME (team, solo, captain or geier), with a drawing; without GAME, list the games."""
    from eyecaptain import games

    if game is None:
        titles = {name: _title(_(games.find(name).rules)) for name in games.names()}
        if json:
            console.emit(titles)
            return
        for name, title in titles.items():
            click.echo(f"captain rules {name:8} {title}")
        return
    try:
        text = _(games.find(game).rules) if games.find(game).rules else ""
    except KeyError:
        raise UsageProblem(
            _('There is no game "{game}".').format(game=game),
            _("The games are: {names}.").format(names=", ".join(games.names())),
        ) from None
    if not text:
        raise UsageProblem(_("Nobody has written down yet how {game} is played.").format(game=game))
    if json:
        console.emit({"game": game, "rules": text})
    else:
        click.echo(text, nl=False)


def _title(text: str) -> str:
    return text.partition("\n")[0]
