"""Which colour the sensor sees: the nearest of four, or the reason why none. Pure.

A reading is a pair of counts (red, green, blue, clear), one with the light on and one with it off; their difference
leaves out the room's light. What decides is each colour's share of the difference.
"""

FACES = ("red", "green", "blue", "yellow")

# Shares of red, green and blue in thousandths, for a white light.
_PALETTE = ((600, 220, 180), (250, 480, 270), (180, 340, 480), (470, 360, 170))

_FAINT = 400  # less clear light than this comes back: nothing lies there
_BRIGHT = 8000  # more than this with the light off: the room shines in
_FAR = 120  # farther than this from every colour: none of them
_CLOSE = 30  # two colours nearer to each other than this: either


def judge(on, off, full):
    """Return (face, conf, why) for a pair of readings; `full` is the sensor's full scale."""
    if 4 * on[3] >= 3 * full or 4 * off[3] >= 3 * full:
        return None, 0, "saturated"
    if off[3] > _BRIGHT:
        return None, 0, "ambient"
    lit = [max(0, on[i] - off[i]) for i in range(3)]
    total = sum(lit)
    if on[3] - off[3] < _FAINT or not total:
        return None, 0, "absent"
    share = [1000 * part // total for part in lit]
    far = sorted([(_distance(share, _PALETTE[i]), i) for i in range(4)])
    best, face = far[0]
    second = far[1][0]
    if best > _FAR or second - best < _CLOSE:
        return None, 0, "ambiguous"
    return FACES[face], 100 * (second - best) // (second + best), None


def _distance(a, b):
    square = sum([(a[i] - b[i]) ** 2 for i in range(3)])
    return int(square**0.5)


def same(a, b):
    """Do two judgements say the same, whatever their confidence?"""
    return a[0] == b[0] and a[2] == b[2]


class Vote:
    """Two equal judgements of the last three make one; a single odd one changes nothing."""

    def __init__(self):
        self._last = []

    def add(self, judged):
        """Take a judgement (face, conf, why) and return the one that counts."""
        self._last = (self._last + [judged])[-3:]
        for i in range(len(self._last) - 1, 0, -1):
            for j in range(i):
                if same(self._last[i], self._last[j]):
                    return self._last[i]
        return None, 0, "unstable"

    def clear(self):
        """Forget what was seen."""
        self._last = []
