"""Games played by keys on a screen: every game, deck and question; the log's replay equals what was played."""

import asyncio
import random
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from eyecaptain.link.messages import Event
from eyecaptain.table.sitting import Room, resume
from eyecaptain.views.reasons import DIE_COMES
from eyecaptain.views.terminal import app as screens
from eyecaptain.views.terminal.messages import Reading
from eyecaptain.views.terminal.screen import Panel
from eyecaptain.world.deck import VirtualDeck
from random_play import KINDS
from support import runs
from table.sittings import check_replay, recorded
from views.terminal.stage import Inbox, Stage, played, screen


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


def kinds(stage: Stage) -> list[str]:
    return [entry.data["type"] for entry in recorded(stage.sitting).entries if entry.data["type"] != "die"]


def last(stage: Stage) -> dict[str, Any]:
    return dict(recorded(stage.sitting).entries[-1].data)


# -- the virtual deck --


def test_a_number_lifts_and_waits_only_where_it_could_become_longer(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path) as table:
            await table.keys("5", "1")
            assert kinds(table) == ["deal", "lift"]
            assert "1_" in screen(table.app)
            await table.keys("0")
            lifts = [entry.data for entry in recorded(table.sitting).entries if entry.data["type"] == "lift"]
            assert [(lift["seat"], lift["dropping"]) for lift in lifts] == [(0, 5), (1, 10)]
            await table.keys("1", "enter")
            assert [entry.data.get("dropping") for entry in recorded(table.sitting).entries if entry.data["type"] == "lift"][
                2
            ] == 1
            check_replay(table.sitting)

    run(play())


def test_while_the_die_is_read_the_screen_says_so(tmp_path: Path) -> None:
    """A board needs a moment for that: nobody can say its colour on a virtual deck, or need press twice (see test_loop)."""

    async def play() -> None:
        async with played(tmp_path) as table:
            scene = table.app.scene
            assert scene is not None
            table.app._take(scene._replace(view={**scene.view, "die": None}))
            table.app.on_reading(Reading())
            assert table.sees(DIE_COMES)
            table.app._take(scene)
            assert table.app._notice is None

    run(play())


def test_arrows_and_enter_reach_every_dropping(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path) as table:
            reached = set()
            rng = random.Random(1)
            for _ in range(150):
                table.app.key(rng.choice(["up", "down", "left", "right"]))
                reached.add(table.app._chosen)
            assert len(reached) >= 10
            chosen = table.app._chosen
            await table.keys("enter")
            lifts = [entry.data for entry in recorded(table.sitting).entries if entry.data["type"] == "lift"]
            assert [lift["dropping"] for lift in lifts] == [chosen]

    run(play())


def test_a_click_on_a_dropping_lifts_it_and_one_on_a_key_is_the_key(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path) as table:
            (column, row), dropping = next(iter(table.app._hits.items()))
            await table.pilot.click("#deck", offset=(column + 1, row))
            await table.settled()
            assert kinds(table) == ["deal", "lift"]
            assert any(entry.data.get("dropping") == dropping for entry in recorded(table.sitting).entries)
            column, row = next(at for at, key in table.app._key_hits.items() if key == "p")
            await table.pilot.click("#keys", offset=(column, row))
            await table.settled()
            assert table.game.paused

    run(play())


def test_solo_announces_first_and_the_screen_shows_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, "solo") as table:
            await table.keys("5")
            assert table.sees("does nothing now")
            await table.keys("r")
            assert table.sees("Red is announced. Which dropping?")
            assert table.sees("announced")
            await table.keys("b", "5")
            assert last(table)["announced"] == "blue"
            await table.keys("g", "escape", "5")
            assert kinds(table) == ["deal", "lift"]
            check_replay(table.sitting)

    run(play())


def test_a_sole_person_sees_a_secret_look_which_any_key_covers(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, "captain", ["Ada"], bots=1) as table:
            color = table.game.layout[5]
            await table.keys("5")
            assert table.sees("Only for Ada")
            name = {"R": "RED", "G": "GREEN", "B": "BLUE", "Y": "YELLOW"}[color]
            assert table.sees(f"{name} is under dropping 5")
            before = kinds(table)
            await table.keys("c")  # covers, and does not call
            assert not table.sees("Only for Ada")
            assert kinds(table) == before

    run(play())


