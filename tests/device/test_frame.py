import json
import zlib
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eyedeck.link import frame

STATE = b'#020{"id":17,"op":"state"}*af6b56d5\n'

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.none() | st.booleans() | st.integers(-(2**31) + 1, 2**31 - 1) | texts
values = st.recursive(scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(texts, v, max_size=3), max_leaves=6)
objects = st.dictionaries(texts, values, max_size=4).filter(lambda o: len(frame.dumps(o)) <= 460)


def cut(data: bytes, places: Any) -> Any:
    """The pieces of data between these places."""
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


def decode(*pieces: Any) -> Any:
    decoder = frame.Decoder(frame.REPLY)
    items = [item for piece in pieces for item in decoder.feed(piece)]
    return items, decoder


def messages(items: Any) -> Any:
    return [value for kind, value in items if kind == frame.MESSAGE]


def test_the_example_of_the_protocol() -> None:
    assert frame.encode({"id": 17, "op": "state"}, frame.REQUEST) == STATE
    assert messages(decode(STATE)[0]) == [{"id": 17, "op": "state"}]


@given(objects)
def test_a_frame_is_printable_has_one_hash_and_comes_back(obj: Any) -> None:
    data = frame.encode(obj, frame.REPLY)
    assert all(32 <= c < 127 for c in data[:-1])
    assert data.count(b"#") == 1
    assert int(data[1:4], 16) == len(data) - 4
    assert int(data[-9:-1], 16) == zlib.crc32(data[4:-10])
    assert json.loads(data[4:-10]) == obj
    items, decoder = decode(data)
    assert items == [(frame.MESSAGE, obj)]
    assert (decoder.crc, decoder.bad, decoder.need) == (0, 0, 0)


def test_the_longest_frame() -> None:
    fits = {"m": "x" * (frame.REQUEST - 14 - 8)}
    assert len(frame.encode(fits, frame.REQUEST)) == frame.REQUEST
    with pytest.raises(ValueError, match="too long"):
        frame.encode({"m": fits["m"] + "x"}, frame.REQUEST)
    longer = frame.encode({"m": fits["m"] + "x"}, frame.REPLY)
    board = frame.Decoder(frame.REQUEST)
    assert board.feed(longer + STATE) == [(frame.MESSAGE, {"id": 17, "op": "state"})]
    assert board.bad == 1


console = st.text("abc {}*\r\n\t", max_size=30).map(str.encode)
stream = st.lists(objects.map(lambda o: frame.encode(o, frame.REPLY)) | console | st.binary(max_size=20), max_size=6)


@given(stream, st.lists(st.integers(0, 2000), max_size=6))
def test_it_does_not_matter_in_what_pieces_the_bytes_come(parts: Any, places: Any) -> None:
    data = b"".join(parts)
    whole, one = decode(data)
    pieces, two = decode(*cut(data, places))
    single, three = decode(*[data[i : i + 1] for i in range(len(data))])
    assert whole == pieces == single
    assert one.partial == two.partial == three.partial
    assert (one.crc, one.bad, one.need) == (two.crc, two.bad, two.need) == (three.crc, three.bad, three.need)


@st.composite
def damaged(draw: Any) -> Any:
    """A frame, and the same with one kind of damage."""
    obj = draw(objects)
    data = frame.encode(obj, frame.REPLY)
    at = draw(st.integers(0, len(data) - 1))
    other = draw(st.binary(min_size=1, max_size=8))
    kind = draw(st.sampled_from(["flip", "put", "drop", "cut", "head", "text", "twice"]))
    broken = {
        "flip": data[:at] + bytes([data[at] ^ draw(st.integers(1, 255))]) + data[at + 1 :],
        "put": data[:at] + other + data[at:],
        "drop": data[:at] + data[at + 1 :],
        "cut": data[:at],
        "head": data[at:],
        "text": data[:at] + b"Traceback:\n" + data[at:],
        "twice": data[:at] + data,
    }
    return obj, broken[kind]


@given(damaged(), st.booleans())
@example(({"a": 1}, b"#011{"), False)
def test_damage_never_makes_another_message_and_costs_no_other_frame(case: Any, with_end: Any) -> None:
    obj, broken = case
    items, _ = decode(broken + b"\n" * with_end + STATE)
    got = messages(items)
    assert got[-1:] == [{"id": 17, "op": "state"}]
    assert got[:-1] in ([], [obj])


@given(st.binary(max_size=300))
def test_noise_never_stops_the_decoder(noise: Any) -> None:
    decoder = frame.Decoder(frame.REQUEST)
    decoder.feed(noise)
    assert 0 <= decoder.need <= frame.REQUEST
    assert messages(decoder.feed(b"\n" * 480 + STATE)) == [{"id": 17, "op": "state"}]


@pytest.mark.parametrize(
    ("data", "crc", "bad"),
    [
        (STATE.replace(b"17", b"18"), 1, 0),
        (STATE.replace(b"*", b"+"), 0, 1),
        (STATE.replace(b"#020", b"#01f"), 0, 1),
        (STATE.replace(b"#020", b"#021") + b"\n", 0, 1),
        (STATE.replace(b"#020", b"#00b"), 0, 1),
        (STATE.replace(b"#020", b"#1dd"), 0, 1),
        (STATE.replace(b"#020", b"#02A"), 0, 1),
        *[(STATE.replace(b"#020", head), 0, 1) for head in (b"#+20", b"# 20", b"#20 ", b"#2_0", b"#0x2", b"#0X2")],
        (STATE.replace(b"\n", b"\r"), 0, 1),
        (b"#", 0, 0),
        (b"##\n", 0, 2),
    ],
)
def test_what_is_counted(data: bytes, crc: Any, bad: Any) -> None:
    items, decoder = decode(data)
    assert messages(items) == []
    assert (decoder.crc, decoder.bad) == (crc, bad)


@pytest.mark.parametrize("text", [b"[1,2,3]", b"{} {}", b'{"a":1]]', b"{1:2}", b"nothing"])
def test_a_right_checksum_does_not_make_an_object(text: Any) -> None:
    data = b"#%03x%s*%08x\n" % (len(text) + 10, text, zlib.crc32(text))
    items, decoder = decode(data)
    assert (items, decoder.bad) == ([], 1)


def test_console_text_comes_by_lines() -> None:
    items, decoder = decode(b"MicroPython\r\n\r\nhalf " + STATE + b"rest\n>>> ")
    assert items == [
        (frame.LINE, b"MicroPython"),
        (frame.TEXT, b"half "),
        (frame.MESSAGE, {"id": 17, "op": "state"}),
        (frame.LINE, b"rest"),
    ]
    assert decoder.partial == b">>> "
    assert decode(b"#02")[1].partial == b""


def test_a_line_without_end_comes_in_pieces_and_no_piece_counts_as_a_line() -> None:
    decoder = frame.Decoder(frame.REQUEST)
    items = decoder.feed(b"x" * 239 + b'{"op":"stop"}\nok\n')
    assert [kind for kind, _ in items] == [frame.TEXT, frame.TEXT, frame.LINE]
    assert b"".join(value for _, value in items) == b"x" * 239 + b'{"op":"stop"}ok'
