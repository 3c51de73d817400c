"""The numbers that the simulations gave: the build that the guide describes keeps to what they allow."""

import re

import pytest

from eyedeck.config import Config
from sim import facts
from tools.make import numbers
from tools.wiring import HERE


@pytest.fixture(scope="module")
def known() -> dict[str, float]:
    return numbers()


def settings() -> Config:
    """The board.json that the guide tells people to write."""
    text = (HERE / "README.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"^ +(\{\"leds\".*\})$", text, re.MULTILINE)
    return Config(found)


def test_the_guides_board_json_is_understood_and_is_what_was_simulated() -> None:
    found = settings()
    assert found.problem is None
    assert isinstance(found.sense, dict)
    assert (found.cap, found.sense["shunt"], found.sense["stall"]) == (
        facts.CAP,
        facts.SHUNT_OHMS * 1000,
        facts.STALL_MILLIAMPS,
    )


def test_the_firmwares_limit_tells_a_blocked_motor_from_a_free_one_at_every_duty_it_uses(known: dict[str, float]) -> None:
    """The ADC's counts as simulated, against the limit as the firmware computes it from the guide's board.json."""
    limit = settings().stall  # 16-bit counts for each percent of duty
    for duty in (36, 60, 100):
        free, blocked = (known[f"shunt.{load}_{duty}_counts"] * 16 for load in ("free", "blocked"))
        assert free * 1.5 < limit * duty < blocked / 1.2, duty


def test_the_firmwares_own_default_is_made_for_this_build() -> None:
    assert Config('{"sense": true}').stall == settings().stall


def test_nothing_asks_for_more_than_a_usb_port_gives(known: dict[str, float]) -> None:
    assert known["budget.worst_ma"] < known["budget.port_ma"] < known["budget.white_ma"]
    assert known["budget.peak_ma"] <= known["budget.worst_ma"]
    assert known["budget.blocked_peak_ma"] <= known["budget.worst_ma"]
    assert Config('{"leds": "rgb"}').bright / 100 * facts.STRIP_FULL_AMPS <= facts.STRIP_CAPPED_AMPS


def test_plugging_in_pulls_a_hub_down_less_than_usb_allows(known: dict[str, float]) -> None:
    limit = known["start.hub_droop_limit_mv"]
    assert known["start.plug_ours_mv"] < limit < known["start.plug_direct_mv"]
    assert known["start.ripple_ours_mv"] < known["start.ripple_bare_mv"] / 10


def test_the_guides_rule_for_another_motor_gives_this_build_its_own_number(known: dict[str, float]) -> None:
    rule = 0.75 * known["shunt.blocked_60_ma"]
    assert rule == pytest.approx(facts.STALL_MILLIAMPS, rel=0.05)
    assert rule > 3 * known["shunt.free_60_ma"]