def test_a_secret_look_is_covered_after_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert screens.SECRET_SECONDS <= 3
    monkeypatch.setattr(screens, "SECRET_SECONDS", 0.1)

    async def play() -> None:
        async with played(tmp_path, "captain", ["Ada"], bots=1) as table:
            await table.keys("5")
            await table.until(lambda: table.app._secret is None, "covered")
            assert not table.sees("Only for Ada")

    run(play())


def test_among_several_a_look_waits_for_a_key_and_for_the_mouse_button(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, "captain") as table:
            await table.keys("5")
            assert table.sees("Ada, press v when nobody else can see the screen.")
            assert not table.sees("is under dropping")
            await table.keys("v")
            assert table.sees("is under dropping 5")
            await table.keys("x")
            assert not table.sees("is under dropping")
            column, row = next(at for at, key in table.app._key_hits.items() if key == "v")
            await table.pilot.mouse_down("#keys", offset=(column, row))
            assert table.sees("is under dropping 5")
            await table.pilot.mouse_up("#keys", offset=(column, row))
            assert not table.sees("is under dropping")

    run(play())


def test_any_player_calls_also_while_another_has_the_tongs(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, "captain", ["Ada", "Ben", "Cleo"]) as table:
            await table.keys("c")
            assert table.sees("Who called?")
            await table.keys("3")
            assert [entry.data["seat"] for entry in recorded(table.sitting).entries if entry.data["type"] == "call"] == [2]
            await table.press("C")  # cyan: Ben, with one key
            assert [entry.data["seat"] for entry in recorded(table.sitting).entries if entry.data["type"] == "call"] == [2, 1]
            await table.keys("u")
            assert table.game.round == 2
            check_replay(table.sitting)

    run(play())


def test_two_calls_in_one_instant_are_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, "captain", ["Ada", "Ben", "Cleo"], manner={"one_call": 60.0}) as table:
            table.app.key("C")
            table.app.key("M")
            await table.settled()
            assert [entry.data["seat"] for entry in recorded(table.sitting).entries if entry.data["type"] == "call"] == [1]
            assert table.game.chips == [1, 0, 1]
            assert "Somebody has just called: one call counts." in table.app.said

    run(play())


