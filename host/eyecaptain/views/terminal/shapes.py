"""Large drawings in half blocks: the shape of each colour, and letters that can be read across a table."""

import math
from collections.abc import Callable

POINT = math.pi / 5  # from a point of a star to the valley beside it


def _star(x: float, y: float) -> bool:
    turn = math.atan2(x, -y) % (2 * POINT)
    turn = min(turn, 2 * POINT - turn)
    return math.hypot(x, y) <= 0.42 * math.sin(POINT) / (math.sin(turn) + 0.42 * math.sin(POINT - turn))


# Whether a point belongs to the shape; x and y go from -1 to 1, y downward.
SHAPES: dict[str | None, Callable[[float, float], bool]] = {
    "won": _star,
    "lost": lambda x, y: abs(abs(x) - abs(y)) <= 0.28 and max(abs(x), abs(y)) <= 0.85,
    "red": lambda x, y: x * x + y * y <= 0.95,
    "green": lambda x, y: -0.9 <= y <= 0.85 and abs(x) <= (y + 0.9) / 1.75,
    "blue": lambda x, y: max(abs(x), abs(y)) <= 0.8,
    "yellow": lambda x, y: abs(x) + abs(y) <= 1.0,
    None: lambda x, y: (
        (-0.85 <= y <= -0.1 and 0.28 <= (x * x + (y + 0.4) ** 2) ** 0.5 <= 0.55 and not (x < 0 and y > -0.4))
        or (abs(x) <= 0.14 and -0.05 <= y <= 0.3)
        or (abs(x) <= 0.15 and 0.5 <= y <= 0.78)
    ),
}

# Five rows of three; what is not here is written in plain letters.
FONT = {
    "A": "010101111101101",
    "B": "110101110101110",
    "C": "011100100100011",
    "D": "110101101101110",
    "E": "111100110100111",
    "F": "111100110100100",
    "G": "011100101101011",
    "H": "101101111101101",
    "I": "111010010010111",
    "J": "001001001101010",
    "K": "101101110101101",
    "L": "100100100100111",
    "M": "101111111101101",
    "N": "110101101101101",
    "O": "010101101101010",
    "P": "110101110100100",
    "Q": "010101101110011",
    "R": "110101110101101",
    "S": "011100010001110",
    "T": "111010010010010",
    "U": "101101101101111",
    "V": "101101101101010",
    "W": "101101101111010",
    "X": "101101010101101",
    "Y": "101101010010010",
    "Z": "111001010100111",
    "Ü": "101000101101111",
    " ": "000000000000000",
}
BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def shape(name: str | None, width: int, height: int) -> list[str]:
    """The shape of a colour or an end (None: a question mark) as large as it fits; a cell is two points high."""
    inside = SHAPES[name]
    size = max(1, min(width, height * 2))
    left, top = (width - size) / 2, (height * 2 - size) / 2

    def at(column: int, row: int) -> bool:
        x, y = (column + 0.5 - left) / size * 2 - 1, (row + 0.5 - top) / size * 2 - 1
        return abs(x) <= 1 and abs(y) <= 1 and inside(x, y)

    return ["".join(BLOCKS[at(column, 2 * row), at(column, 2 * row + 1)] for column in range(width)) for row in range(height)]


def letters(word: str, width: int) -> list[str]:
    """A word in letters three rows high, or in one row when it is too wide or has others."""
    word = word.upper()
    if any(letter not in FONT for letter in word) or 4 * len(word) - 1 > width:
        spaced = " ".join(word)
        return [spaced if len(spaced) <= width else word[:width]]
    rows = []
    for top in (0, 2, 4):
        row = []
        for letter in word:
            bits = [FONT[letter][3 * line : 3 * line + 3] if line < 5 else "000" for line in (top, top + 1)]
            row.append("".join(BLOCKS[bits[0][i] == "1", bits[1][i] == "1"] for i in range(3)))
        rows.append(" ".join(row))
    return rows
