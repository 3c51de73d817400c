"""An open serial line: pyserial, and its failures in words that say what to do."""

import errno
import getpass
import sys
import threading
from pathlib import Path
from typing import NoReturn

from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.language import N_, _
from eyecaptain.link.holders import holders
from eyecaptain.link.tape import Tape

BAUD = 115200  # a USB console ignores it
WRITE_TIMEOUT = 1.0  # seconds; without one, a write to a stuck port never returns
READ_TIMEOUT = 0.5  # seconds; how soon a reader notices that the line was closed where a read cannot be cancelled

LIST_HINT = N_("`captain ports` lists the boards that are attached.")


class Line:
    """One port, open for us alone, with DTR asserted (a Pico says nothing without it).

    :param port: a port's name, or a URL as pyserial knows them (`socket://host:port`).
    :param tape: is fed everything that goes by.
    :raises NoBoard: the port is not there, not permitted, taken, or no serial port.
    """

    def __init__(self, port: str, tape: Tape | None = None) -> None:
        import serial  # noqa: PLC0415 - takes a while, and help does not need it

        self.port = port
        self.tape = Tape() if tape is None else tape
        self._writing = threading.Lock()
        self.closed = False
        try:
            # DTR and RTS stay as pyserial sets them: asserted.
            self._serial = serial.serial_for_url(
                port, baudrate=BAUD, timeout=READ_TIMEOUT, write_timeout=WRITE_TIMEOUT, exclusive=True
            )
        except (OSError, ValueError) as error:  # SerialException is an OSError
            _explain(port, error)

    def read(self) -> bytes:
        """Return what has arrived, at least one byte; empty after a while without any, or when the line was closed.

        :raises LinkLost: the port vanished.
        """
        try:
            data: bytes = self._serial.read(self._serial.in_waiting or 1)
        except (OSError, TypeError) as error:  # TypeError: pyserial's own, on a port that is being closed
            if self.closed:
                return b""
            raise LinkLost(_("The board at {port} vanished.").format(port=self.port), _("Is it still plugged in?")) from error
        self.tape.feed("<", data)
        return data

    def write(self, data: bytes) -> None:
        """Hand `data` to the system in one write.

        :raises LinkLost: the port vanished, or takes no more bytes.
        """
        import serial  # noqa: PLC0415 - takes a while, and help does not need it

        # Never flush(): tcdrain can hang for ever.
        with self._writing:
            self.tape.feed(">", data)
            try:
                self._serial.write(data)
            except serial.SerialTimeoutException as error:
                raise LinkLost(
                    _("The board at {port} takes no more bytes.").format(port=self.port), _("Unplug it and plug it in.")
                ) from error
            except (OSError, TypeError) as error:
                raise LinkLost(
                    _("The board at {port} vanished.").format(port=self.port), _("Is it still plugged in?")
                ) from error

    def cancel_read(self) -> None:
        """Let a read that waits in another thread return, and every later one."""
        self.closed = True
        cancel = getattr(self._serial, "cancel_read", None)
        if cancel is not None:
            cancel()

    def close(self) -> None:
        """Close the port. No thread may be reading any more."""
        self.closed = True
        self._serial.close()


def _explain(port: str, error: OSError | ValueError) -> NoReturn:
    """Turn the reason why a port did not open into what a person can do about it."""
    number = getattr(error, "errno", None)
    text = str(error)  # on Windows pyserial keeps the reason in its text only
    if number in (errno.EBUSY, errno.EAGAIN) or (sys.platform == "win32" and "PermissionError" in text):
        who = ", ".join(holders(port))
        raise NoBoard(
            _("{port} is taken: {who} uses it.").format(port=port, who=who)
            if who
            else _("{port} is taken: another program uses it.").format(port=port),
            _("Close that program (a terminal, an editor for MicroPython, another captain) and try again."),
        ) from error
    if number in (errno.EACCES, errno.EPERM):
        raise NoBoard(_("No permission to use {port}.").format(port=port), _permission_hint(port)) from error
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFoundError" in text:
        raise NoBoard(_("There is no port {port}.").format(port=port), _(LIST_HINT)) from error
    if "Could not configure port" in text or number in (errno.ENOTTY, errno.EISDIR, errno.EIO):
        raise NoBoard(_("{port} is not a serial port.").format(port=port), _(LIST_HINT)) from error
    raise NoBoard(_("{port} cannot be opened: {text}.").format(port=port, text=text), _(LIST_HINT)) from error


def _permission_hint(port: str) -> str:
    """What gives this person the permission."""
    if not sys.platform.startswith("linux"):
        return _("Give yourself the permission to read and write {port}.").format(port=port)
    import grp  # noqa: PLC0415 - not on every system

    try:
        group = grp.getgrgid(Path(port).stat().st_gid).gr_name
    except (OSError, KeyError):
        group = "dialout"
    if group in ("root", "tty"):  # a group for systems, not for people
        group = "dialout"
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = "$USER"
    rule = 'SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", TAG+="uaccess", ENV{ID_MM_DEVICE_IGNORE}="1"'
    words = _(
        "Join the group: {command} (then log in again). Or for this board only, in {file}: {rule} (then plug it in again)."
    )
    return words.format(
        command=f"sudo usermod -aG {group} {user}", file="/etc/udev/rules.d/60-eye-eye-captain.rules", rule=rule
    )
