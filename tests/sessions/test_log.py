"""The format of the log: what is written is read back, a crash costs nothing shown, any other damage is found."""

import json
import random
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from eyecaptain.errors import BrokenSession
from eyecaptain.games.base import action_to_json
from eyecaptain.sessions import log
from eyecaptain.sessions.replay import replay
from eyecaptain.sessions.writer import TORN, Writer
from random_play import KINDS, new_game, play

HEADER = {"type": "session", "format": 1, "id": "20261130-181502-k3f9", "game": "solo", "players": ["Ada", "Ben"]}


def written(name: str = "solo", seed: int = 1) -> tuple[bytes, list[dict[str, object]]]:
    """The bytes of a signed session of random play, and its actions."""
    rng = random.Random(seed)
    game = new_game(name, rng)
    header = log.dump(HEADER | {"game": name, "players": list(game.players), "options": game.options})
    data, link = header + b"\n", log.first_hash(header)
    actions = [action_to_json(action) for action in play(game, rng)]
    for seq, action in enumerate(actions, start=1):
        line, link = log.sign(link, seq, seq / 8, action)
        data += line
    return data, actions


def in_folder(folder: Path, data: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / log.FILE_NAME).write_bytes(data)
    return folder


@pytest.mark.parametrize("name", KINDS)
def test_what_is_written_is_read_back(name: str) -> None:
    data, actions = written(name)
    session = log.read(data)
    assert [entry.data for entry in session.entries] == actions
    assert (session.signed, session.torn, session.size, session.lines) == (True, b"", len(data), len(actions) + 1)
    assert replay(session).game.over


def test_the_hash_chain_is_the_documented_one() -> None:
    data, _ = written()
    lines = data.split(b"\n")
    link = sha256(lines[0]).hexdigest()[:16]
    for line in lines[1:-1]:
        body = line[: line.rindex(b',"hash":')]
        link = sha256(link.encode() + body).hexdigest()[:16]
        assert line == body + b',"hash":"' + link.encode() + b'"}'
    assert log.read(data).hash == link


def test_a_header_alone_can_be_resumed(tmp_path: Path) -> None:
    Writer.create(tmp_path / "s", HEADER).close()
    writer, session = Writer.reopen(tmp_path / "s")
    assert (session.entries, writer.seq) == ([], 0)
    writer.append(0.5, {"type": "pause"})
    writer.close()
    assert log.read((tmp_path / "s" / log.FILE_NAME).read_bytes()).entries[0].data == {"type": "pause"}


def test_every_byte_of_every_line_may_be_the_last() -> None:
    """A process that dies while it writes a line has shown nothing of it; everything before is there."""
    data, actions = written()
    lines = data.splitlines(keepends=True)
    at = len(lines[0])
    for number, line in enumerate(lines[1:]):
        for cut in range(len(line)):
            session = log.read(data[: at + cut])
            assert len(session.entries) == number
            assert session.torn == line[:cut]
        at += len(line)
    assert number == len(actions) - 1


@pytest.mark.parametrize(
    "tail",
    [b'{"seq":3,"t"', b"\0\0\0\0", b"\0\0\n", b'{"seq":3\n', b"\xc3", b'{"type":"pause","hash":"0123456789abcdef"}'],
    ids=["half an object", "NULs", "NULs and LF", "half an object and LF", "half a character", "no LF"],
)
def test_a_torn_tail_is_set_aside_on_resume_and_the_chain_goes_on(tail: bytes, tmp_path: Path) -> None:
    data, actions = written()
    folder = in_folder(tmp_path / "s", data + tail)
    writer, session = Writer.reopen(folder)
    assert (session.torn, len(session.entries)) == (tail, len(actions))
    writer.append(1e6, {"type": "note", "text": "on"})
    writer.close()
    assert (folder / TORN).read_bytes() == tail
    again = log.read((folder / log.FILE_NAME).read_bytes())
    assert (again.torn, again.entries[-1].data) == (b"", {"type": "note", "text": "on"})


@given(st.data())
def test_any_changed_byte_before_the_last_line_is_found(data: st.DataObject) -> None:
    whole, _ = written()
    end = whole[:-1].rindex(b"\n")
    at = data.draw(st.integers(0, end))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[at]))
    changed = whole[:at] + bytes([byte]) + whole[at + 1 :]
    with pytest.raises(BrokenSession, match=r"line \d+"):
        log.read(changed)


@pytest.mark.parametrize("change", ["missing", "moved", "twice"])
def test_lines_missing_moved_or_twice_are_found_by_their_number(change: str) -> None:
    lines = written()[0].splitlines(keepends=True)
    match change:
        case "missing":
            del lines[5]
        case "moved":
            lines[5], lines[6] = lines[6], lines[5]
        case "twice":
            lines.insert(5, lines[4])
    with pytest.raises(BrokenSession, match="line 6"):
        log.read(b"".join(lines))


