"""`captain geier report|export|verify`: what is published, and checking it."""

from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.geier import common
from eyecaptain.cli.options import as_json, sessions_folder
from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import LANGUAGES, _

KINDS = ("text", "html", "json")
ENDINGS = {"text": "txt", "html": "html", "json": "json"}


def _made(paper: dict[str, Any], kind: str, language: str) -> str:
    """A report in one of its forms."""
    import json

    from eyecaptain.language import speaking
    from eyecaptain.postal import reporthtml, reporttext

    with speaking(language):
        match kind:
            case "text":
                return reporttext.as_text(paper)
            case "html":
                return reporthtml.as_html(paper, language)
            case _:
                return json.dumps(paper, ensure_ascii=False, indent=1) + "\n"


@click.command()
@click.option("--round", "number", type=click.IntRange(0, 8), help="Of which round, 0 for the start (default: the last one).")
@click.option("--as", "kind", type=click.Choice(KINDS), default="text", show_default=True, help="In which form.")
@click.option("--language", type=click.Choice(LANGUAGES), help="In which language (default: that of the game).")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file (default: standard output).")
@common.game_option
@sessions_folder
def report(number: int | None, kind: str, language: str | None, output: Path | None, game: str | None, sessions: Path) -> None:
    """Print the report of a round, as everybody gets it."""
    from eyecaptain.postal import office
    from eyecaptain.postal.desk import Desk

    with Desk.open(office.find(sessions, game), common.now) as desk:
        last = len(desk.game.results)
        if number is not None and number > last:
            raise UsageProblem(_("Round {round} has not been evaluated.").format(round=number), _("captain geier status"))
        text = _made(desk.paper(last if number is None else number), kind, language or desk.roster.language)
    if output is None:
        click.echo(text, nl=False)
    else:
        _write(output, text)


def _write(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    from eyecaptain.postal.outboxes import put

    fresh = path.with_name(path.name + ".new")
    try:
        put(fresh, text.encode())
        fresh.chmod(0o644)
        fresh.replace(path)
    except OSError as error:
        raise CaptainError(
            _("{path} cannot be written: {error}.").format(path=path, error=error.strerror or error), _("Name another file.")
        ) from None


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--language", type=click.Choice(LANGUAGES), help="In which language (default: that of the game).")
@common.game_option
@sessions_folder
@as_json
def export(folder: Path, language: str | None, game: str | None, sessions: Path, json: bool) -> None:
    """Write all reports into FOLDER, as text, HTML and JSON: for a zine, a web page, an archive. All of it is public."""
    from eyecaptain.postal import office
    from eyecaptain.postal.desk import Desk

    with Desk.open(office.find(sessions, game), common.now) as desk:
        papers = [desk.paper(number) for number in range(len(desk.game.results) + 1)]
        spoken, name = language or desk.roster.language, desk.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CaptainError(
            _("{folder} cannot be made: {strerror}.").format(folder=folder, strerror=error.strerror or error),
            _("Name another folder."),
        ) from None
    files = []
    for paper in papers:
        for kind in KINDS:
            files.append(folder / f"geier-{name}-{paper['round']}.{ENDINGS[kind]}")
            _write(files[-1], _made(paper, kind, spoken))
    if json:
        console.emit({"game": name, "files": [str(file) for file in files]})
    console.say(_("{number} reports are in {folder}.").format(number=len(papers), folder=folder))


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seed", metavar="HEX", help="The seed, if it was revealed elsewhere.")
@common.game_option
@sessions_folder
@as_json
def verify(file: Path | None, seed: str | None, game: str | None, sessions: Path, json: bool) -> None:
    """Check a published report (the JSON form): the shuffle against its commitment, every card, every auction.

    Nobody has to be trusted for it: FILE is all that is needed. Without FILE a game of your own is checked.
    """
    import json as reader

    from eyecaptain.errors import BrokenSession
    from eyecaptain.postal import office
    from eyecaptain.postal.desk import Desk
    from eyecaptain.postal.verify import check

    if file is not None:
        try:
            found = reader.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise BrokenSession(
                _("{file} is no report: {error}.").format(file=file, error=error), _("It is the JSON of a report.")
            ) from None
    else:
        with Desk.open(office.find(sessions, game), common.now) as desk:
            found = desk.paper(len(desk.game.results))
    said = check(found, seed)
    if json:
        console.emit({"ok": True, "checked": said})
        return
    for line in said:
        click.echo(line)
