"""Plots that come out the same every time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def figure(path: Path, rows: int = 1) -> Iterator[Any]:
    """Give axes (one above the other) to draw on, and write them as SVG."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "eyedeck", "svg.fonttype": "none", "font.size": 9, "path.simplify": True}):
        made = Figure(figsize=(7, 2.6 * rows), layout="constrained")
        FigureCanvasSVG(made)
        axes = made.subplots(rows, 1, squeeze=False)[:, 0]
        yield axes if rows > 1 else axes[0]
        for each in axes:
            each.grid(alpha=0.3)
        made.savefig(path, format="svg", metadata={"Date": None})
