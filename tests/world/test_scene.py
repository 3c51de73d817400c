"""The deck, the die, the eye and what the sensor sees of them."""

from random import Random
from typing import Any

import pytest

from eyecaptain.games.base import COLORS, Color
from eyecaptain.games.draws import Draws
from eyecaptain.world.chips.drv8833 import ASLEEP, bridge
from eyecaptain.world.deck import CENTRE, SLOW_TICK_SECONDS, TICK_SECONDS, TICKS_A_TURN, VirtualDeck
from eyecaptain.world.scene import Scene
from eyecaptain.world.window import FACES, Unit, through_window

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


def seen(unit: Unit, faces: tuple[Color, ...], ambient: float = 1.0) -> list[float]:
    """Lamp on minus lamp off, as a firmware looks at it."""
    on, off = (through_window(unit, faces, lamp, ambient) for lamp in (True, False))
    return [one - other for one, other in zip(on, off, strict=True)]


@pytest.mark.parametrize("number", range(50))
def test_each_unit_tells_the_faces_apart_and_an_empty_window_from_them(number: int) -> None:
    unit = Unit.of(Random(number))
    shares = {}
    for face in FACES:
        clear, *rgb = seen(unit, (face,))
        assert clear > 5 * seen(unit, ())[0]
        shares[face] = [part / sum(rgb) for part in rgb]
    gaps = [
        sum((x - y) ** 2 for x, y in zip(shares[one], shares[other], strict=True)) ** 0.5
        for one in shares
        for other in shares
        if one < other
    ]
    assert min(gaps) > 0.12


def test_an_open_window_lets_the_room_in() -> None:
    unit = Unit((1.0, 1.0, 1.0, 1.0))
    covered, uncovered = (through_window(unit, faces, False).clear for faces in ((COLORS[0],), ()))
    assert uncovered > 10 * covered
    assert through_window(unit, (), False, 100.0).clear == pytest.approx(100 * uncovered)


def test_faults_that_do_not_exist_are_refused() -> None:
    scene = Scene("a")
    with pytest.raises(ValueError, match="no fault 'fire'"):
        scene.disturb("fire", True)
    with pytest.raises(ValueError, match="no fault 'no_die'"):
        scene.disturb("no_die", 3)
