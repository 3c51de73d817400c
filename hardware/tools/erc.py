"""Runs the schematic, which is a program of its own, and takes what SKiDL says of it."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tools.netlist import Nets
from tools.wiring import HERE


class Checked(NamedTuple):
    """What SKiDL's electrical rules check counted, and the netlist."""

    errors: int
    warnings: int
    nets: Nets


def check(schematic: Path = HERE / "schematic.py") -> Checked:
    """Build the circuit of a schematic and check it.

    :raises RuntimeError: it is no circuit; with SKiDL's last word.
    """
    with tempfile.TemporaryDirectory() as folder:  # SKiDL writes files where it stands
        done = subprocess.run([sys.executable, str(schematic)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    found = json.loads(done.stdout)
    nets = {name: frozenset((part, pin) for part, pin in ends) for name, ends in found["nets"].items()}
    return Checked(found["errors"], found["warnings"], nets)
