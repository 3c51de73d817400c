"""What a flash cannot do: a clear line, the exit code, and a board that still works."""

import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from eyecaptain.errors import CheckFailed, NoBoard
from eyecaptain.flash import console, probe, stage, update
from flash.conftest import Start, port_of, variant
from flash.test_cuts import running
from flash.test_update_on_board import BLINK, on_board
from link.plain import Emulated, Plain
from support import captain

Use = Callable[[dict[str, Path]], str]

STUBBORN = """
import time
while True:
    try:
        print("busy")
        time.sleep_ms(100)
    except KeyboardInterrupt:
        pass
"""
FILL = """
try:
    f = open('/big.bin', 'wb')
    while True:
        s = os.statvfs('/')
        if s[0] * s[3] < {left}: break
        f.write(bytes(4096))
finally:
    f.close()
print(0)
"""


@pytest.mark.parametrize("command", [["flash"], ["flash", "--status"], ["flash", "--remove"], ["rollback"]])
def test_no_board(command: list[str], own_runtime: Path, tmp_path: Path) -> None:
    done = captain(*command, sessions=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "captain emulate" in done.stderr
    assert own_runtime.is_dir()


def test_between_two_boards_nobody_guesses(own_runtime: Path, tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        boards = [Emulated(own_runtime), Emulated(own_runtime)]
        for board in boards:
            stack.callback(board.close)
        boots = [board.world("state")["boots"] for board in boards]
        done = captain("flash", "--force", sessions=tmp_path)
        assert done.returncode == 3
        assert "2 boards are attached" in done.stderr
        assert [board.world("state")["boots"] for board in boards] == boots


def test_no_such_port(tmp_path: Path, own_runtime: Path) -> None:
    done = captain("flash", "--board", str(own_runtime / "ttyX"), sessions=tmp_path)
    assert done.returncode == 3
    assert "There is no port" in done.stderr


def test_a_port_that_somebody_has(start: Start, tmp_path: Path) -> None:
    board = start()
    program = "import sys, time, serial; p = serial.Serial(sys.argv[1], exclusive=True); print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", program, board.entry.port], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        done = captain("flash", "--board", board.entry.port, sessions=tmp_path)
        other.kill()
    assert done.returncode == 3
    assert "is taken" in done.stderr


def test_a_board_that_is_no_pico(start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = start({"main.py": BLINK})
    monkeypatch.setattr(probe, "PLATFORMS", ("rp2",))
    flashing(variant(tmp_path, "1.0.0"))
    with pytest.raises(NoBoard, match="is no Pico"):
        update.update(update.Wish(port_of(board)), update.Voice())
    assert on_board(board, "print(json.dumps(sorted(os.listdir('/'))))") == ["cal.json", "main.py"]


def test_a_micropython_that_is_too_old(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    board = start({"main.py": BLINK})
    monkeypatch.setattr(probe, "OLDEST", (99, 0, 0))
    with pytest.raises(CheckFailed, match=r"99\.0\.0 or newer is needed") as caught:
        update.update(update.Wish(port_of(board)), update.Voice())
    assert "micropython.org/download/RPI_PICO/" in caught.value.hint
    assert on_board(board, "print(json.dumps(sorted(os.listdir('/'))))") == ["cal.json", "main.py"]


def test_a_program_that_swallows_ctrl_c(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    board = start({"main.py": STUBBORN})
    monkeypatch.setattr(console, "ENTER", 1.0)
    with pytest.raises(NoBoard, match="does not let itself be interrupted") as caught:
        update.update(update.Wish(port_of(board)), update.Voice())
    assert "BOOTSEL" in caught.value.hint
    with Plain(board.entry.port) as line:
        line.until(rb"busy")  # and still is


def test_a_full_filesystem_is_told_before_anything_is_written(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    old = running(board).build
    on_board(board, FILL.format(left=60_000))
    before = on_board(board, "print(json.dumps(sorted((p, sha(p)) for p in below('') if 'big' not in p)))")
    flashing(variant(tmp_path, "1.0.0"))
    with pytest.raises(CheckFailed, match="is too full") as caught:
        update.update(update.Wish(port_of(board)), update.Voice())
    assert "big.bin" in caught.value.hint
    assert running(board).build == old
    assert on_board(board, "print(json.dumps(sorted((p, sha(p)) for p in below('') if 'big' not in p)))") == before


def test_a_filesystem_that_gets_full_on_the_way(
    start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = start()
    old = running(board).build
    on_board(board, FILL.format(left=60_000))
    new = flashing(variant(tmp_path, "1.0.0"))
    monkeypatch.setattr(stage, "check_space", lambda *_: None)
    with pytest.raises(CheckFailed, match="no space left"):
        update.update(update.Wish(port_of(board)), update.Voice())
    assert running(board).build == old
    on_board(board, "drop('/big.bin')\nprint(0)")
    assert update.update(update.Wish(port_of(board)), update.Voice()).build == new


READ_ONLY = """
import time, vfs
from flashdisk import Flash
vfs.mount(vfs.VfsPosix({folder!r}), "/outside")
chip = Flash(open("/outside/image", "r+b"))
vfs.umount("/outside")
vfs.umount("/")
vfs.mount(vfs.VfsLfs2(chip, progsize=256), "/", readonly=True)
while True:
    time.sleep_ms(20)
"""


def test_the_first_flash_of_a_board_whose_filesystem_is_read_only(start: Start, tmp_path: Path) -> None:
    image = tmp_path / "image"
    board = start({"main.py": READ_ONLY.format(folder=str(tmp_path))}, flash=image)
    done = captain("flash", "--board", board.entry.port, sessions=tmp_path)
    assert done.returncode == 7, done.stderr
    assert "is read-only" in done.stderr
    assert on_board(board, "print(json.dumps(sorted(os.listdir('/'))))") == ["cal.json", "main.py"]


@pytest.mark.parametrize("error", ["OSError: [Errno 30] EROFS", "OSError: 30"])
def test_a_read_only_filesystem_is_named(error: str) -> None:
    failure = console._failure("/dev/ttyACM0", f"Traceback (most recent call last):\n  File ...\n{error}\n")
    assert "is read-only" in failure.message
    assert failure.exit_code == 7


def test_another_error_on_the_board_is_said_in_its_words() -> None:
    failure = console._failure("/dev/ttyACM0", "Traceback:\nMemoryError: memory allocation failed, allocating 4096 bytes")
    assert "MemoryError" in failure.message
    assert "still runs" in failure.hint


@pytest.mark.parametrize("both", [["--status", "--remove"], ["--remove", "--firmware", "x.uf2"]])
def test_two_things_at_once(both: list[str], tmp_path: Path) -> None:
    done = captain("flash", *both, sessions=tmp_path)
    assert done.returncode == 2
    assert "choose one" in done.stderr
