"""The simulations start from what firmware, simulated world and parts really are."""

from random import Random
from statistics import mean

import pytest

from eyecaptain.boards import serial as board
from eyecaptain.games.base import COLORS
from eyecaptain.world import window
from eyecaptain.world.chips import drv8833
from eyedeck.core import eye
from sim import budget, facts, optics
from tools import checks, geometry
from tools.wiring import HERE, Wiring


def test_the_parts_are_those_of_the_wiring(wiring: Wiring) -> None:
    assert checks.ohms(wiring.parts["R9"].value) == facts.SHUNT_OHMS
    assert checks.ohms(wiring.parts["R11"].value) == facts.BULK_OHMS
    assert wiring.parts["C2"].value == f"{facts.BULK_FARADS * 1e6:.0f} µF"
    assert (wiring.parts["R10"].value, wiring.parts["C1"].value) == ("1 kΩ", "1 µF")


def test_the_firmware_does_what_the_simulations_say() -> None:
    driver = (HERE.parent / "device" / "eyedeck" / "drivers" / "drv8833.py").read_text(encoding="utf-8")
    assert f"_FREQ = const({facts.PWM_HERTZ:.0f})" in driver
    assert board.POWER == budget.POWER
    assert pytest.approx(board.POWER / 100 * eye._SLOWEST / 100) == facts.SLOWEST


def test_a_blocked_motor_draws_more_than_a_free_one_and_never_more_than_the_limit() -> None:
    free, stuck = (budget.motor_current(blocked)[0] for blocked in (False, True))
    assert mean(stuck) > 2 * mean(free)
    assert max(free) <= facts.TRIP_VOLTS / facts.SHUNT_OHMS


def test_the_simulated_world_limits_the_motor_where_the_shunt_does() -> None:
    assert pytest.approx(facts.TRIP_VOLTS / facts.SHUNT_OHMS, abs=0.001) == drv8833.CHOP_CURRENT


def test_stray_light_of_the_simulated_world_is_that_of_the_window() -> None:
    """Over its units, the world's stray light has about the share of a face's that the parts give."""
    flat = optics.Well().look(0.0)
    stray = (flat.rim + flat.wall) / flat.face
    units = [window.Unit.of(Random(seed)) for seed in range(100)]
    world = [unit.stray.clear / mean(unit.lit[face].clear for face in COLORS) for unit in units]
    assert min(world) < stray < max(world)


def test_light_in_the_simulated_world_falls_with_the_distance_as_in_the_window() -> None:
    assert geometry.params()["distance"] == window.FACE_AT
    flat = optics.Well().look(0.0).face
    for gap in optics.GAPS:
        world = (window.FACE_AT / (window.FACE_AT + gap)) ** window.FALL
        assert world == pytest.approx(optics.Well().look(gap).face / flat, rel=0.05), gap


def test_the_bar_and_a_short_distance_are_worth_it() -> None:
    shares = [optics.Well().look(gap).share for gap in optics.GAPS]
    assert shares == sorted(shares, reverse=True)
    assert all(share > optics.Well(bar=False).look(gap).share for share, gap in zip(shares, optics.GAPS, strict=True))
    assert optics.Well(recess=1.0).look(0).share > shares[0]


def test_a_grid_twice_as_fine_gives_the_same_light(monkeypatch: pytest.MonkeyPatch) -> None:
    coarse = optics.Well().look(1.0)
    monkeypatch.setattr(optics, "GRID", 2 * optics.GRID - 1)
    fine = optics.Well().look(1.0)
    assert fine.face == pytest.approx(coarse.face, rel=0.02)
    assert fine.share == pytest.approx(coarse.share, abs=0.005)
