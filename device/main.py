"""Starts the firmware, and goes back to the one before when a fresh one fails. It changes as rarely as can be.

The firmware is in /slot_a or /slot_b, and slot.json says in which, so that one rename puts another in its place:

    {"slot": "b", "build": "1f2e3d4c5b6a", "back": "a", "was": "0c9d8e7f6a5b", "trial": 2, "seconds": 60}

With `trial` it is fresh: after so many more boots without a `confirm`, `back` counts again. Such a boot ends by itself: when
the firmware ends or hangs, and after `seconds`. Without slot.json the firmware is in the root, in /lib, or frozen.
"""

from machine import Pin

sleep = Pin(18, Pin.OUT, value=0)

import json  # noqa: E402 - the pin comes first
import os  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402

import machine  # noqa: E402

LONGEST = 8000  # ms that a fresh firmware may take to feed the watchdog


def _load():
    try:
        with open("slot.json") as file:  # noqa: PTH123 - MicroPython has no pathlib built in
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _save(state):
    with open("slot.new", "w") as file:  # noqa: PTH123 - as above
        file.write(json.dumps(state))
    os.rename("slot.new", "slot.json")  # noqa: PTH104 - as above; the one moment at which it counts


def _back(state):
    return {
        "slot": state.get("back"),
        "build": state.get("was"),
        "failed": state.get("build"),
        "why": state.get("why", "it was not confirmed"),
    }


def _count(state):
    """Count a boot of a fresh firmware; return what counts now."""
    left = state.get("trial")
    if left is None:
        return state
    now = dict(state)
    now["trial"] = left - 1
    if left <= 0:
        now = _back(state)
    try:
        _save(now)
    except OSError:  # what cannot be counted cannot be tried
        return _back(state)
    return now


def confirm():
    """The firmware is good: it stays, as soon as that is on the disk."""
    kept = {key: state[key] for key in state if key not in ("trial", "seconds", "why", "soft")}
    _save(kept)
    state.clear()
    state.update(kept)
    if watch is not None:
        watch.deinit()


state = _count(_load())
fresh = "trial" in state
ended = True  # by itself, not by Ctrl-C
watch = None
feeder = globals().get("feeder")  # of boot.py, as _feed is
if state.get("slot"):
    sys.path.insert(0, "/slot_%s" % state["slot"])

try:
    if fresh:
        state["soft"] = bool(feeder)  # the firmware cannot tell any more when the watchdog runs
        if feeder:
            feeder.deinit()
            feeder = None
        machine.WDT(timeout=LONGEST)
        wait = state.get("seconds", 60) * 1000
        watch = machine.Timer(-1, mode=machine.Timer.ONE_SHOT, period=wait, callback=lambda _: machine.reset())
    from eyedeck import app

    app.run(feeder, state, confirm)
except KeyboardInterrupt:
    ended = False
    print("eyedeck: stopped, motor off; Ctrl-D starts it again")  # noqa: T201 - the REPL follows
    if watch is not None:
        watch.deinit()
        feeder = globals()["_feed"]()  # the watchdog runs, whether or not the firmware came so far as to feed it
except Exception as error:
    if not fresh:
        raise
    sys.print_exception(error)
    state["why"] = repr(error)[:100]
finally:
    sleep.off()

if ended and "trial" in state:
    try:
        _save(state)
    except OSError:
        pass  # then nobody learns why
    time.sleep(1)  # so that a host can read why
    machine.reset()
