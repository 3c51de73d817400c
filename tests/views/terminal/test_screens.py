"""Pictures of every screen in every state, as text; CAPTAIN_SCREENS=write draws them anew. Look at each before you keep it."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.cells import cell_len

from eyecaptain import language
from eyecaptain.language import LANGUAGES, _
from eyecaptain.sessions import replay as replays
from eyecaptain.sessions import store
from eyecaptain.views.terminal import recording
from eyecaptain.views.terminal.replay import ReplayApp
from views.terminal.stage import Stage, played, screen

FOLDER = Path(__file__).parent / "screens"
EXAMPLES = Path(__file__).parents[2] / "sessions" / "examples"
KEPT = ("en", "de")  # as pictures; German has the longest words
SIZES = ((80, 24), (120, 40), (200, 60))
WIDE = ["Zoë 👩‍🚀 山田太郎", "שלום עולם", "1234567890123456789…", "Ben"]


class State(NamedTuple):
    """How to come to a screen."""

    game: str
    keys: Sequence[str] = ()
    people: Sequence[str] = ("Ada", "Ben")
    bots: int = 0
    deck: str = "virtual"
    options: Mapping[str, Any] = {}
    reports: Sequence[dict[str, Any]] = ()
    then: Sequence[str] = ()
    sizes: Sequence[tuple[int, int]] = SIZES


RED_BLUE = ({"type": "die", "face": "red", "by": "board"}, {"type": "die", "face": "blue", "by": "board"})
STATES = {
    "team": State("team", ["5", "3"], options={"open_corners": 2}),
    "team-held": State("team", ["5", "u"]),
    "team-paused": State("team", ["p"]),
    "team-turn": State("team", ["t"], people=("Ada", "Ben", "Cleo")),
    "team-help": State("team", ["question_mark"]),
    "team-real": State("team", ["d", "r", "r", "f"], deck="real"),
    "team-real-no-die": State("team", deck="real"),
    "team-real-look-at-the-die": State("team", ["g"], deck="real"),
    "team-real-which-was-meant": State("team", deck="real", reports=RED_BLUE, then=["r"]),
    "team-real-last": State("team", ["d", "r", *"rrr", *"ffffffff", "l"], deck="real", options={"reveal_galley": False}),
    "team-real-won": State("team", ["d", "r", *"rrr", "d", "b", *"bbb", *"ffffff"], deck="real"),
    "team-real-lost": State("team", ["o"], deck="real"),
    "team-revealed": State("team", ["d", "r", "r", "f", "b", "f"], deck="real", options={"reveal_galley": True}),
    "solo": State("solo", ["r", "4"], people=("Ada", "Ben", "Cleo", "Dan")),
    "solo-refused": State("solo", ["r", "4", "b", "4"]),
    "solo-announced": State("solo", ["b"]),
    "solo-real": State("solo", ["b"], deck="real"),
    "captain-secret": State("captain", ["5"], people=["Ada"], bots=1),
    "captain-secret-of-two": State("captain", ["5"]),
    "captain-called": State("captain", ["c", "1"], people=("Ada", "Ben", "Cleo")),
    "captain-who": State("captain", ["c"]),
    "captain-over": State("captain", ["c", "1", "c", "1"]),
    "captain-help": State("captain", ["question_mark"]),
    "captain-real": State("captain", ["d", "y"], deck="real"),
    "captain-real-look": State("captain", ["c", "1"], deck="real"),
    "captain-real-differ": State("captain", ["c", "1", "y"], deck="real"),
    "captain-real-missed": State("captain", ["d", "y", "x", "m", "i"], people=("Ada", "Ben", "Cleo", "Dan"), deck="real"),
    "captain-real-help": State("captain", ["question_mark"], deck="real"),
    "team-real-earlier": State("team", ["d", "r", "r", "h"], deck="real"),
    "team-real-mends": State("team", ["d", "r", "r", "g"], deck="real", options={"open_corners": 2, "reveal_galley": True}),
    "team-real-wrong": State("team", ["d", "r", "r", "g", "s"], people=("Ada", "Ben", "Cleo", "Dan"), deck="real"),
    "solo-real-mends": State("solo", ["b", "b", "r", "g"], deck="real"),
    "captain-real-switched-off": State("captain", deck="real", reports=[{"type": "pause"}]),
    "names": State("captain", ["5"], people=WIDE),
    "small": State("team", ["5"], sizes=((40, 10), (60, 20))),
    "small-real": State("captain", ["d", "g"], deck="real", sizes=((40, 10),)),
}

# The states with most words, looked at in the other languages, too.
CROWDED = (
    "team-real",
    "team-real-mends",
    "team-real-wrong",
    "captain-real-help",
    "captain-real-missed",
    "solo",
    "captain-called",
    "captain-help",
)


def compare(name: str, size: tuple[int, int], shown: str) -> None:
    folder = FOLDER if language.chosen == "en" else FOLDER / language.chosen
    path = folder / f"{name}-{size[0]}x{size[1]}.txt"
    if os.environ.get("CAPTAIN_SCREENS") == "write":
        path.write_text(shown + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == shown + "\n"
    rows = shown.split("\n")
    assert len(rows) <= size[1]
    assert all(cell_len(row) <= size[0] for row in rows)


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize(
    ("name", "lang"), [(name, lang) for name in STATES for lang in (LANGUAGES if name in CROWDED else KEPT)]
)
def test_the_screen_of(name: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every key is there, and no word is cut."""
    monkeypatch.setattr("eyecaptain.views.terminal.app.SECRET_SECONDS", 600.0)  # until all its sizes have been looked at

    async def look() -> None:
        state = STATES[name]
        plan: dict[str, Any] = {"bots": state.bots, "deck": state.deck, "options": state.options}
        async with played(tmp_path, state.game, state.people, size=state.sizes[0], **plan) as table:
            await table.keys(*state.keys)
            for report in state.reports:
                table.sitting.table.reported(report)
            await table.pilot.pause()
            await table.keys(*state.then)
            for size in state.sizes if lang in KEPT else state.sizes[:1]:
                await resized(table, size)
                if lang in KEPT:
                    compare(name, size, screen(table.app))
                if not table.app.small:
                    nothing_is_cut(table, names=name == "names")

    language.use(lang)
    asyncio.run(look())


