"""A firmware that is no good: found before the switch, or left again, with a host and without one."""

import contextlib
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.errors import CheckFailed
from eyecaptain.flash import console, meet, slots, status, update
from eyecaptain.link.ports import Port
from flash.conftest import DEVICE, Start, port_of, variant
from flash.test_cuts import running
from flash.test_update_on_board import BLINK, on_board

Use = Callable[[dict[str, Path]], str]

APP = (DEVICE / "eyedeck/app.py").read_text()
RX = (DEVICE / "eyedeck/link/rx.py").read_text()
MAIN = (DEVICE / "main.py").read_text()
# It sleeps where ours waits for what comes, so that Ctrl-C meets it asleep (boards/simulated/pico.py, ASLEEP).
DEAF = RX.replace("for _ in self._poll.ipoll(ms):\n            return True", "__import__('time').sleep_ms(ms)")
LATER = APP.replace("self._sender.pump()", "raise OSError(5)")
QUICK = MAIN.replace("LONGEST = 8000", "LONGEST = 1500")  # else a hang takes the test 16 s

BAD = {
    "does not start": {"app": "raise ValueError('no deck')\n"},
    "lacks a file": {"app": "import eyedeck.nothing\n"},
    "has no memory": {"app": "x = bytearray(10**9)\n"},
    "ends by itself": {"app": "def run(feeder=None, state=None, confirm=None):\n    pass\n"},
    "breaks a little later": {"app": LATER},
    "hangs": {"app": "while True:\n    pass\n", "main": QUICK},
    "starts anew for ever": {"app": "import machine\nmachine.reset()\n"},
    "leaves the interpreter": {"app": "import sys\nsys.exit()\n"},
    "does not listen": {"rx": DEAF},
}
assert DEAF != RX
assert LATER != APP
assert QUICK != MAIN


