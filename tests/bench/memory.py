"""What the firmware allocates for a request and for an event, in bytes. The guard's tick allocates nothing: a test proves it.

In MicroPython's unix port, whose words are twice a Pico's; on the simulated board it cannot be seen, because that collects
all the time.
"""

import subprocess

from device.conftest import DEVICE
from eyecaptain.boards.simulated.interpreter import HEAP, command

PROGRAM = """
import gc, sys, time
sys.path.insert(0, {device!r})
from eyedeck import config, deck
from eyedeck.link import frame, tx

class Stream:
    def write(self, data):
        return len(data)

class Motor:
    off = wake = drive = lambda *args: None
class Switch:
    on = True
    step = lambda self, now: False
class Bus:
    errors = clears = 0
    clear = lambda *args: None
class Sensor:
    setup = begin = rest = expose = lambda *args: None
    ready = lambda self: False
class Lights:
    show = lambda *args: None
class Hardware:
    motor, switch, bus, sensor, lights = Motor(), Switch(), Bus(), Sensor(), Lights()
    turning, uid, reset_cause = None, "0" * 16, "power"
    fault = lambda self: 1

class Sender(tx.Sender):
    def __init__(self):
        self.sent = self.dropped = 0
        self._out = Stream().write
        self._queue = []
        self._rest = None
    def _writable(self):
        return True

decoder = frame.Decoder(frame.REQUEST)
it = deck.Deck(Hardware(), config.Config("{{}}"), time, Sender(), decoder)
ids = iter(range(1, 60000))

def request(text):
    text["id"] = next(ids)
    return frame.encode(text, frame.REQUEST)

def take(data):
    for item in decoder.feed(data):
        it.message(item[1])

take(request({{"op": "hello", "a": {{"proto": [1, 0], "nonce": "n"}}}}))
gc.disable()

def cost(do, *args):
    gc.collect()
    before = gc.mem_alloc()
    do(*args)
    return gc.mem_alloc() - before - own

own = 0
own = cost(lambda: None)

def median(do, *args):
    return sorted([cost(do, *args) for _ in range(21)])[10]

for op in ("hb", "state"):
    print("request %s %d" % (op, sorted([cost(take, request({{"op": op}})) for _ in range(21)])[10]))
event = {{"face": "red", "conf": 80, "why": None}}
print("event die %d" % median(it._events.event, "die", event))
print("a step of the loop at rest %d" % median(it._motion.step, time.ticks_ms()))
print("the guard's tick %d" % median(it.guard.tick, it))
"""


def table() -> None:
    """Bytes a request, an event, a step and a tick."""
    program = PROGRAM.format(device=str(DEVICE))
    done = subprocess.run(
        [*command(), "-X", f"heapsize={HEAP}", "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    print("allocated on the board, in bytes (a Pico's words are half as long):")
    for line in done.stdout.splitlines():
        what, size = line.rsplit(" ", 1)
        print(f"{what:32}{size:>7}")
