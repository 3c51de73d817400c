"""Which colour the sensor sees, or why none; and the votes by which single readings become what is told."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.fakes import palette
from eyedeck.core import die
from eyedeck.core.palette import KINDS, Palette

PALETTE = Palette(palette())
FACES = {
    "red": (1210, 430, 360, 2000),
    "green": (490, 970, 540, 2000),
    "blue": (370, 680, 950, 2000),
    "yellow": (930, 730, 340, 2000),
}
DARK = (2, 3, 2, 7)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("scale", [0.95, 1, 1.05])
@pytest.mark.parametrize("room", [0, 900])
def test_a_face_is_seen_in_any_light(face: Any, scale: Any, room: Any) -> None:
    on = [int(part * scale) + room for part in FACES[face]]
    found, conf, why = die.judge(on, [room] * 4, PALETTE)
    assert (found, why) == (face, None)
    assert 0 < conf <= 100


@pytest.mark.parametrize(
    ("on", "off", "why"),
    [
        (DARK, DARK, "absent"),
        ((100, 100, 100, 300), DARK, "absent"),
        ((9000, 9000, 9000, 16128), DARK, "saturated"),
        ((16128, 9000, 9000, 9000), DARK, "saturated"),
        ((9000, 9000, 9000, 17000), (9000, 9000, 9000, 16200), "saturated"),
        ((2200, 1430, 1360, 4000), (1000, 1000, 1000, 2000), "ambient"),
        ((700, 700, 700, 2000), DARK, "off_palette"),  # white
        ((1210, 430, 360, 5000), DARK, "off_palette"),  # red, but far too bright
        ((1210, 430, 360, 1000), DARK, "off_palette"),  # red, but far too dim: it leans
        ((0, 0, 0, 2000), DARK, "off_palette"),  # no light is no light, whatever the clear channel says
    ],
)
def test_why_there_is_no_colour(on: Any, off: Any, why: Any) -> None:
    assert die.judge(on, off, PALETTE) == (None, 0, why)


def test_between_two_colours_it_is_ambiguous() -> None:
    values = palette()
    far = Palette(values)
    far.gate = 10**8  # however far from both
    red, yellow = values["c0"], values["c3"]
    one, two, three = ((a + b) // 2 for a, b in zip(red[1:4], yellow[1:4], strict=True))
    assert die.classify(one, two, three, far) == (None, 0, "ambiguous")
    assert die.classify(one, two, three, PALETTE) == (None, 0, "off_palette")


def test_what_lies_farther_off_has_to_be_farther_ahead() -> None:
    one = 1 << die.SHIFT  # a standard deviation is die.SIGMA in each feature
    kinds = {f"c{top}": [top, 4000 + 6 * die.SIGMA * top, 2000, 7000, one, 0, one, 0, 0, one, 0] for top in (0, 1)}
    base = {key: values for key, values in palette().items() if key not in KINDS}
    two = Palette({**base, **kinds})
    aside = 2 * die.SIGMA  # from both colours alike, so that the lead of the nearer one stays
    near = [die.classify(4000 + lean, 2000, 7000, two) for lean in (0, 70)]
    assert [face for face, _, _ in near] == ["red", "red"]
    assert near[0][1] > near[1][1]
    assert die.classify(4000, 2000, 7000 + aside, two)[0] == "red"
    assert die.classify(4000 + 70, 2000, 7000 + aside, two) == (None, 0, "ambiguous")


def test_without_a_calibration_nothing_is_guessed() -> None:
    for on in (*FACES.values(), DARK, (20000, 20000, 20000, 20000)):
        assert die.judge(on, DARK, None) == (None, 0, "uncal")


counts = st.tuples(*[st.integers(0, 65535)] * 4)


@given(counts, counts)
def test_every_pair_of_readings_has_a_judgement(on: Any, off: Any) -> None:
    face, conf, why = die.judge(on, off, PALETTE)
    assert (face in die.FACES) == (why is None)
    assert 0 <= conf <= 100
    assert (conf > 0) == (face is not None)


weights = st.lists(st.integers(256, 24000), min_size=3, max_size=3)
shades = st.lists(st.integers(-999, 999), min_size=4, max_size=4)


@given(counts, weights, shades)
def test_features_are_shares_whatever_the_balance(lit: Any, white: Any, dark: Any) -> None:
    class Some:
        pass

    some: Any = Some()
    some.white, some.dark = white, dark
    red, green, bright = die.features(lit[0], lit[1], lit[2], lit[3], some)
    assert 0 <= red <= die.SHARE
    assert 0 <= green <= die.SHARE
    assert red + green <= die.SHARE
    assert 0 <= bright < 12000


@given(st.integers(1, 66534))
def test_the_logarithm_is_right_and_never_falls(count: int) -> None:
    from math import log

    assert die.ln(count) == pytest.approx(die.LN * log(count), abs=9)
    assert die.ln(count + 1) >= die.ln(count)
    assert die.ln(0) == die.ln(-5) == 0


RED, BLUE, NONE = ("red", 80, None), ("blue", 70, None), (None, 0, "absent")
UNSTABLE = (None, 0, "unstable")


def test_two_in_a_row_make_a_face_and_take_it_away() -> None:
    vote = die.Vote()
    assert vote.add(RED) == UNSTABLE
    assert vote.add(("red", 81, None)) == ("red", 81, None)
    assert vote.add(NONE)[0] == "red"
    assert vote.add(NONE) == NONE
    assert vote.add(BLUE) == UNSTABLE
    assert vote.add(BLUE) == BLUE
    assert vote.add(NONE) == BLUE
    assert vote.add(RED) == UNSTABLE


def test_one_odd_reading_changes_nothing() -> None:
    vote = die.Vote()
    vote.add(RED)
    for odd in (BLUE, NONE, (None, 0, "ambiguous")):
        assert vote.add(RED) == RED
        assert vote.add(odd) == RED


def test_while_the_eye_runs_a_face_is_held_longer_but_a_new_one_comes_as_soon() -> None:
    vote = die.Vote()
    vote.add(RED, True)
    assert vote.add(RED, True) == RED
    assert vote.add(NONE, True) == RED
    assert vote.add((None, 0, "off_palette"), True) == RED
    assert vote.add(NONE, True) == UNSTABLE
    assert vote.add(NONE, True) == NONE
    vote.add(RED, True)
    vote.add(RED, True)
    assert vote.add(BLUE, True) == RED
    assert vote.add(BLUE, True) == BLUE


@given(st.lists(st.sampled_from([RED, BLUE, NONE, (None, 0, "off_palette")]), max_size=40), st.booleans())
def test_no_face_is_told_that_was_not_seen_twice_in_a_row(readings: Any, rolling: bool) -> None:
    vote = die.Vote()
    twice = {None}
    last = None
    for reading in readings:
        if last is not None and die.same(reading, last):
            twice.add(reading[0])
        last = reading
        assert vote.add(reading, rolling)[0] in twice
