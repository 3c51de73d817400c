"""The eye's movement, pairs of readings, the chips, the settings."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.fakes import Clock, Sensor
from eyedeck import config
from eyedeck.core import chips, eye
from eyedeck.core.pairs import Pairs


class Moving:
    """An eye that is asked every 20 ms, as on the board."""

    def __init__(self, numbers: Any = None) -> None:
        self.clock = Clock()
        numbers = iter(numbers or [])
        self.eye = eye.Eye(lambda a, b: a + next(numbers, 0) % (b - a + 1), self.clock)

    def start(self, mode: str, power: int) -> Any:
        return self.eye.start(mode, power, self.clock.ticks_ms())

    def go(self, ms: int) -> Any:
        duties = []
        for _ in range(ms // 20):
            self.clock.ms += 20
            duties.append(self.eye.step(self.clock.ticks_ms()))
        return duties


def test_it_starts_with_a_kick_then_a_ramp() -> None:
    moving = Moving()
    assert moving.start("steady", 60) == 100
    duties = moving.go(600)
    assert duties[:3] == [100, 100, 100]
    assert duties[3] == 30
    ramp = duties[3:14]
    assert ramp == sorted(ramp)
    assert set(duties[13:]) == {60}


def test_a_low_power_needs_no_ramp_and_none_stands_still() -> None:
    moving = Moving()
    moving.start("steady", 20)
    assert set(moving.go(400)[3:]) == {20}
    assert moving.start("roam", 0) == 0
    assert set(moving.go(4000)) == {0}


def test_stopped_means_zero() -> None:
    moving = Moving()
    moving.start("roam", 80)
    moving.eye.stop()
    assert set(moving.go(200)) == {0}
    assert moving.eye.mode == "off"


def test_it_turns_back_when_told() -> None:
    moving = Moving()
    moving.start("steady", 60)
    assert moving.go(1000)[-1] == 60
    moving.eye.turn_back(moving.clock.ticks_ms())
    duties = moving.go(620)
    assert duties[:9] == [0] * 9
    assert duties[-1] == -60


@given(st.lists(st.integers(0, 3000), min_size=5, max_size=60), st.integers(1, 100))
def test_roaming_never_reverses_without_a_pause(numbers: Any, power: int) -> None:
    moving = Moving(numbers)
    duties = [moving.start("roam", power), *moving.go(20000)]
    assert all(-100 <= duty <= 100 for duty in duties)
    for before, after in pairwise(duties):
        assert before * after >= 0
    assert sum(1 for duty in duties if duty) > len(duties) // 2


def test_roaming_goes_both_ways() -> None:
    duties = [duty for numbers in ([900, 20, 1] * 20,) for duty in [Moving(numbers)]]
    duties[0].start("roam", 80)
    seen = set(duties[0].go(20000))
    assert min(seen) < 0 < max(seen)


class Watching:
    def __init__(self) -> None:
        self.clock = Clock()
        self.sensor = Sensor(self.clock)
        self.seen: list[Any] = []
        self.failures = 0
        self.clears = 0
        self.freed: Any = lambda: None
        self.pairs = Pairs(self.sensor, self.clock, self.clear, self.see, self.failed)

    def see(self) -> None:
        self.seen.append((tuple(self.pairs.on), tuple(self.pairs.off)))

    def clear(self) -> None:
        self.clears += 1
        self.freed()

    def failed(self) -> None:
        self.failures += 1

    def go(self, ms: int) -> None:
        for _ in range(ms // 20):
            self.clock.ms += 20
            self.pairs.step(self.clock.ticks_ms())


def test_pairs_come_one_after_the_other() -> None:
    watching = Watching()
    watching.go(1300)
    assert len(watching.seen) == 10
    assert set(watching.seen) == {(watching.sensor.on, watching.sensor.off)}
    assert watching.sensor.log.count("setup") == 1


def test_lights_change_only_between_two_pairs() -> None:
    watching = Watching()
    for _ in range(100):
        watching.go(20)
        if watching.pairs.at_start:
            assert not watching.sensor.lit
            assert watching.sensor.begun == watching.clock.ms


def test_one_bus_error_costs_one_pair() -> None:
    watching = Watching()
    watching.go(300)
    watching.sensor.broken = True
    watching.go(20)
    watching.sensor.broken = False
    watching.go(400)
    assert len(watching.seen) >= 4
    assert watching.sensor.log.count("setup") == 2
    assert (watching.failures, watching.clears) == (0, 0)


def test_a_bus_that_is_held_is_freed_before_the_sensor_is_given_up() -> None:
    watching = Watching()
    watching.go(300)
    watching.sensor.broken = True
    watching.freed = lambda: setattr(watching.sensor, "broken", False)
    before = len(watching.seen)
    watching.go(400)
    assert (watching.failures, watching.clears) == (0, 1)
    assert len(watching.seen) > before + 1


@pytest.mark.parametrize("how", ["broken", "stuck"])
def test_a_sensor_that_is_gone_is_told_once_and_tried_again(how: Any) -> None:
    watching = Watching()
    watching.go(300)
    setattr(watching.sensor, how, True)
    watching.go(5000)
    assert watching.pairs.gone
    assert watching.failures == 1
    assert watching.clears >= 3
    assert len(watching.sensor.log) < 300, "it is not tried all the time"
    setattr(watching.sensor, how, False)
    before = len(watching.seen)
    watching.go(1000)
    assert not watching.pairs.gone
    assert len(watching.seen) > before


def test_a_sensor_that_is_gone_leaves_its_light_off() -> None:
    watching = Watching()
    watching.go(80)
    assert watching.sensor.lit
    watching.sensor.stuck = True
    watching.go(1000)
    assert watching.pairs.gone
    assert not watching.sensor.lit


def test_another_exposure_takes_its_own_time_and_begins_a_new_pair() -> None:
    watching = Watching()
    watching.go(80)
    watching.pairs.expose(42, 60)
    assert watching.pairs.at_start
    watching.go(200)
    assert watching.seen == []
    watching.go(60)
    assert len(watching.seen) == 1
    assert watching.sensor.exposure == (42, 60)


def test_the_next_look_is_due_when_a_conversion_may_have_ended_and_then_often() -> None:
    watching = Watching()
    watching.go(20)
    assert watching.pairs.wait(watching.clock.ticks_ms()) == 49
    watching.go(60)
    assert watching.pairs.wait(watching.clock.ticks_ms()) < 50
    watching.sensor.stuck = True
    watching.go(60)
    assert watching.pairs.wait(watching.clock.ticks_ms()) == 3
    watching.go(1000)
    assert watching.pairs.gone
    assert watching.pairs.wait(watching.clock.ticks_ms()) > 20, "a sensor that is not there costs no time"


def test_resting_puts_the_light_out() -> None:
    watching = Watching()
    watching.go(80)
    assert watching.sensor.lit
    watching.pairs.stop()
    assert not watching.sensor.lit
    watching.sensor.broken = True
    watching.pairs.stop()
    assert watching.pairs.at_start


@pytest.mark.parametrize(
    ("text", "rgb"),
    [
        ("red", (255, 0, 0)),
        ("off", (0, 0, 0)),
        ("0080ff", (0, 128, 255)),
        ("0080FF", (0, 128, 255)),
        ("pink", None),
        ("0080f", None),
        ("0x80ff", None),
        (" 080ff", None),
        (7, None),
        (None, None),
    ],
)
def test_colours(text: Any, rgb: Any) -> None:
    assert chips.colour(text) == rgb


@given(
    st.lists(st.sampled_from([*chips.COLOURS, "12ab34"]), max_size=9),
    st.sampled_from(chips.EFFECTS),
    st.sampled_from([None, *chips.MESSAGES]),
    st.integers(0, 10**9),
)
def test_there_are_always_six_lights(names: Any, fx: Any, message: Any, now: Any) -> None:
    six = chips.Chips()
    assert six.show(names, fx) == min(6, len(names))
    six.message = message
    frame = six.frame(now)
    assert len(frame) == 6
    assert all(len(rgb) == 3 and all(0 <= part <= 255 for part in rgb) for rgb in frame)
    assert len(six.chips) <= chips.KEPT


def lit(six: Any, at: Any) -> Any:
    return [any(rgb) for rgb in six.frame(at)]


def test_effects() -> None:
    six = chips.Chips()
    six.message = None
    six.show(["cyan", "magenta"], "steady")
    assert six.frame(0) == six.frame(777) == [(0, 255, 255), (255, 0, 255), *[(0, 0, 0)] * 4]
    six.show(["cyan"], "pulse")
    assert len({six.frame(at)[0] for at in range(0, 1000, 120)}) == 4
    six.show(["white"] * 6, "chase")
    assert {lit(six, at).index(False) for at in range(0, 720, 120)} == set(range(6))
    six.show(["orange"], "win")
    assert all(any(lit(six, at)[led] for at in range(0, 720, 120)) for led in range(6))
    six.show([], "win")
    assert any(lit(six, 0))
    six.show(["red"] * 7, "steady")
    assert {tuple(lit(six, at)) for at in range(0, 960, 120)} == {(True,) * 6, (False,) * 6}


def test_messages_differ_on_leds_of_one_colour() -> None:
    six = chips.Chips()
    seen = set()
    for message in chips.MESSAGES:
        six.message = message
        frames = [tuple(lit(six, at)) for at in range(0, 2000, 20)]
        assert any(map(any, frames))
        seen.add((max(frames), frames.count(max(frames))))
    assert len(seen) == len(chips.MESSAGES)


def test_without_a_file_the_settings_are_the_usual_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "ROOT", f"{tmp_path}/")
    found = config.load()
    assert found.problem is None
    assert (found.leds, found.cap, found.switch, found.sense) == ("plain", 60, True, False)
    assert found.caps == "s"
    (tmp_path / "board.json").write_text('{"leds":"rgb","cap":100,"switch":false,"sense":true,"bright":50}')
    found = config.load()
    assert found.problem is None
    assert found.caps == "cr"
    (tmp_path / "board.json").write_bytes(b"\xff\xfe{}")
    assert config.load().problem == "board.json: not JSON"
    (tmp_path / "board.json").unlink()
    (tmp_path / "board.json").mkdir()
    assert config.load().problem == "board.json: cannot be read"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 5000, "not JSON"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"motor":1}', '"motor"'),
        ('{"leds":"neon"}', '"leds" must be'),
        ('{"leds":1}', '"leds" must be'),
        ('{"leds":["plain"]}', '"leds" must be'),
        ('{"cap":0}', '"cap" must be'),
        ('{"cap":101}', '"cap" must be'),
        ('{"cap":60.0}', '"cap" must be'),
        ('{"cap":true}', '"cap" must be'),
        ('{"cap":null}', '"cap" must be'),
        ('{"switch":1}', '"switch" must be'),
        ('{"bright":true}', '"bright" must be'),
        ('{"gain":4}', '"gain"'),  # it is the calibration's
        ('{"sense":{"shunt":"big"}}', '"sense" must be'),
        ('{"sense":{"ohm":1}}', '"sense" must be'),
        ('{"sense":{"stall":0}}', '"sense" must be'),
        ('{"sense":1}', '"sense" must be'),
        ('{"' + "x" * 1000 + '":1}', "unknown key"),
    ],
)
def test_a_broken_file_is_named_with_its_key(text: Any, words: Any) -> None:
    found: Any = config.Config(text)
    assert words in found.problem
    assert found.problem.startswith("board.json: ")
    assert len(found.problem) < 200


def test_what_is_right_in_a_broken_file_counts() -> None:
    found: Any = config.Config(json.dumps({"leds": "rgb", "cap": 7, "switch": False}))
    assert '"cap"' in found.problem
    assert (found.leds, found.cap, found.switch) == ("rgb", 60, False)


def test_the_reading_of_a_blocked_motor() -> None:
    # 75 mA through 680 milliohm are 51 mV of 3300, at full duty.
    assert config.Config("{}").stall * 100 == pytest.approx(51 / 3300 * 65535, rel=0.03)
    assert config.Config('{"sense":{"shunt":500}}').stall < config.Config('{"sense":true}').stall


@pytest.mark.parametrize(("text", "half"), [("{}", 0), ('{"index":true}', config.HALF), ('{"index":120}', 120)])
def test_the_index_of_the_wheel(text: str, half: int) -> None:
    found = config.Config(text)
    assert (found.problem, found.half) == (None, half)
    assert found.caps == ("is" if half else "s")
