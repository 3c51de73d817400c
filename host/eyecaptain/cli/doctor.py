"""`captain doctor`: how this computer, a board, its parts and the link to it are."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eyecaptain.cli import console
from eyecaptain.cli.attach import board_option, patience_option, port_of
from eyecaptain.cli.options import as_json
from eyecaptain.language import _

if TYPE_CHECKING:
    from eyecaptain.doctor.examine import Report

FAILED = 7  # the exit code: the board failed a check


@click.command()
@board_option
@click.option("--motor", is_flag=True, help="Let the motor turn for a moment, too: keep hands and droppings away.")
@click.option("--link", is_flag=True, help="Measure the link: round trip, throughput, loss; nothing moves.")
@click.option("--watch", is_flag=True, help="Show the colour sensor's counts as they come, while you align it; Ctrl-C ends.")
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=3.0, show_default=True, help="How long to measure each.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change a setting of the board (board.json).")
@click.option("--rules", is_flag=True, help="Print udev rules that let you use boards, and keep ModemManager off (Linux).")
@click.option("--install-rules", is_flag=True, help="Install these rules; needs root.")
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Where to write the report to attach.")
@patience_option
@as_json
def doctor(
    *,
    board: str,
    motor: bool,
    link: bool,
    watch: bool,
    seconds: float,
    settings: tuple[str, ...],
    rules: bool,
    install_rules: bool,
    report: Path | None,
    patience: float,
    json: bool,
) -> None:
    """Look at this computer, at a board, and at each of its parts; --link measures the link to it.

    Nothing moves without --motor; the lights are lit one after the other. The exit code is 7 when something is not well. A
    report to attach to a question is written each time; it holds no names of players.
    """
    if watch:
        from eyecaptain.cli.watch import watch as watch_sensor

        with port_of(board) as port:
            watch_sensor(port.port, seconds if _given("seconds") else None)
        return
    if rules or install_rules:
        _rules(install_rules)
    elif settings:
        _set(board, settings, patience, json)
    elif link:
        _link(board, seconds, json)
    else:
        _examine(board, motor, report, patience, json)


def _rules(install: bool) -> None:
    from eyecaptain.doctor.computer import RULES, install_rules

    if install:
        file = install_rules()
        click.echo(_("{file} is written. Plug the board in again.").format(file=file))
    else:
        click.echo(RULES, nl=False)


def _set(board: str, pairs: tuple[str, ...], patience: float, json: bool) -> None:
    from json import dumps

    from eyecaptain.doctor.settings import change, parse

    wanted = parse(pairs)
    with port_of(board) as port:
        now = change(port, wanted, patience)
    if json:
        console.emit(now)
    else:
        click.echo(_("The board starts anew with these settings:"))
        for key, value in sorted(now.items()):
            click.echo(f"  {key}: {value if isinstance(value, str) else dumps(value)}")


def _examine(board: str, motor: bool, file: Path | None, patience: float, json: bool) -> None:
    import platformdirs

    from eyecaptain.doctor import examine
    from eyecaptain.errors import CaptainError, UsageProblem

    file = file or platformdirs.user_log_path("eye-eye-captain", appauthor=False) / "doctor.txt"
    found = examine.of_computer()
    try:
        with port_of(board) as port:
            examine.of_board(found, port, motor=motor, patience=patience, seen=_nobody if json else _ask)
    except BaseException as error:
        if isinstance(error, CaptainError) and not json:
            _show(found)
        with suppress(UsageProblem):  # what ended the examination is what is said
            found.write(file)
        raise
    if not json:
        _show(found)
    found.write(file)
    if json:
        console.emit({**found.as_json(), "report": str(file)})
    else:
        click.echo(_("A report to attach to a question: {file}").format(file=file))
    if found.failed:
        raise click.exceptions.Exit(FAILED)


def _show(found: "Report") -> None:
    for line in found.lines():
        click.echo(line)


def _nobody() -> bool | None:
    return None


def _ask() -> bool | None:
    """Ask who sits there whether the lights were seen; None when it is nobody."""
    import sys

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    return click.confirm(_("Did all six lights light up, one after the other?"), default=True, err=True)


def _link(board: str, seconds: float, json: bool) -> None:
    from eyecaptain.link.client import Client
    from eyecaptain.link.health import measure
    from eyecaptain.link.tape import Tape

    bytes_by = [0]

    def count(_at: float, _way: str, text: str) -> None:
        bytes_by[0] += len(text) + 1  # its line feed

    with port_of(board) as port, Client(port.port, lambda _: None, say=console.say, tape=Tape(count)) as client:
        found = client.hello.raw
        health = measure(client, seconds, lambda: bytes_by[0])
    if json:
        console.emit({"board": found, "link": health.as_json()})
    else:
        words = _("{board} {uid} at {port}, firmware {fw} ({build}) answers.")
        click.echo(words.format(port=port.port, **{key: found[key] for key in ("board", "uid", "fw", "build")}))
        for line in health.lines():
            click.echo(line)
    if not health.good:
        raise click.exceptions.Exit(FAILED)


def _given(option: str) -> bool:
    """Whether somebody named this option."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE
