"""No path that turns the motor on goes past `Guard.run`, the one function that sets when it ends (the firmware's own text)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.conftest import DEVICE

FILES = sorted([*DEVICE.glob("*.py"), *(DEVICE / "eyedeck").rglob("*.py")])
GUARD = "eyedeck/core/guard.py"
DRIVER = "eyedeck/drivers/drv8833.py"
HARDWARE = "eyedeck/drivers/hardware.py"


def name(path: Path) -> str:
    return path.relative_to(DEVICE).as_posix()


def functions(path: Path) -> Iterator[tuple[str, ast.AST]]:
    """Each function by name with its body; what is outside of all under "" (the firmware has no function in a function)."""
    tree = ast.parse(path.read_text())
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside.update(ast.walk(node))
            for part in ast.walk(node):
                yield node.name, part
    for node in ast.walk(tree):
        if node not in inside:
            yield "", node


def uses(attribute: str, of: str = "") -> set[tuple[str, str]]:
    """Where an attribute is read: (file, function); `of`: only of an object that is called so."""
    found = set()
    for path in FILES:
        for where, node in functions(path):
            if isinstance(node, ast.Attribute) and node.attr == attribute and isinstance(node.ctx, ast.Load):
                owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
                if not of or owner.lstrip("_") == of:
                    found.add((name(path), where))
    return found


def mentions(word: str) -> set[str]:
    return {
        name(path)
        for path in FILES
        for _, node in functions(path)
        if getattr(node, "id", None) == word or getattr(node, "attr", None) == word
    }


def test_only_run_wakes_the_bridge() -> None:
    assert uses("wake") == {(GUARD, "run")}


def test_nobody_but_the_driver_holds_the_pin_that_wakes_it() -> None:
    assert uses("on", of="sleep") == {(DRIVER, "__init__")}  # as `wake`
    for way in ("high", "value", "toggle", "init"):
        assert not uses(way, of="sleep")


def test_only_the_guard_gives_power() -> None:
    assert uses("drive", of="motor") == {(GUARD, "drive")}
    assert uses("drive", of="self") == {(GUARD, "run")}
    assert uses("drive", of="guard") == {("eyedeck/motion.py", "step")}
    assert {where for where, _ in uses("drive")} == {GUARD, "eyedeck/motion.py"}


def test_only_run_says_that_the_motor_may_run_and_it_sets_the_end_before() -> None:
    set_true = []
    for path in FILES:
        for where, node in functions(path):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is True:
                set_true += [(name(path), where) for to in node.targets if getattr(to, "attr", None) == "running"]
    assert set_true == [(GUARD, "run")]
    (run,) = [
        node
        for node in ast.walk(ast.parse((DEVICE / GUARD).read_text()))
        if isinstance(node, ast.FunctionDef) and node.name == "run"
    ]
    refuses, ends, runs, drives, wakes, *_ = run.body[1:]  # after its docstring
    assert isinstance(refuses, ast.If)
    assert ast.unparse(ends).startswith("self._end = ")
    assert ast.unparse(runs) == "self.running = True"
    assert ast.unparse(drives) == "self.drive(duty)"
    assert ast.unparse(wakes) == "self._motor.wake()"


@pytest.mark.parametrize("pin", ["MOTOR_IN1", "MOTOR_IN2", "MOTOR_SLEEP"])
def test_only_the_motors_driver_gets_its_pins(pin: str) -> None:
    assert mentions(pin) <= {HARDWARE, "eyedeck/pins.py"}


def test_nobody_else_makes_pwm_or_drives_the_pins_by_number() -> None:
    assert mentions("PWM") == {DRIVER}
    for path in FILES:
        for _, node in functions(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Pin":
                first = node.args[0]
                if isinstance(first, ast.Constant) and first.value in (16, 17, 18):
                    assert ast.unparse(node) == "Pin(18, Pin.OUT, value=0)", f"{name(path)} drives the motor"
