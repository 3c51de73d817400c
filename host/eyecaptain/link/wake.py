"""Bringing a board back that does not answer `hello` (protocol.md, host duties).

mpremote, Thonny or a Ctrl-C leave a board at MicroPython's prompt. What is found there is started again; what is not
ours is left alone.
"""

import time
from collections.abc import Callable

from eyecaptain.errors import LinkLost, NoBoard
from eyecaptain.language import N_, _
from eyecaptain.link.console import PROMPT, Console

INTERRUPT = b"\x03"
FRIENDLY = b"\x02"  # from raw mode to the prompt
SOFT_RESET = b"\x04"

PROMPT_WAIT = 1.0  # seconds
START_WAIT = 5.0  # seconds from a soft reset to `hello`
REBOOT = "soft reboot"

FLASH_HINT = N_("`captain flash` puts the firmware of Eye Eye Captain on it.")


def wake(
    port: str,
    write: Callable[[bytes], None],
    console: Console,
    hello: Callable[[float], bool],
    say: Callable[[str], None],
    *,
    slow: float = 1.0,
) -> None:
    """Get `hello` answered, or say what runs there instead.

    :param hello: says hello for so many seconds, and returns whether it was answered.
    :param say: is told what was done.
    :param slow: the board takes so many times as long to answer.
    :raises NoBoard: MicroPython without our firmware, or another program.
    :raises LinkLost: nothing answers at all.
    """
    heard = console.since(0)
    # Twice, and apart: the first may be swallowed together with what it interrupts.
    write(b"\r" + INTERRUPT)
    time.sleep(0.1)
    write(INTERRUPT + FRIENDLY)
    if not console.prompt(PROMPT_WAIT * slow):
        heard = heard or console.since(0)
        if heard:
            raise NoBoard(
                _("{port} belongs to another program: it says {sample} and does not answer as a board of ours.").format(
                    port=port, sample=_sample(heard)
                ),
                _("It was left alone. If it is a Pico that may be overwritten: {hint}").format(hint=_(FLASH_HINT)),
            )
        raise LinkLost(
            _("Nothing answers at {port}.").format(port=port),
            _("Is it a board of ours, and does it have power? If it is a new Pico: {hint}").format(hint=_(FLASH_HINT)),
        )
    at_prompt = not any("KeyboardInterrupt" in line for line in console.since(0))
    mark = console.count
    write(SOFT_RESET)
    deadline = time.monotonic() + START_WAIT * slow
    while time.monotonic() < deadline:
        if hello(1.0 * slow):
            words = _("The board at {port} ran a program that did not answer; it was started again.")
            if at_prompt:
                words = _("The board at {port} had been left at its MicroPython prompt; it was started again.")
            say(words.format(port=port))
            return
        if console.prompt(0, after=REBOOT, since=mark):
            break
    told = [line for line in _since_reboot(console.since(mark)) if not line.startswith(PROMPT)]
    if console.prompt(0, after=REBOOT, since=mark):
        # With its last words when it broke: a traceback ends with them.
        broke = any("Traceback" in line for line in told)
        last = [line for line in told if "Error" in line] if broke else []
        text = _("The board at {port} runs MicroPython, but our firmware does not run on it.")
        if last:
            text = _("The board at {port} runs MicroPython, but our firmware does not start on it: {last}")
        raise NoBoard(text.format(port=port, last=last[-1] if last else ""), _(FLASH_HINT))
    text = (
        _("The board at {port} runs another program: it says {sample}.")
        if told
        else _("The board at {port} runs another program.")
    )
    raise NoBoard(
        text.format(port=port, sample=_sample(told) if told else ""),
        _("It was started again and left alone. If it may be overwritten: {hint}").format(hint=_(FLASH_HINT)),
    )


def _since_reboot(lines: list[str]) -> list[str]:
    """What was said after the soft reset; before it MicroPython may still have been greeting."""
    resets = [count for count, line in enumerate(lines) if REBOOT in line]
    return lines[resets[-1] + 1 :] if resets else []


def _sample(lines: list[str]) -> str:
    """Some of the text, short and printable."""
    text = ascii(lines[-1][:60])
    return text if len(lines[-1]) <= 60 else f"{text}..."
