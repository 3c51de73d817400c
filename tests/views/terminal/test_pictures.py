"""The pictures of the README show what the program shows now; `make pictures` draws them anew."""

import asyncio
import html
import re
from pathlib import Path

import pytest

from eyecaptain import language
from views.terminal.pictures import FOLDER, PICTURES, draw

README = Path(__file__).parents[3] / "README.md"


def words(picture: str) -> list[str]:
    """What stands in it, in the order of the screen: how it is drawn is the library's business."""
    return [html.unescape(text).replace("\xa0", " ") for text in re.findall(r"<text[^>]*>([^<]*)</text>", picture)]


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_what_the_program_shows_now(name: str) -> None:
    language.use(PICTURES[name].lang)
    shown = words((FOLDER / f"{name}.svg").read_text(encoding="utf-8"))
    assert len(shown) > 30
    assert shown == words(asyncio.run(draw(PICTURES[name])))


def test_the_readme_has_every_picture_and_no_other_is_kept() -> None:
    shown = set(re.findall(r"docs/pictures/([\w.-]+)", README.read_text(encoding="utf-8")))
    assert shown == {path.name for path in FOLDER.iterdir()}
    assert {name for name in shown if name.endswith(".svg")} == {f"{name}.svg" for name in PICTURES}
