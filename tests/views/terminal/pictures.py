"""`make pictures`: the pictures of the README, drawn by the program itself."""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from eyecaptain import language
from views.terminal.stage import played

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"


class Picture(NamedTuple):
    """How to come to what is to be seen."""

    lang: str
    game: str
    people: Sequence[str]
    keys: Sequence[str]
    plan: Mapping[str, Any]
    size: tuple[int, int] = (100, 30)


PICTURES = {
    "virtual-deck": Picture(
        "en",
        "team",
        ["Ada"],
        ["5", "3", "7", "0", "8"],
        {"bots": 2, "strength": "hard", "options": {"open_corners": 3, "reveal_galley": True}},
    ),
    "real-deck-de": Picture("de", "team", ["Ada", "Ben", "Cleo"], ["d", "r", "r", "f", "g", "b"], {"deck": "real"}),
}


async def draw(picture: Picture) -> str:
    """Play to that state, and return what the screen shows, as SVG."""
    with tempfile.TemporaryDirectory() as root:
        async with played(Path(root), picture.game, picture.people, size=picture.size, **picture.plan) as table:
            await table.keys(*picture.keys)
            return table.app.export_screenshot(title=f"captain play {picture.game}")


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in PICTURES.items():
        language.use(picture.lang)
        (FOLDER / f"{name}.svg").write_text(asyncio.run(draw(picture)), encoding="utf-8")


if __name__ == "__main__":
    main()