def nothing_is_cut(table: Stage, *, names: bool) -> None:
    """Every key that does something is listed with its whole words; only a name may be too long for its place."""
    shown = screen(table.app)
    assert names or "…" not in shown
    assert not table.app._help or table.sees(_("Any key closes this page."))
    rows = [" ".join(row.split()) for row in shown.splitlines()]
    if table.app._help:
        return  # any key closes it: none is listed
    for answer in table.app._menu().answers:
        assert any(" ".join(answer.label.split()) in row for row in rows), answer.label


async def resized(table: Stage, size: tuple[int, int]) -> None:
    if tuple(table.app.size) != size:
        await table.pilot.resize_terminal(*size)
    await table.pilot.pause()


@pytest.mark.parametrize(
    ("name", "keys"), {"public": ["full_stop"], "revealed": ["left_square_bracket", "v"], "end": ["end"]}.items()
)
@pytest.mark.parametrize("lang", KEPT)
@pytest.mark.usefixtures("spoken")
def test_the_screen_of_a_replay(name: str, keys: Sequence[str], lang: str) -> None:
    async def look() -> None:
        recorded = store.read(EXAMPLES / "e10-double-victory.jsonl")
        moments = recording.moments(replays.steps(recorded, replays.new_history(recorded.header)))
        app = ReplayApp(moments, "e10")
        async with app.run_test(size=SIZES[0]) as pilot:
            await pilot.press(*keys)
            for size in (*SIZES, (40, 10)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                compare(f"replay-{name}", size, screen(app))

    language.use(lang)
    asyncio.run(look())
