"""What lies in made/ is what its sources give now. A test that fails names what is stale: `make hardware` makes it anew."""

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from math import hypot
from pathlib import Path

import pytest

from hardware.conftest import need
from tools import compare, geometry, harness, make, shapes
from tools.wiring import HERE, MADE


def test_no_text_is_stale() -> None:
    assert make.stale_texts() == []


def test_no_picture_is_older_than_what_it_shows() -> None:
    assert make.stale_sums() == []


def test_one_command_makes_everything_anew_and_nothing_was_stale(tmp_path: Path) -> None:
    for program in make.PROGRAMS:
        need(program)
    assert harness.wireviz(), "wireviz comes with the extra hardware"
    for name in ("hardware", "device"):
        shutil.copytree(HERE.parent / name, tmp_path / name, ignore=shutil.ignore_patterns("made", "__pycache__"))
    shutil.copy(HERE.parent / "README.md", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "tools"], cwd=tmp_path / "hardware", capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr
    assert compare.differences(tmp_path / "hardware" / "made", MADE) == []
    for name in ("hardware/README.md", "device/eyedeck/pins.py"):
        assert _shape(tmp_path / name) == _shape(HERE.parent / name), name


def _shape(path: Path) -> str:
    """A text without its digits: another version of a tool may compute the last one differently."""
    return re.sub(r"\d", "#", path.read_text(encoding="utf-8"))


def test_a_stale_pins_file_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "pins.py"
    path.write_text(make.PINS.read_text(encoding="utf-8").replace("const(4)", "const(8)"), encoding="utf-8")
    monkeypatch.setattr(make, "PINS", path)
    assert make.stale_texts() == ["pins.py"]


def test_a_stale_picture_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sums = json.loads((MADE / "sums.json").read_text(encoding="utf-8"))
    sums["views/whole.png"][0] = "0" * 16
    (tmp_path / "sums.json").write_text(json.dumps(sums), encoding="utf-8")
    current = make.sums()
    monkeypatch.setattr(make, "sums", lambda: current)
    monkeypatch.setattr(make, "MADE", tmp_path)
    assert make.stale_sums() == ["views/whole.png"]


def changed_number(folder: Path, factor: float) -> None:
    path = folder / "numbers.json"
    numbers = json.loads(path.read_text(encoding="utf-8"))
    numbers["budget.peak_ma"] *= factor
    path.write_text(json.dumps(numbers), encoding="utf-8")


def changed_text(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda made: changed_number(made, 1.02), "budget.peak_ma: "),
        (lambda made: changed_text(made, "harness.svg", "SENSOR_LED", "LAMP"), "harness.svg is stale"),
        (lambda made: changed_text(made, "schematic.svg", "2.2 Ω", "3.3 Ω"), "schematic.svg is stale"),
        (lambda made: changed_text(made, "deck.svg", "105", "107"), "deck.svg is stale"),
        (lambda made: changed_text(made, "bom.csv", "470 µF", "100 µF"), "bom.csv is stale"),
        (lambda made: changed_text(made, "shapes.json", "50.332", "51"), "shapes.json is stale"),
        (lambda made: shutil.copy(made / "stl" / "rail.stl", made / "stl" / "railing.stl"), "stl/railing.stl is stale"),
        (lambda made: (made / "views" / "eye.png").unlink(), "views/eye.png is missing"),
        (lambda made: (made / "old.svg").touch(), "old.svg is made by nobody"),
    ],
)
def test_what_differs_is_named(tmp_path: Path, change: Callable[[Path], object], said: str) -> None:
    kept = shutil.copytree(MADE, tmp_path / "made")
    change(kept)
    found = compare.differences(MADE, kept)
    assert len(found) == 1
    assert found[0].startswith(said)


def test_what_another_version_of_a_tool_computes_a_little_differently_is_no_difference(tmp_path: Path) -> None:
    kept = shutil.copytree(MADE, tmp_path / "made")
    changed_number(kept, 1.005)
    assert compare.differences(MADE, kept) == []


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
