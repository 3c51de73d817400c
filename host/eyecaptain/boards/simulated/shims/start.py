"""What the chip's port does between reset and the REPL (MicroPython).

Arguments: the descriptor of the world's line, the image that is the flash, the folder with what is in a new one, `raw` or
`friendly`. The shims are loaded first,
then the flash becomes `/`, boot.py and main.py run in `__main__`, and the interpreter goes to its REPL.
"""

import io
import os
import sys

import world_line

world_line.connect(int(sys.argv[1]))

import machine  # noqa: E402

machine._start()

import flashdisk  # noqa: E402
import neopixel  # noqa: E402, F401
import rp2  # noqa: E402, F401
import vfs  # noqa: E402


def _run(name: str) -> bool:
    """Run a file in `__main__` as the port does; False when it ended by an exception. SystemExit begins anew."""
    try:
        with open(name) as file:
            code = compile(file.read(), name, "exec")
    except OSError:
        return True
    except SyntaxError as error:
        sys.print_exception(error)
        return False
    try:
        exec(code, globals())
    except (Exception, KeyboardInterrupt) as error:
        # The port's own frames are not in a traceback on the chip.
        text = io.StringIO()
        sys.print_exception(error, text)
        for line in text.getvalue().split("\n")[:-1]:
            if "start.py" not in line:
                print(line)
        return False
    return True


def _boot(image: str, content: str, mode: str) -> None:
    system = flashdisk.littlefs(image, content)
    vfs.umount("/")
    vfs.mount(system, "/")
    os.chdir("/")
    sys.path[:] = ["", ".frozen", "/lib"]
    sys.argv[:] = []
    world_line.tell(ord("B"), bytes(sys.implementation.version[:3]))
    if _run("boot.py") and mode == "friendly":
        _run("main.py")
    os.putenv("MICROPYINSPECT", "1")  # read when this file ends: then comes the REPL


_boot(*sys.argv[2:])
