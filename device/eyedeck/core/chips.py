"""What the six chip LEDs show: the chips won, with an effect, or a message of the board's own. Pure."""

LEDS = 6
KEPT = 7  # chips remembered: one more than there are LEDs, to know that there are more

COLOURS = {
    "off": (0, 0, 0),
    "white": (255, 255, 255),
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 190, 0),
    "orange": (255, 80, 0),
    "cyan": (0, 255, 255),
    "magenta": (255, 0, 255),
}
EFFECTS = ("steady", "pulse", "chase", "win")

# Messages of the board's own: which LEDs, their colour, and how long they are lit and dark (ms; dark 0: steady).
MESSAGES = {
    "waiting": ((0,), (255, 255, 255), 100, 1900),  # running, no host yet
    "lost": ((0, 5), (255, 0, 0), 250, 250),  # link lost, the motor is off
    "maint": ((2, 3), (255, 190, 0), 1, 0),  # the host works on the board
    "broken": ((1, 2, 3, 4), (255, 0, 0), 500, 500),  # board.json or the motor driver
}

_DARK = (0, 0, 0)
_BEAT = 120  # ms, about one pair of readings: lights change only between two


def colour(text):
    """Return (r, g, b) of a name or of "rrggbb", or None."""
    if type(text) is not str:
        return None
    if text in COLOURS:
        return COLOURS[text]
    if len(text) != 6:
        return None
    for c in text.lower():
        if c not in "0123456789abcdef":
            return None
    return tuple([int(text[i : i + 2], 16) for i in (0, 2, 4)])


class Chips:
    """Six lights."""

    def __init__(self):
        self.chips = []  # names as they came
        self.fx = "steady"
        self.message: str | None = "waiting"  # None, or one of MESSAGES: it covers the chips

    def show(self, chips, fx):
        """Show these colours; return how many LEDs that takes."""
        self.chips = list(chips[:KEPT])
        self.fx = fx
        return min(len(chips), LEDS)

    def frame(self, now):
        """Return the six (r, g, b) for this moment; `now` is any count of ms."""
        if self.message:
            return self._message(self.message, now)
        lit = [colour(text) or _DARK for text in self.chips[:LEDS]]
        lit += [_DARK] * (LEDS - len(lit))
        beat = now // _BEAT
        if len(self.chips) > LEDS:  # more than can be shown
            return lit if beat % 4 < 2 else [_DARK] * LEDS
        if self.fx == "pulse":
            level = (2, 4, 7, 10, 10, 7, 4, 2)[beat % 8]
            return [tuple([part * level // 10 for part in rgb]) for rgb in lit]
        if self.fx == "chase":  # one dark gap runs along
            gap = beat % LEDS
            return [_DARK if i == gap else lit[i] for i in range(LEDS)]
        if self.fx == "win":  # the winners' colours run round all six
            colours = [rgb for rgb in lit if rgb != _DARK] or [COLOURS["white"]]
            return [_DARK if (i + beat) % 3 == 2 else colours[(i + beat) % len(colours)] for i in range(LEDS)]
        return lit

    def _message(self, message, now):
        leds, rgb, on, off = MESSAGES[message]
        lit = now % (on + off) < on
        return [rgb if lit and i in leds else _DARK for i in range(LEDS)]
