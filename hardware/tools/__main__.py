"""`python -m tools`: makes everything in `made/`, the firmware's pins, and the tables and numbers of the guide."""

import sys

from tools.make import make
from tools.perfboard import BadPlan
from tools.wiring import BadWiring

INSTALL = "On Debian and Ubuntu: apt-get install openscad xvfb xauth graphviz ngspice; wireviz comes with the extra hardware."


def main() -> int:
    """Make everything; return the exit code."""
    try:
        make(lambda text: print(text, flush=True))
    except BadWiring as error:
        print(f"{error}\nNothing was written.", file=sys.stderr)
        return 1
    except BadPlan as error:
        print(f"perfboard.toml: {error}\nNothing was written.", file=sys.stderr)
        return 1
    except FileNotFoundError as error:
        print(f"Not installed: {error}. {INSTALL}\nNothing was written.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
