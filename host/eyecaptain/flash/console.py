"""MicroPython's console, through mpremote as a library: the only file of ours that knows it.

Its author says that this interface will change, so the versions that were tried are pinned in pyproject.toml.
"""

import ast
import contextlib
import errno
import io
import json
import re
import struct
from pathlib import Path
from typing import Any, Self

from eyecaptain.errors import CheckFailed, LinkLost, NoBoard
from eyecaptain.language import _

ENTER = 4.0  # seconds for one try to get to the raw REPL
TRIES = 3
QUIET = 1.0  # seconds after which no more answers are on their way
REPLY = 10.0  # seconds of silence while something runs
ONBOARD = Path(__file__).with_name("onboard.py")


class Repl:
    """The raw REPL of the board at `port`, with the functions of onboard.py.

    What runs there is interrupted, but not reset: a watchdog keeps being fed. At the end, however it comes, the board is
    started anew.

    :param patience: waits are so many times as long.
    :raises NoBoard: the port cannot be had, or what runs there does not let itself be interrupted.
    :raises LinkLost: the port vanished.
    """

    def __init__(self, port: str, patience: float = 1.0) -> None:
        from mpremote.transport import TransportError  # noqa: PLC0415 - takes a while, and only flashing needs it
        from mpremote.transport_serial import SerialTransport  # noqa: PLC0415 - as above

        self.port = port
        self._patience = patience
        self._lost = False
        try:
            self._transport = SerialTransport(port, timeout=REPLY * patience)
        except TransportError as error:
            raise NoBoard(_("{port} cannot be opened.").format(port=port), _("`captain ports` says who holds it.")) from error
        try:
            self._transport.serial.write_timeout = REPLY * patience
            self._enter()
            self.run(_terse(ONBOARD.read_text(encoding="utf-8")) + "\ncalm()")
        except BaseException:
            self._end(unsure=True)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        # Whatever came in the middle of something, such as Ctrl-C, has first to find the way back to the prompt.
        self._end(unsure=kind is not None and not issubclass(kind, CheckFailed))

    def run(self, code: str, seconds: float = REPLY) -> str:
        """Run code on the board and return what it printed.

        :param seconds: how long it may be silent.
        :raises CheckFailed: it raised an exception.
        :raises LinkLost: the board is gone, or does not answer.
        """
        with self._explained():
            said, failed = self._transport.exec_raw(code, timeout=seconds * self._patience)
        if failed:
            raise _failure(self.port, failed.decode(errors="replace"))
        return str(said.decode(errors="replace"))

    def ask(self, code: str, seconds: float = REPLY) -> Any:
        """Run code that prints one line of JSON, and return what it says.

        :raises CheckFailed, LinkLost: as `run`.
        """
        said = self.run(code, seconds)
        try:
            return json.loads(said)
        except ValueError as error:
            words = _("What the board at {port} says is damaged: {text}.")
            raise LinkLost(words.format(port=self.port, text=ascii(said[:60])), _("Try another cable.")) from error

    def bootloader(self) -> None:
        """Let the board appear as a drive, and let go of the port."""
        self._reset("machine.bootloader()")
        self.close()

    def close(self) -> None:
        """Let go of the port."""
        self._lost = True
        with contextlib.suppress(OSError):  # it may have vanished
            self._transport.close()

    def _end(self, *, unsure: bool) -> None:
        """Start the board anew, if it is still there, and let go of the port."""
        try:
            self._restart(unsure=unsure)
        except KeyboardInterrupt:  # in the middle of that: once more (no second one disturbs)
            self._restart(unsure=True)
            raise
        finally:
            self.close()

    def _restart(self, *, unsure: bool) -> None:
        if not self._lost and unsure:
            with contextlib.suppress(LinkLost, NoBoard):
                self._enter()
        if not self._lost:
            self._reset("machine.reset()")

    def _reset(self, code: str) -> None:
        with contextlib.suppress(LinkLost), self._explained():  # it may be gone before it has acknowledged
            self._transport.exec_raw_no_follow(f"import machine\n{code}")

    def _enter(self) -> None:
        from mpremote.transport import TransportError  # noqa: PLC0415 - as above

        for attempt in range(TRIES):
            with self._explained(), contextlib.suppress(TransportError):
                self._transport.enter_raw_repl(soft_reset=False, timeout_overall=ENTER * self._patience)
                if attempt == 0 or self._alone():
                    return
        self._lost = True
        raise NoBoard(
            _("What runs on the board at {port} does not let itself be interrupted.").format(port=self.port),
            _("Hold BOOTSEL while you plug it in, and put MicroPython on it anew: captain flash --firmware FILE.uf2."),
        )

    def _alone(self) -> bool:
        """Whether the raw REPL is there once all its answers to earlier, slow tries are read: each try gets its banner."""
        port, banner = self._transport, b"raw REPL; CTRL-B to exit\r\n"
        while port.read_until(1, banner, timeout=QUIET * self._patience).endswith(banner):
            pass
        port.serial.write(b"\r\x01")
        return bool(port.read_until(1, banner, timeout_overall=ENTER * self._patience).endswith(banner))

    @contextlib.contextmanager
    def _explained(self) -> Any:
        """Turn each way in which a link can fail into `LinkLost`; mpremote prints some, which nobody wants to see."""
        from mpremote.transport import TransportError  # noqa: PLC0415 - as above

        try:
            with contextlib.redirect_stdout(io.StringIO()):
                yield
        except (OSError, TransportError, struct.error, TypeError) as error:  # TypeError: pyserial, on a port that is gone
            self._lost = True
            raise LinkLost(
                _("The board at {port} vanished or fell silent while it was flashed.").format(port=self.port),
                _("It still has the firmware that it had. Plug it in again, and run `captain flash` once more."),
            ) from error


def _terse(source: str) -> str:
    """The code without docstrings and comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case (
                ast.Module(body=[ast.Expr(value=ast.Constant()), *rest])
                | ast.FunctionDef(body=[ast.Expr(value=ast.Constant()), *rest])
            ):
                node.body = rest
    return re.sub(r"^( +)", lambda found: " " * (len(found[1]) // 4), ast.unparse(tree), flags=re.MULTILINE)


def _failure(port: str, traceback: str) -> CheckFailed:
    """What a traceback on the board means."""
    last = traceback.strip().splitlines()[-1] if traceback.strip() else "nothing"
    number = re.search(r"OSError: (?:\[Errno )?(\d+)", last)
    match int(number[1]) if number else None:
        case errno.ENOSPC:
            return CheckFailed(
                _("There is no space left on the board at {port}.").format(port=port),
                _("Remove what you do not need: `mpremote fs ls` lists it. The firmware that it had still runs."),
            )
        case errno.EROFS:
            return CheckFailed(
                _("The filesystem of the board at {port} is read-only.").format(port=port),
                _("Its boot.py may have made it so; the firmware or program that it had still runs."),
            )
    return CheckFailed(
        _("The board at {port} reports: {what}.").format(port=port, what=last), _("The firmware that it had still runs.")
    )
