"""The calibration on the board: built up key by key, kept in a file that flashing leaves alone, active after `commit`.

The file lies in the root of the file system, outside the firmware's folder: one line of JSON with the values, the board's
own id (another board's sensor sees other counts) and a checksum (a cut file is none).
"""

import json
import os
from errno import ENOENT

from eyedeck.core import palette
from eyedeck.link.args import one_of
from eyedeck.link.session import Refused

PLACE = "cal.json"  # the working directory is the root; and the unix port cannot rename an absolute name
_FORMAT = 1


class Calibration:
    """The values of this board, by `uid`; `use(palette)` is called with what counts from then on, or None.

    `busy()`: may no file be written now? `problem` is None, or why the file was not taken.
    """

    def __init__(self, uid, use, busy, place=PLACE):
        self.problem = None
        self._uid = uid
        self._use = use
        self._busy = busy
        self._place = place
        self._values = {}
        self._new = {}
        self.sum = None  # the checksum of what counts, None without
        self._load()

    def begin(self):
        """Begin a link session: forget what was built up and not committed."""
        self._new = {}

    def op_cal(self, args):
        """Get, set, commit or clear."""
        do = one_of(args, "do", ("get", "set", "commit", "clear"), "get")
        if do == "get":
            return self._get(args.get("key"))
        if self._busy():
            raise Refused("busy", "disarm first")
        if do == "set":
            return self._set(args.get("key"), args.get("v"))
        if do == "commit":
            return self._commit(args.get("sum"))
        self._remove()
        self._take({}, None)
        self._new = {}
        return {"sum": None}

    def _get(self, key):
        if key is None:
            return {"keys": [name for name in palette.KEYS if name in self._values], "sum": self.sum}
        if type(key) is not str or key not in self._values:
            raise Refused("bad_arg" if self.sum else "uncal", "there is no such key")
        return {"v": self._values[key]}

    def _set(self, key, values):
        try:
            palette.check(key, values)
        except (ValueError, TypeError) as error:
            raise Refused("bad_arg", str(error)) from None
        self._new[key] = values
        return {"v": values}

    def _commit(self, expected):
        try:
            ready = palette.Palette(self._new)
        except ValueError as error:
            raise Refused("bad_arg", str(error)) from None
        if expected is not None and expected != ready.sum:
            raise Refused("bad_arg", "the checksum is %s: a key is missing or old" % ready.sum)
        try:
            self._write({"format": _FORMAT, "uid": self._uid, "sum": ready.sum, "cal": self._new})
        except OSError as error:
            raise Refused("fault", "the calibration could not be written: %s" % error) from None
        self._take(self._new, ready)
        self._new = {}
        return {"sum": self.sum}

    def _take(self, values, ready):
        self.problem = None
        self._values = values
        self.sum = ready.sum if ready else None
        self._use(ready)

    def _write(self, found):
        # The old file stays until the new one is whole.
        fresh = self._place + ".new"
        with open(fresh, "w") as file:  # noqa: PTH123 - MicroPython has no pathlib built in
            json.dump(found, file)
        if hasattr(os, "sync"):
            os.sync()
        os.rename(fresh, self._place)  # noqa: PTH104

    def _remove(self):
        try:
            os.remove(self._place)  # noqa: PTH107
        except OSError as error:
            if error.errno != ENOENT:
                raise Refused("fault", "the calibration could not be removed: %s" % error) from None

    def _load(self):
        try:
            with open(self._place) as file:  # noqa: PTH123
                found = json.load(file)
        except OSError as error:
            if error.errno != ENOENT:
                self.problem = "the calibration file cannot be read: %s" % error
            return
        except (ValueError, RuntimeError):
            found = None
        try:
            self._check(found)
        except (ValueError, TypeError, KeyError) as error:
            self.problem = "the calibration file is not used: %s" % error

    def _check(self, found):
        if not isinstance(found, dict) or not isinstance(found.get("cal"), dict):
            raise ValueError("it is cut or damaged")  # noqa: TRY004 - the file's fault, not the program's
        if found.get("format") != _FORMAT:
            raise ValueError("it is of another version")
        if found.get("uid") != self._uid:
            raise ValueError("it is of another board")
        ready = palette.Palette(found["cal"])
        if found.get("sum") != ready.sum:
            raise ValueError("it is damaged")
        self._take(found["cal"], ready)
