"""What comes through the window: units within the datasheet's ranges, evenings, distance and tilt, flicker."""

from random import Random

import pytest

from eyecaptain.games.base import COLORS
from eyecaptain.world.spectra import ANCHORS, BANDS, CLEAR, SHARES, SURFACES, responses
from eyecaptain.world.window import DARK, GAINS, NOTHING, STEADY, STEPS, Evening, Unit, flat, through_window, tilted


@pytest.mark.parametrize("number", range(50))
def test_each_part_answers_within_the_datasheets_ranges(number: int) -> None:
    """Its table of optical characteristics, at 525 nm, which is between two bands, and near 465 and 615."""
    clear, *colors = responses(Random(number))
    for anchor, (low, high), at in zip(ANCHORS, CLEAR, range(3), strict=True):
        band = min(range(len(BANDS)), key=lambda index: abs(BANDS[index] - anchor))
        nearby = [min(low, *(pair[0] for pair in CLEAR)), max(high, *(pair[1] for pair in CLEAR))]
        assert nearby[0] * 0.98 <= clear[band] <= nearby[1] * 1.02
        for name, color in zip(SHARES, colors, strict=True):
            ranges = SHARES[name]
            share = color[band] / clear[band]
            neighbours = ranges[max(0, at - 1) : at + 2]
            assert min(low for low, _ in neighbours) - 1e-9 <= share <= max(high for _, high in neighbours) + 1e-9
    unit = Unit.of(Random(number))
    assert STEPS[0] <= unit.step <= STEPS[1]
    assert all(low <= gain <= high for gain, (low, high) in zip(unit.gains, GAINS, strict=True))
    assert 0 <= unit.dark <= DARK


def test_parts_differ_by_the_whole_range() -> None:
    """Clear at 525 nm: 13.2 to 20.0 counts; red's share there 4 to 25 %."""
    drawn = [responses(Random(number)) for number in range(300)]
    at = BANDS.index(520)
    strengths = [part[0][at] for part in drawn]
    assert min(strengths) < 13.7
    assert max(strengths) > 19.3
    shares = [part[1][at] / part[0][at] for part in drawn]
    assert min(shares) < 0.07
    assert max(shares) > 0.22


def lit(unit: Unit, view: object, evening: Evening = STEADY) -> tuple[float, ...]:
    on, off = (through_window(unit, view, lamp, evening)[0] for lamp in (True, False))  # type: ignore[arg-type]
    return tuple(one - other for one, other in zip(on, off, strict=True))


@pytest.mark.parametrize("number", range(20))
def test_an_empty_window_is_darker_than_every_face_and_white_is_brighter(number: int) -> None:
    unit = Unit.of(Random(number))
    brightness = {name: lit(unit, flat(name))[0] for name in SURFACES}
    empty = lit(unit, NOTHING)[0]
    assert all(brightness[color] > 3 * empty for color in COLORS)
    assert max(brightness, key=lambda name: brightness[name]) == "white"


def test_what_leans_more_sends_less_light_back_and_lets_more_of_the_room_in() -> None:
    unit = Unit.of(Random(1))
    views = [flat("red"), *(tilted("red", degrees) for degrees in (2, 5, 10, 20, 40))]
    back = [lit(unit, view)[0] for view in views]
    room = [view.room for view in views]
    assert back == sorted(back, reverse=True)
    assert room == sorted(room)
    assert back[3] < 0.85 * back[0]


def test_an_open_window_lets_the_room_in() -> None:
    unit = Unit.of(Random(1))
    covered, uncovered = (through_window(unit, view, False)[0].clear for view in (flat("red"), NOTHING))
    assert uncovered == pytest.approx(30 * covered)
    assert through_window(unit, NOTHING, False, ambient=100.0)[0].clear == pytest.approx(100 * uncovered)


def test_lamps_on_the_mains_flicker_at_twice_its_frequency_and_daylight_does_not() -> None:
    evenings = [Evening.of(Random(number)) for number in range(200)]
    assert {evening.hertz for evening in evenings} == {0.0, 100.0, 120.0}
    for evening in evenings:
        assert (evening.lamp == "daylight") == (evening.hertz == 0.0) == (evening.ripple == 0.0)
        _, ripple = through_window(Unit.of(Random(1)), NOTHING, False, evening)
        assert (ripple.clear > 0) == (evening.ripple > 0)
    rooms = [evening.room for evening in evenings]
    assert max(rooms) > 10 * min(rooms)
