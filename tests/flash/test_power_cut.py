"""The power goes at any write to the flash chip: the board starts the old firmware or the new one, and takes the next.

A whole flash is recorded once, with every page that littlefs programs and every block that it erases. Then each of these
moments is looked at: in MicroPython, on a littlefs made of what had been written by then, also with a page half programmed.
"""

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.simulated import interpreter
from eyecaptain.flash import status, update
from eyecaptain.flash.slots import digest
from flash.conftest import CALIBRATION, SETTINGS, Start, port_of, variant
from flash.test_update_on_board import BLINK, on_board
from support import runs

BLOCK = 4096
Write = tuple[int, int, bytes | None]

# Runs in MicroPython. For each moment: which build main.py would start (null: a start file of somebody else, or none of ours
# that is whole), whether what it would go back to is whole, too, and the digests of what has to stay.
JUDGE = """
import binascii, hashlib, json, os, sys, vfs
base, log = sys.argv[1:]
with open(base, "rb") as f:
    now = bytearray(f.read())
class Chip:
    def __init__(self, data): self.data = data
    def readblocks(self, block, buf, offset=0):
        at = block * 4096 + offset
        buf[:] = self.data[at : at + len(buf)]
    def writeblocks(self, block, buf, offset=0): raise OSError(5)
    def ioctl(self, op, arg): return len(self.data) // 4096 if op == 4 else 4096 if op == 5 else 0
def sha(path):
    try:
        with open(path, "rb") as f: return binascii.hexlify(hashlib.sha256(f.read()).digest()).decode()
    except OSError: return None
def load(path):
    try:
        with open(path) as f: return json.load(f)
    except (OSError, ValueError): return None
def whole(slot):
    told = load("/m/slot_%s/manifest.json" % slot)
    if not told: return None
    for name, value in told["files"].items():
        if sha("/m/slot_%s/%s" % (slot, name)) != value: return None
    return told["build"]
def judge(data):
    vfs.mount(vfs.VfsLfs2(Chip(data), progsize=256), "/m")
    try:
        p = load("/m/slot.json") or {}
        trial = p.get("trial")
        slot, build = (p.get("back"), p.get("was")) if trial == 0 else (p.get("slot"), p.get("build"))
        told = {n: sha("/m/" + n) for n in ("boot.py", "main.py", "cal.json", "board.json")}
        told["build"] = build if slot and whole(slot) == build else None
        told["torn"] = "slot.json" in os.listdir("/m") and not p
        told["back"] = trial is None or whole(p["back"]) == p["was"]
        return told
    finally: vfs.umount("/m")
print(json.dumps(judge(now)))
with open(log) as f:
    for line in f:
        block, offset, text = json.loads(line)
        data = binascii.unhexlify(text) if text else b"\\xff" * 4096
        at = block * 4096 + offset
        half = len(data) // 2
        now[at : at + half] = data[:half]
        print(json.dumps(judge(now)))
        now[at + half : at + len(data)] = data[half:]
        print(json.dumps(judge(now)))
"""


def flash_and_record(start: Start, image: Path, record: Path) -> list[Write]:
    board = start(flash=image, record=record)
    assert update.update(update.Wish(port_of(board)), update.Voice()).what == "flashed"
    board.stop()
    found = [json.loads(line) for line in record.read_text().splitlines() if '"flash"' in line]
    return [(one["flash"], one["at"], bytes.fromhex(one["data"]) or None) for one in found]


def prepared(start: Start, image: Path, files: dict[str, str] | None = None) -> None:
    """An image with settings and calibration, and with our firmware or other files."""
    board = start(files, flash=image)
    on_board(board, f"swap('/board.json',{SETTINGS!r})\nswap('/cal.json',{CALIBRATION!r})\nprint(0)")
    board.stop()


