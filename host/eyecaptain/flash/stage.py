"""Fills the idle slot, and switches to it: what is done at the board's REPL, in this order and no other.

Until `switch` nothing that the board starts is touched, and each of its steps is one rename.
"""

import base64
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from eyecaptain.errors import CheckFailed
from eyecaptain.flash.console import Repl
from eyecaptain.flash.firmware import START
from eyecaptain.flash.probe import KEPT, Found
from eyecaptain.flash.slots import MANIFEST, POINTER, Plan, Pointer, digest, folder
from eyecaptain.language import _

PAGE = 4096  # bytes of a file in one piece; the board unpacks each on its own
BATCH = 3000  # characters of code in one go
COPIES = 6  # files in one go
WINDOW = 12  # bits; the board keeps 4 kB to unpack
SLOW = 60.0  # seconds that the board may take to check or copy
SPARE = 16384  # bytes that must stay free
BLOCK = 4096  # bytes: a file takes whole blocks of the flash, which are what its chip erases at once

Progress = Callable[[str, int, int, int, int], None]


@dataclass(frozen=True, slots=True)
class Load:
    """What goes into a slot: its files with the manifest, and how."""

    slot: str
    files: dict[str, bytes]
    plan: Plan


def check_space(found: Found, load: Load) -> None:
    """Refuse before anything is written.

    :raises CheckFailed: it would not fit.
    """
    there = found.slot(load.slot)
    want = sum(-(-len(load.files[name]) // BLOCK) * BLOCK for name in [*load.plan.send, *load.plan.copy] if name not in there)
    if want + SPARE > found.free:
        raise CheckFailed(
            _("The filesystem of the board at {port} is too full: {free} kB are free, {need} kB are needed.").format(
                port=found.port, free=found.free // 1024, need=(want + SPARE) // 1024
            ),
            _("Nothing was changed; remove something with `mpremote fs rm`. On it are also: {others}.").format(
                others=", ".join(found.others[:5]) or "-"
            ),
        )


def fill(repl: Repl, load: Load, tell: Progress) -> None:
    """Fill the idle slot and have the board check it.

    :param tell: is told the step, how many bytes are through and how many there are, and the same of files.
    :raises CheckFailed: the board is full, or does not keep what is written to it.
    """
    top = folder(load.slot)
    # Without a manifest it is no slot to go back to; it comes last.
    repl.run(f"drop({top + '/' + MANIFEST!r})")
    for names in _groups(load.plan.remove, COPIES):
        repl.run("\n".join(f"drop({top + '/' + name!r})" for name in names))
    for names in _groups(sorted(load.plan.copy), COPIES):
        repl.run("\n".join(f"copy({load.plan.copy[name]!r},{top + '/' + name!r})" for name in names), SLOW)
    names = [name for name in load.plan.send if name != MANIFEST]
    total = sum(len(load.files[name]) for name in [*names, MANIFEST])
    sent = {f"{top}/{name}": load.files[name] for name in [*names, MANIFEST]}
    _send(repl, sent, lambda at, file: tell("send", at, total, file, len(sent)))
    tell("check", total, total, len(sent), len(sent))
    check = f"check({top!r},{digest(load.files[MANIFEST])!r})"
    bad = repl.ask(check, SLOW)
    if bad:
        # Once more; a worn flash chip fails again.
        again = {f"{top}/{name}": load.files[name] for name in bad if name in load.files}
        repl.run("\n".join(f"drop({top + '/' + name!r})" for name in bad))
        _send(repl, again, lambda *_: None)
        bad = repl.ask(check, SLOW)
    if bad:
        raise CheckFailed(
            _("The board at {port} does not hold what was sent to it: {files}.").format(port=repl.port, files=", ".join(bad)),
            _("The firmware that it had still runs. If this happens again, its flash chip may be worn."),
        )


def switch(repl: Repl, found: Found, pointer: Pointer, start: dict[str, bytes], seconds: int) -> None:
    """Let the board start what `pointer` says, from its next reset on.

    :param start: boot.py and main.py.
    :raises CheckFailed: it does not keep what is written to it; then it starts what it had.
    """
    for name in START:
        if found.start.get(name, ("", False))[0] == digest(start[name]):
            continue
        fresh = f"/{name}.new"
        _send(repl, {fresh: start[name]}, lambda *_: None)
        if repl.ask(f"print(json.dumps(sha({fresh!r})))") != digest(start[name]):
            words = _("The board at {port} does not hold what was sent to it: {files}.")
            raise CheckFailed(words.format(port=repl.port, files=name))
        if name in found.foreign:
            repl.run(f"copy('/{name}','/{name}{KEPT}')", SLOW)
    point(repl, pointer, seconds)
    for name in START:
        if found.start.get(name, ("", False))[0] != digest(start[name]):
            repl.run(f"os.rename('/{name}.new','/{name}')")


def point(repl: Repl, pointer: Pointer, seconds: int) -> None:
    """Write slot.json: the one moment at which another firmware counts."""
    repl.run(f"swap('/{POINTER}',{pointer.text(seconds)!r})")


def verified(repl: Repl, slot: str, build: str) -> bool:
    """Whether a slot holds this build, and the board finds it to be as its manifest says."""
    told = repl.ask(f"print(json.dumps(load({folder(slot) + '/' + MANIFEST!r})))")
    return isinstance(told, dict) and told.get("build") == build and repl.ask(f"check({folder(slot)!r})", SLOW) == []


def remove(repl: Repl, found: Found) -> None:
    """Take everything of ours off the board but its settings, and put back what was there before."""
    for name in reversed(START):
        if name in found.kept:
            repl.run(f"os.rename('/{name}{KEPT}','/{name}')")
        elif name in found.start and name not in found.foreign:
            repl.run(f"drop('/{name}')")
    for name in (POINTER, "slot_a", "slot_b", *(["eyedeck"] if found.runs_ours else [])):
        repl.run(f"drop('/{name}')", SLOW)


def _send(repl: Repl, files: dict[str, bytes], tell: Callable[[int, int], None]) -> None:
    """Send files in batches; tell how many bytes and whole files are through."""
    code, sent, told = "", 0, (0, 0)
    for number, (path, data) in enumerate(files.items()):
        for at in range(0, max(1, len(data)), PAGE):
            piece = data[at : at + PAGE]
            line = f"put({path!r},{_packed(piece)!r}{',True' if at else ''})\n"
            if code and len(code) + len(line) > BATCH:
                repl.run(code, SLOW)
                tell(*told)
                code = ""
            code += line
            sent += len(piece)
            told = sent, number + (at + PAGE >= len(data))
    if code:
        repl.run(code, SLOW)
        tell(*told)


def _packed(piece: bytes) -> str:
    """Compressed, in characters that no terminal minds."""
    press = zlib.compressobj(9, zlib.DEFLATED, -WINDOW)
    return base64.b64encode(press.compress(piece) + press.flush()).decode()


def _groups(names: list[str], size: int) -> Iterator[list[str]]:
    for at in range(0, len(names), size):
        yield names[at : at + size]
