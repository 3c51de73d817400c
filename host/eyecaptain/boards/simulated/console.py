"""The board's USB console: a pseudo-terminal that comes and goes as a port does.

Whether somebody has the port open is told by the hang-up state of the other end, as a Pico sees DTR: while nobody listens, what
the board says is lost.
"""

import contextlib
import os
import select
import termios
import tty
from collections.abc import Callable
from pathlib import Path

# Seconds between two looks whether somebody has opened the port (there is no event for it).
LOOK = 0.02
# A Pico's console gives up when its reader takes nothing for 500 ms (MicroPython, mp_usbd_cdc_tx_strn).
GIVE_UP = 0.5
# Bytes that may wait for the reader before the board has to wait.
WAITING = 512


class Console:
    """The port, at a name that stays the same from one plugging in to the next.

    :param path: its name, a link to the pseudo-terminal of the moment; a new one counts from the next plugging in.
    :param watch: called with a descriptor and whether to read and to write: what to wait for there.
    :param tell: called with what has become of the port: `plugged`, `unplugged`, `opened` or `closed`.
    """

    def __init__(self, path: Path, watch: Callable[[int, bool, bool], None], tell: Callable[[str], None]) -> None:
        self.path = path
        self._watch = watch
        self._tell = tell
        self._plugged_as = path
        self._fd: int | None = None
        self._name = ""
        self._open = False
        self._waiting = b""
        self._stuck_since: float | None = None
        self._given_up = False  # on a reader that takes nothing: what is said is lost until it takes something
        self._look_at: float | None = None

    def plug(self, now: float) -> None:
        """The port appears."""
        self._fd, other = os.openpty()
        # Raw, so that nothing is echoed before the first reader sets its own mode.
        tty.setraw(other)
        self._name = os.ttyname(other)
        os.close(other)
        os.set_blocking(self._fd, False)
        fresh = self.path.with_suffix(".new")
        fresh.symlink_to(self._name)
        fresh.replace(self.path)
        self._plugged_as = self.path
        self._look_at = now
        self._tell("plugged")

    def unplug(self) -> None:
        """The port disappears; who has it open finds that it is gone."""
        if self._fd is None:
            return
        self._plugged_as.unlink(missing_ok=True)
        self._close()
        os.close(self._fd)
        self._fd, self._look_at = None, None
        self._tell("unplugged")

    def read(self, now: float) -> bytes:
        """What the reader sent; empty when there is nothing."""
        if self._fd is None:
            return b""
        try:
            data = os.read(self._fd, 4096)
        except BlockingIOError:
            return b""
        except OSError:  # EIO: the last one who had it open has closed it
            data = b""
        if not data:
            self._close()
            self._forget_unread()
            self._look_at = now + LOOK
        return data

    def write(self, now: float, data: bytes) -> None:
        """Send to whoever listens."""
        if self._open:
            self._waiting += data
            self._flush(now)
            if self._given_up:
                self._waiting, self._stuck_since = b"", None

    @property
    def descriptor(self) -> int | None:
        """What to wait on; None while the port is away."""
        return self._fd

    @property
    def takes_more(self) -> bool:
        """Whether the board may go on talking."""
        return len(self._waiting) < WAITING

    def due(self) -> float | None:
        """When `wake` has something to do."""
        if self._stuck_since is not None:
            return self._stuck_since + GIVE_UP
        return self._look_at

    def wake(self, now: float) -> None:
        """Look whether somebody opened the port, go on writing, or give up on a reader that takes nothing."""
        if self._stuck_since is not None:
            if now >= self._stuck_since + GIVE_UP:
                self._waiting, self._stuck_since, self._given_up = b"", None, True
            self._flush(now)
        if self._look_at is not None and now >= self._look_at:
            self._look(now)

    def _look(self, now: float) -> None:
        assert self._fd is not None
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        events = dict(poll.poll(0)).get(self._fd, 0)
        if events & select.POLLHUP and not events & select.POLLIN:
            self._look_at = now + LOOK
            return
        self._look_at = None
        self._open = True
        self._watch(self._fd, True, False)
        self._tell("opened")

    def _flush(self, now: float) -> None:
        if self._fd is None or not self._open:
            return
        try:
            taken = os.write(self._fd, self._waiting) if self._waiting else 0
        except BlockingIOError:
            taken = 0
        except OSError:
            self._waiting, taken = b"", 0
        self._waiting = self._waiting[taken:]
        if taken:
            self._given_up = False
        if not self._waiting:
            self._stuck_since = None
        elif taken or self._stuck_since is None:
            self._stuck_since = now
        self._watch(self._fd, True, bool(self._waiting))

    def _close(self) -> None:
        assert self._fd is not None
        self._watch(self._fd, False, False)
        if self._open:
            self._tell("closed")
        self._open, self._waiting, self._stuck_since, self._given_up = False, b"", None, False

    def _forget_unread(self) -> None:
        """What the last reader left unread must not greet the next one."""
        with contextlib.suppress(OSError):
            other = os.open(self._name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            termios.tcflush(other, termios.TCIFLUSH)  # not what the next one may have sent already
            os.close(other)
