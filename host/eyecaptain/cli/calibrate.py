"""`captain calibrate`: teach a board the colours of its own die, in its own light."""

import time
from collections.abc import Callable
from itertools import count
from math import exp
from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.attach import attach, board_option
from eyecaptain.cli.options import as_json
from eyecaptain.errors import CheckFailed, UsageProblem
from eyecaptain.language import N_, _

STEPS = 10
CYCLE = 2.4  # milliseconds (the sensor's datasheet)
AGAIN = 3  # times that a step is tried again without people
BACK, QUIT = "back", "q"
ALIKE = N_("Most alike are {one} and {other}: {apart:.0f} times their scatter apart (6 are needed).")


class _Guide:
    """Has each thing laid over the window: by hands in a simulated world, else by people who are told what to do."""

    def __init__(self, hands: Any) -> None:
        self.hands = hands
        self._number = 0

    def lay(self, what: str) -> None:
        """Nothing, or white paper."""
        self._number += 1
        if self.hands is not None:
            getattr(self.hands, what)()
            self._say(_("The window is empty.") if what == "nothing" else _("White paper lies on the window."))
            return
        self._say(
            _("Take everything off the window, and your hands away. Then press Enter.")
            if what == "nothing"
            else _("Lay white paper flat on the window. Then press Enter.")
        )
        _line()

    def top(self, number: int) -> str:
        """The next face of the die; return the colour on top, or `BACK`."""
        from eyecaptain.games.base import COLORS
        from eyecaptain.views.phrases import color

        if self.hands is not None:
            laid = COLORS[(number - 1) % len(COLORS)]
            self.hands.die(laid)
            console.say(_("Face {number} of 8: {color} is on top.").format(number=number, color=_(laid)))
            return laid
        while True:
            console.say(
                _(
                    "Face {number} of 8: lay the die flat on the window. Which colour is on top? r g b y (back: once more)"
                ).format(number=number)
            )
            word = _line().lower()
            if word == BACK:
                return BACK
            if top := color(word):
                return top
            console.say(_("That is none of red, green, blue and yellow."))

    def retry(self, message: str, hint: str, tries: int) -> None:
        """Something was wrong: say it, and try that step again.

        :raises CheckFailed: nobody is there who could do it better.
        """
        if self.hands is not None and tries >= AGAIN:
            raise CheckFailed(message, hint)
        self._number -= 1
        console.say(f"{message} {hint}")

    def _say(self, text: str) -> None:
        console.say(_("Step {number} of {all}: {text}").format(number=self._number, all=STEPS, text=text))


def _line() -> str:
    """A line that somebody types; q or the end of the input leaves."""
    try:
        word = input().strip()
    except EOFError:
        word = QUIT
    if word.lower() in (QUIT, "quit"):
        console.say(_("Nothing was changed."))
        raise click.Abort
    return word


@click.group(invoke_without_command=True)
@board_option
@as_json
@click.pass_context
def calibrate(ctx: click.Context, *, board: str, json: bool) -> None:
    """Teach a board the colours of its die: nothing, white paper, then the eight faces, in under two minutes.

    Each face is named by the colour on top, which is the one that players see. The board keeps what it learnt, also over
    `captain flash`; a copy stays on this computer. It is refused when two colours cannot be told apart: then nothing changes.

    On a simulated board the program lays everything itself.
    """
    if ctx.invoked_subcommand is not None:
        return
    from eyecaptain.sight import fit, store
    from eyecaptain.sight.walk import Walk
    from eyedeck.core.palette import checksum

    began = time.monotonic()
    with attach(board) as attached:
        guide = _Guide(attached.hands)
        walk = Walk(attached.sensor.take)
        values = _walked(walk, guide)
        attached.sensor.save(values)
        uid = attached.sensor.uid
    seconds = time.monotonic() - began
    apart, one, other = fit.separation(values)
    copy = store.copy_of(uid)
    report = {"separation": round(apart, 1), "counts": walk.counts, "seconds": round(seconds, 1)}
    store.write(copy, uid, values, made=time.strftime("%Y-%m-%dT%H:%M:%S%z"), report=report)
    if json:
        console.emit({"uid": uid, "sum": checksum(values), "copy": str(copy), **report, "cal": values})
        return
    click.echo(_("Done in {seconds:.0f} seconds.").format(seconds=seconds))
    click.echo(_(ALIKE).format(one=_name(one), other=_name(other), apart=apart))
    click.echo(_("The board knows its die now. A copy is in {copy}.").format(copy=copy))


def _walked(walk: Any, guide: _Guide) -> dict[str, list[int]]:
    """The whole walk; a step that went wrong is taken again.

    :raises CheckFailed: it cannot be done on this board.
    """
    from eyecaptain.sight.walk import FACES, Mistake

    _step(guide, lambda: guide.lay("nothing"), walk.dark)
    _step(guide, lambda: guide.lay("white"), walk.white)
    tries = 0
    while (number := len(walk.labels) + 1) <= FACES:
        top = guide.top(number)
        if top == BACK:
            walk.back()
            continue
        try:
            walk.face(top)
        except Mistake as mistake:
            tries += 1
            guide.retry(mistake.message, mistake.hint, tries)
        else:
            tries = 0
    if not walk.usual:
        _confirm(walk.counts)
    try:
        return walk.finish()  # type: ignore[no-any-return]
    except Mistake as mistake:
        raise CheckFailed(mistake.message, mistake.hint) from None


