"""`captain evaluate`: how well the classifier does on recorded readings."""

from pathlib import Path
from typing import Any

import click

from eyecaptain.cli import console
from eyecaptain.cli.options import as_json
from eyecaptain.errors import UsageProblem
from eyecaptain.language import _


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--palette", type=click.Path(path_type=Path), help="Judge by this calibration; nothing is learnt or held out.")
@click.option("--hold-out", type=click.Choice(["group", "file", "time"]), help="What is judged and not learnt from.")
@click.option("--columns", metavar="OURS=THEIRS,...", help="Names of columns: label=Colour,r=Red,g=Green,b=Blue,c=Clear.")
@click.option("--invert", is_flag=True, help="The channels are pulse widths: small is bright.")
@click.option("--plot", type=click.Path(path_type=Path), help="Write a scatter picture to this file, .png or .svg.")
@as_json
def evaluate(
    *,
    files: tuple[Path, ...],
    palette: Path | None,
    hold_out: str | None,
    columns: str | None,
    invert: bool,
    plot: Path | None,
    json: bool,
) -> None:
    """Learn colours from recorded readings, judge the ones held out, and count right, wrong and unknown.

    FILEs are recordings of `captain record`, or plain CSV with the columns label, r, g, b, and perhaps c (clear) and group.
    Held out are the last two fifths of the groups or of the files, where the others have every colour, else of each label's
    time: never random rows, because neighbours are near copies of one another. What is no colour of the die has to be
    unknown.
    """
    from eyecaptain.sight import evaluate as evaluation
    from eyecaptain.sight import recording, store

    if plot is not None:
        from eyecaptain.views import plots

        plots.check(plot)
    rows = recording.read(files, _names(columns), invert=invert)
    if not rows:
        raise UsageProblem(_("There are no readings in there."), _("Record some: captain record --label red --out FILE"))
    by = hold_out or evaluation.held_out(rows)
    if palette is not None:
        values, held, by = store.read(palette), rows, "nothing"
    else:
        learn, held = evaluation.split(rows, by)
        values = evaluation.learn(learn)
    score = evaluation.judge(held, values)
    curve = evaluation.curve(held, values)
    if plot is not None:
        from eyecaptain.views import plots

        plots.colors(score.points, curve, plot)
    if json:
        console.emit(
            {
                "readings": len(rows), "held_out": by, **score.rates(),
                "colors": {label: score.rates([label]) for label in score.confusion},
                "confusion": {label: dict(row) for label, row in score.confusion.items()},
                "rejected": score.others(), "curve": curve,
            }
        )  # fmt: skip
        return
    for line in _lines(score, curve, by):
        click.echo(line)


def _names(columns: str | None) -> dict[str, str]:
    """What --columns says."""
    from eyecaptain.sight.recording import FIELDS

    names: dict[str, str] = {}
    for part in columns.split(",") if columns else ():
        ours, _sign, theirs = part.partition("=")
        if ours.strip() not in FIELDS or not theirs:
            raise UsageProblem(_("--columns {part}: there is no such column.").format(part=part), f"OURS: {', '.join(FIELDS)}")
        names[ours.strip()] = theirs.strip()
    return names


def _lines(score: Any, curve: list[dict[str, float]], by: str) -> list[str]:
    """The figures for people: rates, a table of confusions, what was rejected, the price of being sure."""
    from eyecaptain.games.base import COLORS

    said = [
        _("Judged: {held}.").format(held=_("all readings") if by == "nothing" else _("what was held out by {by}").format(by=by))
    ]
    labels = [*(color for color in COLORS if color in score.confusion), *sorted(set(score.confusion) - set(COLORS))]
    answers = [*COLORS, *sorted({name for row in score.confusion.values() for name in row} - set(COLORS))]
    wide = max(8, *(len(label) for label in labels))
    said.append("")
    said.append(" ".join([" " * wide, *(f"{answer:>{max(7, len(answer))}}" for answer in answers)]))
    for label in labels:
        row = score.confusion[label]
        cells = [f"{row[answer] or '·':>{max(7, len(answer))}}" for answer in answers]
        said.append(" ".join([f"{label:{wide}}", *cells]))
    said.append("")
    for name, rates in (
        (_("all colours"), score.rates()),
        *((color, score.rates([color])) for color in labels if color in COLORS),
    ):
        reasons = ", ".join(f"{why} {count}" for why, count in rates["reasons"].items())
        said.append(
            _("{name}: {n} readings, right {right:.2%}, wrong {wrong:.2%}, unknown {unknown:.2%}{reasons}").format(
                name=name, n=rates["readings"], right=rates["right"], wrong=rates["wrong"], unknown=rates["unknown"],
                reasons=f" ({reasons})" if reasons else "",
            )
        )  # fmt: skip
    said += [
        _("{name}: {share:.1%} rightly not taken for a colour").format(name=name, share=share)
        for name, share in score.others().items()
    ]
    said.append("")
    said.append(_("From lenient to strict (1 is what the board does): wrong against unknown"))
    said += [f"  {step['strictness']:5} {step['wrong']:8.2%} {step['unknown']:8.2%}" for step in curve]
    return said
