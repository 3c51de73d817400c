"""The deck, the die, the eye and what the sensor sees of them."""

from typing import Any

import pytest

from eyecaptain.games.base import COLORS
from eyecaptain.games.draws import Draws
from eyecaptain.world.chips.drv8833 import ASLEEP, bridge
from eyecaptain.world.deck import CENTRE, SLOW_TICK_SECONDS, TICK_SECONDS, TICKS_A_TURN, VirtualDeck
from eyecaptain.world.scene import COVERS, Scene

GO = bridge(0.6, 0.0, True)
STEP = 0.05


def run(scene: Scene, start: float, seconds: float) -> list[dict[str, Any]]:
    """Let a scene go on as the emulator does, and return its news."""
    now = start
    while now < start + seconds:
        due = scene.due()
        now = min(max(due, now), start + seconds) if due is not None else start + seconds
        scene.advance(now)
    news, scene.news = scene.news, []
    return news


def dealt(scene: Scene, open_corners: int = 0) -> VirtualDeck:
    scene.deck = VirtualDeck(Draws(b"test", b"EEC1"), open_corners)
    scene.deck.deal()
    scene.settle()
    return scene.deck


def test_a_still_eye_knocks_nothing() -> None:
    scene = Scene("a")
    scene.advance(1000.0)
    assert scene.due() is None
    assert scene.news == []


def test_a_running_eye_turns_the_die_pushes_it_off_the_window_and_back_by_seed() -> None:
    def story(seed: str) -> list[dict[str, Any]]:
        scene = Scene(seed, pace=0.1)
        scene.drive(0.0, GO)
        return run(scene, 0.0, 120.0)

    news = story("a")
    assert {event["face"] for event in news} == set(COLORS)
    assert {event["zone"] for event in news} == {0, 1}
    assert news == story("a")
    assert news != story("b")


def test_the_pace_of_a_turn() -> None:
    scene = Scene("a")
    dealt(scene)
    scene.drive(0.0, GO)

    def ticks(start: float, seconds: float) -> int:
        return sum(event["ev"] == "tick" for event in run(scene, start, seconds))

    quick = TICKS_A_TURN * TICK_SECONDS
    assert ticks(0.0, quick + 1) == TICKS_A_TURN
    assert ticks(quick + 1, 4 * SLOW_TICK_SECONDS) == 4
    scene.new_turn()
    start = quick + 1 + 4 * SLOW_TICK_SECONDS
    assert ticks(start, quick + 0.01) == TICKS_A_TURN
    scene.drive(start + quick + 0.01, ASLEEP)
    assert ticks(start + quick + 0.01, 100.0) == 0


def test_a_blocked_eye_knocks_nothing() -> None:
    scene = Scene("a")
    scene.disturb("motor_stall", True)
    scene.drive(0.0, GO)
    assert run(scene, 0.0, 20.0) == []


def test_the_die_follows_the_dealt_deck() -> None:
    scene = Scene("a", pace=0.02)
    held = dealt(scene)
    assert scene.die.face == held.face
    scene.drive(0.0, GO)
    news = run(scene, 0.0, 300.0)
    assert held.die is not None
    assert (scene.die.face, scene.die.zone) == (held.face, held.die.zone)
    zones = [event["zone"] for event in news if event["ev"] == "die"]
    assert 0 in zones
    assert max(zones) > 0
    scene.drive(300.0, ASLEEP)
    scene.put_die("green")
    assert scene.state()["die"] == {"face": "green", "zone": CENTRE, "rolling": False}
    assert held.places()["die"] == CENTRE


def test_what_falls_is_told_and_a_fallen_die_is_not_over_the_window() -> None:
    scene = Scene("a", pace=0.02)
    held = dealt(scene, open_corners=4)
    scene.drive(0.0, GO)
    news = run(scene, 0.0, 2000.0)
    fallen = {event["dropping"] for event in news if event["ev"] == "fall"}
    assert fallen == set(range(12)) - set(held.droppings)
    assert sum(event["ev"] == "die_fell" for event in news) == 1
    assert scene.die.zone is None
    assert scene.die.over_window() == ()


def test_faults_that_do_not_exist_are_refused() -> None:
    scene = Scene("a")
    with pytest.raises(ValueError, match="no fault 'fire'"):
        scene.disturb("fire", True)
    with pytest.raises(ValueError, match="no fault 'no_die'"):
        scene.disturb("no_die", 3)


def test_what_covers_the_window_is_seen_instead_of_the_die_and_nothing_else_may() -> None:
    scene = Scene("a")
    scene.light_lamp(0.0, True)
    scene.put_die("red")
    faces = {}
    for what in (None, *COVERS):
        scene.cover_window(what)
        faces[what] = tuple(scene.sensor._light)
    assert len(set(faces.values())) == len(faces)
    with pytest.raises(ValueError, match="'cake' is nothing"):
        scene.cover_window("cake")
    assert scene.state()["cover"] == COVERS[-1]


def test_a_die_that_leans_is_darker() -> None:
    scene = Scene("a")
    scene.light_lamp(0.0, True)
    scene.put_die("yellow")
    lies = scene.sensor._light[0]
    scene.cover_window(None, tilt=15)
    assert scene.sensor._light[0] < 0.75 * lies


def test_the_motor_that_runs_spoils_few_transfers_and_one_that_stands_none() -> None:
    scene = Scene("a")
    assert all(scene.spoil(b"12345678") == b"12345678" for _ in range(10000))
    scene.drive(0.0, GO)
    failed = spoilt = 0
    for _ in range(10000):
        try:
            spoilt += scene.spoil(b"12345678") != b"12345678"
        except OSError:
            failed += 1
    assert 2 <= failed <= 40
    assert 1 <= spoilt <= 25


def test_the_same_seed_is_the_same_unit_on_the_same_evening() -> None:
    def light(seed: str) -> tuple[float, ...]:
        scene = Scene(seed)
        scene.put_die("red")
        scene.light_lamp(0.0, True)
        return tuple(scene.sensor._light)

    assert light("a") != light("b")
    first, again = Scene("a"), Scene("a")
    assert (first._unit, first._evening) == (again._unit, again._evening)
