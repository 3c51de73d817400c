"""``python -m eyecaptain`` is ``captain``."""

import sys

from eyecaptain.cli import main

if __name__ == "__main__":
    sys.exit(main())
