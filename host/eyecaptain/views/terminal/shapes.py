"""Large drawings in half blocks: the shape of each colour, and letters that can be read across a table."""

import math
from collections.abc import Callable, Sequence

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

# Five rows of three, of wide letters four or five; what is not here is written in plain letters.
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
    "M": "1000111011101011000110001",
    "N": "10011101101110011001",
    "O": "010101101101010",
    "P": "110101110100100",
    "Q": "010101101110011",
    "R": "110101110101101",
    "S": "011100010001110",
    "T": "111010010010010",
    "U": "101101101101111",
    "V": "1000110001010100101000100",
    "W": "1000110001101011101110001",
    "X": "101101010101101",
    "Y": "101101010010010",
    "Z": "111001010100111",
    "Ü": "101000101101111",
    " ": "000000000000000",
    "0": "111101101101111",
    "1": "010110010010111",
    "2": "111001111100111",
    "3": "111001011001111",
    "4": "101101111001001",
    "5": "111100111001111",
    "6": "111100111101111",
    "7": "111001010010010",
    "8": "111101111101111",
    "9": "111101111001111",
    "?": "111001011000010",
}
# Keys are drawn as they are pressed: capitals are the seats' letters. Six rows: one above, four, one below.
SMALL = {
    "a": "000011101101011000",
    "b": "100100110101110000",
    "c": "000011100100011000",
    "d": "001001011101011000",
    "e": "000011101110011000",
    "f": "011010111010010000",
    "g": "000011101011001110",
    "h": "100100110101101000",
    "i": "010000010010010000",
    "j": "001000001001101010",
    "k": "100101110110101000",
    "l": "010010010010011000",
    "m": "000001111010101101011010100000",
    "n": "000110101101101000",
    "o": "000010101101010000",
    "p": "000110101110100100",
    "q": "000011101011001001",
    "r": "000101110100100000",
    "s": "000011110011110000",
    "t": "010111010010011000",
    "u": "000101101101011000",
    "v": "000101101101010000",
    "w": "000001010110101101010101000000",
    "x": "000101010010101000",
    "y": "000101101011001110",
    "z": "000111001010111000",
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


def letters(word: str, width: int, *, large: bool = False) -> list[str]:
    """A word in letters three rows high, or in one row when it is too wide or has others.

    :param large: five rows, where it fits.
    """
    word = word.upper()
    rows = _bits(word)
    if not rows or len(rows[0]) > width:
        spaced = " ".join(word)
        return [spaced if len(spaced) <= width else word[:width]]
    if large and 2 * len(rows[0]) <= width:
        return ["".join("██" if bit == "1" else "  " for bit in row) for row in rows]
    return _halved([*rows, "0" * len(rows[0])])


def key_drawing(key: str) -> list[str]:
    """What stands on a key, three rows high: a small letter, or another sign as `letters` has it."""
    if key not in SMALL:
        return letters(key, 8)
    size = len(SMALL[key]) // 6
    return _halved([SMALL[key][row * size : (row + 1) * size] for row in range(6)])


def _halved(rows: Sequence[str]) -> list[str]:
    """Two rows of bits in one row of half blocks."""
    return [
        "".join(BLOCKS[upper == "1", lower == "1"] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]


def _bits(word: str) -> list[str]:
    """The five rows of a word's letters; none when a letter has no drawing."""
    if any(letter not in FONT for letter in word):
        return []
    wide = [(FONT[letter], len(FONT[letter]) // 5) for letter in word]
    return ["0".join(bits[row * size : (row + 1) * size] for bits, size in wide) for row in range(5)]