@pytest.mark.parametrize("bad", BAD)
def test_the_board_alone_goes_back_within_three_boots(bad: str, start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    old = running(board).build
    new = flashing(variant(tmp_path, "1.0.0", **BAD[bad]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "try_out", lambda *_, **__: {})  # the host is gone
        update.update(update.Wish(port_of(board), seconds=3), update.Voice())
    boots = board.control.ask("state")["boots"]
    found = running(board, 30.0)
    assert found.build == old
    assert found.failed == new
    # The first of them may have begun before it was counted.
    assert board.control.ask("state")["boots"] - boots <= 3
    assert found.trial is None


@pytest.mark.parametrize("bad", ["does not start", "does not listen"])
def test_with_a_host_it_is_told_why(
    bad: str, start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await_board = meet.await_board

    def impatient(port: Port, patience: float) -> meet.Met:
        """Wait less long for the new one than for the old one."""
        with monkeypatch.context() as patch:
            patch.setattr(meet, "START", 5.0)
            monkeypatch.setattr(update, "await_board", await_board)
            return await_board(port, patience)

    monkeypatch.setattr(update, "await_board", impatient)
    board = start()
    old = running(board).build
    flashing(variant(tmp_path, "1.0.0", **BAD[bad]))
    with pytest.raises(CheckFailed) as caught:
        update.update(update.Wish(port_of(board)), update.Voice())
    assert caught.value.exit_code == 7
    said = f"{caught.value.message} {caught.value.hint}"
    assert {"does not start": "no deck", "does not listen": "does not answer"}[bad] in said
    assert old in said
    if bad == "does not listen":
        assert any("hello" in line for line in caught.value.lines), "for the error report: what was said to it"
    assert running(board).build == old


@pytest.mark.parametrize("bad", ["does not start", "hangs", "does not listen"])
def test_a_bad_first_firmware_makes_room_for_the_program_from_before(
    bad: str, start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meet, "START", 4.0)
    board = start({"main.py": BLINK, "boot.py": "x = 5\n"})
    flashing(variant(tmp_path, "1.0.0", **BAD[bad]))
    with pytest.raises(CheckFailed, match="does not do what it should") as caught:
        update.update(update.Wish(port_of(board)), update.Voice())
    assert "what was there before is back" in caught.value.hint
    code = "print(json.dumps([open('/main.py').read(), open('/boot.py').read(), sorted(os.listdir('/'))]))"
    assert on_board(board, code) == [BLINK, "x = 5\n", ["boot.py", "cal.json", "main.py"]]


def test_a_firmware_on_trial_is_confirmed_in_time_or_not_at_all(start: Start, flashing: Use, tmp_path: Path) -> None:
    """A good one, whose host is gone: it runs, but does not stay."""
    board = start()
    old = running(board).build
    new = flashing(variant(tmp_path, "1.0.0"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "try_out", lambda *_, **__: {})
        update.update(update.Wish(port_of(board), seconds=2), update.Voice())
    assert running(board).build == new
    end = time.monotonic() + 20
    while running(board).build == new:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert (running(board).build, running(board).failed) == (old, new)


def damage(kind: str) -> str:
    """Code that changes one file of the slot that is being filled."""
    found = "name = [p for p in below('/slot_b') if p.endswith('deck.mpy')][0]\n"
    match kind:
        case "a bit":
            return found + "f = open(name, 'r+b')\nf.seek(99)\nb = f.read(1)[0]\nf.seek(99)\nf.write(bytes([b ^ 4]))\nf.close()"
        case "the end":
            return found + "d = open(name, 'rb').read()\nf = open(name, 'wb')\nf.write(d[:-1])\nf.close()"
        case "a file":
            return found + "drop(name)"
        case _:
            return "put('/slot_b/eyedeck/deck.py', 'AwA=')"


@pytest.mark.parametrize("kind", ["a bit", "the end", "a file", "one too many"])
@pytest.mark.parametrize("worn", [False, True], ids=["once", "always"])
def test_damage_is_found_before_the_switch(
    kind: str, worn: bool, start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = start()
    old = running(board).build
    new = flashing(variant(tmp_path, "1.0.0"))
    run: Any = console.Repl.run
    checks = [0]

    def damaging(self: console.Repl, code: str, seconds: float = 10.0) -> str:
        if code.startswith("check("):
            checks[0] += 1
            if worn or checks[0] == 1:
                run(self, damage(kind))
        return str(run(self, code, seconds))

    monkeypatch.setattr(console.Repl, "run", damaging)
    if worn:
        with pytest.raises(CheckFailed, match=r"does not hold what was sent to it: eyedeck/deck\."):
            update.update(update.Wish(port_of(board)), update.Voice())
        assert running(board).build == old
    else:
        assert update.update(update.Wish(port_of(board)), update.Voice()).what == "flashed"
        assert running(board).build == new
    assert checks[0] == 2


FLIP = """
def flip(name, at):
    with open(name, 'r+b') as f:
        f.seek(at)
        b = f.read(1)[0]
        f.seek(at)
        f.write(bytes([b ^ 4]))
"""


def test_one_bit_in_any_file_is_found_by_the_boards_check(
    start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest is one of them. Each bit is set right again, so that all of them meet the very check of a flash."""
    board = start()
    new = flashing(variant(tmp_path, "1.0.0"))
    run: Any = console.Repl.run
    rng = random.Random("bits")
    found: dict[str, list[str]] = {}

    def flipping(self: console.Repl, code: str, seconds: float = 10.0) -> str:
        if code.startswith("check(") and not found:
            run(self, FLIP)
            sizes = json.loads(run(self, "print(json.dumps({p: os.stat(p)[6] for p in below('/slot_b')}))"))
            for name, size in sizes.items():
                version = 8  # where the manifest has it: nothing else would notice
                flip = f"flip({name!r},{version if 'manifest' in name else rng.randrange(size)})"
                run(self, flip)
                found[name] = json.loads(run(self, code, seconds))
                run(self, flip)
        return str(run(self, code, seconds))

    monkeypatch.setattr(console.Repl, "run", flipping)
    assert update.update(update.Wish(port_of(board)), update.Voice()).build == new
    assert len(found) > 25
    assert found == {name: [name.removeprefix("/slot_b/")] for name in found}


@pytest.mark.parametrize("name", ["boot", "main"])
def test_one_bit_in_a_start_file_is_found_before_it_counts(
    name: str, start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = start()
    old = running(board).build
    flashing(variant(tmp_path, "1.0.0", **{name: (DEVICE / f"{name}.py").read_text() + "# another one\n"}))
    run: Any = console.Repl.run

    def flipping(self: console.Repl, code: str, seconds: float = 10.0) -> str:
        if f"sha('/{name}.py.new')" in code:
            run(self, f"{FLIP}\nflip('/{name}.py.new', 99)")
        return str(run(self, code, seconds))

    monkeypatch.setattr(console.Repl, "run", flipping)
    with pytest.raises(CheckFailed, match=rf"does not hold what was sent to it: {name}\.py"):
        update.update(update.Wish(port_of(board)), update.Voice())
    assert running(board).build == old


@pytest.mark.parametrize("text", ["", "{", "[]", '{"slot": "c"}', '{"slot": "b"}', '{"trial": 1}', '{"slot":"a","trial":"x"}'])
def test_whatever_slot_json_says_the_next_flash_succeeds(text: str, start: Start, flashing: Use, tmp_path: Path) -> None:
    """Nothing of ours writes such a file; somebody's editor may."""
    board = start()
    running(board)
    new = flashing(variant(tmp_path, "1.0.0"))
    with contextlib.suppress(CheckFailed), console.Repl(board.entry.port) as repl:
        repl.run(f"f = open('/{slots.POINTER}', 'w')\nf.write({text!r})\nf.close()")
    end = time.monotonic() + 30
    while True:  # the board comes back, with a firmware or with its prompt
        try:
            update.update(update.Wish(port_of(board)), update.Voice())
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            break
    assert status.ask(port_of(board), 5.0).build == new
