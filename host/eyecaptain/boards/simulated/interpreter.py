"""A MicroPython that believes that it is on a Pico: how it is found, started and ended."""

import contextlib
import ctypes
import os
import pty
import shutil
import signal
import socket
import sys
import termios
from importlib.util import find_spec
from pathlib import Path

from eyecaptain.boards.simulated import INSTALL
from eyecaptain.errors import NoBoard
from eyecaptain.language import _

# The unix port has a raw REPL, which mpremote needs, from this version on.
OLDEST = (1, 27, 0)
# Its words are twice as long as a Pico's, so its heap is twice as large.
HEAP = "384K"

# A mode of the terminal that has no other effect and that the REPL takes away while it edits a line.
PROGRAM = termios.NOFLSH

SHIMS = Path(__file__).parent / "shims"

_RUN_PACKAGE = "import sys; sys.path.insert(0, sys.argv.pop(1)); import micropython_run as m; sys.exit(m.run_main(sys.argv))"


def command() -> list[str]:
    """How to start a MicroPython: the package's, else the one on the PATH.

    :raises NoBoard: there is none.
    """
    found = find_spec("micropython_run")
    if found is not None and found.origin is not None:
        return [sys.executable, "-I", "-S", "-c", _RUN_PACKAGE, str(Path(found.origin).parent)]
    on_path = shutil.which("micropython")
    if on_path is None:
        raise NoBoard(_("There is no MicroPython to run the simulated board."), _(INSTALL))
    return [on_path]


class Interpreter:
    """One run of the interpreter, from reset to the next reset.

    :param start: of `command`.
    :param flash: the image of the littlefs that it sees as `/`; when it is not there it is made, and filled from `content`.
    :param content: a folder.
    :param raw: whether the REPL was in raw mode: then main.py is left out.
    """

    def __init__(self, start: list[str], flash: Path, content: Path, raw: bool) -> None:
        ours, theirs = socket.socketpair()
        self.line = ours
        arguments = [
            *start,
            "-X",
            f"heapsize={HEAP}",
            str(SHIMS / "start.py"),
            str(theirs.fileno()),
            str(flash),
            str(content),
        ]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MICROPY")}
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            _become([*arguments, "raw" if raw else "friendly"], environment, theirs)
        theirs.close()
        os.set_blocking(self.terminal, False)
        ours.setblocking(False)

    @property
    def runs_program(self) -> bool:
        """Whether a program runs, so that Ctrl-C interrupts it; the REPL's line editor takes it as a key."""
        return bool(termios.tcgetattr(self.terminal)[3] & PROGRAM)

    @property
    def asleep(self) -> bool:
        """Whether the main thread waits for something; where the system does not tell, always."""
        try:
            stat = Path(f"/proc/{self.pid}/task/{self.pid}/stat").read_text(encoding="utf-8")
        except OSError:
            return True
        return stat.rpartition(") ")[2].startswith("S")

    def type(self, data: bytes) -> int:
        """Type on its terminal; return how many bytes it took."""
        try:
            return os.write(self.terminal, data)
        except OSError:  # no room, or it has just ended
            return 0

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in its main thread; in another one it would end a timer."""
        tgkill = getattr(ctypes.CDLL(None), "tgkill", None)  # glibc from 2.30 on
        if tgkill is not None:
            tgkill(self.pid, self.pid, signal.SIGINT)
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGINT)

    def freeze(self) -> None:
        """Let it do nothing more, and not end."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGSTOP)

    def kill(self) -> None:
        """End it at once, as a reset does; `wait` tells that it is over."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for its end and free what it had; return its exit code, negative when a signal ended it."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self.terminal)
        self.line.close()
        return os.waitstatus_to_exitcode(status)


def _become(arguments: list[str], environment: dict[str, str], line: socket.socket) -> None:
    """In the child: make the terminal like a board's console, and run."""
    try:
        mode = termios.tcgetattr(0)
        mode[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.BRKINT | termios.ISTRIP)
        mode[1] &= ~termios.OPOST
        # No byte means anything to the terminal itself; `Pico` delivers Ctrl-C.
        mode[3] = PROGRAM
        termios.tcsetattr(0, termios.TCSANOW, mode)
        os.set_inheritable(line.fileno(), True)
        os.execve(arguments[0], arguments, environment)  # noqa: S606 - no shell is wanted
    finally:
        os._exit(127)
