"""A simulated board of one's own: started as a child process, ended with its owner, its world at hand."""

import json
import select
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Any, Self

from eyecaptain import language
from eyecaptain.boards.simulated import INSTALL, check_system
from eyecaptain.boards.simulated.registry import Entry
from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.language import _

# Seconds for the child's first line, for one reply, and for its orderly end.
START, REPLY, END = 15.0, 5.0, 5.0


class Control:
    """A connection to a world's control socket. Events that arrive before a reply are kept.

    :param path: the socket.
    :raises NoBoard: nobody answers there.
    """

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise NoBoard(
                _("The simulated board's world does not answer at {path}: {error}.").format(path=path, error=error.strerror)
            ) from None
        self._heard = b""
        self._events: list[dict[str, Any]] = []

    def fileno(self) -> int:
        """The descriptor, to wait on for events."""
        return self._socket.fileno()

    def ask(self, op: str, **request: Any) -> Any:
        """Ask for one operation and return the `ok` of its reply.

        :raises ValueError: the world refused it; the text says why.
        :raises LinkLost: the world is gone.
        """
        try:
            self._socket.sendall(json.dumps({"op": op, **request}).encode() + b"\n")
        except OSError:
            raise LinkLost(_("The simulated board's world is gone.")) from None
        end = time.monotonic() + REPLY
        while True:
            for message in self._receive(end - time.monotonic()):
                if "error" in message:
                    raise ValueError(message["error"])
                return message["ok"]
            if time.monotonic() > end:
                raise LinkLost(_("The simulated board's world does not answer."))

    def events(self, timeout: float = 0.0) -> list[dict[str, Any]]:
        """The events since the last call; waits up to `timeout` seconds for the first one.

        :raises LinkLost: the world is gone.
        """
        if not self._events:
            self._receive(timeout)
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Let go of the world; an owned one ends some time after that."""
        self._socket.close()

    def _receive(self, timeout: float) -> list[dict[str, Any]]:
        """Read what is there; keep events, return replies."""
        replies: list[dict[str, Any]] = []
        if not select.select([self._socket], [], [], max(0.0, timeout))[0]:
            return replies
        data = self._socket.recv(65536)
        if not data:
            raise LinkLost(_("The simulated board's world is gone."))
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            (self._events if "ev" in message else replies).append(message)
        return replies


class SimulatedBoard:
    """One simulated board of our own.

    :ivar entry: where it is: port, control socket, serial number.
    :ivar control: the connection to its world, which also keeps it alive.
    """

    def __init__(self, entry: Entry, control: Control, process: subprocess.Popen[bytes]) -> None:
        self.entry = entry
        self.control = control
        self._process = process

    @classmethod
    def start(
        cls,
        *,
        seed: str | None = None,
        serial: str | None = None,
        record: Path | None = None,
        pace: float = 1.0,
        firmware: Path | None = None,
        flash: Path | None = None,
        calibrated: bool = True,
    ) -> Self:
        """Start one, and return when its firmware runs.

        :param pace: scales the seconds between two knocks of the eye.
        :param calibrated: begin with a calibration of its own unit.
        :raises NoBoard: it cannot run here; the message says why.
        """
        check_system()
        given = {
            "--seed": seed,
            "--serial": serial,
            "--record": record,
            "--pace": pace,
            "--firmware": firmware,
            "--flash": flash,
        }
        options = [text for name, value in given.items() if value is not None for text in (name, str(value))]
        options += [] if calibrated else ["--uncalibrated"]
        complaints = tempfile.TemporaryFile()  # noqa: SIM115 - the child goes on with it
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "eyecaptain", "emulate", "--json", "--owned", "--lang", language.chosen, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            # A Ctrl-C at our terminal is for us: the board has to see what we do then.
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            line = process.stdout.readline() if select.select([process.stdout], [], [], START)[0] else b""
            if not line:
                raise NoBoard(*_why(complaints))
            first = json.loads(line)
            control = Control(first["control"])
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            process.stdout.close()
            complaints.close()
        entry = Entry(first["port"], first["control"], first["serial"], process.pid, owned=True)
        return cls(entry, control, process)

    def stop(self) -> None:
        """End it and wait for that."""
        self.control.close()
        self._process.terminate()
        try:
            self._process.wait(END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _why(complaints: IO[bytes]) -> tuple[str, str]:
    """Why there was no first line, and what to do: what the child wrote to standard error."""
    complaints.seek(0)
    text = complaints.read().decode(errors="replace").strip().removeprefix(_("Error: {message}").format(message=""))
    message, _line_feed, hint = text.partition("\n")
    return message or _("The simulated board did not start."), hint or _(INSTALL)
