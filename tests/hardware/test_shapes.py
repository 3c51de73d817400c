"""The printed parts: bad meshes are refused, and the lengths fit the die, the sensor, the motor and each other."""

import re
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
import trimesh

from hardware.conftest import need
from tools import geometry, shapes
from tools.wiring import HERE


def stl(mesh: Any, folder: Path) -> Path:
    path = folder / "part.stl"
    path.write_bytes(mesh.export(file_type="stl"))
    return path


def test_a_good_mesh_has_no_problems(tmp_path: Path) -> None:
    found = shapes.measure(stl(trimesh.creation.box((20, 10, 5)), tmp_path))
    assert found.problems == []
    assert found.volume == pytest.approx(1.0)
    assert found.box == (20, 10, 5)


def test_a_mesh_with_a_hole_is_refused(tmp_path: Path) -> None:
    box = trimesh.creation.box((20, 10, 5))
    box.update_faces([True] * 11 + [False])
    assert "not watertight" in shapes.measure(stl(box, tmp_path)).problems


def test_a_wall_that_is_too_thin_is_refused(tmp_path: Path) -> None:
    thin = shapes.measure(stl(trimesh.creation.box((20, 10, 0.8)), tmp_path)).problems
    assert any("less than 1.2 mm" in problem for problem in thin)


def test_a_part_that_is_too_large_for_the_bed_is_refused(tmp_path: Path) -> None:
    assert any("bed" in problem for problem in shapes.measure(stl(trimesh.creation.box((230, 10, 5)), tmp_path)).problems)


def test_a_fault_in_a_scad_file_is_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("openscad")
    (tmp_path / "bad.scad").write_text("cube([1, 2, nothing]);", encoding="utf-8")
    monkeypatch.setattr(shapes, "CAD", tmp_path)
    with pytest.raises(RuntimeError, match=r"bad\.scad"):
        shapes.build(shapes.Shape("bad", "bad.scad", 1, 1, ""), tmp_path / "bad.stl")


def test_params_are_read_as_openscad_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "params.scad"
    path.write_text("// x\na = 2;\nb = -a / 4 + 3 * (a - 1);  // y\n$fn = 48;\n", encoding="utf-8")
    assert geometry.params(path) == {"a": 2, "b": 2.5, "fn": 48}
    path.write_text("a = 2;\nb = max(a, 3);\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"params\.scad:2"):
        geometry.params(path)


# Edge, height between parallel faces, radius of the circle in a face, as the hardware was laid out for.
OCTAHEDRA = [(20, 16.3, 5.8), (25, 20.4, 7.2), (30, 24.5, 8.7)]


@pytest.mark.parametrize(("edge", "high", "circle"), OCTAHEDRA)
def test_the_window_suits_dice_of_20_to_30_mm(edge: float, high: float, circle: float) -> None:
    size = geometry.params()
    assert sqrt(2 / 3) * edge == pytest.approx(high, abs=0.05)
    assert edge / sqrt(12) == pytest.approx(circle, abs=0.05)
    assert 6 <= size["window"] <= 8
    assert size["window"] / 2 < circle - 2  # still covered when the die lies 2 mm aside
    assert 20 <= size["die_edge"] <= 30


def test_the_bowl_holds_the_die_that_params_name() -> None:
    size = geometry.params()
    bowl = 2 * (0.577 * size["die_edge"] + 1.5)
    assert 1 <= size["recess"] <= 2
    assert bowl + 2 * shapes.THINNEST < size["flap"] - 2 * size["play"]


def test_the_sensor_sits_at_its_distance_and_its_board_fits_under_the_flap() -> None:
    size = geometry.params()
    holder = size["distance"] + size["chip"] - size["sheet"] - size["flange"]
    assert holder - size["parts_high"] >= shapes.THINNEST - 0.001
    assert size["bar_low"] + size["distance"] > size["lip"]
    assert size["bar_high"] < size["distance"] - size["lip"]
    assert size["bore"] / 2 > abs(size["lamp_x"]) / 2 + 2  # lamp and chip are both in the well


def test_the_screws_of_the_sensors_board_end_in_their_room() -> None:
    size = geometry.params()
    pillar = size["distance"] + size["chip"] - size["sheet"] - size["flange"]
    into_the_flap = size["board_screw"] - size["board_thick"] - pillar
    assert 0 <= into_the_flap < size["screw_room"]
    assert size["flange"] + size["sheet"] - size["screw_room"] - size["recess"] > shapes.THINNEST


def test_the_arm_clears_the_flap_and_the_mount_and_reaches_the_die() -> None:
    size = geometry.params()
    tip = size["arm_radius"] + size["magnet"] / 2 + size["play"] + size["skin"]
    assert size["axis"] - tip > size["flange_x"] / 2 + 1
    assert size["mount_y"] - 5 > tip + 1
    reach = size["eye"] / 2 + size["die_edge"] / sqrt(3)
    assert size["near"] < reach, "the eye would never touch a die on the window"
    assert size["axis"] + size["arm_radius"] + size["eye"] / 2 <= size["deck"] / 2 - size["rail"]


def test_the_shaft_reaches_through_the_hub_but_not_to_the_deck() -> None:
    size = geometry.params()
    face = size["sheet"] + size["arm_gap"] + size["arm_high"] + 1.4 - 2 + 1.6
    end = face - size["shaft_long"]
    assert end > size["sheet"] + 0.5
    assert size["sheet"] + size["arm_gap"] + 5.2 - end > 4  # mm of shaft in the hub


def test_board_case_and_legs_fit() -> None:
    size = geometry.params()
    assert size["perf_y"] > 30 * 2.54
    assert size["perf_x"] > 24 * 2.54
    case = size["case_x"] - size["perf_x"] / 2 - size["wall"] - 0.5
    assert case > -size["deck"] / 2
    assert size["case_x"] + size["perf_x"] / 2 + size["wall"] + 0.5 < -size["flange_x"] / 2
    motor = size["sheet"] + size["arm_gap"] + size["arm_high"] + 1.0 + size["gear_long"] + 15
    assert size["post"] > max(motor, size["case_high"])


def test_no_two_parts_are_in_one_place_all_the_way_round_the_arm(tmp_path: Path) -> None:
    need("openscad")
    assert shapes.clashes(tmp_path) == []


def test_two_parts_in_one_place_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("openscad")
    (tmp_path / "two.scad").write_text(
        'only = "all";\nparts = ["here", "there", "away"];\n'
        'translate([only == "there" ? 9 : only == "away" ? 19 : 0, 0, 0]) cube(10);\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(shapes, "CAD", tmp_path)
    assert shapes.clashes(tmp_path, "two.scad") == ["here and there: 100.0"]


def test_what_is_in_the_picture_is_printed() -> None:
    """The pictures use the same files as the prints."""
    text = (HERE / "cad" / "assembly.scad").read_text(encoding="utf-8")
    used = set(re.findall(r"use <(\w+\.scad)>", text)) - {"deck.scad"}
    assert used == {shape.file for shape in shapes.load()} - {"deck_cut.scad"}
