"""Colours and shapes: every meaning has a word or a shape besides its colour."""

from typing import NamedTuple

from rich.style import Style

from eyecaptain.games.base import Color
from eyecaptain.table.lights import SEAT_COLORS


class Paint(NamedTuple):
    """How a colour of the die looks: its field, what is drawn on it, its shape in one character, its initial."""

    ground: str
    ink: str
    sign: str
    letter: str

    @property
    def style(self) -> Style:
        """For text on the colour."""
        return Style(color=self.ink, bgcolor=self.ground, bold=True)


# Chosen to differ in lightness too, so that a screen without colour still tells them apart.
PAINTS: dict[Color, Paint] = {
    "red": Paint("#c62d24", "#ffffff", "●", "R"),
    "green": Paint("#2e9e4f", "#000000", "▲", "G"),
    "blue": Paint("#123f9e", "#ffffff", "■", "B"),
    "yellow": Paint("#ffd21f", "#000000", "◆", "Y"),
}
UNKNOWN = Paint("#5c5c66", "#ffffff", "?", "?")

# The names are those of the chips' lights.
SEAT_GROUNDS = {"white": "#e8e8e8", "cyan": "#30c8c8", "magenta": "#e860d0", "orange": "#f09030"}


def seat_letter(seat: int) -> str:
    """The letter of a seat's colour: W, C, M or O."""
    return SEAT_COLORS[seat][0].upper()


def seat_style(seat: int) -> Style:
    """For text on a seat's colour."""
    return Style(color="#000000", bgcolor=SEAT_GROUNDS[SEAT_COLORS[seat]], bold=True)
