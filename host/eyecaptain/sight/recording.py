"""Recorded readings: our own CSV with lamp on and off, and plain CSV with a label and three or four channels."""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from eyecaptain.errors import UsageProblem
from eyecaptain.language import _
from eyecaptain.sight.readings import Counts, Pair

COLUMNS = (
    "time", "unit", "label", "group", "cycles", "gain",
    "r_on", "g_on", "b_on", "c_on", "r_off", "g_off", "b_off", "c_off",
)  # fmt: skip
FIELDS = ("label", "r", "g", "b", "c", "group", "time")
NEEDED = ("label", "r", "g", "b")
PLAIN_CYCLES = 64  # plain counts have no exposure; this one never saturates below 49,151
BRIGHTEST = 30000  # plain channels are scaled so that the largest value becomes this


class Row(NamedTuple):
    """One reading and what it is of.

    :ivar group: what is held out together, such as an evening or a unit; "" when nobody said.
    :ivar source: the file.
    """

    label: str
    pair: Pair
    cycles: int
    gain: int
    group: str
    source: str


class Plain(NamedTuple):
    """A row of a plain CSV, before all of them are scaled."""

    label: str
    channels: tuple[float, ...]
    group: str
    source: str


def read(paths: Sequence[Path], names: Mapping[str, str] | None = None, *, invert: bool = False) -> list[Row]:
    """All rows of these files.

    :param names: what plain CSV calls `label r g b c group time`, where that is something else; the label may also be given
        as `=text` for a whole file.
    :param invert: the channels are pulse widths: small is bright.
    :raises UsageProblem: a file or a column is missing, or a value is no number; it says where.
    """
    rows: list[Row] = []
    plain: list[Plain] = []
    for path in paths:
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                reader = csv.DictReader(file)
                columns = reader.fieldnames or []
                if set(COLUMNS) <= set(columns):
                    rows += _own(reader, path)
                else:
                    plain += _plain(reader, columns, path, names or {}, invert=invert)
        except OSError as error:
            raise UsageProblem(
                _("{path} cannot be read: {error}.").format(path=path, error=error.strerror or error), _("Name a CSV file.")
            ) from None
        except (UnicodeDecodeError, csv.Error):
            raise UsageProblem(_("{path} is no CSV file.").format(path=path), _("Name a CSV file.")) from None
    return rows + scaled(plain)


def _own(reader: "csv.DictReader[str]", path: Path) -> Iterator[Row]:
    for row in reader:
        numbers = [_whole(row, name, path, reader.line_num) for name in COLUMNS[4:]]
        cycles, gain, *counts = numbers
        on: Counts = (counts[0], counts[1], counts[2], counts[3])
        off: Counts = (counts[4], counts[5], counts[6], counts[7])
        yield Row(_label(row["label"], path, reader.line_num), Pair(on, off), cycles, gain, row["group"] or "", path.name)


def _plain(
    reader: "csv.DictReader[str]", columns: Sequence[str], path: Path, names: Mapping[str, str], *, invert: bool
) -> Iterator[Plain]:
    called = {field: names.get(field, field) for field in FIELDS}
    missing = [called[field] for field in NEEDED if called[field] not in columns and not called[field].startswith("=")]
    if missing:
        raise UsageProblem(
            _("{path} has no column {missing}; it has {columns}.").format(
                path=path, missing=", ".join(missing), columns=", ".join(columns) or "-"
            ),
            _("Say which is which: --columns label=Colour,r=Red,g=Green,b=Blue (label==red: the whole file)."),
        )
    channels = [called[field] for field in ("r", "g", "b", "c") if called[field] in columns]
    for row in reader:
        values = [_number(row, name, path, reader.line_num, invert=invert) for name in channels]
        if len(values) == 3:
            values.append(sum(values))
        label = called["label"][1:] if called["label"].startswith("=") else row[called["label"]]
        group = row[called["group"]] if called["group"] in columns else ""
        yield Plain(_label(label, path, reader.line_num), tuple(values), group or "", path.name)


def _label(text: str | None, path: Path, line: int) -> str:
    if not text or not text.strip():
        raise UsageProblem(_("{path}, line {line}: there is no label.").format(path=path, line=line), _("Give each row one."))
    return text.strip().lower()


def _number(row: Mapping[str, str | None], name: str, path: Path, line: int, *, invert: bool) -> float:
    try:
        value = float(row[name] or "")
        if not math.isfinite(value) or value < 0 or (invert and value == 0):
            raise ValueError(value)
    except ValueError:
        raise _no_number(path, line, name, row[name]) from None
    return 1 / value if invert else value


def _whole(row: Mapping[str, str | None], name: str, path: Path, line: int) -> int:
    try:
        value = int(row[name] or "")
    except ValueError:
        raise _no_number(path, line, name, row[name]) from None
    if not 0 <= value <= 65535:
        raise _no_number(path, line, name, row[name])
    return value


def _no_number(path: Path, line: int, name: str, value: str | None) -> UsageProblem:
    return UsageProblem(
        _("{path}, line {line}: {name} is {value!r}, which is no reading.").format(
            path=path, line=line, name=name, value=value or ""
        ),
        _("Take that row out, or mend it."),
    )


def scaled(plain: Sequence[Plain]) -> list[Row]:
    """Plain rows as counts that no gate of exposure touches; all by the same factor, because brightness tells colours apart.

    :raises UsageProblem: all channels of all rows are 0.
    """
    largest = max((max(row.channels) for row in plain), default=0.0)
    if plain and largest == 0:
        raise UsageProblem(_("All channels are 0."), _("Name files with readings."))
    rows = []
    for row in plain:
        red, green, blue, clear = (round(channel * BRIGHTEST / largest) for channel in row.channels)
        rows.append(Row(row.label, Pair((red, green, blue, clear), (0, 0, 0, 0)), PLAIN_CYCLES, 1, row.group, row.source))
    return rows


class Recorder:
    """Writes readings to a CSV file, row by row.

    :param path: a new file, or a recording of ours, which is gone on with.
    :raises UsageProblem: something else is there, or it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.rows = 0
        try:
            goes_on = path.exists() and path.stat().st_size > 0
            if goes_on:
                with path.open(encoding="utf-8", newline="") as before:
                    if next(csv.reader(before), []) != list(COLUMNS):
                        raise UsageProblem(
                            _("{path} is there already and is no recording of ours.").format(path=path), _("Name another file.")
                        )
            self._file: TextIO = path.open("a", encoding="utf-8", newline="")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageProblem(
                _("{path} cannot be written: {error}.").format(path=path, error=error), _("Name another file.")
            ) from None
        self._writer = csv.writer(self._file, lineterminator="\n")
        if not goes_on:
            self._writer.writerow(COLUMNS)

    def write(self, said: Sequence[str], exposure: tuple[int, int], pair: Pair) -> None:
        """Write one reading; it is on its way to the disk when this returns.

        :param said: time, unit, label and group.
        :param exposure: cycles and gain.
        """
        self._writer.writerow([*said, *exposure, *pair.on, *pair.off])
        self._file.flush()
        self.rows += 1

    def close(self) -> None:
        """End the file."""
        self._file.close()
