"""Puts the deck together and runs it."""

import gc
import sys
import time

import micropython

from eyedeck import config
from eyedeck.core import guard
from eyedeck.deck import Deck
from eyedeck.drivers.hardware import Hardware
from eyedeck.link.rx import Receiver
from eyedeck.link.tx import Sender
from eyedeck.slot import Slot


class App:
    """One running deck."""

    def __init__(self, slot):
        settings = config.load()
        self.hardware = Hardware(settings, slot.soft)
        sender = Sender(sys.stdout.buffer)
        self._receiver = Receiver(sys.stdin.buffer, self._message, self._line)
        self._deck = Deck(self.hardware, settings, time, sender, self._receiver.decoder, where=slot)
        self._sender = sender
        self._tick = self._deck.guard.tick  # bound here: the interrupt must not allocate
        self._broken = self._deck.guard.broken
        self._feed = self.hardware.feed  # nothing, until the watchdog runs

    def interrupt(self, timer):
        """The hard timer: the guard. It feeds the watchdog only while a frame's rest is waited for."""
        try:
            self._tick(timer)
        except Exception:  # noqa: BLE001 - it would end the timer, and with it the guard
            self._broken()
        if self._receiver.blocked:
            self._feed()

    def run(self):
        """Run for ever: wait for what comes, in C and so for nothing, until the deck's next step is due."""
        if not self.hardware.start(guard.PERIOD, self.interrupt):
            self._deck.refuse_motor("this MicroPython is too old for the motor: 1.26 or newer is needed")
        self._feed = self.hardware.feed
        due = time.ticks_ms()
        while True:
            self._feed()
            left = time.ticks_diff(due, time.ticks_ms())
            if left <= 0:
                left = self._deck.step(time.ticks_ms())
                due = time.ticks_add(time.ticks_ms(), left)
                self._sender.pump()
            if self._receiver.ready(left):
                self._receiver.read()

    def _message(self, msg):
        try:
            self._deck.message(msg)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the link
            self._deck.trouble(error)

    def _line(self, line):
        try:
            self._deck.line(line)
        except Exception as error:  # noqa: BLE001 - as above
            self._deck.trouble(error)


def run(feeder=None, state=None, confirm=None):
    """Run the deck until Ctrl-C.

    `feeder` is the Timer by which boot.py feeds a watchdog that was running already; `state` and `confirm` are main.py's: the
    slot that this firmware is in, and what ends its trial. A main.py may be older than this firmware, or newer.
    """
    app = App(Slot(state, confirm))
    try:
        gc.collect()
        gc.threshold(gc.mem_free() // 4 + gc.mem_alloc())
        if feeder:
            feeder.deinit()
        app.run()
    finally:
        micropython.kbd_intr(-1)  # a second Ctrl-C must not come between the motor and the watchdog's feeder
        app.hardware.stop()
        micropython.kbd_intr(3)
