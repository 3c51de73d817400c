"""Which colour the sensor sees: one of the calibrated faces, or the reason why none. Pure, in whole numbers.

A reading is a pair of counts (red, green, blue, clear), one with the light on and one with it off; their difference leaves
out the room's light. What decides are the shares of red and green and how bright it is, measured in the scatter that the
calibration found for each face (Mahalanobis distance). Every number stays below 2^30, a small int of MicroPython's, so
that nothing but the answer is allocated. `palette` is a `core.palette.Palette`.
"""

try:
    from collections.abc import Sequence
    from typing import Any
except ImportError:  # on the board, where annotations are never looked at
    pass

FACES = ("red", "green", "blue", "yellow")

SHARE = 8192  # a share of 1
LN = 1024  # a natural logarithm of 1
SIGMA = 32  # one standard deviation; so a squared distance is in 1/1024
_VARIANCE = SIGMA * SIGMA
SHIFT = 12  # binary digits after the point in a whitening matrix
WEIGHT = 4096  # a white weight of 1
_FARTHEST = 8192  # 256 standard deviations; the sum of three squares is still small
_LN2 = 710  # LN times ln 2


def judge(on: "Sequence[int]", off: "Sequence[int]", palette: "Any") -> "tuple[str | None, int, str | None]":
    """Return (face, conf, why) for a pair of readings; `why` is None when there is a face."""
    if palette is None:
        return None, 0, "uncal"
    limit = palette.limit
    for i in range(4):
        if on[i] >= limit or off[i] >= limit:
            return None, 0, "saturated"
    dark = palette.dark
    clear = on[3] - off[3] - dark[3]
    if clear < palette.absent:
        return None, 0, "absent"
    if off[3] > palette.ambient:
        return None, 0, "ambient"
    red, green, bright = features(on[0] - off[0], on[1] - off[1], on[2] - off[2], on[3] - off[3], palette)
    return classify(red, green, bright, palette)


def features(red: int, green: int, blue: int, clear: int, palette: "Any") -> "tuple[int, int, int]":
    """Return the shares of red and green and the logarithm of clear, of a difference of counts that is not yet corrected.

    The dark difference is taken away, and the channels are weighed so that white has three equal shares.
    """
    dark, white = palette.dark, palette.white
    red = max(0, red - dark[0]) * white[0] // WEIGHT
    green = max(0, green - dark[1]) * white[1] // WEIGHT
    blue = max(0, blue - dark[2]) * white[2] // WEIGHT
    total = max(1, red + green + blue)
    while total >= 131072:  # SHARE times it would be no small int
        red >>= 1
        green >>= 1
        total >>= 1
    return SHARE * red // total, SHARE * green // total, ln(clear - dark[3])


def ln(count: int) -> int:
    """Return LN times the natural logarithm of a count, right to 0.7 percent of the count; 0 for none."""
    if count < 1:
        return 0
    two = 10
    while count >= 2048:
        count >>= 1
        two += 1
    while count < 1024:
        count <<= 1
        two -= 1
    part = count - 1024
    return ((two << 10) + part + (part * (1024 - part) * 352 >> 20)) * _LN2 >> 10


def classify(red: int, green: int, bright: int, palette: "Any") -> "tuple[str | None, int, str | None]":
    """Return (face, conf, why) for the features of something that lies there and is lit well."""
    best = other = None  # the lowest scores: of a face, and of one that shows another colour
    near = face = 0
    for kind in palette.kinds:
        square = distance(red, green, bright, kind)
        score = square + kind[10]
        if best is None or score < best:
            if kind[0] != face or best is None:
                other = best
            best, near, face = score, square, kind[0]
        elif kind[0] != face and (other is None or score < other):
            other = score
    if near > palette.gate:
        return None, 0, "off_palette"
    # The farther off it lies, the farther ahead it has to be: what is no face at all leans to one or another by chance.
    need = palette.margin * (_VARIANCE + near // 3) // _VARIANCE  # three features: a square of 3 is the usual one
    ahead = 2 * need if other is None else other - best
    if ahead < need:
        return None, 0, "ambiguous"
    sure = min(ahead, 2 * need) * 100 // (2 * need)
    return FACES[face], sure * (2 * palette.gate - near) // (2 * palette.gate), None


def distance(red: int, green: int, bright: int, kind: "Sequence[int]") -> int:
    """Return the squared distance to a kind of face, (face, three means, six numbers of the whitening matrix, ...)."""
    red -= kind[1]
    green -= kind[2]
    bright -= kind[3]
    one = min(abs(red * kind[4]) >> SHIFT, _FARTHEST)
    two = min(abs(red * kind[5] + green * kind[6]) >> SHIFT, _FARTHEST)
    three = min(abs(red * kind[7] + green * kind[8] + bright * kind[9]) >> SHIFT, _FARTHEST)
    return one * one + two * two + three * three


def same(a, b):
    """Do two judgements say the same, whatever their confidence?"""
    return a[0] == b[0] and a[2] == b[2]


_AGREE = 2  # judgements in a row that make a new face
_DOUBT = 2  # ... that take the face away while the eye stands still
_DOUBT_ROLLING = 3  # ... and while it runs and knocks the die about


class Vote:
    """Makes what is told out of single judgements: two equal ones in a row are believed, and one odd one changes nothing."""

    def __init__(self):
        self._held = self._last = (None, 0, "unstable")
        self._agree = self._against = 0

    def add(self, judged, rolling=False):
        """Take a judgement (face, conf, why) and return the one that counts; `rolling`: does the eye run?"""
        if same(judged, self._held):
            self._against = 0
            self._held = judged
        else:
            self._against += 1
            self._agree = self._agree + 1 if same(judged, self._last) else 1
            if self._agree >= _AGREE and (judged[0] or self._enough(rolling)):
                self._held, self._against = judged, 0
            elif self._enough(rolling):
                self._held = (None, 0, "unstable")
        self._last = judged
        return self._held

    def _enough(self, rolling):
        return self._held[0] is None or self._against >= (_DOUBT_ROLLING if rolling else _DOUBT)
