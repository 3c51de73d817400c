"""A board: which firmware it runs, how much room it has, and each of its parts."""

import time
from collections.abc import Callable
from typing import Any

from eyecaptain import __version__
from eyecaptain.doctor.checks import Check
from eyecaptain.flash.meet import Met
from eyecaptain.flash.status import Status
from eyecaptain.language import N_, _
from eyecaptain.link.errors import BoardRefused
from eyecaptain.link.health import BOARD

LIGHTS = 6
LIT = 0.3  # seconds that each light is on
SMALL = 20_000  # bytes of free heap; less is too little for a game

RESETS = {
    "power": N_("it was switched on"),
    "watchdog": N_("the watchdog, or a restart that was asked for"),
    "soft": N_("a soft reset"),
}

# What the parts are, by the names of the self-test.
PARTS = {
    "config": N_("Settings (board.json)"),
    "sensor": N_("Colour sensor, its id"),
    "dark": N_("Colour sensor, white without its light"),
    "light": N_("Colour sensor, white that its light adds"),
    "driver": N_("Motor driver, no fault"),
    "switch": N_("Eye switch, on"),
    "motor": N_("Motor, ms that it could run"),
    "current": N_("Motor, mA while it turns"),
    "index": N_("Eye, half turns that its index saw"),
}
AT_LEAST = {"light", "motor", "index"}
AT_MOST = {"dark", "current"}
YES_OR_NO = {"driver"}  # 0 or 1 on the board

HELP = {
    "config": N_("Correct it: captain doctor --set KEY=VALUE."),
    "sensor": N_("Is it connected to SDA (GP4), SCL (GP5), 3V3 and GND, with pull-ups?"),
    "dark": N_("Too bright: shade the deck, or cover the window."),
    "light": N_("Is its light connected to GP6? Is there anything over the window?"),
    "driver": N_("It reports a fault: too hot, a short circuit, or no supply."),
    "motor": N_("It is stuck, or not connected; the eye switch has to be on."),
    "current": N_("Too much: something holds the eye. 0: is the motor connected, and its shunt's filter to GP26?"),
    "index": N_("Does the eye turn? Is its index connected to GP20?"),
}

LEGEND = (
    (N_("first light, a short white flash every two seconds"), N_("ready: no program is talking to the board yet")),
    (N_("both outer lights blinking red, fast"), N_("the link was lost, and the motor is off")),
    (N_("both middle lights yellow"), N_("a program works on the board")),
    (
        N_("the four middle lights blinking red, slowly"),
        N_("something is wrong with board.json or the motor's driver: the motor stays off"),
    ),
    (N_("colours running round all six"), N_("won")),
)


def firmware(found: Status, hello: dict[str, Any], stats: dict[str, Any]) -> list[Check]:
    """Which firmware runs, what it is beside ours, and how much room it has."""
    current = found.build == found.our_build
    checks = [
        Check("board", _("Board"), f"{hello['board']} {hello['uid']}"),
        Check(
            "firmware",
            _("Firmware"),
            f"{found.fw} ({found.build})",
            True if current else None,
            f"{__version__} ({found.our_build})",
            _("`captain flash` brings it up to date; it takes about ten seconds."),
        ),
        Check("slot", _("Slot"), found.slot or _("none: it was not put there by `captain flash`")),
    ]
    if found.was:
        checks.append(Check("before", _("Firmware before"), found.was, help=_("`captain rollback` brings it back.")))
    if found.trial is not None:
        checks.append(Check("trial", _("Trial"), _("not confirmed yet"), False, help=_("`captain flash` confirms it.")))
    if found.failed:
        checks.append(Check("failed", _("Went back from"), f"{found.failed}: {found.why}"))
    heap, disk = stats.get("free", 0), stats.get("disk")
    checks += [
        Check("reset", _("Last start"), _(RESETS[hello["reset"]]) if hello["reset"] in RESETS else hello["reset"]),
        Check("up", _("Up"), _("{seconds} s").format(seconds=stats.get("up", 0))),
        Check("heap", _("Free memory"), f"{heap // 1000} kB", heap > SMALL, f"> {SMALL // 1000} kB"),
    ]
    if disk is not None:
        checks.append(Check("disk", _("Free on its filesystem"), f"{disk} kB"))
    return checks


def counters(stats: dict[str, Any]) -> list[Check]:
    """What the board has counted since it was switched on, as far as it is not 0."""
    return [Check(name, _(words), str(stats[name])) for name, words in BOARD.items() if stats.get(name)]


def parts(told: dict[str, dict[str, Any]]) -> list[Check]:
    """What the self-test says, part by part."""
    checks = []
    for name, part in told.items():
        good, limit = bool(part.get("ok")), part.get("limit")
        if isinstance(limit, list):
            wanted = _("one of {values}").format(values=", ".join(map(str, limit)))
        elif isinstance(limit, int) and not isinstance(limit, bool) and name in AT_MOST | AT_LEAST:
            wanted = f"{'>=' if name in AT_LEAST else '<='} {limit}"
        else:
            wanted = limit if isinstance(limit, str) else ""
        words = _(PARTS[name]) if name in PARTS else name
        value = part.get("value")
        if isinstance(value, bool) or name in YES_OR_NO:
            value = _("yes") if value else _("no")
        checks.append(Check(name, words, str(value), good, wanted, _(HELP[name]) if name in HELP else ""))
    return checks


def refused_motor(refusal: BoardRefused) -> Check:
    """What is said of the motor when the board does not let it run."""
    return Check("motor", _(PARTS["motor"]), refusal.message.rstrip("."), False, help=_(HELP["motor"]))


def lights(met: Met, seen: Callable[[], bool | None]) -> Check:
    """Light one after the other.

    :param seen: is asked after that whether all of them were seen; None: nobody looks.
    """
    for number in range(LIGHTS):
        met.client.request("chips", c=["off"] * number + ["white"])
        time.sleep(LIT)
    answer = seen()
    met.client.request("chips", c=[])
    value = {True: _("seen, one after the other"), False: _("not all seen"), None: _("were lit one after the other")}[answer]
    hint = _("leds in board.json: plain, rgb or none? Are they connected as in pins.py?")
    return Check("lights", _("Lights"), value, answer, help=hint if answer is False else "")


def legend() -> list[str]:
    """What the lights say."""
    return [f"  {_(lights)}: {_(meaning)}" for lights, meaning in LEGEND]
