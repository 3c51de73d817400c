"""Which boards are attached, and that nobody guesses between two."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from eyecaptain.errors import NoBoard
from eyecaptain.link import ports
from eyecaptain.link.ports import Port

USB = Port("/dev/ttyACM0", "e660", "usb", "Board in FS mode")
SIM = Port("/dev/pts/7", "51m", "sim", "simulated board")
OWNED = Port("/dev/pts/8", "5ee", "sim", "simulated board", owned=True)

Attach = Callable[..., None]


@pytest.fixture
def attach(monkeypatch: pytest.MonkeyPatch) -> Attach:
    def those(*found: Port) -> None:
        monkeypatch.setattr(ports, "boards", lambda: list(found))

    return those


def test_of_the_usb_ports_only_micropython_on_a_pico_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    from serial.tools import list_ports

    def port(device: str, vid: int | None, pid: int | None, serial: str | None, product: str | None) -> SimpleNamespace:
        return SimpleNamespace(device=device, vid=vid, pid=pid, serial_number=serial, product=product)

    found = [
        port("/dev/ttyS0", None, None, None, None),
        port("/dev/ttyACM1", 0x2E8A, 0x000A, "e661", "Pico SDK"),
        port("/dev/ttyUSB0", 0x1A86, 0x7523, None, "USB Serial"),
        port("/dev/ttyACM2", 0x2E8A, 0x0005, "e662", "Board in FS mode"),
        port("/dev/ttyACM3", 0x2E8A, 0x0005, None, None),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: iter(sorted(found, key=lambda info: info.device)))
    monkeypatch.setattr(ports, "sorted", lambda infos, **_: list(infos), raising=False)
    assert [(one.port, one.serial) for one in ports._usb()] == [("/dev/ttyACM2", "e662"), ("/dev/ttyACM3", "")]


def test_the_only_one_is_taken(attach: Attach) -> None:
    attach(USB)
    assert ports.choose() == USB


def test_none(attach: Attach) -> None:
    attach()
    with pytest.raises(NoBoard, match="No board") as caught:
        ports.choose()
    assert caught.value.exit_code == 3
    assert "captain emulate" in caught.value.hint


def test_between_two_nobody_guesses(attach: Attach) -> None:
    attach(USB, SIM)
    with pytest.raises(NoBoard, match="2 boards") as caught:
        ports.choose()
    assert USB.port in caught.value.message
    assert SIM.port in caught.value.message
    assert "--board" in caught.value.hint


@pytest.mark.parametrize("name", [SIM.port, SIM.serial])
def test_one_is_named_by_port_or_number(name: str, attach: Attach) -> None:
    attach(USB, SIM)
    assert ports.choose(name) == SIM


def test_a_board_of_a_running_game_is_not_taken_unless_it_is_named(attach: Attach) -> None:
    attach(OWNED)
    with pytest.raises(NoBoard):
        ports.choose()
    attach(USB, OWNED)
    assert ports.choose() == USB
    assert ports.choose(OWNED.port) == OWNED


def test_a_name_that_is_not_listed_is_believed(attach: Attach) -> None:
    attach(USB)
    assert ports.choose("socket://localhost:4000").port == "socket://localhost:4000"


def test_a_board_is_found_under_its_new_name(attach: Attach) -> None:
    attach(Port("/dev/ttyACM9", "e660", "usb", "Board in FS mode"))
    found = ports.find("e660")
    assert found is not None
    assert found.port == "/dev/ttyACM9"
    assert ports.find("other") is None


def test_the_board_named_between_two_is_remembered_by_its_number(attach: Attach) -> None:
    attach(USB, SIM)
    ports.choose(SIM.port)
    moved = Port("/dev/pts/19", SIM.serial, "sim", "simulated board")
    attach(USB, moved)
    assert ports.choose() == moved
    third = Port("/dev/ttyACM1", "e661", "usb", "Board in FS mode")
    attach(USB, third)
    with pytest.raises(NoBoard, match="2 boards"):
        ports.choose()
    attach(USB)
    assert ports.choose() == USB, "the only one is no question"


def test_the_board_picked_between_two_is_remembered(attach: Attach) -> None:
    attach(USB, SIM)
    asked: list[list[Port]] = []

    def pick(found: list[Port]) -> Port:
        asked.append(found)
        return found[1]

    assert ports.choose(pick=pick) == SIM
    assert ports.choose(pick=pick) == SIM
    assert asked == [[USB, SIM]], "asked once"


def test_nothing_is_remembered_of_the_only_board_or_of_a_game_of_its_own(attach: Attach) -> None:
    attach(USB)
    ports.choose(USB.port)
    attach(USB, OWNED)
    ports.choose(OWNED.port)
    attach(USB, SIM)
    with pytest.raises(NoBoard, match="2 boards"):
        ports.choose()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"e66"])
def test_a_memory_that_is_no_use_is_done_without(content: bytes, attach: Attach) -> None:
    ports._file().parent.mkdir(parents=True, exist_ok=True)
    ports._file().write_bytes(content)
    attach(USB, SIM)
    with pytest.raises(NoBoard, match="2 boards"):
        ports.choose()


def test_a_disk_that_takes_nothing_keeps_nobody_from_playing(attach: Attach, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/proc/nothing")
    attach(USB, SIM)
    assert ports.choose(SIM.serial) == SIM