def judged(tmp_path: Path, base: Path, writes: list[Write]) -> list[dict[str, Any]]:
    log, judge = tmp_path / "log", tmp_path / "judge.py"
    log.write_text("".join(json.dumps([block, at, data.hex() if data else ""]) + "\n" for block, at, data in writes))
    judge.write_text(JUDGE)
    command = [*interpreter.command(), "-X", "heapsize=16M", str(judge), str(base), str(log)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == 1 + 2 * len(writes)
    return found


def cut(base: Path, writes: list[Write], at: int, torn: bool) -> bytes:
    """The chip after so many writes, and half of the next."""
    chip = bytearray(base.read_bytes())
    for number, (block, offset, programmed) in enumerate(writes[: at + torn]):
        data = programmed or b"\xff" * BLOCK
        size = len(data) // 2 if torn and number == at else len(data)
        place = block * BLOCK + offset
        chip[place : place + size] = data[:size]
    return bytes(chip)


@pytest.mark.soak
def test_at_no_write_does_a_power_cut_leave_a_board_without_a_firmware(
    start: Start, flashing: Callable[[dict[str, Path]], str], tmp_path: Path
) -> None:
    base, image = tmp_path / "base", tmp_path / "image"
    prepared(start, base)
    shutil.copyfile(base, image)
    board = start(flash=base)
    old = status.ask(port_of(board)).build
    board.stop()
    shutil.copyfile(image, base)  # as it was before that boot
    files = variant(tmp_path, "1.0.0")
    new = flashing(files)
    writes = flash_and_record(start, image, tmp_path / "record")
    assert len(writes) > 100
    found = judged(tmp_path, base, writes)
    for moment in found:
        assert moment["build"] in (old, new)
        assert moment["back"]
        assert not moment["torn"]
        assert moment["cal.json"] == digest(CALIBRATION.encode())
        assert moment["board.json"] == digest(SETTINGS.encode())
        assert moment["main.py"] == digest(files["main.py"].read_bytes())
    assert found[0]["build"] == old
    assert found[-1]["build"] == new
    switches = sum(one["build"] != other["build"] for one, other in pairwise(found))
    assert switches == 1
    rng = random.Random(1)
    moments = [(at, torn) for at in range(len(writes)) for torn in (False, True)]
    for at, torn in rng.sample(moments, min(runs(2), len(moments))):
        image.write_bytes(cut(base, writes, at, torn))
        board = start(flash=image)
        try:
            assert status.ask(port_of(board), 5.0).build in (old, new), (at, torn)
            update.update(update.Wish(port_of(board)), update.Voice())
            assert status.ask(port_of(board), 5.0).current, (at, torn)
        finally:
            board.stop()


@pytest.mark.parametrize("files", [{"main.py": BLINK, "boot.py": "x = 5\n"}, {"notes.json": "{}"}], ids=["another", "blank"])
def test_at_no_write_does_a_power_cut_in_the_first_flash_leave_half_a_program(
    files: dict[str, str], start: Start, flashing: Callable[[dict[str, Path]], str], tmp_path: Path
) -> None:
    base, image = tmp_path / "base", tmp_path / "image"
    prepared(start, base, files)
    shutil.copyfile(base, image)
    sources = variant(tmp_path, "1.0.0")
    new = flashing(sources)
    writes = flash_and_record(start, image, tmp_path / "record")
    ours = {name: digest(sources[name].read_bytes()) for name in ("boot.py", "main.py")}
    theirs = {name: digest(files[name].encode()) if name in files else None for name in ours}
    found = judged(tmp_path, base, writes)
    for moment in found:
        for name, value in ours.items():
            assert moment[name] in (value, theirs[name])
        if moment["main.py"] == ours["main.py"]:
            assert moment["build"] == new
            assert moment["boot.py"] == ours["boot.py"]
        assert moment["cal.json"] == digest(CALIBRATION.encode())
    assert found[0]["main.py"] == theirs["main.py"]
    assert found[-1]["main.py"] == ours["main.py"]
