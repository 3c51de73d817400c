"""The printed and cut parts: builds them with OpenSCAD, and measures what comes out."""

import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from tools.wiring import HERE

CAD = HERE / "cad"
BED = (220.0, 220.0, 250.0)  # mm: the common size of small printers
THINNEST = 1.2  # mm: three lines of a 0.4 mm nozzle
# Share of the surface under which the part may be thinner: edges, and what a flat side of a shaft leaves.
THIN_SHARE = 0.01
SAMPLES = 1500
TOUCHING = 1.0  # mm3 that rounding makes of two faces that touch
PLA = 1.24  # g/cm3

VIEWS = {
    "whole": "0,0,-15,55,0,25,560",
    "below": "0,0,-15,235,0,25,560",
    "section": "0,0,0,80,0,0,130",
    "parts": "15,-50,0,40,0,10,560",
    "sensor": "0,0,-12,120,0,25,330",
    "motor": "54,0,-15,110,0,35,330",
    "lights": "0,-80,0,60,0,20,330",
    "case": "0,0,-25,115,0,25,600",
    "eye": "0,0,-8,65,0,25,150",
}


@dataclass(frozen=True)
class Shape:
    """A part to print or to cut, as `shapes.toml` has it."""

    name: str
    file: str
    count: int
    step: int
    lies: str
    flat: bool = False
    turn: int = 0
    define: dict[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> list[str]:
        """What OpenSCAD is told about this variant of the file."""
        pairs = [f"{key}={_scad(key, value)}" for key, value in self.define.items()]
        return [word for pair in pairs for word in ("-D", pair)]


def _scad(key: str, value: Any) -> str:
    return f'"{value}"' if key == "part" else str(value)


class Measures(NamedTuple):
    """What a mesh is like: volume in cm3, box in mm, the share of its surface that is too thin."""

    watertight: bool
    volume: float
    box: tuple[float, float, float]
    thin: float

    @property
    def problems(self) -> list[str]:
        """What is wrong with it."""
        found = [] if self.watertight else ["not watertight"]
        if any(side > most for side, most in zip(self.box, BED, strict=True)):
            found.append(f"{self.box} does not fit the bed {BED}")
        if self.thin > THIN_SHARE:
            found.append(f"{self.thin:.1%} of the surface has less than {THINNEST} mm behind it")
        return found


def load(path: Path = HERE / "shapes.toml") -> list[Shape]:
    """Return the parts."""
    return [Shape(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["shape"]]


def openscad() -> str:
    """The program.

    :raises FileNotFoundError: it is not installed.
    """
    found = shutil.which("openscad")
    if found is None:
        raise FileNotFoundError("openscad")
    return found


def build(shape: Shape, path: Path) -> None:
    """Build `path`; its suffix says what: stl, svg or dxf."""
    kind = "binstl" if path.suffix == ".stl" else path.suffix[1:]
    solid = ["-D", "solid=true"] if shape.flat and path.suffix == ".stl" else []
    _run(["-o", str(path), "--export-format", kind, *solid, *shape.options, str(CAD / shape.file)])
    if path.suffix == ".stl":
        _lay(path, shape.turn)


def _lay(path: Path, degrees: int) -> None:
    """Turn an STL about x and set it on the bed, as it is to be printed; its triangles in an order of their own.

    OpenSCAD writes them in another order every time.
    """
    import numpy as np

    trimesh = _trimesh()
    mesh = trimesh.load_mesh(path)
    mesh.apply_transform(trimesh.transformations.rotation_matrix(np.radians(degrees), [1, 0, 0]))
    mesh.apply_translation([0, 0, -mesh.bounds[0][2]])
    triangles = np.round(mesh.triangles, 4) + 0.0  # no -0.0
    # Each begins with its least corner, which keeps what is outside; then they are sorted.
    turned = [
        min(triangle[[0, 1, 2]].tolist(), triangle[[1, 2, 0]].tolist(), triangle[[2, 0, 1]].tolist()) for triangle in triangles
    ]
    laid = trimesh.Trimesh(**trimesh.triangles.to_kwargs(sorted(turned)), process=False)
    path.write_bytes(laid.export(file_type="stl"))


def render(view: str, path: Path) -> None:
    """Draw a view of the assembly as PNG."""
    options = ["-D", f'view="{view}"', "--imgsize", "800,560", "--colorscheme", "Tomorrow", "--camera", VIEWS[view]]
    _run(["-o", str(path), *options, str(CAD / "assembly.scad")], screen=True)


def clashes(folder: Path, file: str = "placed.scad") -> list[str]:
    """Put every part at its place and return which of them share room, with how much (mm3); touching is no sharing.

    :param folder: where to build.
    """
    import numpy as np

    trimesh = _trimesh()
    listed = re.search(r"^parts = \[(.+)\];", (CAD / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert listed
    bodies = {}
    for name in re.findall(r'"([\w-]+)"', listed[1]):
        path = folder / f"{name}.stl"
        _run(["-o", str(path), "--export-format", "binstl", "-D", f'only="{name}"', "-D", "$fn=24", str(CAD / file)])
        bodies[name] = trimesh.load_mesh(path)
    shared = {}
    for one, two in combinations(bodies, 2):
        both = trimesh.boolean.intersection([bodies[one], bodies[two]], engine="manifold")
        # Not `both.volume`: that divides by it, and where faces only touch it is nothing.
        shared[(one, two)] = float(np.linalg.det(both.triangles).sum()) / 6
    return [f"{one} and {two}: {volume:.1f}" for (one, two), volume in shared.items() if volume > TOUCHING]


def _run(options: list[str], screen: bool = False) -> None:
    display = []
    if screen:  # a picture needs OpenGL, and that a display
        found = shutil.which("xvfb-run")
        if found is None:
            raise FileNotFoundError("xvfb-run")
        display = [found, "-a"]
    done = subprocess.run([*display, openscad(), "--hardwarnings", *options], capture_output=True, text=True, check=False)
    if done.returncode or "WARNING" in done.stderr:
        raise RuntimeError(f"openscad {' '.join(options)}: {done.stderr.strip()}")


def measure(path: Path) -> Measures:
    """Measure an STL.

    How thick a wall is: from points spread over the surface, straight inwards to the other side.
    """
    import numpy as np

    trimesh = _trimesh()
    mesh = trimesh.load_mesh(path)
    points, faces = trimesh.sample.sample_surface(mesh, SAMPLES, seed=1)
    behind = trimesh.proximity.thickness(mesh, points, normals=mesh.face_normals[faces], method="ray")
    thin = float(np.mean(behind < THINNEST - 0.01))
    box = tuple(round(float(side), 2) for side in mesh.extents)
    return Measures(bool(mesh.is_watertight), round(float(mesh.volume) / 1000, 3), (box[0], box[1], box[2]), thin)


def _trimesh() -> Any:
    """The library, half of whose functions have types."""
    import trimesh

    return trimesh
