"""`captain flash` from beginning to end: look, fill the idle slot, check, switch, try, confirm - or go back."""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from eyecaptain import __version__
from eyecaptain.errors import CheckFailed, LinkLost, NoBoard
from eyecaptain.flash import build, firmware, slots, stage
from eyecaptain.flash.console import Repl
from eyecaptain.flash.meet import Parts, await_board, await_port, lost_parts, meet
from eyecaptain.flash.probe import KEPT, Found
from eyecaptain.flash.slots import MANIFEST
from eyecaptain.language import _
from eyecaptain.link.errors import BoardRefused
from eyecaptain.link.ports import Port

PROBE = 30.0  # seconds
LONGEST = 100  # characters of a reason that the board keeps


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted.

    :ivar force: also when the same build runs there.
    :ivar dry_run: only tell what would be done.
    :ivar patience: waits are so many times as long.
    :ivar seconds: after which a trial boot ends.
    """

    port: Port
    force: bool = False
    dry_run: bool = False
    patience: float = 1.0
    seconds: int = slots.SECONDS


@dataclass(slots=True)
class Outcome:
    """What was done.

    :ivar what: `current` (nothing to do), `confirmed` (a flash that was interrupted came to its end), `planned`, `flashed`,
        `rolled back`, `removed`.
    :ivar before: the build that ran there, as far as it is known.
    :ivar sent: bytes of files that went over the wire.
    :ivar parts: what the board's self-test says.
    :ivar others: files of somebody else, which stay.
    :ivar kept: start files that were there before and are put aside.
    """

    what: str
    port: str
    build: str = ""
    before: str = ""
    slot: str = ""
    keep: int = 0
    copy: int = 0
    send: int = 0
    remove: int = 0
    sent: int = 0
    seconds: float = 0.0
    parts: Parts = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The fields, for `--json`."""
        return {**asdict(self), "seconds": round(self.seconds, 2), "version": __version__}


@dataclass(frozen=True, slots=True)
class Voice:
    """Who is told what.

    :ivar say: notes for people.
    :ivar tell: the step, bytes that are through, bytes in all.
    """

    say: Callable[[str], None] = lambda _text: None
    tell: stage.Progress = lambda _step, _at, _of: None


def update(wish: Wish, voice: Voice) -> Outcome:
    """Put our firmware on a board.

    :raises NoBoard: the port cannot be had, it is no Pico, or what runs there cannot be interrupted.
    :raises CheckFailed: it is too old, full or read-only, or the new firmware is not good; then it runs what it ran before.
    :raises LinkLost: it vanished; it starts what it ran before, or the new firmware if that came so far.
    """
    began = time.monotonic()
    contents = firmware.read(firmware.sources())
    number = firmware.build_of(contents)
    done = Outcome("current", wish.port.port, number)
    parts: Parts = {}
    met = meet(wish.port, wish.patience)
    if met is not None:
        with met:
            done.before = met.build
            if met.build == number and not wish.force:
                if met.fresh:
                    done.what, done.parts = "confirmed", met.selftest()
                    met.confirm(number)
                done.seconds = time.monotonic() - began
                return done
            if not wish.dry_run and not met.fresh:
                parts = met.selftest()
            met.quiet()
    with _console(wish) as repl:
        found = Found.parse(wish.port.port, repl.ask("probe()", PROBE))
        found.check()
        load = _load(found, contents, number, voice)
        done.before = done.before or found.pointer.build
        done.slot = load.slot
        _count(done, found, load)
        stage.check_space(found, load)
        if wish.dry_run:
            done.what = "planned"
            done.seconds = time.monotonic() - began
            return done
        if found.pointer.trial is not None:
            stage.point(repl, found.pointer.settled, wish.seconds)  # the slot of a firmware on trial is to be overwritten
        stage.fill(repl, load, voice.tell)
        after = found.pointer.then(load.slot, number, returns=found.runs_ours)
        stage.switch(repl, found, after, {name: contents[name] for name in firmware.START}, wish.seconds)
    voice.tell("start", done.sent, done.sent)
    done.parts = try_out(wish, number, parts, voice, returns=found.runs_ours)
    done.what, done.seconds = "flashed", time.monotonic() - began
    return done


def rollback(wish: Wish, voice: Voice) -> Outcome:
    """Let a board run the firmware that it had before this one.

    :raises NoBoard: the port cannot be had.
    :raises CheckFailed: there is none, or it is damaged, or it is not good; then it runs what it ran.
    """
    began = time.monotonic()
    done = Outcome("rolled back", wish.port.port)
    parts: Parts = {}
    met = meet(wish.port, wish.patience)
    if met is not None:
        with met:
            done.before = met.build
            if not met.fresh:
                parts = met.selftest()
            met.quiet()
    with _console(wish) as repl:
        found = Found.parse(wish.port.port, repl.ask("probe()", PROBE))
        now = found.pointer
        if not now.returns or now.back is None:
            raise CheckFailed(
                _("The board at {port} has no firmware to go back to.").format(port=wish.port.port),
                _("It has what was put on it first."),
            )
        if not stage.verified(repl, now.back):
            raise CheckFailed(
                _("The firmware before this one is not whole any more: a later `captain flash` was interrupted."),
                _("Run `captain flash`; the board still runs what it ran."),
            )
        done.build, done.slot = now.was, now.back
        if wish.dry_run:
            done.what = "planned"
            return done
        after = now.settled if now.trial is not None else now.then(now.back, now.was, returns=True)
        stage.point(repl, after, wish.seconds)
    done.parts = try_out(wish, done.build, parts, voice, returns=True)
    done.seconds = time.monotonic() - began
    return done


