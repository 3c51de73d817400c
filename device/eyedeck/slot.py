"""Which firmware this is: the slot that main.py started it from, and whether it still has to be confirmed."""

import os

from eyedeck import BUILD
from eyedeck.link.session import Refused


class Slot:
    """The slot in use.

    `state` is what slot.json said (main.py), `confirm` ends a trial; both are None when the firmware is not in a slot.
    """

    def __init__(self, state=None, confirm=None):
        self._state = state or {}
        self._confirm = confirm

    @property
    def build(self):
        """Which sources this firmware was made from."""
        return self._state.get("build") or BUILD

    @property
    def fresh(self):
        """Will it go away unless somebody confirms it?"""
        return "trial" in self._state

    @property
    def soft(self):
        """Was there a soft reset before this trial boot? None when it is none: then the watchdog tells."""
        return self._state.get("soft")

    def about(self):
        """What `hello` tells of it."""
        return {"build": self.build, "trial": self._state["trial"]} if self.fresh else {"build": self.build}

    def where(self):
        """What `stats` tells: the slot in use, the build that a rollback would bring back, and one that failed, and why."""
        return [self._state.get(key) for key in ("slot", "was", "failed", "why")]

    def confirm(self, args):
        """End the trial of the build that is named."""
        if args.get("build") != self.build:
            raise Refused("bad_arg", "build must be %s" % self.build)
        if self.fresh and self._confirm:
            self._confirm()
        return {}


def free():
    """Return how many kB are free on the board's file system."""
    try:
        found = os.statvfs("/")
    except (OSError, AttributeError):
        return 0
    return found[0] * found[3] // 1024
