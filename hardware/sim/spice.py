"""Runs ngspice."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]


def run(circuit: str, step: float, stop: float, *signals: str) -> tuple[Samples, ...]:
    """Return time and the signals of a transient analysis, every `step` seconds.

    :raises FileNotFoundError: ngspice is not installed.
    :raises RuntimeError: it gave no result.
    """
    program = shutil.which("ngspice")
    if program is None:
        raise FileNotFoundError("ngspice")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.txt"
        write = f"set wr_singlescale\nwrdata {out} {' '.join(signals)}"
        control = f".control\ntran {step} {stop} 0 {step} uic\nlinearize\n{write}\n.endc\n"
        deck = Path(folder) / "deck.cir"
        deck.write_text(f"deck\n{circuit}\n{control}.end\n", encoding="utf-8")
        done = subprocess.run([program, "-b", str(deck)], capture_output=True, text=True, check=False)
        if not out.exists():
            raise RuntimeError(f"ngspice: {done.stdout[-500:]} {done.stderr[-500:]}")
        table = np.loadtxt(out)
    return tuple(table[:, column] for column in range(len(signals) + 1))
