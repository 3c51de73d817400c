"""Calibration files on this computer: what will not do is one clear line, and what was there stays until a new one is whole."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from device.fakes import UID, palette
from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.sight import store

VALUES = palette()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    store.write(path, UID, VALUES, made="today")
    return path


def test_what_is_written_is_read_back(file: Path) -> None:
    assert store.read(file, UID.upper()) == VALUES
    assert store.read(file) == VALUES
    assert [path.name for path in file.parent.iterdir()] == ["mine.json"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda _: "", "is no calibration file, or it is cut"),
        (lambda text: text[: len(text) // 2], "is no calibration file, or it is cut"),
        (lambda _: "[1, 2]", "is no calibration file, or it is cut"),
        (lambda _: "[" * 100_000, "is no calibration file, or it is cut"),
        (lambda text: text.replace('"cal"', '"kal"'), "is no calibration file, or it is cut"),
        (lambda text: text.replace('"format": 1', '"format": 2'), "of another version"),
        (lambda text: text.replace(UID, "ffffffffffffffff"), "belongs to the board ffffffffffffffff"),
        (lambda text: text.replace(json.loads(text)["sum"], "00000000"), "its checksum is wrong"),
        (lambda text: json.dumps(json.loads(text) | {"cal": VALUES | {"c1": [1, *VALUES["c0"][1:]]}}), "too much alike"),
        (lambda text: json.dumps(json.loads(text) | {"cal": VALUES | {"exp": [21, float("nan")]}}), "cannot be used"),
    ],
    ids=["empty", "cut", "no object", "deep", "no values", "version", "another unit", "checksum", "two alike", "NaN"],
)
def test_a_file_that_will_not_do_is_named_and_left_alone(change: Callable[[str], str], says: str, file: Path) -> None:
    bad = change(file.read_text())
    file.write_text(bad)
    with pytest.raises(UsageProblem) as caught:
        store.read(file, UID)
    assert str(file) in caught.value.message
    assert says in caught.value.message
    assert caught.value.hint
    assert file.read_text() == bad


def test_no_file_and_no_text(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe")
    for path, says in (
        (tmp_path / "y", "cannot be read"),
        (tmp_path, "cannot be read"),
        (tmp_path / "x", "no calibration file"),
    ):
        with pytest.raises(UsageProblem, match=says):
            store.read(path)


def test_a_place_that_cannot_be_written(file: Path) -> None:
    with pytest.raises(CaptainError, match="cannot be written"):
        store.write(file / "below-a-file.json", UID, VALUES)
    assert store.read(file, UID) == VALUES


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for files, which plays the full disk")
def test_a_full_disk_keeps_the_old_file_whole_and_leaves_nothing_beside_it(file: Path) -> None:
    before = file.read_bytes()
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (99, 99))\n"
        "from pathlib import Path; from eyecaptain.sight import store; from eyecaptain.errors import CaptainError\n"
        f"try: store.write(Path({str(file)!r}), {UID!r}, {VALUES!r}, made='later')\n"
        "except CaptainError as error: print(error.message)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "cannot be written: File too large" in done.stdout
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["mine.json"]
