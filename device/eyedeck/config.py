"""What this board has: `board.json` in the root of its file system, all of it optional.

    {"leds": "plain", "cap": 60, "switch": true, "sense": false, "index": false, "bright": 20}

* `leds`: "plain" (six on GP10 to GP15), "rgb" (WS2812 on GP22) or "none"; `bright`: percent of full light for "rgb"
* `cap`: percent of the supply that the motor may get at full power: 60 for a 3 V motor on 5 V
* `switch`: is there an eye switch; `sense`: is the motor's current measured, true or {"shunt": milliohm, "stall": mA}
* `index`: has the eye's wheel an index, true or the ms of half a turn at full power

A file that cannot be understood leaves the defaults and a `problem`: then the firmware starts, but not the motor.
"""

import json
from errno import ENOENT

FILE = "board.json"
ROOT = "/"  # outside the slots: it stays when a new firmware comes
BOARD = "rp2-pico"
SHUNT = 680
STALL = 75  # mA behind the shunt's filter at full duty: between a free and a blocked N20 motor (6 V, low power) at 5 V
HALF = 200


def _percent(value):
    return None if type(value) is int and 10 <= value <= 100 else "a whole number from 10 to 100"


def _flag(value):
    return None if type(value) is bool else "true or false"


def _one_of(*choices):
    return lambda value: None if type(value) is not bool and value in choices else "one of %s" % (choices,)


def _sense(value):
    if type(value) is bool:
        return None
    good = isinstance(value, dict)
    for key in value if good else ():
        good = good and key in ("shunt", "stall") and type(value[key]) is int and 0 < value[key] <= 5000
    return None if good else 'true, false or {"shunt": milliohm, "stall": mA}'


def _index(value):
    good = type(value) is bool or (type(value) is int and 50 <= value <= 250)
    return None if good else "true, false or 50 to 250 ms"


_CHECKS = {
    "leds": _one_of("plain", "rgb", "none"),
    "cap": _percent,
    "switch": _flag,
    "sense": _sense,
    "index": _index,
    "bright": _percent,
}


class Config:
    """The settings, and `problem`: None, or what is wrong with the file."""

    def __init__(self, text=None):
        self.leds = "plain"
        self.cap = 60
        self.switch = True
        self.sense: bool | dict[str, int] = False
        self.index: bool | int = False
        self.bright = 20
        self.problem = None
        if text is not None:
            self._take(text)

    @property
    def caps(self):
        """The letters of the optional parts, as `hello` tells them."""
        return (
            ("i" if self.index else "")
            + ("c" if self.sense else "")
            + ("s" if self.switch else "")
            + ("r" if self.leds == "rgb" else "")
        )

    @property
    def half(self):
        """The ms that half a turn takes at full power."""
        return HALF if self.index is True else self.index

    @property
    def shunt(self):
        """The milliohm of the shunt."""
        return self.sense.get("shunt", SHUNT) if isinstance(self.sense, dict) else SHUNT

    @property
    def stall(self):
        """The 16-bit reading of the shunt, for each percent of duty, above which the motor is blocked."""
        stall = self.sense.get("stall", STALL) if isinstance(self.sense, dict) else STALL
        millivolt = self.shunt * stall // 1000
        return millivolt * 65535 // 3300 // 100

    def _take(self, text):
        try:
            found = json.loads(text)
        except (ValueError, TypeError, RuntimeError):
            self.problem = FILE + ": not JSON"
            return
        if not isinstance(found, dict):
            self.problem = FILE + ": not a JSON object"
            return
        for key in sorted([str(name) for name in found]):
            if key not in _CHECKS:
                self.problem = '%s: unknown key "%s"; there are %s' % (FILE, key[:20], " ".join(sorted(_CHECKS)))
                continue
            wrong = _CHECKS[key](found[key])
            if wrong:
                self.problem = '%s: "%s" must be %s' % (FILE, key, wrong)
            else:
                setattr(self, key, found[key])


def load():
    """Return the settings of this board."""
    try:
        with open(ROOT + FILE) as file:  # noqa: PTH123 - MicroPython has no pathlib built in
            text = file.read()
    except OSError as error:
        found = Config()
        if error.errno != ENOENT:
            found.problem = FILE + ": cannot be read"
        return found
    except ValueError:  # not UTF-8
        text = ""
    return Config(text)
