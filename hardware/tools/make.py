"""Makes everything. Pictures and plots carry a sum over what they were made from, in `made/sums.json`."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tools import boardplan, checks, guide, harness, legend, netlist, perfboard, pins, shapes, sheet, tables, wokwi
from tools.wiring import HERE, MADE, Wiring, load

PINS = HERE.parent / "device" / "eyedeck" / "pins.py"
GUIDE = HERE / "README.md"
PROGRAMS = ("openscad", "xvfb-run", "dot", "ngspice")
SIMULATIONS = ("budget", "start", "shunt", "optics")
STEPS = range(1, 11)


def texts(wiring: Wiring) -> dict[Path, str]:
    """Everything that comes from the wiring alone, by its path.

    :raises checks.BadWiring: the circuit has a fault.
    :raises perfboard.BadPlan: the plan of the board has one.
    """
    checks.check(wiring)
    board = perfboard.plan(wiring)
    return {
        PINS: pins.render(wiring),
        MADE / "eyedeck.net": netlist.render(wiring),
        MADE / "harness.yml": harness.render(wiring),
        MADE / "diagram.json": wokwi.render(wiring),
        MADE / "perfboard.svg": boardplan.render(wiring, board),
        MADE / "probes.svg": boardplan.probes(wiring, board),
        MADE / "legend.svg": legend.render(legend.rows()),
        MADE / "bom.csv": tables.bill_csv(tables.bill(wiring, shapes.load())),
    }


def filled_guide(wiring: Wiring) -> str:
    """The guide, from the wiring and from the numbers that were computed last."""
    items = tables.bill(wiring, shapes.load())
    board = perfboard.plan(wiring)
    measures = json.loads((MADE / "shapes.json").read_text(encoding="utf-8"))
    blocks = {
        "bom": tables.bill_table(items),
        "reasons": tables.reasons_table(wiring),
        "pins": tables.pins_table(wiring),
        "nets": tables.nets_table(wiring),
        "wires": perfboard.wire_table(wiring, board),
        "shapes": tables.shapes_table(shapes.load(), measures),
        **{f"step-{step}": tables.step_list(items, step) for step in STEPS},
    }
    return guide.fill(GUIDE.read_text(encoding="utf-8"), blocks, numbers())


def numbers() -> dict[str, float]:
    """What was computed last: the simulations' numbers, the lengths of the parts, the sum of the prints."""
    from tools import geometry

    found = json.loads((MADE / "numbers.json").read_text(encoding="utf-8"))
    measures = json.loads((MADE / "shapes.json").read_text(encoding="utf-8"))
    grams = sum(measures[s.name]["volume"] * s.count * shapes.PLA for s in shapes.load() if not s.flat)
    size = geometry.params()
    die = {f"die.high_{edge}": 0.8165 * edge for edge in (20, 25, 30)} | {
        f"die.circle_{edge}": 0.2887 * edge for edge in (20, 25, 30)
    }
    return {**found, **{f"cad.{name}": value for name, value in size.items()}, **die, "cad.grams": grams}


def simulate(names: Iterable[str], folder: Path) -> dict[str, float]:
    """Run simulations, each in a process of its own; draw their plots in `folder`."""
    found: dict[str, float] = {}
    for name in names:
        code = f"import json, pathlib, sim.{name} as s; print(json.dumps(s.run(pathlib.Path({str(folder)!r}))))"
        done = subprocess.run([sys.executable, "-c", code], cwd=HERE, env=_env(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        found |= {f"{name}.{key}": float(f"{value:.5g}") for key, value in json.loads(done.stdout).items()}
    return found


def _env() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(HERE), str(HERE.parent / "device")))}


# -- make --


def make(say: Callable[[str], None]) -> None:
    """Make everything anew.

    Nothing is written when something is missing or wrong:

    :raises FileNotFoundError: a program is not installed; the text names all that are missing.
    :raises BadWiring: the wiring has a fault.
    :raises perfboard.BadPlan: the plan of the board has one.
    """
    missing = [name for name in PROGRAMS if shutil.which(name) is None] + ([] if harness.wireviz() else ["wireviz"])
    if missing:
        raise FileNotFoundError(" ".join(missing))
    wiring = load()
    for path, text in texts(wiring).items():
        say(path.name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    say("schematic.svg")
    sheet.draw(wiring, MADE / "schematic.svg")
    say("harness.svg, harness.png")
    harness.draw(MADE / "harness.yml", MADE)
    for folder in ("stl", "views", "plots"):
        (MADE / folder).mkdir(exist_ok=True)
    measures = {}
    for shape in shapes.load():
        for path in files(shape):
            say(str(path.relative_to(MADE)))
            shapes.build(shape, path)
            if path.suffix == ".stl":
                measures[shape.name] = shapes.measure(path)._asdict()
    _dump(MADE / "shapes.json", measures)
    for view in shapes.VIEWS:
        say(f"views/{view}.png")
        shapes.render(view, MADE / "views" / f"{view}.png")
    say("simulations")
    _dump(MADE / "numbers.json", simulate(SIMULATIONS, MADE / "plots"))
    _dump(MADE / "sums.json", sums())
    say("README.md")
    GUIDE.write_text(filled_guide(wiring), encoding="utf-8")


def files(shape: shapes.Shape) -> list[Path]:
    """What a shape is built as."""
    flat = [MADE / f"{shape.name}.svg", MADE / f"{shape.name}.dxf"] if shape.flat else []
    return [*flat, MADE / "stl" / f"{shape.name}.stl"]


def sums() -> dict[str, list[str]]:
    """For each picture and plot a sum over what it was made from, and one over itself."""
    drawn: dict[Path, list[Path | str]] = {
        MADE / "views" / f"{view}.png": [*sorted(shapes.CAD.glob("*.scad")), repr(shapes.VIEWS[view])] for view in shapes.VIEWS
    }
    drawn |= {
        MADE / "plots" / f"{name}.svg": [HERE / "sim" / f"{part}.py" for part in (name, "facts", "plots", "spice")]
        for name in SIMULATIONS
    }
    drawn |= {MADE / "harness.png": [MADE / "harness.yml"]}
    return {str(path.relative_to(MADE)): [_sum(inputs), _sum([path])] for path, inputs in drawn.items()}


def _sum(inputs: Iterable[Path | str]) -> str:
    total = hashlib.sha256()
    for each in inputs:
        total.update(each.encode() if isinstance(each, str) else each.read_bytes())
    return total.hexdigest()[:16]


def _dump(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


# -- what can be seen without making anything --


def stale_texts() -> list[str]:
    """What differs from what the wiring gives now."""
    wiring = load()
    wanted = {**texts(wiring), GUIDE: filled_guide(wiring)}
    return [str(path.name) for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def stale_sums() -> list[str]:
    """Pictures and plots whose sources have changed, or that were changed by hand."""
    kept = json.loads((MADE / "sums.json").read_text(encoding="utf-8"))
    return [name for name, both in sums().items() if kept.get(name) != both]
