"""`python -m eyecaptain.boards.emulated FILE.uf2 SEED`: an emulated Pico, registered as a simulated board is.

Its first line is `{"port":..,"control":..,"serial":..}`; the control socket takes what that of `captain emulate` takes, but for
faults of the line, and `{"op":"time"}`: the chip's own seconds.
"""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from eyecaptain.boards.emulated.chip import Chip
from eyecaptain.boards.simulated import registry
from eyecaptain.boards.simulated.faults import Faults
from eyecaptain.boards.simulated.operations import Operations
from eyecaptain.boards.simulated.record import Record
from eyecaptain.boards.simulated.wiring import Wiring
from eyecaptain.world.scene import Scene

SLOW = 30.0  # times as long as a real one, and some more: the computer may have other things to do


class EmulatedPico:
    """One emulated board.

    :param image: a UF2 file of MicroPython.
    :param seed: of the world.
    """

    def __init__(self, image: Path, seed: str) -> None:
        self.serial = secrets.token_hex(8).upper()
        self.boots = 1
        self.place = registry.claim(self.serial)
        self.record = Record()
        self.scene = Scene(seed)
        faults = Faults(seed, {})
        wiring = Wiring(self.scene, self.record, faults)
        self.chip = Chip(wiring, self._look)
        self._peers: set[asyncio.StreamWriter] = set()
        self._image = image
        none: Any = SimpleNamespace(stall=_not_here)
        self._operations = Operations(seed, self.scene, wiring, _as_pico(self), record=self.record, faults=faults, line=none)

    async def run(self) -> None:
        """Boot, say where it is, and run until interrupted."""
        from rp2040py.boards import BoardSpec  # noqa: PLC0415 - a large library, of development only
        from rp2040py.cli.pty_repl import PtyInteractiveRepl  # noqa: PLC0415 - as above
        from rp2040py.device import MicroPythonDevice  # noqa: PLC0415 - as above
        from rp2040py.utils.logging import LogLevel  # noqa: PLC0415 - as above

        device = MicroPythonDevice(
            board=BoardSpec(extras=(lambda: self.chip,), image=str(self._image)), log_level=LogLevel.ERROR
        )
        simulator = device.simulator
        trigger = device.mcu.watchdog.on_watchdog_trigger

        def reset() -> None:
            self.boots += 1
            self.record.write(reset="watchdog")
            trigger()

        device.mcu.watchdog.on_watchdog_trigger = reset
        repl = PtyInteractiveRepl(device.cdc, simulator, on_quit=simulator.shutdown_request.request)
        await repl.start()
        assert repl.slave_path is not None
        (self.place / "port").symlink_to(repl.slave_path)
        server = await asyncio.start_unix_server(self._serve, self.place / "control")
        await device.astart(timeout=None)
        card = {"port": str(self.place / "port"), "control": str(self.place / "control"), "serial": self.serial}
        entry = registry.Entry(card["port"], card["control"], self.serial, os.getpid(), description="Emulated Pico", slow=SLOW)
        registry.register(self.place, entry)
        print(json.dumps(card), flush=True)  # noqa: T201 - the first line
        while simulator.executing and not simulator.shutdown_request.event.is_set():
            await asyncio.sleep(0.05)
            self._look(self.chip.now)
            self.chip.refresh()
        if simulator.engine_room_error:
            raise simulator.engine_room_error
        server.close()

    def _look(self, now: float) -> None:
        """Let the world go on to the chip's time."""
        self.record.now = now
        self.scene.advance(now)
        news, self.scene.news = self.scene.news, []
        for event in news:
            for peer in self._peers:
                peer.write(json.dumps(event).encode() + b"\n")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection to the control socket."""
        self._peers.add(writer)
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                writer.write(json.dumps(self._reply(line)).encode() + b"\n")
                await writer.drain()
        self._peers.discard(writer)
        writer.close()

    def _reply(self, line: bytes) -> dict[str, Any]:
        self._look(self.chip.now)
        try:
            request = json.loads(line)
            if request["op"] == "time":
                return {"ok": {"t": self.chip.now}}
            ok = self._operations.do(self.chip.now, request)
            self.chip.refresh()
        except (LookupError, ValueError, TypeError, OSError) as error:
            return {"error": str(error)}
        return {"ok": ok}


def _as_pico(board: EmulatedPico) -> Any:
    """What `Operations` wants of a board."""

    class Pico:
        @property
        def boots(self) -> int:
            return board.boots

        serial = board.serial
        suffer = unplug = staticmethod(_not_here)

    return Pico()


def _not_here(*_args: Any, **_more: Any) -> None:
    raise ValueError("an emulated Pico has no such fault")


def main() -> None:
    """Run one until Ctrl-C."""
    pico = EmulatedPico(Path(sys.argv[1]), sys.argv[2])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        try:
            asyncio.run(pico.run())
        finally:
            registry.release(pico.place)


if __name__ == "__main__":
    main()
