"""`captain flash` and `captain rollback` on simulated boards: what they do, and what stays."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.errors import CheckFailed, LinkLost
from eyecaptain.flash import build as building
from eyecaptain.flash import stage, status, update
from eyecaptain.flash.console import Repl
from eyecaptain.flash.meet import await_port
from eyecaptain.link.client import Client
from flash.conftest import CALIBRATION, DEVICE, SETTINGS, Start, port_of, variant
from link.peer import build as frame
from link.plain import Plain
from support import captain

Use = Callable[[dict[str, Path]], str]

BLINK = "import time\nwhile True:\n    time.sleep_ms(20)\n"


def flash(board: SimulatedBoard, **more: Any) -> update.Outcome:
    return update.update(update.Wish(port_of(board), **more), update.Voice())


def on_board(board: SimulatedBoard, code: str) -> Any:
    """What this code prints at the board's REPL, as JSON."""
    with Repl(board.entry.port) as repl:
        told = repl.ask(code)
    await_port(port_of(board))
    return told


def answers(board: SimulatedBoard) -> status.Status:
    return status.ask(port_of(board), 5.0)


def test_a_new_firmware_comes_the_old_one_stays_and_comes_back(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    before = answers(board)
    assert before.slot == "a"
    new = flashing(variant(tmp_path, "1.0.0"))
    done = flash(board)
    assert (done.what, done.before, done.build, done.slot) == ("flashed", before.build, new, "b")
    now = answers(board)
    assert (now.fw, now.build, now.slot, now.was, now.trial) == ("1.0.0", new, "b", before.build, None)
    assert done.parts["sensor"]["ok"]
    with Client(board.entry.port, lambda _: None) as client:
        assert client.hello.reset == "watchdog"  # also with the watchdog of a trial boot
    back = update.rollback(update.Wish(port_of(board)), update.Voice())
    assert (back.what, back.build, back.before) == ("rolled back", before.build, new)
    assert (answers(board).build, answers(board).was) == (before.build, new)
    again = update.rollback(update.Wish(port_of(board)), update.Voice())
    assert (again.build, answers(board).build) == (new, new)


@pytest.mark.parametrize("step", ["fill", "switch"])
def test_no_rollback_to_what_an_interrupted_flash_left_in_the_other_slot(
    step: str, start: Start, flashing: Use, tmp_path: Path
) -> None:
    """Also not when that is whole: it is another build than the one from before."""
    board = start()
    running = flashing(variant(tmp_path, "1.0.0"))
    flash(board)
    flashing(variant(tmp_path, "1.0.1"))

    def vanishes(*_: Any) -> None:
        raise LinkLost("The board vanished.")

    with pytest.MonkeyPatch.context() as patch:
        if step == "fill":
            patch.setattr(stage, "_send", vanishes)
        else:
            patch.setattr(stage, "switch", vanishes)
        with pytest.raises(LinkLost):
            flash(board)
    await_port(port_of(board))
    with pytest.raises(CheckFailed, match="is not there any more"):
        update.rollback(update.Wish(port_of(board)), update.Voice())
    assert answers(board).build == running


def test_what_runs_already_is_left_alone(start: Start) -> None:
    board = start()
    boots = board.control.ask("state")["boots"]
    assert flash(board).what == "current"
    assert board.control.ask("state")["boots"] == boots


def test_force_writes_and_checks_the_same_build_anew(start: Start) -> None:
    board = start()
    before = answers(board)
    done = flash(board, force=True)
    assert (done.what, done.build, done.slot) == ("flashed", before.build, "b")
    assert (answers(board).slot, answers(board).was) == ("b", before.build)


def test_a_dry_run_changes_nothing(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    before = on_board(board, "print(json.dumps(sorted((p, sha(p)) for p in below(''))))")
    new = flashing(variant(tmp_path, "1.0.0"))
    done = flash(board, dry_run=True)
    assert (done.what, done.build) == ("planned", new)
    assert done.send > 20
    assert on_board(board, "print(json.dumps(sorted((p, sha(p)) for p in below(''))))") == before


def test_only_what_changed_goes_over_the_wire(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    flashing(variant(tmp_path, "1.0.0"))
    flash(board)
    flashing(variant(tmp_path, "1.0.1"))
    done = flash(board)
    # The version's file and the manifest; all others are copied from the other slot.
    assert (done.send, done.keep) == (2, 0)
    assert done.copy > 20
    flashing(variant(tmp_path, "1.0.2"))
    done = flash(board)
    assert (done.send, done.copy) == (2, 0)  # they are in both slots now
    assert done.keep > 20


def test_files_that_the_new_firmware_does_not_have_go(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    files = variant(tmp_path, "1.0.0")
    extra = tmp_path / "extra.py"
    extra.write_text("X = 1\n")
    flashing({**files, "eyedeck/extra.py": extra})
    flash(board)
    for name in ("1.0.1", "1.0.2"):
        flashing(variant(tmp_path, name))
        flash(board)
    left = on_board(board, "print(json.dumps([p for p in below('') if 'extra' in p or p.endswith('.py')]))")
    assert sorted(left) == ["/boot.py", "/main.py"]


def test_settings_and_calibration_stay(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    on_board(board, f"swap('/board.json',{SETTINGS!r})\nswap('/cal.json',{CALIBRATION!r})\nprint(0)")
    for name in ("1.0.0", "1.0.1"):
        flashing(variant(tmp_path, name))
        flash(board)
    update.rollback(update.Wish(port_of(board)), update.Voice())
    update.remove(update.Wish(port_of(board)))
    kept = on_board(board, "print(json.dumps([open('/board.json').read(), open('/cal.json').read()]))")
    assert kept == [SETTINGS, CALIBRATION]


def test_a_board_that_runs_another_program(start: Start) -> None:
    board = start({"main.py": BLINK, "boot.py": "x = 5\n", "notes.json": "{}", "lib/tool.py": "y = 6\n"})
    done = flash(board)
    assert done.what == "flashed"
    assert done.others == ["lib/", "notes.json"]
    assert [name.split()[0] for name in done.kept] == ["boot.py", "main.py"]
    assert answers(board).current
    removed = update.remove(update.Wish(port_of(board)))
    assert removed.kept == ["boot.py", "main.py"]
    code = "print(json.dumps([open('/main.py').read(), open('/boot.py').read(), sorted(os.listdir('/'))]))"
    assert on_board(board, code) == [BLINK, "x = 5\n", ["boot.py", "cal.json", "lib", "main.py", "notes.json"]]


def test_a_start_file_of_ones_own_that_speaks_of_eyedeck_is_kept_and_ours_is_not(
    start: Start, flashing: Use, tmp_path: Path
) -> None:
    mine = "# instead of eyedeck's\n" + BLINK
    board = start({"main.py": mine})
    assert flash(board).kept == ["main.py (now main.py.kept)"]
    other = {name: (DEVICE / f"{name}.py").read_text() + "\n# a later one\n" for name in ("boot", "main")}
    flashing(variant(tmp_path, "1.0.0", **other))
    assert flash(board).kept == []
    update.remove(update.Wish(port_of(board)))
    assert on_board(board, "print(json.dumps([open('/main.py').read(), sorted(os.listdir('/'))]))") == [
        mine, ["cal.json", "main.py"],
    ]  # fmt: skip


def test_a_board_with_nothing_on_it(start: Start) -> None:
    board = start({"notes.json": "{}"})
    assert flash(board).what == "flashed"
    assert answers(board).current


def test_a_firmware_without_slots_is_replaced_and_can_come_back(start: Start) -> None:
    """As `mip install` and mpremote put it there."""
    files = {path.relative_to(DEVICE).as_posix(): path.read_text() for path in DEVICE.rglob("*.py")}
    board = start(files)
    assert answers(board).build == "dev"
    done = flash(board)
    assert (done.what, done.before, done.slot) == ("flashed", "dev", "a")
    assert answers(board).current


@pytest.mark.parametrize("swallows", ["except KeyboardInterrupt", "except BaseException"])
def test_a_watchdog_of_another_program_does_not_cut_the_upload(start: Start, swallows: str) -> None:
    main = f"""
import machine, time
dog = machine.WDT(timeout=1000)
try:
    while True:
        dog.feed()
        time.sleep_ms(50)
{swallows}:
    dog.feed()
"""
    board = start({"main.py": main})
    assert flash(board).what == "flashed"


def test_a_flash_that_was_interrupted_before_its_confirmation_is_finished(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    old = answers(board).build
    new = flashing(variant(tmp_path, "1.0.0"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "try_out", lambda *_, **__: {})  # the host is gone after the switch
        flash(board)
    found = answers(board)
    assert (found.build, found.trial) == (new, 1)
    assert flash(board).what == "confirmed"
    assert (answers(board).trial, answers(board).was) == (None, old)


def test_ctrl_c_during_the_trial_says_what_becomes_of_it(
    start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = start()
    new = flashing(variant(tmp_path, "1.0.0"))

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    said: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(update, "await_board", interrupted)
        with pytest.raises(KeyboardInterrupt):
            update.update(update.Wish(port_of(board)), update.Voice(said.append))
    assert "on trial" in said[-1]
    assert "goes back to the old one by itself within 150 s" in said[-1]
    assert answers(board).trial is not None
    assert flash(board).what == "confirmed"
    assert (answers(board).build, answers(board).trial) == (new, None)


def test_another_firmware_never_overwrites_what_a_trial_would_go_back_to(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    old = answers(board).build
    with pytest.MonkeyPatch.context() as patch:
        flashing(variant(tmp_path, "1.0.0"))
        patch.setattr(update, "try_out", lambda *_, **__: {})
        flash(board)
    newer = flashing(variant(tmp_path, "1.0.1"))
    assert flash(board).what == "flashed"
    assert (answers(board).build, answers(board).was) == (newer, old)


def test_without_mpy_cross_the_sources_go(start: Start, flashing: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "compiler", lambda: None)
    board = start()
    new = flashing(variant(tmp_path, "1.0.0"))
    said: list[str] = []
    done = update.update(update.Wish(port_of(board)), update.Voice(said.append))
    assert (done.what, answers(board).build) == ("flashed", new)
    assert "mpy-cross" in said[0]


def test_a_dialect_that_the_board_does_not_read(tmp_path: Path) -> None:
    contents = {name: path.read_bytes() for name, path in variant(tmp_path, "1.0.0").items()}
    said: list[str] = []
    made = building.image(contents, 7, said.append)
    assert "the board reads 7" in said[0]
    assert made["eyedeck/app.py"] == contents["eyedeck/app.py"]
    assert all(name.endswith(".mpy") for name in building.image(contents, 6, said.append))


@pytest.mark.parametrize("processor", building.PROCESSORS)
def test_what_every_request_goes_through_becomes_machine_code(tmp_path: Path, processor: int) -> None:
    contents = {name: path.read_bytes() for name, path in variant(tmp_path, "1.0.0").items()}
    plain = building.image(contents, 6, print)
    minor = 3

    def native(dialect: int) -> set[str]:
        made = building.image(contents, dialect, print)
        assert made.keys() == plain.keys()
        return {name.replace(".mpy", ".py") for name, data in made.items() if data != plain[name]}

    assert native(processor << 10 | minor << 8 | 6) == building.NATIVE
    assert native(processor << 10 | (minor - 1) << 8 | 6) == set(), "a board reads machine code of its own minor version only"
    assert native(9 << 10 | minor << 8 | 6) == set(), "never tried on that processor"


def test_a_source_that_does_not_compile_never_reaches_the_board(start: Start, flashing: Use, tmp_path: Path) -> None:
    from eyecaptain.errors import CaptainError

    board = start()
    old = answers(board).build
    flashing(variant(tmp_path, "1.0.0", app="def\n"))
    with pytest.raises(CaptainError, match=r"app\.py.*SyntaxError|SyntaxError"):
        flash(board)
    assert answers(board).build == old


def test_a_part_that_fails_with_the_new_firmware_only_brings_the_old_one_back(
    start: Start, flashing: Use, tmp_path: Path
) -> None:
    board = start()
    old = answers(board).build
    broken = (DEVICE / "eyedeck/drivers/tcs34725.py").read_text().replace("const(0x29)", "const(0x2A)")
    assert "0x2A" in broken
    flashing(variant(tmp_path, "1.0.0", tcs34725=broken))
    with pytest.raises(CheckFailed, match="self-test fails: sensor") as caught:
        flash(board)
    assert old in caught.value.hint
    assert answers(board).build == old


def test_a_part_that_failed_before_is_no_reason_to_go_back(start: Start, flashing: Use, tmp_path: Path) -> None:
    board = start()
    board.control.ask("fault", what="i2c_nak", value=True)
    new = flashing(variant(tmp_path, "1.0.0"))
    done = flash(board)
    assert not done.parts["sensor"]["ok"]
    assert answers(board).build == new


def test_the_command_tells_people_and_programs(start: Start, tmp_path: Path) -> None:
    board = start({"main.py": BLINK})

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return captain(*args, "--board", board.entry.port, sessions=tmp_path)

    assert "would get the firmware" in run("flash", "--dry-run").stdout
    done = run("flash", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert (told["what"], told["kept"]) == ("flashed", ["main.py (now main.py.kept)"])
    assert "nothing to do" in run("flash").stdout
    assert json.loads(run("flash", "--status", "--json").stdout)["current"]
    assert "Nothing to do." in run("flash", "--status").stdout
    refused = run("rollback")
    assert (refused.returncode, refused.stdout) == (7, "")
    assert "no firmware to go back to" in refused.stderr
    assert "main.py from before is back" in run("flash", "--remove").stdout
    assert "No firmware of ours answers" in run("flash", "--status").stdout


def test_the_bar_is_for_terminals_only(start: Start, tmp_path: Path) -> None:
    from support import terminal

    board = start({"main.py": BLINK})
    out = terminal(["flash", "--board", board.entry.port], b"", tmp_path, {"CAPTAIN_RUNTIME": os.environ["CAPTAIN_RUNTIME"]})
    sending = re.findall(rb"Sending \[[#.]+\] ([\d.]+) of ([\d.]+) kB, file (\d+) of (\d+)", out)
    told = [tuple(map(float, step)) for step in sending]
    assert len(told) > 3
    assert told == sorted(told)
    at, of, file, files = told[-1]
    assert at == of > 20
    assert file == files > 20
    assert all(file < files for *_, file, files in told[:-1])
    assert b"runs the new firmware" in out


def test_unmodified_mpremote_still_finds_its_way(start: Start, flashing: Use, tmp_path: Path) -> None:
    import sys

    board = start()
    flashing(variant(tmp_path, "1.0.0"))
    flash(board)
    ls = [sys.executable, "-m", "mpremote", "connect", board.entry.port, "fs", "ls"]
    done = subprocess.run(ls, capture_output=True, text=True, timeout=30)
    assert "slot_b/" in done.stdout, done.stderr


def test_no_file_is_written_while_the_motor_may_run(start: Start, tmp_path: Path) -> None:
    """Motor rule 6: the record of the flash chip is the witness."""
    record = tmp_path / "record"
    board = start(record=record)
    with Plain(board.entry.port) as line:
        build = line.hello("a", lease=5000)["build"]
        line.ask("arm")
        before = record.read_text().count('"flash"')
        assert line.ask("confirm", build=build) == "busy"
        line.send(frame({"id": 900, "op": "state"}))
        line.reply(900)
        assert record.read_text().count('"flash"') == before
