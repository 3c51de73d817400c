"""A row of WS2812 pixels: what they show after the last latch."""

from typing import NamedTuple


class Rgb(NamedTuple):
    """What one pixel shows, 0 to 255 each."""

    red: int
    green: int
    blue: int


class Ws2812:
    """A row of pixels. They keep what they show through a reset of the board, and are dark only after power-on.

    :param count: how many pixels are soldered; bytes for more than that leave the last pixel's output and are lost.
    :param depth: bytes a pixel: 3, or 4 for the SK6812 kind with white.
    """

    def __init__(self, count: int, depth: int = 3) -> None:
        self._depth = depth
        self.pixels = [Rgb(0, 0, 0)] * count

    def shift(self, data: bytes) -> None:
        """Take one burst of bits, first pixel first, and latch it (WS2812B datasheet, data: G R B).

        Each pixel keeps the first bytes that it sees and hands on the rest: a short burst leaves the far ones alone.
        """
        for index in range(min(len(data) // self._depth, len(self.pixels))):
            green, red, blue = data[index * self._depth : index * self._depth + 3]
            self.pixels[index] = Rgb(red, green, blue)
