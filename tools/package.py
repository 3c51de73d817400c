"""Writes package.json, by which mip installs the firmware: `python tools/package.py`."""

from pathlib import Path

from eyecaptain import __version__
from eyecaptain.flash.firmware import sources

FILE = Path(__file__).parents[1] / "package.json"


def text() -> str:
    """What belongs into it."""
    lines = [f'    ["{name}", "device/{name}"]' for name in sources()]
    return f'{{\n  "version": "{__version__}",\n  "urls": [\n' + ",\n".join(lines) + '\n  ],\n  "deps": []\n}\n'


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
