"""A row of pixels."""

from eyecaptain.world.chips.ws2812 import Rgb, Ws2812


def test_green_comes_first_and_a_short_burst_leaves_the_far_ones() -> None:
    row = Ws2812(3)
    row.shift(bytes(range(1, 10)))
    assert row.pixels == [Rgb(2, 1, 3), Rgb(5, 4, 6), Rgb(8, 7, 9)]
    row.shift(b"\0\0\0\0")  # a pixel takes all of its bytes or none
    assert row.pixels == [Rgb(0, 0, 0), Rgb(5, 4, 6), Rgb(8, 7, 9)]
    row.shift(bytes(100))
    assert row.pixels == [Rgb(0, 0, 0)] * 3
