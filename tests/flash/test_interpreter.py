"""Putting MicroPython itself on a board: UF2 files, the bootloader's drive, and the whole way on a simulated board."""

import contextlib
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyecaptain.errors import CheckFailed, NoBoard, UsageProblem
from eyecaptain.flash import drives, interpreter, uf2
from flash.conftest import Start
from flash.test_cuts import running
from flash.test_update_on_board import on_board
from support import captain

RP2040, RP2350, SAMD = 0xE48BFF56, 0xE48BFF59, 0x55114460
INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: {}\r\n"


BANNER = "MicroPython v{} on 2026-04-06; Raspberry Pi Pico with RP2040"


def made(content: bytes = BANNER.format("1.28.0").encode(), family: int = RP2040) -> bytes:
    """A UF2 file, by the format's description."""
    pieces = [content[at : at + 256] for at in range(0, len(content), 256)]
    blocks = []
    for number, piece in enumerate(pieces):
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, len(pieces), family)
        blocks.append(head + piece.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


def saved(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "image.uf2"
    path.write_bytes(data)
    return path


def test_a_file_tells_its_chip_and_its_version(tmp_path: Path) -> None:
    found = uf2.read(saved(tmp_path, made()))
    assert (found.chip, found.micropython, found.release) == ("RP2040", "1.28.0", [1, 28, 0])
    found = uf2.read(saved(tmp_path, made(BANNER.format("1.29-preview.12.gdeadbee").encode())))
    assert found.release == [1, 29, 0]
    found = uf2.read(saved(tmp_path, made(b"something else" * 100, RP2350)))
    assert (found.chip, found.micropython, found.release) == ("RP2350", "", [])


def test_a_block_for_the_chip_itself_is_passed_over(tmp_path: Path) -> None:
    """Files for the RP2350 begin with one (erratum E10)."""
    first = made(b"x", uf2.ABSOLUTE)
    assert uf2.read(saved(tmp_path, first + made(family=RP2350))).chip == "RP2350"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no whole UF2"),
        (b"x" * 512, "no UF2 file"),
        (made()[:-1], "no whole UF2"),
        (made(b"y" * 1000)[:-512], "its end is missing"),
        (made(b"y" * 1000)[512:], "block 0 of"),
        (made(b"y" * 1000)[:512] + made(b"y" * 1000)[1024:], "block 1 of"),
        (made(family=SAMD), "another chip"),
        (made() + made(family=RP2350), "another chip"),
    ],
)
def test_a_file_that_is_none(data: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match=words):
        uf2.read(saved(tmp_path, data))


@given(data=st.binary(max_size=1200), at=st.integers(0, 1023), value=st.integers(0, 255))
def test_no_bytes_break_the_reader(data: bytes, at: int, value: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    damaged = bytearray(made(b"z" * 500))
    damaged[at] = value
    for content in (data, bytes(damaged)):
        with contextlib.suppress(UsageProblem):
            uf2.read(saved(folder, content))


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="is a folder"):
        uf2.read(tmp_path)
    with pytest.raises(UsageProblem, match="No such file"):
        uf2.read(tmp_path / "nothing.uf2")


def drive(folder: Path, name: str = "RPI-RP2") -> Path:
    folder.mkdir(parents=True)
    (folder / "INFO_UF2.TXT").write_text(INFO.format(name))
    return folder


def test_drives_are_found_among_others(tmp_path: Path) -> None:
    (tmp_path / "USB STICK").mkdir()
    (tmp_path / "a file").write_text("")
    one = drive(tmp_path / "RPI-RP2")
    two = drive(tmp_path / "RP2350", "RP2350")
    drive(tmp_path / "FTHR840BOOT", "NRF52840-Feather")
    assert {(found.folder, found.chip) for found in drives.find([tmp_path])} == {(one, "RP2040"), (two, "RP2350")}
    assert [found.folder for found in drives.find([one, tmp_path / "missing"])] == [one]  # Windows: the letter is the drive


@pytest.mark.skipif(sys.platform != "linux", reason="where Linux puts drives")
def test_where_drives_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "ada")
    monkeypatch.delenv("SUDO_USER", raising=False)
    assert {Path("/media/ada"), Path("/run/media/ada")} <= set(drives.roots())


