"""The sensor's driver, on a real MicroPython with a bus that keeps its registers: order, ids, errors, and no allocation."""

import ast
from collections.abc import Callable

import pytest

Run = Callable[[str], str]

RIG = """
import micropython, time
from eyedeck.core import die, palette
from eyedeck.core.pairs import Pairs
from eyedeck.drivers import tcs34725

class Bus:
    def __init__(self, ident=0x44):
        self.regs = bytearray(32); self.regs[0x12] = ident; self.log = []; self.quiet = False; self.fails = False
        for i, value in enumerate((2000, 1200, 440, 360)):
            self.regs[0x14 + 2 * i] = value & 255; self.regs[0x15 + 2 * i] = value >> 8
    def read(self, addr, reg, into):
        if self.fails: raise OSError(5)
        if not self.quiet: self.log.append(("r", reg, len(into)))
        for i in range(len(into)): into[i] = self.regs[(reg & 31) + i]
    def write(self, addr, reg, data):
        if self.fails: raise OSError(5)
        if not self.quiet: self.log.append(("w", reg, data[0]))
        self.regs[reg & 31] = data[0]
        if reg & 31 == 0: self.regs[0x13] = 1 if data[0] & 2 else 0
class Light:
    on = 0
    def value(self, on): self.on = on
bus = Bus(); light = Light(); sensor = tcs34725.Sensor(bus, light)
"""


def test_one_conversion_in_the_order_that_the_datasheet_wants(on_micropython: Run) -> None:
    program = """
sensor.setup(); sensor.begin(1); assert light.on == 1
assert sensor.ready()
counts = [0, 0, 0, 0]; sensor.read(counts); print(counts)
sensor.expose(42, 60); sensor.begin(0); sensor.begin(0)
print(bus.log)
"""
    counts, log = on_micropython(RIG + program).splitlines()
    assert counts == "[1200, 440, 360, 2000]"
    assert ast.literal_eval(log) == [
        ("r", 0x92, 1), ("w", 0x80, 1),
        ("w", 0x80, 1), ("w", 0x81, 256 - 21), ("w", 0x8F, 1), ("w", 0x80, 3),
        ("r", 0x93, 1), ("r", 0xB4, 8),
        ("w", 0x80, 1), ("w", 0x81, 256 - 42), ("w", 0x8F, 3), ("w", 0x80, 3),
        ("w", 0x80, 1), ("w", 0x80, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ident", "said"), [(0x44, "None"), (0x4D, "None"), (0x10, "clone"), (0x00, "another"), (0xFF, "another")]
)
def test_the_id_is_looked_at_before_anything_else(on_micropython: Run, ident: int, said: str) -> None:
    program = f"""
sensor = tcs34725.Sensor(Bus({ident}), light)
try:
    sensor.setup(); print("fine")
except OSError as error:
    print("refused")
print(sensor.ident, sensor.trouble)
"""
    first, second = on_micropython(RIG + program).splitlines()
    assert first == ("refused" if said == "another" else "fine")
    assert second.startswith(str(ident))
    assert said in second


def test_once_set_up_a_pair_and_its_votes_allocate_nothing_but_the_judgement(on_micropython: Run) -> None:
    """With the heap locked a whole pair is read; only then is it judged."""
    program = """
class Clock:
    now = 0
    ticks_ms = lambda self: self.now
    ticks_diff = lambda self, a, b: a - b
clock = Clock(); done = 0
def seen():
    global done
    done += 1
pairs = Pairs(sensor, clock, lambda: None, seen, lambda: None)
pairs.step(0); bus.quiet = True
for _ in range(2): clock.now += 60; pairs.step(clock.now)
assert done == 1
micropython.heap_lock()
try:
    for _ in range(20):
        clock.now += 60; pairs.wait(clock.now); pairs.step(clock.now)
finally:
    micropython.heap_unlock()
print(done, pairs.on, light.on)
"""
    assert on_micropython(RIG + program) == "11 [1200, 440, 360, 2000] False\n"


def test_both_interpreters_judge_the_same(on_micropython: Run) -> None:
    from random import Random

    from device.fakes import palette
    from eyedeck.core import die
    from eyedeck.core.palette import Palette

    rng = Random(1)
    values = palette()
    pairs = [[[rng.randrange(0, 3000) for _ in range(4)], [rng.randrange(0, 400) for _ in range(4)]] for _ in range(200)]
    pairs += [[[1210 + n, 430, 360, 2000], [2, 3, 2, 7]] for n in range(0, 400, 10)]
    ready = Palette(values)
    expected = [die.judge(on, off, ready) for on, off in pairs]
    program = f"ready = palette.Palette({values!r})\nfor on, off in {pairs!r}:\n print(die.judge(on, off, ready))\n"
    assert on_micropython(RIG + program).splitlines() == [repr(answer) for answer in expected]
    assert {answer[0] for answer in expected} >= {"red", None}
