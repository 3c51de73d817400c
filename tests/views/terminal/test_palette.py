"""Colours are never alone, and anybody can tell them apart: by shape, sign, letter, lightness; words on them can be read."""

import itertools

import pytest

from eyecaptain.views.terminal.palette import PAINTS, SEAT_GROUNDS, UNKNOWN, Paint, seat_letter
from eyecaptain.views.terminal.shapes import shape

APART = 0.2  # of 1.7 from black to white
ENOUGH = 4.5  # contrast of text: WCAG 2.1, 1.4.3
# Machado, Oliveira, Fernandes 2009: what an eye without one kind of cones makes of linear red, green and blue.
BLIND = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "no colour at all": ((0.2126, 0.7152, 0.0722),) * 3,
}


def linear(color: str) -> list[float]:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(color: str) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(color), strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def seen(color: str, blindness: str) -> list[float]:
    """The colour as such an eye sees it, in steps that look equal."""
    return [
        max(0.0, sum(weight * part for weight, part in zip(row, linear(color), strict=True))) ** (1 / 2.4)
        for row in BLIND[blindness]
    ]


@pytest.mark.parametrize("paint", [*PAINTS.values(), UNKNOWN])
def test_words_on_a_colour_can_be_read(paint: Paint) -> None:
    assert contrast(paint.ink, paint.ground) >= ENOUGH


@pytest.mark.parametrize("ground", SEAT_GROUNDS.values())
def test_a_seats_letter_can_be_read_on_its_colour(ground: str) -> None:
    assert contrast("#000000", ground) >= ENOUGH


def test_every_colour_has_a_shape_a_sign_and_a_letter_of_its_own() -> None:
    drawn = {color: "\n".join(shape(color, 20, 10)) for color in (*PAINTS, None)}
    assert len(set(drawn.values())) == len(drawn)
    assert len({paint.sign for paint in PAINTS.values()}) == len({paint.letter for paint in PAINTS.values()}) == 4
    assert len({seat_letter(seat) for seat in range(4)}) == 4


@pytest.mark.parametrize("blindness", BLIND)
def test_every_eye_tells_the_colours_apart(blindness: str) -> None:
    for one, other in itertools.combinations(PAINTS, 2):
        a, b = seen(PAINTS[one].ground, blindness), seen(PAINTS[other].ground, blindness)
        assert sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5 > APART, (one, other)