def _step(guide: _Guide, lay: Callable[[], None], read: Callable[[], None]) -> None:
    from eyecaptain.sight.walk import Mistake

    for tries in count(1):
        lay()
        try:
            read()
        except Mistake as mistake:
            guide.retry(mistake.message, mistake.hint, tries)
        else:
            return


def _confirm(counts: dict[Any, int]) -> None:
    """Not every colour was there twice: is that the die's own way?"""
    shown = ", ".join(f"{_(color)} {count}" for color, count in counts.items())
    console.say(_("On the game's die every colour is on top twice; here it was {counts}.").format(counts=shown))
    console.say(_("Is that right for this die? y: yes, keep it; anything else: no."))
    if _line().lower() not in ("y", "yes"):
        raise CheckFailed(_("The calibration was not kept."), _("Walk again: captain calibrate"))


def _name(color: int) -> str:
    from eyecaptain.games.base import COLORS

    return _(COLORS[color])


@calibrate.command()
@board_option
@as_json
def show(*, board: str, json: bool) -> None:
    """Show the calibration on the board."""
    from eyecaptain.sight import fit
    from eyedeck.core import die
    from eyedeck.core.palette import KINDS, checksum

    with attach(board) as attached:
        values, uid = _loaded(attached.sensor), attached.sensor.uid
    apart, one, other = fit.separation(values)
    if json:
        console.emit({"uid": uid, "sum": checksum(values), "separation": round(apart, 1), "cal": values})
        return
    cycles, gain = values["exp"]
    click.echo(
        _("Board {uid}: {ms:.0f} ms at gain {gain}, checksum {sum}.").format(
            uid=uid, ms=cycles * CYCLE, gain=gain, sum=checksum(values)
        )
    )
    for key in KINDS:
        if key in values:
            top, red, green, bright, *_rest = values[key]
            shares = [100 * share / die.SHARE for share in (red, green, die.SHARE - red - green)]
            light = f"{exp(bright / die.LN):.0f}"
            click.echo(
                _("{color:8} red {r:4.1f}  green {g:4.1f}  blue {b:4.1f}   light {light:>6}").format(
                    color=_name(top), r=shares[0], g=shares[1], b=shares[2], light=light
                )
            )
    click.echo(_(ALIKE).format(one=_name(one), other=_name(other), apart=apart))


@calibrate.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@board_option
def export(*, file: Path, board: str) -> None:
    """Write the board's calibration to FILE."""
    from eyecaptain.sight import store

    with attach(board) as attached:
        store.write(file, attached.sensor.uid, _loaded(attached.sensor))
    click.echo(_("Written to {file}.").format(file=file))


@calibrate.command(name="import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@board_option
def import_(*, file: Path | None, board: str) -> None:
    """Give the board a calibration of its own from FILE (default: this computer's copy).

    A file of another board is refused: each sensor sees its own colours.
    """
    from eyecaptain.sight import store

    with attach(board) as attached:
        path = file or store.copy_of(attached.sensor.uid)
        attached.sensor.save(store.read(path, attached.sensor.uid))
    click.echo(_("The board judges by {file} from now on.").format(file=path))


@calibrate.command()
@click.option("--faces", type=click.IntRange(1, 100), default=8, show_default=True, help="How many faces to lay.")
@board_option
@as_json
def check(*, faces: int, board: str, json: bool) -> None:
    """Lay face after face, say what is on top, and count what the board says.

    The exit code is 7 when the board was wrong, or did not know more than one face in eight.
    """
    from eyecaptain.views.reasons import reason

    right = 0
    wrong: list[list[str]] = []
    unknown: list[str] = []
    with attach(board) as attached:
        _loaded(attached.sensor)
        guide = _Guide(attached.hands)
        while right + len(wrong) + len(unknown) < faces:
            top = guide.top(right + len(wrong) + len(unknown) + 1)
            if top == BACK:
                continue
            found = attached.sensor.judged()
            if found["face"] is None:
                unknown.append(found["why"])
                console.say(_("The board does not know: {reason}").format(reason=reason(found["why"])))
            elif found["face"] == top:
                right += 1
                console.say(_("Right ({conf} %).").format(conf=found["conf"]))
            else:
                wrong.append([top, found["face"]])
                console.say(_("Wrong: the board says {color}.").format(color=_(found["face"])))
    if json:
        console.emit({"faces": faces, "right": right, "wrong": wrong, "unknown": unknown})
    else:
        click.echo(
            _("Right {right}, wrong {wrong}, unknown {unknown}.").format(right=right, wrong=len(wrong), unknown=len(unknown))
        )
    if wrong or len(unknown) * 8 > faces:
        raise CheckFailed(_("The board does not know its die well enough."), _("Calibrate again: captain calibrate"))


def _loaded(sensor: Any) -> dict[str, list[int]]:
    """The board's calibration.

    :raises UsageProblem: it has none.
    """
    values = sensor.load()
    if values is None:
        raise UsageProblem(_("The board has no calibration."), _("Make one: captain calibrate"))
    return values  # type: ignore[no-any-return]
