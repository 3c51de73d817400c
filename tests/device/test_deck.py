"""What the operations do, on a board of fakes; the guard's interrupt comes every 50 ms."""

import gc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.fakes import UID, Clock, Hardware, calibrate, palette
from eyedeck.config import Config
from eyedeck.core.palette import checksum
from eyedeck.core.stall import STILL
from eyedeck.core.turning import Current, Index
from eyedeck.deck import Deck
from eyedeck.link import frame
from eyedeck.slot import Slot


class Board:
    """The deck, its clock and what it sends."""

    place = ""  # of the calibration file; set for each test

    def __init__(self, text: Any = None) -> None:
        self.clock = Clock()
        self.hardware = Hardware(self.clock)
        self.out: list[Any] = []
        self.sent = self.dropped = 0
        self.decoder = frame.Decoder(frame.REPLY)
        self.deck = Deck(self.hardware, Config(text), self.clock, self, self.decoder, self.place)
        self.ids = iter(range(1, 60000))

    def send(self, kind: str, data: bytes) -> None:
        assert len(data) <= frame.REPLY
        if not data.startswith(b"#"):
            self.out.append(("typed", data))
            return
        ((_, message),) = frame.Decoder(frame.REPLY).feed(data)
        self.out.append((kind, message))

    def ask(self, op: str, **args: Any) -> Any:
        """The reply's data, or the code of the error."""
        ident = next(self.ids)
        self.deck.message({"id": ident, "op": op, "a": args})
        ((_, reply),) = [(kind, message) for kind, message in self.out if kind == "re"]
        self.out = [item for item in self.out if item[0] != "re"]
        assert reply["re"] == ident
        return reply["ok"] if "ok" in reply else reply["er"][0]

    def go(self, ms: int, alive: bool = True) -> None:
        for _ in range(ms // 10):
            self.clock.ms += 10
            if self.clock.ms % 50 == 0:
                self.deck.guard.tick(self)
            if self.clock.ms % 20 == 0:
                self.deck.step(self.clock.ticks_ms())
            if alive and self.clock.ms % 500 == 0:
                self.ask("hb")

    def events(self, *kinds: Any) -> Any:
        """The events so far, of these kinds, as (kind, data); they are taken away."""
        found = [(kind, message["d"]) for kind, message in self.out if "ev" in message and kind in (kinds or (kind,))]
        self.out = [item for item in self.out if kinds and item[0] not in kinds]
        return found

    def hello(self, nonce: str = "n", **more: Any) -> Any:
        return self.ask("hello", proto=[1, 0], nonce=nonce, **more)

    def start(self, mode: str = "steady", power: int = 60, ms: int = 600000) -> Any:
        assert self.ask("arm") == {}
        return self.ask("eye", mode=mode, power=power, ms=ms)


@pytest.fixture(autouse=True)
def calibrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Board, "place", calibrate(tmp_path / "cal.json"))


@pytest.fixture
def board() -> Any:
    board = Board()
    board.hello()
    return board


def test_hello_tells_what_this_is() -> None:
    board = Board('{"leds":"rgb","sense":true}')
    reply = board.hello(lease=3000)
    assert reply["board"] == "rp2-pico"
    assert reply["build"] == "dev"
    assert (reply["proto"], reply["nonce"], reply["caps"]) == ([1, 0], "n", "csr")
    assert reply["lease"] == [500, 3000, 5000]
    assert (reply["reset"], reply["uid"]) == ("power", "0011223344556677")
    assert len(reply["boot"]) == 8
    assert reply["fw"]


def test_every_operation_there_is(board: Board) -> None:
    board.go(500)
    for op in ("fire", "fly"):
        assert board.ask(op) == "bad_op"
    assert board.ask("hb").keys() == {"now"}
    state = board.ask("state")
    keys = {"eye", "die", "chips", "fx", "switch", "armed", "safe", "n", "cal", "watch", "job"}
    assert state.keys() == keys
    assert state["eye"] == ["off", 0, 0]
    assert state["die"][:3] == ["red", state["die"][1], None]
    assert (state["switch"], state["armed"], state["safe"], state["cal"]) == (True, False, False, checksum(palette()))
    assert state["job"] == [0, "ok"]
    assert board.ask("die").keys() == {"face", "conf", "why", "raw", "age"}
    assert board.ask("die")["raw"] == [1198, 438, 358, 1994]


def test_a_fresh_firmware_is_confirmed_once_and_by_name() -> None:
    board = Board()
    confirmed: list[bool] = []
    state: dict[str, Any] = {"slot": "b", "build": "b111", "back": "a", "was": "a000", "trial": 1}

    def confirm() -> None:
        del state["trial"]
        confirmed.append(True)

    board.deck = Deck(board.hardware, Config(None), board.clock, board, board.decoder, board.place, Slot(state, confirm))
    hello = board.hello()
    assert (hello["build"], hello["trial"]) == ("b111", 1)
    assert Slot(state).where() == ["b", "a000", None, None]
    assert board.ask("confirm", build="a000") == "bad_arg"
    board.ask("arm")
    assert board.ask("confirm", build="b111") == "busy"
    board.ask("disarm")
    assert confirmed == []
    for _ in range(2):
        assert board.ask("confirm", build="b111") == {}
    assert confirmed == [True]
    assert "trial" not in board.hello("m")


def test_a_firmware_outside_the_slots_has_nothing_to_confirm(board: Board) -> None:
    assert board.ask("confirm", build="dev") == {}
    assert board.ask("confirm") == "bad_arg"


def test_stats(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "mem_free", lambda: 1, raising=False)
    monkeypatch.setattr(gc, "mem_alloc", lambda: 2, raising=False)
    board.go(2000)
    stats = board.ask("stats")
    assert stats.keys() == {"up", "free", "alloc", "crc", "bad", "rx", "tx", "drop", "i2c", "clr", "stall", "disk", "slot"}
    assert stats["up"] == 1 or stats["up"] == 2
    assert stats["rx"] > 2


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("eye", {}),
        ("eye", {"mode": "fly", "power": 1, "ms": 1}),
        ("eye", {"mode": "roam", "ms": 1}),
        ("eye", {"mode": "roam", "power": 101, "ms": 1}),
        ("eye", {"mode": "roam", "power": -1, "ms": 1}),
        ("eye", {"mode": "roam", "power": 1.5, "ms": 1}),
        ("eye", {"mode": "roam", "power": True, "ms": 1}),
        ("eye", {"mode": "roam", "power": 1}),
        ("eye", {"mode": "roam", "power": 1, "ms": 0}),
        ("eye", {"mode": "roam", "power": 1, "ms": 600001}),
        ("eye", {"mode": ["roam"], "power": 1, "ms": 1}),
        ("watch", {}),
        ("watch", {"on": 1}),
        ("watch", {"on": True, "raw": "yes"}),
        ("sample", {}),
        ("sample", {"k": 0}),
        ("sample", {"k": 21}),
        ("chips", {}),
        ("chips", {"c": "red"}),
        ("chips", {"c": ["pink"]}),
        ("chips", {"c": [["red"]]}),
        ("chips", {"c": [], "fx": "glow"}),
        ("chips", {"c": [], "fx": ["steady"]}),
        ("selftest", {"motor": 1}),
    ],
)
def test_bad_arguments(board: Board, op: str, args: Any) -> None:
    board.ask("arm")
    assert board.ask(op, **args) == "bad_arg"
    assert not board.hardware.motor.on
    assert board.ask("state")["job"] == [0, "ok"]


def test_the_eye_needs_arm_and_its_switch(board: Board) -> None:
    assert board.ask("eye", mode="roam", power=50, ms=100) == "not_armed"
    board.ask("arm")
    board.hardware.switch.turn(False)
    assert board.ask("eye", mode="roam", power=50, ms=100) == "switch"
    assert not board.hardware.motor.on
    board.go(20)
    assert board.events() == [("switch", {"on": False})]
    board.hardware.switch.turn(True)
    board.go(1000)
    assert not board.hardware.motor.on, "the board never starts it by itself"


def ends(board: Board) -> Any:
    return board.events("eye", "job", "lease", "fault", "switch")


def test_a_run_ends_by_its_time(board: Board) -> None:
    assert board.start(ms=500) == {"job": 1}
    assert board.hardware.motor.on
    assert board.ask("state")["eye"] == ["steady", 60, 500]
    assert board.ask("state")["job"] == [1, "run"]
    board.go(600)
    assert not board.hardware.motor.on
    assert ends(board) == [
        ("eye", {"mode": "steady", "why": "host"}),
        ("eye", {"mode": "off", "why": "time"}),
        ("job", {"job": 1, "ok": True, "why": "time"}),
    ]
    assert board.ask("state")["job"] == [1, "ok"]
    assert board.ask("state")["armed"]


@pytest.mark.parametrize(("op", "armed"), [("stop", False), ("disarm", False), ("maint", False), ("reset", False)])
def test_a_run_ends_by(board: Board, op: str, armed: Any) -> None:
    board.start()
    board.go(100)
    assert board.ask(op) == {}
    assert not board.hardware.motor.on
    assert board.deck.guard.armed is armed
    assert ends(board)[1:] == [
        ("eye", {"mode": "off", "why": "host"}),
        ("job", {"job": 1, "ok": True, "why": "host"}),
    ]


def test_off_ends_the_run_and_nothing_else(board: Board) -> None:
    assert board.ask("eye", mode="off") == {"job": 0}
    assert ends(board) == []
    board.start()
    assert board.ask("eye", mode="off") == {"job": 1}
    assert ends(board)[-1] == ("job", {"job": 1, "ok": True, "why": "host"})
    assert board.ask("eye", mode="off") == {"job": 0}
    assert board.deck.guard.armed
    assert board.ask("eye", mode="roam", power=10, ms=10) == {"job": 2}


def test_a_new_run_replaces_the_old_one(board: Board) -> None:
    board.start()
    ends(board)
    assert board.ask("eye", mode="roam", power=70, ms=900) == {"job": 2}
    assert ends(board) == [
        ("job", {"job": 1, "ok": True, "why": "replaced"}),
        ("eye", {"mode": "roam", "why": "replaced"}),
    ]
    assert board.ask("state")["eye"] == ["roam", 70, 900]


def test_the_switch_ends_the_run(board: Board) -> None:
    board.start()
    ends(board)
    board.hardware.switch.turn(False)
    board.go(20)
    assert not board.hardware.motor.on
    assert ends(board) == [
        ("eye", {"mode": "off", "why": "switch"}),
        ("job", {"job": 1, "ok": False, "why": "switch"}),
        ("switch", {"on": False}),
    ]
    assert board.ask("state")["job"] == [1, "switch"]


def test_a_lost_lease_ends_the_run_and_shows(board: Board) -> None:
    board.start()
    ends(board)
    board.go(1600, alive=False)
    assert not board.hardware.motor.on
    (_, eye), (_, job), (_, lease) = ends(board)
    assert eye == {"mode": "off", "why": "lease"}
    assert job == {"job": 1, "ok": False, "why": "lease"}
    assert 1500 < lease["lost"] <= 1550
    assert board.ask("arm") == "lease"
    assert board.ask("eye", mode="roam", power=1, ms=1) == "lease"
    assert board.ask("state")["safe"]
    board.go(400)
    red = (255, 0, 0)
    assert {board.hardware.lights.frame[0], board.hardware.lights.frame[1]} <= {red, (0, 0, 0)}
    board.hello("n")
    assert board.ask("arm") == "lease", "the running nonce changes nothing"
    board.hello("n2")
    assert board.ask("arm") == {}


