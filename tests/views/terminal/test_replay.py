"""A replay on the screen: every key of it goes where it says, and the projections show what they may."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from eyecaptain.games.base import LETTERS
from eyecaptain.sessions import replay as replays
from eyecaptain.sessions import store
from eyecaptain.views.terminal import recording
from eyecaptain.views.terminal.replay import NO_MORE, PUBLIC, REVEALED, ReplayApp
from views.terminal.stage import screen

EXAMPLE = Path(__file__).parents[2] / "sessions" / "examples" / "e10-double-victory.jsonl"


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


@asynccontextmanager
async def replayed(**more: Any) -> AsyncIterator[tuple[ReplayApp, Pilot[None]]]:
    """The example of two rounds with a call each, on a screen."""
    session = store.read(EXAMPLE)
    app = ReplayApp(recording.moments(replays.steps(session, replays.new_history(session.header))), "e10", **more)
    async with app.run_test(size=(80, 24)) as pilot:
        yield app, pilot


def of(app: ReplayApp, kind: str) -> list[int]:
    return [at for at, moment in enumerate(app.head.recording) if moment.action.type == kind]


def test_steps_rounds_and_calls_are_a_key_away() -> None:
    async def play() -> None:
        async with replayed() as (app, pilot):
            rounds, calls, last = of(app, "deal"), of(app, "call"), len(app.head.recording) - 1
            assert (len(rounds), len(calls)) == (2, 2)
            assert app.head.at == rounds[0]
            for key, at in (
                *(("right", 1), ("right", 2), ("left", 1)),
                *(("full_stop", calls[0]), ("full_stop", calls[1]), ("comma", calls[0])),
                *(("right_square_bracket", rounds[1]), ("left_square_bracket", rounds[0])),
                *(("end", last), ("home", 0)),
            ):
                await pilot.press(key)
                assert app.head.at == at, key
                assert f" {at + 1} of {last + 1} " in screen(app)
                game = app.head.moment.game
                assert app.scene.view == game.view(None)
            await pilot.press("left_square_bracket")
            assert NO_MORE in screen(app)
            assert app.head.at == 0

    run(play())


def test_the_time_line_has_a_mark_for_each_round_and_call() -> None:
    async def play() -> None:
        async with replayed() as (app, _pilot):
            line = app._draw_line(200, 2).plain.splitlines()[0]
            assert [cell for cell in line if cell in "┃!"] == ["┃", "!", "┃", "!"]

    run(play())


def test_it_runs_at_its_speed_and_halts() -> None:
    async def play() -> None:
        async with replayed() as (app, pilot):
            waits = []
            for _ in range(9):
                await pilot.press("plus")
                waits.append((app.head.speed, app.head.wait()))
            assert [speed for speed, _ in waits] == [2, 4, 8, 16, 32, 32, 32, 32, 32]
            assert waits[4][1] * 16 == waits[0][1]
            for _ in range(9):
                await pilot.press("minus")
            assert app.head.speed == 0.25
            app.head.speed = 1e6
            await pilot.press("space")
            while not app.head.last:
                await pilot.pause(0.01)
            assert not app.head.running
            app.head.speed = 0.001
            await pilot.press("space")  # again, from the beginning
            assert app.head.at < len(app.head.recording) - 1

    run(play())


def test_both_projections_show_what_they_may() -> None:
    """As the table saw it no colour lies on the deck; revealed each of those that are left does."""

    async def play() -> None:
        async with replayed() as (app, pilot):
            await pilot.press("right", "right")
            game = app.head.moment.game
            assert game.layout is not None
            assert PUBLIC in screen(app)
            before = app._draw_deck(60, 20).plain.count("●")
            assert before <= 1  # the die
            await pilot.press("v")
            assert REVEALED in screen(app)
            red = [dropping for dropping in game.ids_on_deck() if LETTERS[game.layout[dropping]] == "red"]
            assert app._draw_deck(60, 20).plain.count("●") == before + len(red) > before

    run(play())


def test_a_key_that_means_nothing_is_said() -> None:
    async def play() -> None:
        async with replayed() as (app, pilot):
            await pilot.press("z")
            assert "The key z does nothing here." in screen(app)
            await pilot.press("question_mark")
            assert "The key ? does nothing here." in screen(app)
            await pilot.press("q")
        assert app.return_code == 0

    run(play())
