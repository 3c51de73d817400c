"""A wiring that cannot be built is refused with the line and the reason, and nothing is written."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools import checks
from tools.make import PROGRAMS
from tools.wiring import HERE, BadWiring, End, Net, Wiring, load

Change = Callable[..., Path]
GOOD = load()
ENDS = [(net, index) for net in range(len(GOOD.nets)) for index in range(len(GOOD.nets[net].ends))]


def refused(path: Path) -> list[str]:
    """What is said about a file, with the text of the line instead of its number."""
    with pytest.raises(BadWiring) as caught:
        checks.check(load(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    return [f"{lines[fault.line - 1].strip()} <- {fault.reason}" for fault in caught.value.faults]


def test_the_wiring_itself_is_good(wiring: Wiring) -> None:
    checks.check(wiring)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (
            'ends = ["U1.GP5", "R2.2"',
            'ends = ["U1.GP4", "R2.2"',
            'ends = ["U1.GP4", "R2.2"',
            "pin U1.GP4 is used twice: also by SDA in line",
        ),
        (
            'ends = ["R12.2", "J4.2", "W1.DIN"]',
            'ends = ["W1.DIN"]',
            'name = "PIXELS_DATA"',
            "a net needs two ends; this one has 1",
        ),
        ('"U1.GP6", "R3.1"', '"U1.GP6", "R99.1"', 'ends = ["U1.GP6", "R99.1"', 'unknown part "R99"'),
        ('C3 = { kind = "ceramic"', 'C3 = { kind = "keramik"', "C3 = {", 'C3: unknown part "keramik"'),
        ('"U1.GP26", "R10.2"', '"U1.GP28", "R10.2"', 'ends = ["U1.GP28"', "GP28 cannot be adc0; that can GP26"),
        ('"U1.GP17", "R5.1"', '"U1.GP3", "R5.1"', 'ends = ["U1.GP3"', "GP3 cannot be pwm 0b; that can GP1 GP17"),
        ('"U1.GP4", "R1.2"', '"U1.GP7", "R1.2"', 'ends = ["U1.GP7"', "GP7 cannot be i2c0 sda; that can GP0 GP4"),
        ('needs = "adc0"', 'needs = "adc9"', 'name = "MOTOR_SENSE"', 'no pin of a Pico can be "adc9"'),
        ('"J1.2", "U2.GND", ', '"J1.2", ', "U2 = {", "U2: missing ground: none of U2.GND is on the net GND"),
        ('"U1.GND38", "U1.GND8", "U1.AGND", ', "", "U1 = {", "U1: missing ground"),
        ('"U3.GND", ', "", "U3 = {", "U3: missing ground"),
        ('name = "GND"', 'name = "GROUND"', "U1 = {", "U1: missing ground"),
        ('"J3.2", "S1.B", ', '"J3.2", ', "S1 = {", "S1: pin B is wired to nothing"),
        ('colour = "pink"', 'colour = "mauve"', 'colour = "mauve"', 'unknown colour "mauve"'),
        ('R6 = { kind = "resistor", value = "8.2 kΩ"', 'R6 = { kind = "resistor", value = "10 kΩ"', "R6 = {", "RP2350-E9"),
        ('R7 = { kind = "resistor", value = "10 kΩ"', 'R7 = { kind = "resistor", value = "10k"', "R7 = {", "is no resistance"),
        ('to = ["U2"]', 'to = ["U9"]', "J1 = {", 'leads to an unknown part "U9"'),
        ('"J1.5", "U2.LED"', '"U2.LED"', "J1 = {", "J1: pin 5 leads to no pin of U2"),
        ('ends = ["U1.VBUS", "F1.1"]', 'ends = ["U1.VBUS", "U1.3V3", "F1.1"]', 'ends = ["U1.VBUS"', "drives against U1.VBUS"),
        ('ends = ["U1.3V3", "R1.1"', 'ends = ["R1.1"', 'ends = ["R1.1"', "3V3: nothing supplies U2.VIN"),
        (
            'ends = ["F1.2", "R11.1", "D7.A"]',
            'ends = ["R11.1", "D7.A"]',
            'ends = ["R11.2", "U3.VM"',
            "5V_MOTOR: nothing supplies U3.VM",
        ),
        ('name = "SCL"', 'name = "SDA"', 'name = "SDA"', "there is a net of that name in line"),
        ('firmware = "PIXELS"', 'firmware = "SWITCH"', 'name = "PIXELS"', "firmware name SWITCH is taken by SWITCH"),
        ('firmware = "PIXELS"', "", 'name = "PIXELS"', 'firmware = "NAME_IN_PINS_PY" is missing'),
        ('"U1.GP22", "R12.1"', '"U1.GP22", "U1.GP2", "R12.1"', 'ends = ["U1.GP22"', "U1.GP2 is a second pin of the Pico"),
        ('colour = "orange"', 'color = "orange"', "[[net]]", 'unknown "color"'),
        ("F1 = {", "F1 = 1 #{", "F1 = 1", "F1: not a table"),
        ('"C4.2"', '"C4.2", "C4.3"', 'ends = ["U3.AOUT2"', 'C4 (ceramic) has no pin "3"'),
    ],
)
def test_a_fault_is_named_with_its_line(changed: Change, old: str, new: str, line: str, reason: str) -> None:
    said = refused(changed((old, new)))
    assert any(line in each.split(" <- ")[0] and reason in each.split(" <- ")[1] for each in said), said


def test_a_file_that_is_no_toml_is_refused_with_its_line(changed: Change) -> None:
    path = changed(('ends = ["U1.VBUS", "F1.1"]', "ends = ["))
    with pytest.raises(BadWiring, match=r"wiring\.toml:\d+: "):
        load(path)


@given(st.sampled_from(ENDS), st.integers(min_value=0, max_value=len(GOOD.nets) - 1))
@settings(deadline=None)
def test_a_pin_on_a_second_net_is_always_found(end: tuple[int, int], other: int) -> None:
    wiring = Wiring(GOOD.parts, list(GOOD.nets))
    twice = wiring.nets[end[0]].ends[end[1]]
    net = wiring.nets[other]
    wiring.nets[other] = Net(net.name, (*net.ends, End(twice.part, twice.pin, net.line)), net.line, net.colour)
    with pytest.raises(BadWiring, match=f"pin {twice.part}.{twice.pin.replace('+', '.')} is used twice"):
        checks.check(wiring)


@given(st.sampled_from(ENDS))
@settings(deadline=None)
def test_no_end_of_a_net_can_be_left_out_unseen(end: tuple[int, int]) -> None:
    """But for grounds and supplies of which the Pico has several pins, every wire is needed by somebody."""
    wiring = Wiring(GOOD.parts, list(GOOD.nets))
    net = wiring.nets[end[0]]
    gone = net.ends[end[1]]
    if str(gone) in {"U1.GND38", "U1.GND8", "U1.AGND"}:
        return
    wiring.nets[end[0]] = Net(
        net.name, tuple(each for each in net.ends if each is not gone), net.line, net.colour, net.note, net.firmware, net.needs
    )
    with pytest.raises(BadWiring):
        checks.check(wiring)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what the generator reads, without what it makes."""
    root = tmp_path / "project"
    shutil.copytree(HERE, root / "hardware", ignore=shutil.ignore_patterns("made", "__pycache__"))
    (root / "device" / "eyedeck").mkdir(parents=True)
    shutil.copy(HERE.parent / "README.md", root)
    return root