@pytest.mark.parametrize(
    ("system", "places"),
    [("darwin", ["/Volumes"]), ("win32", [f"{letter}:\\" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"])],
)
def test_where_drives_are_looked_for_elsewhere(system: str, places: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert drives._mounts() == [Path(place) for place in places]


def test_a_pico_in_bootsel_mode_gets_the_file(own_runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from eyecaptain.link.ports import Port

    place = drive(tmp_path / "media" / "RPI-RP2")
    there: list[Port] = []
    monkeypatch.setattr(interpreter, "boards", lambda: there)
    monkeypatch.setattr(interpreter, "await_permission", lambda _: None)
    checked: list[Port] = []
    monkeypatch.setattr(interpreter, "_check", lambda _image, port, _patience: checked.append(port))

    def pico() -> None:
        """The file is there whole; the drive goes, a board comes."""
        while not (place / "image.uf2").exists() or (place / "image.uf2").read_bytes() != made():
            time.sleep(0.01)
        there.append(Port("/dev/ttyACM7", "E66", "usb", ""))

    thread = threading.Thread(target=pico)
    thread.start()
    said: list[str] = []
    port = interpreter.install(str(saved(tmp_path, made())), "auto", said.append, places=[tmp_path / "media"])
    thread.join()
    assert [port] == there == checked
    assert "MicroPython 1.28.0" in said[0]
    assert own_runtime.is_dir()


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize("family", [RP2350, SAMD])
def test_a_file_for_another_chip_is_not_copied(family: int, dry_run: bool, own_runtime: Path, tmp_path: Path) -> None:
    place = drive(tmp_path / "media" / "RPI-RP2")
    path = saved(tmp_path, made(family=family))
    with pytest.raises(UsageProblem) as caught:
        interpreter.install(str(path), "auto", lambda _: None, dry_run=dry_run, places=[tmp_path / "media"])
    assert caught.value.exit_code == 2
    assert [file.name for file in place.iterdir()] == ["INFO_UF2.TXT"]
    assert own_runtime.is_dir()


@pytest.mark.parametrize("dry_run", [False, True])
def test_two_picos_in_bootsel_mode(dry_run: bool, own_runtime: Path, tmp_path: Path) -> None:
    drive(tmp_path / "media" / "RPI-RP2")
    drive(tmp_path / "media" / "RPI-RP21")
    with pytest.raises(NoBoard, match="2 Picos"):
        interpreter.install(str(saved(tmp_path, made())), "auto", lambda _: None, dry_run=dry_run, places=[tmp_path / "media"])
    assert own_runtime.is_dir()


def test_a_drive_that_cannot_be_written(own_runtime: Path, tmp_path: Path) -> None:
    place = drive(tmp_path / "media" / "RPI-RP2")
    (place / "image.uf2").mkdir()  # root can write everywhere else
    with pytest.raises(NoBoard, match="cannot be written"):
        interpreter.install(str(saved(tmp_path, made())), "auto", lambda _: None, places=[tmp_path / "media"])
    assert own_runtime.is_dir()


@pytest.mark.parametrize(("label", "hint"), [("RPI-RP2", "udisksctl mount -b"), ("", "hold BOOTSEL")])
def test_a_drive_that_does_not_appear(label: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "DRIVE", 0.3)
    monkeypatch.setattr(interpreter, "LABELS", tmp_path)
    nothing: Callable[..., None] = lambda *_: None  # noqa: E731
    monkeypatch.setattr(interpreter, "_enter", nothing)
    (tmp_path / (label or "another")).touch()
    with pytest.raises(NoBoard, match="does not appear") as caught:
        interpreter.install(str(saved(tmp_path, made())), "/dev/ttyACM7", nothing, places=[tmp_path / "media"])
    assert hint in caught.value.hint


def test_a_board_that_does_not_come_back(own_runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "BOARD", 0.3)
    drive(tmp_path / "media" / "RPI-RP2")
    with pytest.raises(CheckFailed, match="does not come up") as caught:
        interpreter.install(str(saved(tmp_path, made())), "auto", lambda _: None, places=[tmp_path / "media"])
    assert caught.value.exit_code == 7
    assert own_runtime.is_dir()


def test_latest_without_mpflash(own_runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(own_runtime))
    with pytest.raises(UsageProblem, match="pip install mpflash"):
        interpreter.install("latest", "auto", lambda _: None)


def test_latest_for_a_pico_in_bootsel_mode_says_what_to_do(
    own_runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert own_runtime.is_dir()
    drive(tmp_path / "media" / "RPI-RP2")
    monkeypatch.setattr(drives, "_mounts", lambda: [tmp_path / "media"])
    monkeypatch.setattr("shutil.which", lambda _: "/bin/false")
    with pytest.raises(NoBoard, match="in BOOTSEL mode") as caught:
        interpreter.install("latest", "auto", lambda _: None)
    assert "--firmware FILE.uf2" in caught.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
@pytest.mark.parametrize("code", [0, 3])
def test_latest_is_left_to_mpflash(code: int, start: Start, tmp_path: Path) -> None:
    """A stand-in for it, which notes what it is told: the real one needs the internet."""
    board = start()
    before = running(board)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "mpflash").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/told\nexit {code}\n')
    (programs / "mpflash").chmod(0o755)
    path = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    command = ("flash", "--firmware", "latest", "--board", board.entry.port)
    assert captain(*command, "--dry-run", sessions=tmp_path, env=path).returncode == 0
    assert not (tmp_path / "told").exists()
    done = captain(*command, sessions=tmp_path, env=path)
    assert (tmp_path / "told").read_text() == f"flash --version stable --serial {board.entry.port}\n"
    if code:
        assert done.returncode == 7
        assert "mpflash did not put MicroPython on the board" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert "nothing to do" in done.stdout  # our firmware is next, and is there
    assert running(board).build == before.build


def test_a_file_that_does_not_fit_leaves_a_board_as_it_was(start: Start, tmp_path: Path) -> None:
    board = start()
    before = running(board)
    path = saved(tmp_path, made(family=RP2350))
    done = captain("flash", "--firmware", str(path), "--board", board.entry.port, sessions=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "is for the RP2350, and the board is a" in done.stderr
    assert running(board) == before


def test_through_the_bootloader_and_back(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = start()
    before = running(board)
    fits: Callable[..., None] = lambda *_: None  # noqa: E731
    monkeypatch.setattr(interpreter, "_fits", fits)
    said: list[str] = []
    port = interpreter.install(str(saved(tmp_path, made(b"q" * 5000))), board.entry.port, said.append)
    assert port is not None
    assert port.serial == board.entry.serial
    assert running(board).build == before.build
    assert "becomes a drive" in said[0]


@pytest.mark.parametrize("other", [False, True])
def test_what_runs_after_the_copy_is_what_was_copied(
    other: bool, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simulated board starts the MicroPython of this computer, whatever is in the file."""
    board = start()
    release = on_board(board, "print(json.dumps(list(sys.implementation.version[:3])))")
    fits: Callable[..., None] = lambda *_: None  # noqa: E731
    monkeypatch.setattr(interpreter, "_fits", fits)
    version = "1.25.0" if other else ".".join(map(str, release))
    path = saved(tmp_path, made(BANNER.format(version).encode()))
    if other:
        with pytest.raises(CheckFailed, match=r"MicroPython 1\.25\.0 was copied .* and 1\.\d+\.\d+ runs there") as caught:
            interpreter.install(str(path), board.entry.port, lambda _: None)
        assert caught.value.exit_code == 7
    else:
        port = interpreter.install(str(path), board.entry.port, lambda _: None)
        assert port is not None
        assert port.serial == board.entry.serial
    assert running(board).build


def test_a_board_in_bootsel_mode_is_recognised(start: Start, tmp_path: Path) -> None:
    from eyecaptain.flash.console import Repl

    board = start()
    running(board)
    with Repl(board.entry.port) as repl:
        repl.bootloader()
    end = time.monotonic() + 20
    while not drives.find():
        assert time.monotonic() < end
        time.sleep(0.02)
    for command in ("flash", "doctor", "calibrate"):
        done = captain(command, sessions=tmp_path)
        assert done.returncode == 3
        assert "in BOOTSEL mode" in done.stderr
        assert "--firmware FILE.uf2" in done.stderr
