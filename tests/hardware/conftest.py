"""What the tests of the hardware are given; what needs a program that is missing is skipped with what to install."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.wiring import HERE, Wiring, load

PACKAGES = {"openscad": "openscad", "xvfb-run": "xvfb xauth", "dot": "graphviz", "ngspice": "ngspice"}


def need(program: str) -> None:
    """Skip the test when a program is missing."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is missing: apt-get install {PACKAGES[program]}")


@pytest.fixture(scope="session")
def wiring() -> Wiring:
    return load()


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., Path]:
    """Return a copy of wiring.toml with some texts replaced, each of which must be in it once."""

    def change(*pairs: tuple[str, str]) -> Path:
        text = (HERE / "wiring.toml").read_text(encoding="utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        path = tmp_path / "wiring.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return change
