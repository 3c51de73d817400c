"""Manners of the command line: streams, colours, exit codes and error messages (design.md, command line)."""

import errno
import os
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Sequence
from types import FrameType
from typing import Any, TextIO

import click

from eyecaptain import language
from eyecaptain.language import _

SIGNALS = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]  # Windows has no SIGHUP
AGAIN = 0.01  # seconds after which a dropped interruption comes again
verbose = False  # set by `captain -v`


def want_color(stream: TextIO) -> bool:
    """Whether to write colours to `stream`: never with NO_COLOR or TERM=dumb, always with FORCE_COLOR, else on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def say(text: str) -> None:
    """Write a note to standard error."""
    click.echo(text, err=True)


def emit(result: Any) -> None:
    """Write a result as one line of JSON to standard output."""
    import json

    click.echo(json.dumps(result, ensure_ascii=False, separators=(",", ":")))


def run(command: click.Command, args: Sequence[str]) -> int:
    """Run `command` with `args`, in their language; every way to end becomes one clear line and an exit code."""
    from eyecaptain.cli.help import in_language

    language.use(language.wanted(args, os.environ))
    command = in_language(command)
    for stream in (sys.stdout, sys.stderr):
        # A console that cannot show a character shows its escape; it never crashes.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _guarded(command, args)
    except KeyboardInterrupt as error:  # it came while another end was being told; a further one cannot come (`_interrupt`)
        return _ended_by(error, "--json" in args)


def _guarded(command: click.Command, args: Sequence[str]) -> int:
    try:
        _heed_interrupts()
        sys.unraisablehook = _swallowed
        code = _invoke(command, args)
        ignore_interrupts()  # still in here: no moment may be left in which Ctrl-C ends in a traceback
    except BaseException as error:  # noqa: BLE001 - the outermost place: whatever it is becomes an exit code
        return _ended_by(error, "--json" in args)
    return code


def _invoke(command: click.Command, args: Sequence[str]) -> int:
    """Do what `args` want; return the exit code."""
    if instruction := os.environ.get("_CAPTAIN_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(command, {}, "captain", "_CAPTAIN_COMPLETE", instruction)
    try:
        # Not `command.main`: it would turn a closed pipe into exit code 1.
        with command.make_context("captain", list(args), color=want_color(sys.stdout)) as context:
            command.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:  # help and version
        return end.exit_code
    return 0


def _heed_interrupts() -> None:
    for name in SIGNALS:
        signal.signal(getattr(signal, name), _interrupt)


def ignore_interrupts() -> None:
    """From here on all is written and the command ends by itself: a second Ctrl-C would only make noise."""
    for name in SIGNALS:
        signal.signal(getattr(signal, name), signal.SIG_IGN)


def _interrupt(signum: int, frame: FrameType | None) -> None:
    """A closed terminal and a polite kill end a command as Ctrl-C does; a second one does not disturb the end."""
    del signum, frame
    ignore_interrupts()
    raise KeyboardInterrupt


def _swallowed(what: "sys.UnraisableHookArgs") -> None:
    """An exception came where Python can only drop it, as in a weak reference's callback: an interruption comes again."""
    if what.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(what)
        return
    _heed_interrupts()
    again = threading.Timer(AGAIN, _again)  # not in here: it would be dropped once more
    again.daemon = True
    again.start()


def _again() -> None:
    """Interrupt the main thread, also where it sleeps."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        interrupt_main()  # on Windows it wakes no sleep; ours are short there


def _ended_by(error: BaseException, as_json: bool) -> int:
    """Say what ended the command, and return the exit code that belongs to it."""
    ignore_interrupts()  # first of all
    if isinstance(error, KeyboardInterrupt | click.Abort):
        # Without an import: the interruption may have come in the middle of one.
        _last_words(_("Interrupted."))
        return 130
    from eyecaptain.errors import CaptainError
    from eyecaptain.games.base import Refused

    match error:
        case SystemExit():
            return error.code if isinstance(error.code, int) else 1
        case click.ClickException():
            _last_words(_usage_text(error))
            return error.exit_code
        case Refused():
            if as_json:
                emit({"error": error.as_json()})
            else:
                _last_words(_("Error: {message}").format(message=error))
            return 6
        case CaptainError():
            where = _kept(error.lines) if error.lines else ""
            said = (_("Error: {message}").format(message=error.message), error.hint, where)
            _last_words("\n".join(line for line in said if line))
            return error.exit_code
        case OSError() if _is_closed(error):
            _abandon_stdout()
            return 0
        case _:
            if verbose:
                import traceback

                traceback.print_exception(error)
            what = f"{type(error).__name__}: {error}"
            hint = _("What was shown is in the session's log. Run `captain -v ...` again to see where, and please report it.")
            _last_words(_("Error: a fault of ours: {what}").format(what=what) + f"\n{hint}")
            return 1


def _kept(lines: list[str]) -> str:
    """Put the link's last lines into a file, and say where; the newest report replaces the one before."""
    from platformdirs import user_log_path

    path = user_log_path("eye-eye-captain", appauthor=False) / "link.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError:
        return ""
    return _("The last {number} lines between this computer and the board are in {path}: add them to a report.").format(
        number=len(lines), path=path
    )


def _usage_text(error: click.ClickException) -> str:
    """What click would print for wrong usage."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):  # a group without a command: its help is the message
        return error.format_message()
    lines = [_("Error: {message}").format(message=error.format_message())]
    if isinstance(error, click.UsageError) and error.ctx is not None:
        lines.append(_("Try '{command} {option}' for help.").format(command=error.ctx.command_path, option="--help"))
    return "\n".join(lines)


def _is_closed(error: OSError) -> bool:
    """Whether the reader of our output went away: a pipe (EINVAL on Windows), or a terminal (EIO)."""
    return error.errno in (errno.EPIPE, errno.EIO) or (sys.platform == "win32" and error.errno == errno.EINVAL)


def _abandon_stdout() -> None:
    """Let nothing, also not the interpreter's last flush, write to the closed pipe again."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


def _last_words(text: str) -> None:
    """Write to standard error; the terminal may already be gone, or the key pressed once more."""
    try:
        sys.stdout.flush()
    except (OSError, KeyboardInterrupt):
        _abandon_stdout()
    try:
        click.echo(text, err=True)
        sys.stderr.flush()
    except (OSError, KeyboardInterrupt):
        return
