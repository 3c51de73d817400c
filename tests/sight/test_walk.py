"""The walk of a calibration: what it finds, and what it says at each step that goes wrong."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from eyecaptain.games.base import COLORS
from eyecaptain.sight import fit
from eyecaptain.sight.readings import Pair
from eyecaptain.sight.walk import Mistake, Walk
from eyecaptain.world.rig import Rig
from eyecaptain.world.window import NOTHING, STEADY, Unit, View, flat, sitting, tilted
from eyedeck.core import die
from eyedeck.core.palette import Palette


class Bench:
    """A unit on a quiet evening, and a walk over it."""

    def __init__(self, seed: int = 1) -> None:
        self.rng = Random(seed)
        self.rig = Rig(Unit.of(self.rng), STEADY, self.rng)
        self.taken = 0
        self.walk = Walk(self.take)

    def take(self, count: int, cycles: int, gain: int) -> Sequence[Pair]:
        self.taken += count
        return [Pair(*self.rig.pair(cycles, gain)) for _ in range(count)]

    def lay(self, view: View) -> None:
        self.rig.view = view

    def begin(self) -> None:
        self.lay(NOTHING)
        self.walk.dark()
        self.lay(flat("white"))
        self.walk.white()

    def face(self, below: Any, top: Any = None) -> None:
        self.lay(flat(below, sitting(self.rng)))
        self.walk.face(top or below)

    def complain(self, step: Any, *args: Any) -> str:
        with pytest.raises(Mistake) as caught:
            step(*args)
        assert caught.value.hint
        return caught.value.message


@pytest.mark.parametrize("seed", range(8))
def test_a_walk_makes_a_palette_that_knows_its_die(seed: int) -> None:
    bench = Bench(seed)
    bench.begin()
    for color in COLORS * 2:
        bench.face(color)
    assert bench.walk.usual
    palette = Palette(bench.walk.finish())
    assert len(palette.kinds) == 4
    assert bench.taken * 2 * 0.055 < 30, "seconds of reading; a person needs some, too, and two minutes are to be enough"
    for color in COLORS:
        bench.lay(flat(color))
        assert die.judge(*bench.rig.pair(palette.cycles, palette.gain), palette)[0] == color


def test_the_exposure_is_the_most_sensitive_that_white_paper_does_not_fill() -> None:
    for seed in range(20):
        bench = Bench(seed)
        bench.begin()
        cycles, gain = bench.walk._exposure
        on, _ = bench.rig.pair(cycles, gain)
        assert max(on) < 0.75 * min(65535, 1024 * cycles)
        assert on[3] > 0.1 * min(65535, 1024 * cycles)


def test_what_is_below_may_be_another_colour_than_what_is_on_top() -> None:
    swapped: dict[str, Any] = {"red": "green", "green": "red", "blue": "yellow", "yellow": "blue"}
    bench = Bench()
    bench.begin()
    for color in COLORS * 2:
        bench.face(color, swapped[color])
    palette = Palette(bench.walk.finish())
    for below, top in swapped.items():
        bench.lay(flat(below))
        assert die.judge(*bench.rig.pair(palette.cycles, palette.gain), palette)[0] == top


def test_two_colours_below_may_show_the_same_one_on_top() -> None:
    bench = Bench()
    bench.begin()
    for below, top in (("red", "red"), ("green", "red"), ("blue", "blue"), ("yellow", "blue")) * 2:
        bench.face(below, top)
    assert not bench.walk.usual
    assert bench.walk.counts == {"red": 4, "green": 0, "blue": 4, "yellow": 0}
    assert len(Palette(bench.walk.finish()).kinds) == 4


def test_the_same_colour_below_with_two_on_top_is_refused_at_once() -> None:
    bench = Bench()
    bench.begin()
    bench.face("red", "red")
    assert "reads like face 1, on which red was on top" in bench.complain(bench.face, "red", "green")
    assert bench.walk.labels == ["red"]
    bench.walk.back()
    bench.face("red", "green")
    assert bench.walk.labels == ["green"]


def test_white_paper_that_is_not_there() -> None:
    bench = Bench()
    bench.lay(NOTHING)
    bench.walk.dark()
    assert "hardly brighter" in bench.complain(bench.walk.white)
    bench.lay(flat("white"))
    bench.walk.white()


def test_paper_that_lay_there_from_the_beginning() -> None:
    bench = Bench()
    bench.lay(flat("white"))
    bench.walk.dark()
    assert "hardly brighter" in bench.complain(bench.walk.white)


def test_a_lamp_that_is_broken_is_found_at_the_white_paper() -> None:
    bench = Bench()

    def take(count: int, cycles: int, gain: int) -> Sequence[Pair]:
        return [Pair(off, off) for _, off in (bench.rig.pair(cycles, gain) for _ in range(count))]

    bench.walk = Walk(take)
    bench.lay(NOTHING)
    bench.walk.dark()
    bench.lay(flat("white"))
    assert "makes no difference" in bench.complain(bench.walk.white)


def test_a_room_that_blinds_the_sensor() -> None:
    bench = Bench()
    bench.rig.ambient = 1e5
    assert "blinded" in bench.complain(bench.walk.dark)


def test_a_face_that_is_not_there_leans_moves_or_is_paper() -> None:
    bench = Bench()
    bench.begin()
    assert "white paper" in bench.complain(bench.walk.face, "red")
    bench.lay(NOTHING)
    assert "Nothing lies" in bench.complain(bench.walk.face, "red")
    bench.rig.ambient = 6.0
    bench.lay(tilted("red", 30))
    assert "shines in" in bench.complain(bench.walk.face, "red")
    bench.rig.ambient = 1.0
    calm = bench.walk._take

    def shaking(count: int, cycles: int, gain: int) -> Sequence[Pair]:
        pairs: list[Pair] = []
        for number in range(count):
            bench.lay(flat("red") if number % 2 else tilted("red", 12))
            pairs += calm(1, cycles, gain)
        return pairs

    bench.walk._take = shaking
    assert "moved" in bench.complain(bench.walk.face, "red")
    assert bench.walk.labels == []


def test_two_colours_that_are_nearly_alike_are_refused_at_the_end() -> None:
    bench = Bench()
    bench.begin()
    for color in COLORS * 2:
        bench.face(color)
    # Green as blue with a trace of its own: far enough apart to be walked through, too near to be told apart as they scatter.
    shift = 1.05 * fit.ALIKE**0.5 * fit.FLOOR[0]
    rng = Random(1)
    blues = [
        [(red + rng.gauss(0, 2 * fit.FLOOR[0]), green, bright) for red, green, bright in face.points]
        for face in bench.walk._faces
        if face.top == 2
    ]
    greens = [[(red + shift, green, bright) for red, green, bright in points] for points in blues]
    pools = {1: iter(greens), 2: iter(blues)}
    bench.walk._faces = [fit.Face(face.top, next(pools[face.top])) if face.top in pools else face for face in bench.walk._faces]
    assert "too much alike" in bench.complain(bench.walk.finish)


def test_a_die_of_one_colour_is_refused() -> None:
    bench = Bench()
    bench.begin()
    for _ in range(8):
        bench.face("red")
    assert "Only one colour" in bench.complain(bench.walk.finish)


def test_a_kind_keeps_its_scatter_and_never_less_than_the_floor() -> None:
    rng = Random(1)
    tight = fit.Face(0, [(2000.0, 3000.0, 7000.0)] * 10)
    wide = fit.Face(1, [(5000 + rng.gauss(0, 200), 1000 + rng.gauss(0, 200), 7000 + rng.gauss(0, 300)) for _ in range(50)])
    found = fit.values([tight, wide])
    at = {key: found[key] for key in ("c0", "c1")}
    assert at["c0"][:4] == [0, 2000, 3000, 7000]
    assert die.distance(5000 + 200, 1000, 7000, at["c1"]) < die.distance(2000 + 200, 3000, 7000, at["c0"])
    assert at["c1"][10] > at["c0"][10] == 0


def test_the_floor_takes_the_place_of_less_scatter_and_adds_nothing_to_more() -> None:
    still = [fit.Face(top, [(2000.0 + 3000 * top, 3000.0, 7000.0)] * 10) for top in (0, 1)]
    five = round(2000 + 5 * fit.FLOOR[0])
    assert die.distance(five, 3000, 7000, fit.values(still)["c0"]) / die.SIGMA**2 == pytest.approx(25, rel=0.02)
    rng = Random(2)
    middles = ((2000, 3000, 7000), (5000, 1000, 7000))
    moved = [fit.Face(top, [_near(rng, middle) for _ in range(200)]) for top, middle in enumerate(middles)]
    found = fit.values(moved)
    for key, face in (("c0", moved[0]), ("c1", moved[1])):
        squares = [
            die.distance(round(red), round(green), round(bright), found[key]) / die.SIGMA**2
            for red, green, bright in face.points
        ]
        assert sum(squares) / len(squares) == pytest.approx(3, rel=0.1)


def _near(rng: Random, middle: tuple[int, int, int]) -> fit.Point:
    red, green, bright = (rng.gauss(at, 1.5 * floor) for at, floor in zip(middle, fit.FLOOR, strict=True))
    return red, green, bright
