"""Draws the label that says what the lights mean, from the table in the project's README, to print and stick on the deck."""

import re
import textwrap
from html import escape
from pathlib import Path

from tools.wiring import HERE

_WIDE = 100.0
_LINE = 3.6
_SPLIT = 42.0


def rows(readme: Path = HERE.parent / "README.md") -> list[tuple[str, str]]:
    """Return (lights, meaning) as the README has them.

    :raises ValueError: the table is not there.
    """
    text = readme.read_text(encoding="utf-8")
    section = re.search(r"### What the lights say\n(.*?)(?=\n#|\Z)", text, re.DOTALL)
    cells = re.findall(r"^\| (.+?) \| (.+?) \|$", section[1], re.MULTILINE) if section else []
    if len(cells) < 3:
        raise ValueError(f'{readme.name} has no table under "What the lights say"')
    return [(lights, meaning.replace("`", "")) for lights, meaning in cells if lights != "lights"]


def render(table: list[tuple[str, str]]) -> str:
    """Return the SVG; one of its units is a millimetre."""
    lines, y = [], 10.0
    for lights, meaning in table:
        left, right = textwrap.wrap(lights, 23), textwrap.wrap(meaning, 40)
        for index in range(max(len(left), len(right))):
            lines += [
                f'<text x="{x}" y="{y + index * _LINE:.1f}" font-size="2.8"{weight}>{escape(column[index])}</text>'
                for x, column, weight in ((3, left, ' font-weight="bold"'), (_SPLIT, right, ""))
                if index < len(column)
            ]
        y += max(len(left), len(right)) * _LINE + 1.2
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDE}mm" height="{y:.1f}mm" viewBox="0 0 {_WIDE} {y:.1f}" '
        'font-family="sans-serif">'
    )
    box = f'x="0.3" y="0.3" width="{_WIDE - 0.6}" height="{y - 0.6:.1f}" rx="2"'
    frame = f'<rect {box} fill="white" stroke="black" stroke-width="0.3"/>'
    title = '<text x="3" y="6" font-size="3.6" font-weight="bold">What the lights say</text>'
    return "\n".join([head, frame, title, *lines, "</svg>"]) + "\n"
