"""What lies in made/ is what its sources give now. Each test fails with the names of what is stale: `make hardware`."""

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from math import hypot
from pathlib import Path

import pytest

from hardware.conftest import need
from tools import geometry, harness, make, shapes
from tools.wiring import HERE, MADE


def test_no_text_is_stale() -> None:
    assert make.stale_texts() == []


def test_no_picture_is_older_than_what_it_shows() -> None:
    assert make.stale_sums() == []


def test_no_drawing_of_the_circuit_is_stale() -> None:
    need("dot")
    assert harness.wireviz(), "wireviz comes with the extra hardware"
    assert make.stale_drawings() == []


@pytest.mark.parametrize("shape", shapes.load(), ids=lambda shape: shape.name)
def test_no_part_is_stale_and_each_can_be_printed(shape: shapes.Shape) -> None:
    need("openscad")
    assert make.stale_shape(shape) == []


@pytest.mark.parametrize("name", make.SIMULATIONS)
def test_no_number_of_a_simulation_is_stale(name: str) -> None:
    if name in {"start", "shunt"}:
        need("ngspice")
    assert make.stale_numbers(name) == []


def test_a_stale_pins_file_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "pins.py"
    path.write_text(make.PINS.read_text(encoding="utf-8").replace("const(4)", "const(8)"), encoding="utf-8")
    monkeypatch.setattr(make, "PINS", path)
    assert make.stale_texts() == ["pins.py"]


def test_a_stale_picture_a_changed_number_and_another_part_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    numbers = json.loads((MADE / "numbers.json").read_text(encoding="utf-8"))
    numbers["budget.peak_ma"] *= 1.02
    (tmp_path / "numbers.json").write_text(json.dumps(numbers), encoding="utf-8")
    sums = json.loads((MADE / "sums.json").read_text(encoding="utf-8"))
    sums["views/whole.png"][0] = "0" * 16
    (tmp_path / "sums.json").write_text(json.dumps(sums), encoding="utf-8")
    current = make.sums()
    monkeypatch.setattr(make, "sums", lambda: current)
    monkeypatch.setattr(make, "MADE", tmp_path)
    assert make.stale_sums() == ["views/whole.png"]
    (stale,) = make.stale_numbers("budget")
    assert stale.startswith("budget.peak_ma: ")


def test_another_part_than_the_file_gives_is_noticed() -> None:
    need("openscad")
    shape = next(shape for shape in shapes.load() if shape.name == "post")
    other = shapes.Shape(**{**vars(shape), "define": {"post": 50}})
    assert make.stale_shape(other) == ["post.stl"]


def test_one_command_makes_everything_anew(tmp_path: Path) -> None:
    for program in ("openscad", "xvfb-run", "dot", "ngspice"):
        need(program)
    for name in ("hardware", "device"):
        shutil.copytree(HERE.parent / name, tmp_path / name, ignore=shutil.ignore_patterns("made", "__pycache__"))
    shutil.copy(HERE.parent / "README.md", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "tools"], cwd=tmp_path / "hardware", capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    for path in MADE.rglob("*"):
        assert (tmp_path / "hardware" / "made" / path.relative_to(MADE)).exists(), path.name
    assert (tmp_path / "hardware" / "README.md").read_text(encoding="utf-8") == (HERE / "README.md").read_text(encoding="utf-8")


def test_every_committed_stl_is_listed_watertight_and_small() -> None:
    files = {path.stem for path in (MADE / "stl").glob("*.stl")}
    assert files == {shape.name for shape in shapes.load()}
    for path in (MADE / "stl").glob("*.stl"):
        assert path.stat().st_size < 200_000, path.name
        assert shapes.measure(path).problems == [], path.name


def test_the_drawing_of_the_deck_is_closed_and_has_its_size() -> None:
    size = geometry.params()
    path = ET.parse(MADE / "deck.svg").getroot().find(".//{http://www.w3.org/2000/svg}path")
    assert path is not None
    outlines = [
        [tuple(map(float, point)) for point in re.findall(r"(-?[\d.]+),(-?[\d.]+)", outline)]
        for outline in path.attrib["d"].split("z")
        if outline.strip()
    ]
    widest = max(outlines, key=lambda points: max(x for x, _ in points) - min(x for x, _ in points))
    assert max(x for x, _ in widest) - min(x for x, _ in widest) == pytest.approx(size["deck"])
    assert max(y for _, y in widest) - min(y for _, y in widest) == pytest.approx(size["deck"])
    middle = [points for points in outlines if all(hypot(x, y) < size["flap"] / 2 + 0.1 for x, y in points)]
    assert len(middle) == 1
    assert "LWPOLYLINE" in (MADE / "deck.dxf").read_text() or "LINE" in (MADE / "deck.dxf").read_text()
