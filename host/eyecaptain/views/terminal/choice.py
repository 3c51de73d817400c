"""Whether the terminal view can be used here; asked before anything of it is imported."""

import os
import sys
from importlib.util import find_spec
from typing import TextIO

from eyecaptain.language import N_, _

LEAST = (80, 24)
MISSING = N_("The terminal view is not installed: pip install 'eye-eye-captain[terminal]'. This is the plain view.")
TOO_SMALL = N_("The terminal has {width}x{height} cells, the terminal view needs 80x24. This is the plain view.")
NO_TERMINAL = N_("The terminal view needs a terminal.")


def obstacle(out: TextIO) -> str | None:
    """Why the terminal view cannot be used (empty: nothing that a person needs to be told), or None when it can."""
    if not (out.isatty() and sys.stdin.isatty()) or os.environ.get("TERM", "") in ("", "dumb"):
        return ""
    if find_spec("textual") is None:
        return _(MISSING)
    try:
        width, height = os.get_terminal_size(out.fileno())
    except OSError:
        return ""
    if not width or not height:
        return ""  # it does not say: a pipe that looks like a terminal
    if width < LEAST[0] or height < LEAST[1]:
        return _(TOO_SMALL).format(width=width, height=height)
    return None


def light() -> bool:
    """Whether the terminal says that its ground is light (COLORFGBG, as rxvt and others set it), or a person does."""
    if wish := os.environ.get("CAPTAIN_THEME"):
        return wish == "light"
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