def remove(wish: Wish) -> Outcome:
    """Take our firmware off a board, and put back the program that was there before; its settings stay.

    :raises NoBoard, CheckFailed, LinkLost: as `update`.
    """
    done = Outcome("removed", wish.port.port)
    met = meet(wish.port, wish.patience)
    if met is not None:
        with met:
            done.before = met.build
            met.quiet()
    with _console(wish) as repl:
        found = Found.parse(wish.port.port, repl.ask("probe()", PROBE))
        done.others, done.kept = found.others, found.kept
        if wish.dry_run:
            done.what = "planned"
        else:
            stage.remove(repl, found)
    return done


def try_out(wish: Wish, number: str, before: Parts, voice: Voice, *, returns: bool) -> Parts:
    """Wait until the new firmware answers, look whether it is good, and confirm it; else bring the old one back.

    :param number: the build that has to answer.
    :param before: what the self-test of the old firmware said.
    :param returns: whether there is an old one.
    :raises CheckFailed: it is not good.
    """
    lines: list[str] = []
    try:
        with await_board(wish.port, wish.patience) as met:
            if met.build != number:
                raise CheckFailed(
                    _("The new firmware ({new}) is no good, and the board went back to {old} by itself: {why}.").format(
                        new=number, old=met.build, why=met.where()[3] or "?"
                    ),
                    _("The board works as before. Please report it."),
                )
            parts = met.selftest()
            broken = lost_parts(before, parts)
            if not broken:
                met.confirm(number)
                return parts
            words = _("With the new firmware ({new}) the board's self-test fails: {parts}.")
            why = words.format(new=number, parts=", ".join(broken))
    except KeyboardInterrupt:
        if returns:
            voice.say(
                _(
                    "The new firmware is on trial: run `captain flash` again to let it stay, or the board goes back to the old "
                    "one by itself within {seconds} s."
                ).format(seconds=2 * wish.seconds + 30)
            )
        raise
    except (LinkLost, BoardRefused) as error:
        why = _("The new firmware ({new}) does not do what it should: {why}").format(new=number, why=error.message)
        lines = error.lines
    failed = CheckFailed(why, _go_back(wish, why, returns=returns))
    failed.lines = lines
    raise failed


def _go_back(wish: Wish, why: str, *, returns: bool) -> str:
    """Bring the old firmware back from here; return what became of it.

    :param why: is kept on the board.
    """
    by_itself = _("The board goes back to the old one by itself within {seconds} s.").format(seconds=2 * wish.seconds + 30)
    try:
        with _console(wish) as repl:
            found = Found.parse(wish.port.port, repl.ask("probe()", PROBE))
            if not returns:
                stage.remove(repl, found)
                return _("It was taken off the board again; what was there before is back.")
            if found.pointer.trial is not None:
                stage.point(repl, replace(found.pointer.settled, why=why[:LONGEST]), wish.seconds)
    except (NoBoard, LinkLost, CheckFailed):
        return by_itself if returns else _("Unplug the board, plug it in, and run `captain flash` again.")
    with contextlib.suppress(LinkLost), await_board(wish.port, wish.patience) as met:
        return _("The board runs the old firmware ({old}) again.").format(old=met.build)
    return by_itself


@contextlib.contextmanager
def _console(wish: Wish) -> Iterator[Repl]:
    """The board's REPL; at the end the board has been started anew and is there again."""
    try:
        with Repl(wish.port.port, max(wish.patience, wish.port.slow)) as repl:
            yield repl
    except LinkLost:
        raise
    except BaseException:
        await_port(wish.port)
        raise
    await_port(wish.port)


def _load(found: Found, contents: dict[str, bytes], number: str, voice: Voice) -> stage.Load:
    """What goes into which slot."""
    files = build.image(contents, found.dialect, voice.say)
    files[MANIFEST] = slots.manifest(files, number, __version__)
    slot = found.pointer.idle
    elsewhere = {path: value for path, value in found.files.items() if not path.startswith(slots.folder(slot) + "/")}
    return stage.Load(slot, files, slots.plan(files, found.slot(slot), elsewhere))


def _count(done: Outcome, found: Found, load: stage.Load) -> None:
    plan = load.plan
    done.keep, done.copy, done.send, done.remove = len(plan.keep), len(plan.copy), len(plan.send), len(plan.remove)
    done.sent = sum(len(load.files[name]) for name in plan.send)
    done.others = found.others
    done.kept = [f"{name} (now {name}{KEPT})" for name in found.foreign]