def by_hand(*actions: dict[str, object], end: str = "\n") -> bytes:
    header = {"type": "session", "format": 1, "game": "team", "players": ["Ada", "Ben"]}
    return ("\n".join(json.dumps(line) for line in [header, *actions]) + end).encode()


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_file_by_hand_needs_no_seq_t_hash_or_last_lf(end: str) -> None:
    session = log.read(by_hand({"type": "die", "face": "red"}, {"type": "undo", "of": 2}, end=end))
    assert not session.signed
    assert [(entry.line, entry.key, entry.t) for entry in session.entries] == [(2, 2, None), (3, 3, None)]


def test_a_file_by_hand_names_an_undone_action_by_its_line() -> None:
    lift = {"type": "lift", "seat": 0, "color": "red", "sought": "red"}
    session = log.read(by_hand({"type": "die", "face": "red"}, lift, {"type": "undo", "of": 3}))
    assert replay(session).game.summary()["team"] == 0


def test_a_file_by_hand_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(BrokenSession, match="by hand"):
        Writer.reopen(in_folder(tmp_path / "s", by_hand({"type": "pause"})))


def test_some_hashes_are_damage() -> None:
    data, _ = written()
    with pytest.raises(BrokenSession, match="every action has a hash or none"):
        log.read(data + b'{"type":"pause"}')


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\n", "line 1"),
        (b"hello\n", "line 1"),
        (b"\x89PNG\r\n\x1a\n", "line 1"),
        (b'{"type":"event"}\n', "line 1"),
        (b'{"type":"session"}\n', "format"),
        (b'{"type":"session","format":2,"game":"team","players":["A","B"]}\n', "newer"),
        (b'{"type":"session","format":1,"players":["A","B"]}\n', "game"),
        (b'{"type":"session","format":1,"game":"team","players":"AB"}\n', "players"),
        (b'{"type":"session","format":1,"game":"team","players":["A","B"],"deck":"paper"}\n', "deck"),
        (b'{"type":"session","format":1,"game":"team","players":["A","B"],"bots":["x"]}\n', "bots"),
        (b'{"type":"session","format":1,"game":"team","players":["A","B"],"options":3}\n', "options"),
        (b"[" * 100_000 + b"\n", "line 1"),
    ],
)
def test_what_is_no_session_says_so(data: bytes, says: str) -> None:
    with pytest.raises(BrokenSession, match=says):
        log.read(data)


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ({"seq": 2, "type": "pause"}, '"seq" must be 1'),
        ({"t": -1, "type": "pause"}, "never fall"),
        ({"t": "now", "type": "pause"}, "never fall"),
    ],
)
def test_seq_and_t_are_checked_when_they_are_there(action: dict[str, object], says: str) -> None:
    with pytest.raises(BrokenSession, match=says):
        log.read(by_hand(action))


def test_the_schema_describes_every_line_that_is_written() -> None:
    schema = json.loads(Path(log.__file__).with_name("session-1.schema.json").read_text(encoding="utf-8"))
    validator = Draft202012Validator(schema)
    for name in KINDS:
        for seed in range(5):
            for line in written(name, seed)[0].splitlines():
                validator.validate(json.loads(line))
    for path in (Path(__file__).parent / "examples").glob("*.jsonl"):
        if b'"geier"' in (mailed := path.read_bytes()):
            for line in mailed.splitlines():
                validator.validate(json.loads(line))


@pytest.mark.parametrize(
    "line",
    [
        {"type": "dance"},
        {"type": "lift", "seat": 4, "color": "red"},
        {"type": "lift", "seat": 0},
        {"type": "die", "face": "pink"},
        {"type": "session", "format": 2, "game": "team", "players": ["A", "B"]},
        {"type": "session", "format": 1, "game": "team"},
        {"type": "deal", "cards": [1] * 16},
        {"type": "order", "player": -1, "round": 1},
        {"type": "mail", "dir": "out", "id": "x", "what": "x", "state": "lost"},
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(line: dict[str, object]) -> None:
    schema = json.loads(Path(log.__file__).with_name("session-1.schema.json").read_text(encoding="utf-8"))
    assert not Draft202012Validator(schema).is_valid(line)


def test_every_released_format_is_read_for_ever() -> None:
    """One file of each; a later format adds a file and a migration, and never changes an old one."""
    path = Path(__file__).parent / "formats" / "1.jsonl"
    session = log.read(path.read_bytes())
    assert (session.signed, session.lines, session.hash) == (True, 66, "a9f34003ba93ec75")
    assert replay(session).game.summary() == {
        "game": "captain",
        "status": "over",
        "round": 2,
        "chips": {"Bot 1": 2, "Bot 2": 0},
        "collected": {"Bot 1": 2, "Bot 2": 4},
        "deck": 6,
        "turn": None,
        "winners": ["Bot 1"],
    }