def test_without_a_run_a_lost_lease_is_told_too(board: Board) -> None:
    board.ask("arm")
    board.go(1600, alive=False)
    assert [kind for kind, _ in ends(board)] == ["lease"]


def test_a_driver_fault_ends_the_run(board: Board) -> None:
    board.start()
    ends(board)
    board.hardware.driver_ok = 0
    board.go(200)
    kinds = ends(board)
    assert kinds[0] == ("eye", {"mode": "off", "why": "fault"})
    assert kinds[1] == ("job", {"job": 1, "ok": False, "why": "fault"})
    assert kinds[2][1]["code"] == "driver"


def sensed(reading: int) -> Board:
    """A board that measures its motor's current."""
    board = Board('{"sense":true}')
    hardware = Hardware(board.clock)
    hardware.turning = Current(lambda: reading, 100, 680)
    board.hardware = hardware
    board.deck = Deck(hardware, Config('{"sense":true}'), board.clock, board, board.decoder)
    board.hello()
    return board


def directions(board: Board, ms: int) -> list[int]:
    """Which ways the motor went in that time."""
    ways: list[int] = []
    for _ in range(ms // 20):
        board.go(20)
        duty = board.hardware.motor.duty if board.hardware.motor.on else 0
        if duty and (not ways or (duty > 0) != (ways[-1] > 0)):
            ways.append(1 if duty > 0 else -1)
    return ways


def test_a_blocked_eye_goes_back_twice_and_gives_up() -> None:
    board = sensed(60000)
    board.start()
    assert directions(board, 3000) == [1, -1, 1]
    assert not board.hardware.motor.on
    assert ends(board)[1:] == [
        ("eye", {"mode": "off", "why": "stall"}),
        ("job", {"job": 1, "ok": False, "why": "stall"}),
        ("fault", {"code": "stall", "m": "the eye is stuck: it does not turn, also not backwards"}),
    ]
    assert board.ask("state")["armed"]
    assert board.deck.guard.stalls == 1
    assert board.ask("eye", mode="roam", power=50, ms=100) == {"job": 2}, "who looked may try again"


def test_who_tries_again_and_again_has_to_wait() -> None:
    board = sensed(60000)
    for _ in range(10):
        if board.start() == "fault":
            break
        board.go(3000)
        assert not board.hardware.motor.on
    assert board.start() == "fault"
    board.go(61000)
    assert board.start() != "fault"


@pytest.mark.parametrize("mode", ["roam", "steady"])
def test_an_eye_that_turns_freely_is_left_alone(mode: str) -> None:
    board = sensed(100)
    board.start(mode)
    board.go(100000)
    assert board.hardware.motor.on or mode == "roam"
    assert board.deck.guard.stalls == 0
    assert board.ask("state")["eye"][0] == mode


def rolls(board: Board, ms: int) -> bool:
    """Roll so long, with all renewals; is it still going on?"""
    for _ in range(ms // 1000):
        if board.ask("state")["eye"][0] == "off":
            return False
        if board.ask("state")["eye"][2] < 30000:
            board.ask("eye", mode="roam", power=60, ms=60000)
        board.go(1000)
    return True


def test_without_a_sensor_a_die_that_never_stirs_tells_that_the_eye_stands() -> None:
    board = Board()
    board.hello()
    board.start()
    assert directions(board, 3 * STILL - 20000) == [1, -1, 1]
    assert board.hardware.motor.on
    assert not rolls(board, 60000)
    assert ("eye", {"mode": "off", "why": "stall"}) in ends(board)
    assert not board.hardware.motor.on


@pytest.mark.parametrize("what", ["stirs", "absent", "bus"])
def test_without_a_sensor_an_eye_is_left_alone(what: str) -> None:
    """Whose die stirs now and then, lies off the window, or cannot be seen."""
    board = Board()
    board.hello()
    if what == "absent":
        board.hardware.sensor.on = board.hardware.sensor.off
    board.hardware.sensor.broken = what == "bus"
    board.start("roam")
    for minute in range(4):  # longer than three times STILL
        if what == "stirs":
            board.hardware.sensor.on = ((1200, 440, 360, 2000), (400, 900, 700, 2000))[minute % 2]
        assert rolls(board, 100000)
    assert board.deck.guard.stalls == 0


def test_a_new_host_finds_the_motor_off(board: Board) -> None:
    board.start()
    board.ask("watch", on=True)
    board.ask("chips", c=["red"])
    board.hello("n2")
    assert not board.hardware.motor.on
    state = board.ask("state")
    assert (state["armed"], state["watch"], state["chips"]) == (False, False, ["red"])
    assert ends(board)[-1] == ("job", {"job": 1, "ok": True, "why": "host"})


def test_one_job_at_a_time(board: Board) -> None:
    board.go(300)
    board.start()
    assert board.ask("sample", k=1) == "busy"
    assert board.ask("selftest") == "busy"
    board.ask("eye", mode="off")
    assert board.ask("sample", k=1) == {"job": 2}
    assert board.ask("eye", mode="roam", power=50, ms=100) == "busy"
    assert not board.hardware.motor.on


def test_samples(board: Board) -> None:
    assert board.ask("sample", k=3) == {"job": 1}, "also right after hello"
    board.go(1000)
    found = board.events("sample", "job")
    sensor = board.hardware.sensor
    assert found == [
        *[("sample", {"i": i, "on": list(sensor.on), "off": list(sensor.off)}) for i in (1, 2, 3)],
        ("job", {"job": 1, "ok": True, "why": None}),
    ]


def test_a_sensor_that_goes_ends_the_samples(board: Board) -> None:
    board.go(500)
    board.ask("watch", on=True)
    board.ask("sample", k=20)
    board.events()
    board.hardware.sensor.broken = True
    board.go(3000)
    assert board.events("job") == [("job", {"job": 1, "ok": False, "why": "bus"})]
    assert [data["code"] for _, data in board.events("fault")] == ["sensor"]
    assert board.ask("state")["die"][:3] == [None, 0, "bus"]
    assert board.ask("sample", k=1) == "sensor"
    board.hardware.sensor.broken = False
    board.go(2000)
    assert board.ask("state")["die"][0] == "red"


def test_what_is_odd_about_the_sensor_is_said(board: Board) -> None:
    sensor = board.hardware.sensor
    sensor.trouble = "the colour sensor is a clone"
    board.go(500)
    assert [message["m"] for kind, message in board.out if kind == "lg"] == [sensor.trouble], "once"
    sensor.trouble = "another chip answers in the colour sensor's place (id 0x00)"
    sensor.broken = True
    board.go(3000)
    assert [data["m"] for _, data in board.events("fault")] == [sensor.trouble]
    assert board.ask("sample", k=1) == "sensor"


def test_a_calibration_that_will_not_do_is_told_after_hello_and_nothing_is_guessed(tmp_path: Path) -> None:
    place = tmp_path / "other.json"
    place.write_text(Path(Board.place).read_text().replace(UID, "f" * 16))
    board = type("Other", (Board,), {"place": str(place)})()
    board.hello()
    board.go(500)
    assert [data["code"] for _, data in board.events("fault")] == ["cal"]
    assert board.ask("state")["cal"] is None
    assert board.ask("die")["why"] == "uncal"
    board.ask("watch", on=True, raw=True)
    board.go(500)
    assert {data["why"] for _, data in board.events("die")} == {"uncal"}


def test_samples_are_exposed_as_asked_and_judging_goes_on_as_calibrated(board: Board) -> None:
    board.go(500)
    assert board.ask("sample", k=1, cycles=42, gain=60) == {"job": 1}
    assert board.hardware.sensor.exposure == (42, 60)
    board.go(1000)
    assert board.events("job") == [("job", {"job": 1, "ok": True, "why": None})]
    assert board.hardware.sensor.exposure == (21, 4)
    assert board.ask("die")["face"] == "red"
    for args in ({"cycles": 0}, {"cycles": 65}, {"gain": 5}, {"gain": True}, {"gain": None}):
        assert board.ask("sample", k=1, **args) == "bad_arg"


def test_samples_that_never_come_end_too(board: Board) -> None:
    board.ask("sample", k=2)
    board.ask("maint")
    board.go(3000)
    assert board.events("job") == [("job", {"job": 1, "ok": False, "why": "time"})]


def test_watching_tells_changes(board: Board) -> None:
    board.go(500)
    board.ask("watch", on=True)
    board.events()
    board.go(1000)
    assert [data["face"] for _, data in board.events("die")] == ["red"]
    board.hardware.sensor.on = (370, 680, 950, 2000)
    board.go(1000)
    assert [data["face"] for _, data in board.events("die")] == ["blue"]
    board.ask("watch", on=True, raw=True)
    board.go(1000)
    found = board.events("die")
    assert len(found) >= 6
    assert all(data["raw"] == [368, 678, 948, 1994] for _, data in found)
    board.ask("watch", on=False)
    board.go(1000)
    assert board.events("die") == []


def test_chips(board: Board) -> None:
    assert board.ask("chips", c=["red", "green"]) == {"shown": 2}
    board.go(200)
    assert board.hardware.lights.frame[:3] == [(255, 0, 0), (0, 255, 0), (0, 0, 0)]
    assert board.ask("chips", c=["red"] * 7, fx="win") == {"shown": 6}
    state = board.ask("state")
    assert state["chips"] == ["red"] * 7
    assert state["fx"] == "win"
    assert board.ask("chips", c=[]) == {"shown": 0}


def test_the_largest_state_fits_a_frame(board: Board) -> None:
    board.ask("chips", c=["magenta"] * 21, fx="steady")
    board.deck._events.count = board.deck._jobs.number = 2**31 - 3
    board.deck._jobs.state = "replaced"
    board.deck._sight._judged = (None, 100, "off_palette")
    board.deck._sight.seen_at = board.clock.ticks_add(board.clock.ticks_ms(), -(1 << 28))
    board.start(mode="steady", power=100)
    state = board.ask("state")
    assert state["chips"] == ["magenta"] * 7


def test_maintenance(board: Board) -> None:
    board.go(300)
    assert board.ask("maint") == {}
    board.go(300)
    lights = [any(rgb) for rgb in board.hardware.lights.frame]
    assert lights == [False, False, True, True, False, False]
    assert not board.hardware.sensor.lit
    board.hardware.sensor.log.clear()
    board.go(1000)
    assert board.hardware.sensor.log == []
    board.hello("n2")
    board.go(500)
    assert board.hardware.sensor.log


def test_reset_answers_first(board: Board) -> None:
    assert board.ask("reset") == {}
    assert board.hardware.resets == 0
    board.go(100)
    assert board.hardware.resets >= 1


def test_a_broken_board_json_is_told_after_hello() -> None:
    board = Board('{"cap":7}')
    assert board.hello()["board"] == "rp2-pico"
    board.go(100)
    ((kind, data),) = board.events()
    assert (kind, data["code"]) == ("fault", "config")
    assert '"cap"' in data["m"]
    assert board.ask("arm") == "fault"
    assert board.ask("eye", mode="roam", power=50, ms=100) == "fault"
    assert not board.hardware.motor.on
    assert board.ask("die").keys() == {"face", "conf", "why", "raw", "age"}


def selftest(board: Board, **args: Any) -> Any:
    assert "job" in board.ask("selftest", **args)
    for _ in range(400):
        board.go(10)
        if not board.deck._jobs.running:
            break
    return {data["name"]: data for _, data in board.events("test")}, board.events("job")


def test_selftest(board: Board) -> None:
    board.ask("arm")
    tests, jobs = selftest(board, motor=True)
    assert set(tests) == {"config", "sensor", "dark", "light", "driver", "switch", "motor"}
    assert all(test["ok"] is True for test in tests.values())
    assert all(test.keys() == {"name", "ok", "value", "limit"} for test in tests.values())
    assert jobs == [("job", {"job": 1, "ok": True, "why": None})]
    assert not board.hardware.motor.on


def test_selftest_finds_what_is_wrong() -> None:
    board = Board('{"cap":7}')
    board.hello()
    board.hardware.sensor.broken = True
    board.hardware.driver_ok = 0
    board.go(1000)
    tests, jobs = selftest(board)
    assert {name for name, test in tests.items() if not test["ok"]} == {"config", "sensor", "dark", "light", "driver"}
    assert jobs == [("job", {"job": 1, "ok": False, "why": "failed"})]


@pytest.mark.parametrize(
    ("reading", "seen"),
    [(500, (True, 61)), (0, (False, 0)), (60000, (False, 7405))],  # of 16 bits, at 60 % duty behind 680 milliohm
    ids=["free", "not connected", "blocked"],
)
def test_selftest_tells_the_motors_current(reading: int, seen: tuple[bool, int]) -> None:
    board = sensed(reading)
    board.ask("arm")
    tests, jobs = selftest(board, motor=True)
    assert tests["motor"]["ok"]
    assert tests["current"] == {"name": "current", "ok": seen[0], "value": seen[1], "limit": 740}
    assert jobs[0][1]["ok"] is seen[0]


def test_a_selftest_of_a_blocked_motor_leaves_the_next_run_its_two_ways_back() -> None:
    board = sensed(60000)
    board.ask("arm")
    selftest(board, motor=True)
    board.go(200)
    board.start()
    assert directions(board, 3000) == [1, -1, 1]


@pytest.mark.parametrize("half", [250, None], ids=["turns", "stands"])
def test_selftest_tells_the_half_turns_that_the_index_saw(half: int | None) -> None:
    board = Board()
    board.hardware.turning = Index(lambda: board.clock.ms // half % 2 if half else 1, 200)
    board.deck = Deck(board.hardware, Config(), board.clock, board, board.decoder)
    board.hello(lease=5000)
    board.ask("arm")
    tests, jobs = selftest(board, motor=True)
    assert tests["motor"] == {"name": "motor", "ok": True, "value": 1450, "limit": 1450}
    assert tests["index"]["limit"] == 1
    assert tests["index"]["ok"] is jobs[0][1]["ok"] is (half is not None)
    assert tests["index"]["value"] in ((5, 6) if half else (0,))


def test_selftest_with_the_motor_needs_what_the_eye_needs(board: Board) -> None:
    assert board.ask("selftest", motor=True) == "not_armed"
    board.ask("arm")
    board.hardware.switch.on = False
    assert board.ask("selftest", motor=True) == "switch"


def test_the_switch_ends_the_motors_turn_in_a_selftest(board: Board) -> None:
    board.ask("arm")
    assert "job" in board.ask("selftest", motor=True)
    while not board.hardware.motor.on:
        board.go(10)
    board.hardware.switch.turn(on=False)
    board.go(20)
    assert not board.hardware.motor.on
    board.go(20)
    (motor,) = [data for _, data in board.events("test") if data["name"] == "motor"]
    assert not motor["ok"]
    assert motor["value"] < motor["limit"]


def test_trouble_stops_the_motor(board: Board) -> None:
    board.start()
    board.deck.trouble(ValueError("ouch"))
    assert not board.hardware.motor.on
    assert board.out[-1][1] == {"lg": "e", "m": "ValueError: ouch"}


def test_typed_lines_change_nothing_but_stop(board: Board) -> None:
    board.start()
    board.events()
    board.deck.line(b'{"op":"state"}')
    board.deck.line(b'{"op":"hello"}')
    board.deck.line(b'{"op":"disarm"}')
    board.deck.line(b"ATE1")
    assert [kind for kind, _ in board.out] == ["typed"] * 3
    assert board.hardware.motor.on
    board.go(1400, alive=False)
    board.deck.line(b'{"op":"state"}')
    board.go(200, alive=False)
    assert not board.hardware.motor.on, "a typed line does not renew the lease"


STEPS = st.sampled_from(
    [
        ("arm", {}),
        ("eye", {"mode": "roam", "power": 80, "ms": 700}),
        ("eye", {"mode": "steady", "power": 40, "ms": 100}),
        ("eye", {"mode": "off"}),
        ("stop", {}),
        ("disarm", {}),
        ("sample", {"k": 2}),
        ("watch", {"on": True}),
        ("maint", {}),
        ("hello", {"proto": [1, 0], "nonce": "a"}),
        ("hello", {"proto": [1, 0], "nonce": "b"}),
        ("die", {}),
        ("wait", {"ms": 60}),
        ("wait", {"ms": 800}),
        ("wait", {"ms": 2000}),
        ("switch", {"on": False}),
        ("switch", {"on": True}),
        ("broken", {}),
    ]
)


@settings(max_examples=40)
@given(st.lists(STEPS, max_size=30))
def test_every_job_ends_in_exactly_one_event(steps: Any) -> None:
    board = Board()
    board.hello("0")
    jobs = []
    for op, args in steps:
        if op == "wait":
            board.go(args["ms"], alive=False)
        elif op == "switch":
            board.hardware.switch.turn(args["on"])
        elif op == "broken":
            board.hardware.sensor.broken = not board.hardware.sensor.broken
        else:
            reply = board.ask(op, **args)
            if "job" in reply and args.get("mode") != "off":
                jobs.append(reply["job"])
            state = board.ask("state")
            assert board.hardware.motor.on <= state["armed"]
            assert (state["job"][1] == "run") == (state["job"][0] not in [0, *ended(board)])
    board.ask("stop")
    board.go(2500)
    assert Counter(ended(board)) == Counter(jobs)
    numbers = [message["n"] for _, message in board.out if "ev" in message]
    assert numbers == list(range(1, len(numbers) + 1))


def ended(board: Board) -> Any:
    """The jobs that have ended, by their events."""
    return [message["d"]["job"] for kind, message in board.out if kind == "job"]


@pytest.mark.parametrize(("reason", "why"), [("time", "time"), ("lease", "lease")])
def test_the_event_loop_watches_the_limits_too(board: Board, reason: str, why: str) -> None:
    """Should the interrupt ever be gone."""
    board.deck.guard.begin(500)
    board.start(ms=300 if reason == "time" else 60000)
    board.events()
    for _ in range(60):
        board.clock.ms += 10
        if board.clock.ms % 20 == 0:
            board.deck.step(board.clock.ticks_ms())
    assert not board.hardware.motor.on
    assert ("eye", {"mode": "off", "why": why}) in board.events("eye")


def test_a_fault_of_the_guard_is_told(board: Board) -> None:
    board.start()
    board.deck.guard.broken()
    board.go(100, alive=False)
    assert board.events("eye")[-1][1] == {"mode": "off", "why": "fault"}
    assert board.events("fault")[-1][1]["code"] == "guard"
    assert board.ask("arm") == "fault"


def test_a_selftest_that_breaks_ends_its_job(board: Board) -> None:
    def broken() -> int:
        raise OSError(5)

    board.hardware.fault = broken  # type: ignore[method-assign]
    board.ask("selftest")
    board.go(2000)
    ended = board.events("job")
    assert [data["why"] for _, data in ended] == ["fault"]