def generator(project: Path, **env: str) -> str:
    """Run it; what it complains of when it fails and writes nothing."""
    before = {path: path.stat().st_mtime_ns for path in project.rglob("*")}
    command = [sys.executable, "-B", "-m", "tools"]
    done = subprocess.run(
        command, cwd=project / "hardware", env={**os.environ, **env}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.endswith("Nothing was written.\n"), done.stderr
    assert {path: path.stat().st_mtime_ns for path in project.rglob("*")} == before
    return done.stderr


@pytest.fixture
def programs(tmp_path: Path) -> str:
    """A PATH on which all programs are: that is enough, for a fault is found before any is run."""
    for name in PROGRAMS:
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    return f"{tmp_path}{os.pathsep}{os.environ['PATH']}"


def test_the_generator_writes_nothing_from_a_bad_wiring(project: Path, programs: str) -> None:
    path = project / "hardware" / "wiring.toml"
    text = path.read_text(encoding="utf-8").replace('"U1.GP5"', '"U1.GP4"')
    path.write_text(text, encoding="utf-8")
    number = next(n for n, line in enumerate(text.splitlines(), 1) if '"U1.GP4", "R2.2"' in line)
    said = generator(project, PATH=programs)
    assert f"wiring.toml:{number}: SCL: pin U1.GP4 is used twice: also by SDA in line" in said


def test_the_generator_writes_nothing_from_a_bad_plan(project: Path, programs: str) -> None:
    path = project / "hardware" / "perfboard.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("R1 = { at = [4, 13]", "R1 = { at = [5, 13]"), encoding="utf-8")
    said = generator(project, PATH=programs)
    assert "perfboard.toml: R1 lies on R2" in said


def test_the_generator_says_what_is_not_installed_and_writes_nothing(project: Path, tmp_path: Path) -> None:
    said = generator(project, PATH=str(tmp_path))
    assert "Not installed: openscad xvfb-run dot ngspice." in said
    assert "apt-get install openscad" in said
