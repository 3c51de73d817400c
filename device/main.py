"""Starts the deck, and leaves the motor off however it ends: by Ctrl-C, by a fault or by a reset."""

from machine import Pin

sleep = Pin(18, Pin.OUT, value=0)

try:
    from eyedeck import app

    app.run(globals().get("feeder"))
except KeyboardInterrupt:
    print("eyedeck: stopped, motor off; Ctrl-D starts it again")  # noqa: T201 - the REPL follows
finally:
    sleep.off()
