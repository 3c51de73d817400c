"""An emulated Pico of one's own, with our firmware on it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec

from eyecaptain.boards.simulated import calibrated, check_system
from eyecaptain.boards.simulated.emulator import CALIBRATION
from eyecaptain.errors import NoBoard, UsageProblem
from eyecaptain.flash import update
from eyecaptain.flash.console import Repl
from eyecaptain.language import _
from eyecaptain.link.ports import Port, find

IMAGE = "CAPTAIN_UF2"
SEED = "pico"
END = 10.0  # seconds for its orderly end


def teach(port: Port, seed: str) -> None:
    """Give a board without a firmware the calibration that fits its world."""
    with Repl(port.port, port.slow) as repl:
        uid = repl.ask("import machine\nprint(json.dumps(machine.unique_id().hex()))")
        repl.run(f"swap('/{CALIBRATION}',{calibrated.document(seed, uid)!r})")


def start(seed: str, say: Callable[[str], None]) -> tuple[Port, str, Callable[[], None]]:
    """Start one and flash it; return its port, its control socket, and what ends it.

    :param seed: of its world.
    :raises UsageProblem: no UF2 file was named.
    :raises NoBoard: it cannot run here.
    """
    check_system()
    image = os.environ.get(IMAGE)
    if not image:
        raise UsageProblem(
            _("An emulated Pico needs a MicroPython: {name} names no UF2 file.").format(name=IMAGE),
            _("Download one for the RPI_PICO from {page}.").format(page="https://micropython.org/download/RPI_PICO/"),
        )
    if find_spec("rp2040py") is None:
        raise NoBoard(_("There is no rp2040py here, which emulates a Pico."), "python -m pip install rp2040py")
    say(_("An emulated Pico starts, and gets the firmware: that takes some minutes."))
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "eyecaptain.boards.emulated", image, seed or SEED],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )

    def stop() -> None:
        process.terminate()
        try:
            process.wait(END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    try:
        assert process.stdout is not None
        with process.stdout as out:
            line = out.readline()
        if not line:
            raise NoBoard(_("The emulated Pico did not start."), _("What it says is above."))
        card = json.loads(line)
        port = find(card["serial"])
        assert port is not None
        teach(port, seed or SEED)
        update.update(update.Wish(port), update.Voice(say))
    except BaseException:
        stop()
        raise
    return port, card["control"], stop
