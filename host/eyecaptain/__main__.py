"""Where `captain` begins: before anything else is imported, Ctrl-C already ends it cleanly."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130  # design.md, command line


def main() -> int:
    """Run `captain` with the arguments of this process and return its exit code."""
    signal.signal(signal.SIGINT, _interrupted_at_the_start)
    from eyecaptain.cli import main as command  # noqa: PLC0415 - the point of this file

    code = command()
    if code == INTERRUPTED:
        # CPython remembers an interruption that came inside `exec` (a dataclass is made by one), and would kill itself with
        # SIGINT in the end: everything is written, so leave at once, with the exit code that we promise.
        os._exit(code)
    return code


def _interrupted_at_the_start(signum: int, frame: FrameType | None) -> None:
    """Nothing has been begun yet, so nothing needs to be ended: `eyecaptain.cli.console` takes over later."""
    del signum, frame
    os.write(2, b"Interrupted.\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