@pytest.mark.soak
@pytest.mark.parametrize("game", KINDS)
def test_the_screen_never_shows_what_nobody_has_lifted(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sittings that differ in two droppings that nobody lifts show the same."""
    deal = VirtualDeck.deal
    layouts: list[str] = []
    for seed in range(runs(2)):
        rng = random.Random(f"{game} {seed}")
        one, other = rng.sample(range(2, 10), 2)
        numbers = [str(number) for number in range(2, 10) if number not in (one, other)]
        keys = [rng.choice([*numbers, *numbers, *"wuvpt?rgby", "escape"]) for _ in range(30)]

        def swapped(deck: VirtualDeck, one: int = one, other: int = other) -> str:
            letters = list(deal(deck))
            letters[one], letters[other] = letters[other], letters[one]
            deck.layout = "".join(letters)
            return deck.layout

        async def play(folder: Path, keys: list[str] = keys) -> list[str]:
            shown = []
            async with played(folder, game) as table:
                layouts.append(str(table.game.layout))
                for key in keys:
                    table.app.key(key)
                    await table.dealt_with()
                    shown.append("\n".join(panel.render().plain for panel in table.app.query(Panel)))
            return shown

        first = asyncio.run(play(tmp_path / f"{seed} a"))
        with monkeypatch.context() as patch:
            patch.setattr(VirtualDeck, "deal", swapped)
            second = asyncio.run(play(tmp_path / f"{seed} b"))
        assert first == second
    assert layouts[::2] != layouts[1::2]


def test_undo_turn_pause_and_a_wrong_key(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path) as table:
            await table.keys("u")
            assert table.sees("The key u does nothing now.")
            await table.keys("5", "t", "1")
            assert table.game.turn == 0
            await table.keys("u", "u")
            assert table.sees("Taken back. Enter goes on")
            await table.press("enter", "p")
            assert table.game.paused
            assert table.sees("Pause: the eye stands still.")
            await table.press("5", "p")
            assert not table.game.paused
            await table.press("question_mark")
            assert table.sees("Any key closes this page.")
            await table.keys("q")
            assert not table.sees("Any key closes this page.")
            assert not table.app.ended
            check_replay(table.sitting)

    run(play())


def test_a_danger_is_shown_and_one_key_saves_the_die(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, options={"open_corners": 4}) as table:
            deck = table.sitting.table.board.deck
            assert deck is not None
            for _ in range(300):
                if deck.places()["danger"] or table.game.over:
                    break
                await table.keys("w")
            assert table.sees("The die is about to fall! e saves it.")
            await table.keys("e")
            assert not deck.places()["danger"]
            assert "recentre" in kinds(table)

    run(play())


@pytest.mark.parametrize("game", KINDS)
def test_a_whole_game_to_its_end_and_the_last_action_taken_back(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        rng = random.Random(game)
        async with played(tmp_path, game, ["Ada"], bots=1, options={"open_corners": 1} if game == "team" else {}) as table:
            for _ in range(400):
                if table.game.over:
                    break
                if table.app._secret is not None:
                    table.app.key("escape")
                on_deck = table.game.ids_on_deck()
                number = str(rng.choice(on_deck)) if on_deck else ""
                keys = [*(["r"] if game == "solo" else []), *number, *(["enter"] if number == "1" else [])]
                if not on_deck or (game == "captain" and table.game.deck < 5):
                    keys = ["c"]
                for key in keys:
                    table.app.key(key)
                    await table.dealt_with()
            assert table.game.over
            await table.settled()
            if table.app._secret is not None:
                await table.keys("escape")
            assert table.sees("u takes the last action back")
            await table.keys("u")
            assert not table.game.over
            check_replay(table.sitting)
            await table.keys("q")
            await table.until(lambda: not table.seat._thread.is_alive(), "the end")

    run(play())


# -- a real deck --


def test_team_on_a_real_deck(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, deck="real", options={"open_corners": 1, "reveal_galley": True}) as table:
            await table.keys("g")
            assert table.sees("Look at the die: which colour does it show?")
            await table.keys("r")  # red: so the green one is no match
            assert (table.game.team, table.game.turn, table.game.die) == (0, 1, "red")
            await table.keys("r")
            assert table.game.team == 1
            await table.keys("f")
            assert table.sees("Which colour had the dropping that fell?")
            await table.keys("b")
            assert table.game.galley == 1
            await table.keys("d", "n")
            assert table.game.die is None
            assert table.sees("its colour is not known")
            await table.keys("d", "y", "e", "1", "u", "o")
            assert table.game.status == "lost"
            await table.keys("u", "u")
            assert table.game.status == "running"
            check_replay(table.sitting)

    run(play())


def test_the_last_dropping_on_a_real_deck_is_named_and_looked_at(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, deck="real") as table:
            await table.keys("d", "r", *"rrr", *["f"] * 8)
            assert table.game.deck == 1
            await table.keys("k")
            assert table.sees("Give up this game?")
            await table.keys("n", "l", "b", "y")
            assert (table.game.over, last(table)["named"], last(table)["color"]) == (True, "blue", "yellow")
            check_replay(table.sitting)

    run(play())


def test_solo_on_a_real_deck(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, "solo", deck="real") as table:
            await table.keys("r", "g", "b", "b")
            assert table.game.owned == [0, 1]
            check_replay(table.sitting)

    run(play())


def test_with_caps_lock_a_key_is_still_the_key_unless_the_capital_is_a_seats(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path / "team", deck="real") as table:
            await table.press("D", "R", "R")
            assert (table.game.die, table.game.team) == ("red", 1)
            await table.press("U", "U", "U")
            assert table.sees("The key U does nothing now.")
        async with played(tmp_path / "captain", "captain", ["Ada", "Ben", "Cleo"], deck="real") as table:
            await table.press("D", "Y", "X")
            assert kinds(table) == ["deal", "lift"]
            await table.press("M")  # magenta: Cleo
            assert table.sees("Cleo calls!")

    run(play())


def test_a_face_that_has_just_turned_asks_which_colour_was_meant(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, deck="real") as table:
            table.sitting.table.reported({"type": "die", "face": "red", "by": "board"})
            table.sitting.table.reported({"type": "die", "face": "blue", "by": "board"})
            await table.pilot.pause()
            await table.keys("y")  # neither of the two: no match either way
            assert last(table)["color"] == "yellow"
            table.sitting.table.reported({"type": "die", "face": "red", "by": "board"})
            await table.pilot.pause()
            await table.keys("b")
            assert table.sees("The die has just turned. Which colour was meant?")
            await table.keys("g")
            assert table.sees("does nothing now")
            await table.keys("b")
            assert (last(table)["sought"], table.game.team) == ("blue", 1)

    run(play())


def test_captain_on_a_real_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with played(tmp_path, "captain", ["Ada", "Ben", "Cleo"], deck="real") as table:
            await table.keys("x", "m")  # a miss needs no colour, a match does
            assert table.sees("Look at the die")
            await table.keys("r")
            assert (table.game.collected, table.game.deck) == ([0, 1, 0], 11)
            # the count says: all are still there; the table sees a colour gone, and is believed
            await table.keys("c", "1", "y")
            assert table.sees("Count and table differ: by the count all are still there. Who is right?")
            await table.keys("t")
            assert table.game.chips == [1, 0, 0]
            assert [entry.data.get("right") for entry in recorded(table.sitting).entries if entry.data["type"] == "call"] == [
                True
            ]
            await table.keys("u")
            assert table.game.chips == [0, 0, 0]
            await table.keys("c", "1", "n")  # they agree: nothing is asked
            assert table.game.chips == [0, 1, 0]
            check_replay(table.sitting)

    del monkeypatch
    run(play())


def test_the_eyes_switch_asks_who_called_in_captain_only(tmp_path: Path) -> None:
    async def play(game: str) -> None:
        async with played(tmp_path, game, deck="real") as table:
            table.sitting.table.reported({"type": "pause"})
            await table.pilot.pause()
            assert table.sees("Who called?") == (game == "captain")
            if game == "captain":
                await table.keys("0")
                assert (table.game.paused, table.sees("Who called?")) == (True, False)
            await table.keys("p", "p")  # one's own pause asks nothing
            assert (table.game.paused, table.sees("Who called?")) == (True, False)

    run(play("captain"))
    run(play("team"))


def test_what_was_told_wrongly_on_a_real_deck_is_mended_with_two_keys(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, people=["Ada", "Ben", "Cleo"], deck="real") as table:
            await table.keys("d", "g", "r")
            await table.keys("u")
            assert table.app.scene is not None
            assert not table.app.scene.held  # there is nothing that would wait for Enter
            await table.keys("g")  # a wrong colour: it was green, a match
            assert (table.game.team, table.game.turn) == (1, 1)
            await table.keys("t", "1")  # the tongs went to the wrong child
            assert table.game.turn == 0
            # A report was missed, and the next one came: it is caught up, and the tongs lie where they are.
            await table.keys("g", "g")
            assert (table.game.team, table.game.turn) == (3, 2)
            await table.keys("u", "u")  # reported twice too often
            assert (table.game.team, table.game.turn) == (1, 0)
            check_replay(table.sitting)

    run(play())


def test_the_die_that_was_read_wrongly_is_told_with_two_keys(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, "captain", deck="real") as table:
            table.sitting.table.reported({"type": "die", "face": "blue", "by": "board"})
            await table.pilot.pause()
            await table.keys("d", "y")
            assert table.game.die == "yellow"

    run(play())


# -- around the game --


def test_a_key_that_comes_too_late_does_not_close_the_end(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, deck="real") as table:
            await table.keys("d", "g")
            table.app.key("o")
            table.app.key("g")  # pressed when nobody could know yet that the die has fallen
            await table.settled()
            assert (table.game.over, table.app.ended) == (True, False)
            await table.keys("u")
            assert not table.game.over

    run(play())


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_the_sought_colour_fills_a_third_of_the_screen(size: tuple[int, int], tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, size=size) as table:
            field = table.app.query_one("#field").region
            assert 0.32 < field.area / (size[0] * size[1]) < 0.36

    run(play())


def test_one_key_changes_between_dark_and_light(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path) as table:
            dark = table.app.current_theme.dark
            grounds = []
            for _ in range(2):
                await table.press("ctrl+t")
                grounds.append((table.app.current_theme.dark, table.app.screen.styles.background.brightness > 0.5))
            assert grounds == [(not dark, dark), (dark, not dark)]
            assert kinds(table) == ["deal"]

    run(play())


def test_names_of_every_width_push_nothing_out_of_its_place(tmp_path: Path) -> None:
    """Wider than their field, in two cells a letter, from right to left, of joined signs."""
    wide = ["W" * 20, "山田太郎山田太郎山田", "שלום עולם", "👩‍🚀👨‍👩‍👧‍👦🏳️‍🌈"]

    async def rails(folder: Path, people: list[str]) -> list[list[int]]:
        async with played(folder, "captain", people) as table:
            await table.keys("5")
            rows = screen(table.app).splitlines()
            return [[cell_len(row[:at]) for at, sign in enumerate(row) if sign in "┃┏┓┗┛"] for row in rows]

    async def play() -> None:
        usual = await rails(tmp_path / "usual", ["Ada", "Ben", "Cleo", "Dan"])
        assert await rails(tmp_path / "wide", wide) == usual

    run(play())


def test_what_the_board_says_is_read_out(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path) as table:
            table.seat.say("The board is not there any more.")
            await table.pilot.pause()
            assert table.sees("The board is not there any more.")

    run(play())


def broken(message: Any) -> list[dict[str, Any]]:
    raise ZeroDivisionError(message)


def test_a_fault_in_the_loop_ends_the_screen_and_comes_out(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path) as table:
            table.inbox.put(Event("die", {}, 0.0))
            table.sitting.table.board.hear = broken  # type: ignore[method-assign]
            table.inbox.put(Event("die", {}, 0.0))
            await table.until(lambda: table.app.ended, "the end")

    with pytest.raises(ZeroDivisionError):
        run(play())


@pytest.mark.parametrize("deck", ["virtual", "real"])
def test_leaving_and_resuming_at_the_very_action(deck: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, "solo", deck=deck) as table:
            await table.keys("r", "5" if deck == "virtual" else "g", "q")
            await table.until(lambda: table.app.ended, "the end")
        before = table.game.view(0)
        room = Room(Inbox())
        async with played(tmp_path, sitting=resume(table.sitting.folder, "none", room), room=room) as again:
            assert again.game.view(0) == before
            assert again.sees("Tongs: Ben")

    run(play())


def test_a_small_window_keeps_playing_and_grows_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path) as table:
            whole = screen(table.app)
            await table.pilot.resize_terminal(40, 10)
            await table.pilot.pause()
            assert table.sees("Tongs: Ada")
            await table.keys("5")
            assert table.sees("Tongs: Ben")
            await table.keys("u", "enter")
            await table.pilot.resize_terminal(80, 24)
            await table.pilot.pause()
            assert table.sees("Tongs: Ada")
            assert len(screen(table.app)) > len(whole) / 2
            for size in ((1, 1), (7, 3), (300, 4), (20, 90), (80, 24)):
                await table.pilot.resize_terminal(*size)
                await table.pilot.pause()

    run(play())


def test_reduced_motion_draws_nothing_while_nobody_acts(tmp_path: Path) -> None:
    async def play() -> None:
        async with played(tmp_path, manner={"still": True}) as table:
            scene = table.app.scene
            assert scene is not None
            assert scene.places is not None
            before = screen(table.app)
            moved = {**scene.places, "droppings": {**scene.places["droppings"], "5": 3}}
            table.app._take(scene._replace(places=moved))
            await table.pilot.pause()
            assert screen(table.app) == before

    run(play())


KEYS = [
    *"0123456789rgbywcvepkltnxmdofu1234aoWCMO?!ihsaRGX",
    "enter",
    "escape",
    "up",
    "down",
    "left",
    "right",
    "backspace",
    "tab",
    "f1",
]


@pytest.mark.soak
@settings(max_examples=runs(12), deadline=None)
@given(
    game=st.sampled_from(sorted(KINDS)),
    real=st.booleans(),
    bots=st.booleans(),
    corners=st.integers(0, 4),
    # In bursts: between two of them the table comes to rest.
    bursts=st.lists(st.lists(st.sampled_from(KEYS), min_size=1, max_size=12), max_size=12),
)
def test_whatever_is_pressed_the_state_is_the_logs_replay(
    game: str, real: bool, bots: bool, corners: int, bursts: list[list[str]]
) -> None:
    async def play(folder: Path) -> None:
        options = {"open_corners": corners} if game == "team" else {}
        seats: dict[str, Any] = {"people": ["Ada"], "bots": 1} if bots and not real else {"people": ["Ada", "Ben"]}
        async with played(folder, game, deck="real" if real else "virtual", options=options, **seats) as table:
            for burst in bursts:
                for key in burst:
                    table.app.key(key)
                await table.settled()
        check_replay(table.sitting)

    with tempfile.TemporaryDirectory() as folder:
        run(play(Path(folder)))
