import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyedeck.link import frame
from eyedeck.link.session import Refused, Session


class Deck:
    """Operations that count."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.leases: list[Any] = []
        self.renewed = 0
        self.troubles: list[Exception] = []
        ops = {name: self.op(name) for name in ("eye", "stop", "state", "stats", "die", "hb", "maint", "reset")}
        ops["busy"] = self.refuse
        ops["long"] = lambda _: {"m": "x" * 500}
        self.session = Session(ops, lambda: {"fw": "1"}, self.leases.append, self.renew, self.troubles.append)

    def op(self, name: str) -> Any:
        def run(args: Any) -> Any:
            self.done.append((name, args))
            return {"count": len(self.done)}

        return run

    def refuse(self, _: Any) -> None:
        raise Refused("busy", "not now")

    def renew(self) -> None:
        self.renewed += 1

    def take(self, op: str, ident: int = 1, **args: Any) -> Any:
        return self.frame({"id": ident, "op": op, "a": args})

    def frame(self, msg: Any) -> Any:
        reply = self.session.take(msg)
        if reply is None:
            return None
        ((kind, value),) = frame.Decoder(frame.REPLY).feed(reply)
        assert kind == frame.MESSAGE
        return value

    def hello(self, nonce: str = "n", ident: int = 1, proto: Any = (1, 0), **more: Any) -> Any:
        return self.take("hello", ident, proto=list(proto), nonce=nonce, **more)


@pytest.fixture
def deck() -> Any:
    deck = Deck()
    deck.hello()
    return deck


def test_before_hello_only_what_starts_nothing() -> None:
    deck = Deck()
    for op in ("stop", "state", "stats", "die", "maint"):
        assert "ok" in deck.take(op)
    for op in ("eye", "hb", "busy", "reset"):
        assert deck.take(op)["er"][0] == "lease"
    assert deck.take("fly")["er"][0] == "bad_op"


def test_hello_begins_a_link_session_once() -> None:
    deck = Deck()
    assert deck.hello("a", lease=900) == {"re": 1, "ok": {"nonce": "a", "proto": [1, 0], "fw": "1"}}
    assert deck.leases == [900]
    deck.take("eye", 7)
    assert deck.hello("a", ident=2, lease=2000)["ok"]["nonce"] == "a"
    assert deck.leases == [900]
    assert deck.take("eye", 7)["ok"] == {"count": 1}, "the same session still knows its ids"
    assert deck.hello("b")["ok"]["nonce"] == "b"
    assert deck.leases == [900, None]
    assert deck.take("eye", 7)["ok"] == {"count": 2}, "a new session forgets them"
    assert deck.hello("a")["er"] == ["bad_arg", "an older nonce"]
    assert deck.session.nonce == "b"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({}, "bad_arg"),
        ({"proto": [1]}, "bad_arg"),
        ({"proto": ["1", 0]}, "bad_arg"),
        ({"proto": [True, 0]}, "bad_arg"),
        ({"proto": [2, 0]}, "version"),
        ({"proto": [0, 9]}, "version"),
        ({"nonce": ""}, "bad_arg"),
        ({"nonce": "123456789"}, "bad_arg"),
        ({"nonce": 7}, "bad_arg"),
        ({"lease": "long"}, "bad_arg"),
        ({"lease": -1}, "bad_arg"),
        ({"lease": 1.5}, "bad_arg"),
    ],
)
def test_a_hello_that_is_refused_changes_nothing(args: Any, code: Any) -> None:
    deck = Deck()
    reply = deck.take("hello", proto=[1, 0], **args) if "proto" not in args else deck.take("hello", **args)
    assert reply["er"][0] == code
    assert deck.session.nonce is None
    assert deck.leases == []


def test_the_lower_minor_version_counts() -> None:
    assert Deck().hello(proto=(1, 7))["ok"]["proto"] == [1, 0]


def test_versions_name_the_way_out() -> None:
    assert "captain flash" in Deck().hello(proto=(2, 0))["er"][1]


@pytest.mark.parametrize("ident", [None, 0, -1, 65536, "1", 1.0, True])
def test_without_an_id_there_is_nothing_to_answer(deck: Deck, ident: Any) -> None:
    assert deck.frame({"id": ident, "op": "eye"}) is None
    assert deck.frame({"op": "eye"}) is None
    assert deck.done == []


def test_an_operation_may_write_its_json_itself(deck: Deck) -> None:
    deck.session._ops["hb"] = lambda _: b'{"now":5}'
    deck.session._ops["state"] = lambda _: b'{"m":"%s"}' % (b"x" * 500)
    assert deck.take("hb", 2) == {"re": 2, "ok": {"now": 5}}
    assert deck.take("hb", 2) == {"re": 2, "ok": {"now": 5}}
    assert deck.take("state", 3)["er"][0] == "fault", "it is as long as any"


def test_bad_requests(deck: Deck) -> None:
    assert deck.frame({"id": 2, "op": 5})["er"][0] == "bad_op"
    assert deck.frame({"id": 3})["er"][0] == "bad_op"
    assert deck.frame({"id": 4, "op": ["eye"]})["er"][0] == "bad_op"
    assert deck.frame({"id": 5, "op": "eye", "a": [1]})["er"][0] == "bad_arg"
    assert deck.take("busy", 6)["er"] == ["busy", "not now"]
    assert deck.take("long", 7)["er"][0] == "fault"
    assert deck.done == []
    assert deck.frame({"id": 8, "op": "eye"})["ok"] == {"count": 1}


@pytest.mark.parametrize("error", [ValueError("no"), KeyError("x"), OSError(5), MemoryError(), RuntimeError("#" * 999)])
def test_an_operation_that_breaks_is_told_and_not_done_again(deck: Deck, error: Exception) -> None:
    done: list[Any] = []

    def broken(args: Any) -> None:
        done.append(args)
        raise error

    deck.session._ops["eye"] = broken
    reply = deck.take("eye", 7)
    assert reply["er"][0] == "fault"
    assert type(error).__name__ in reply["er"][1]
    assert deck.take("eye", 7) == reply
    assert len(done) == 1
    assert deck.troubles == [error]


def test_valid_requests_renew_the_lease_and_resends_too(deck: Deck) -> None:
    before = deck.renewed
    deck.take("hb", 2)
    deck.take("hb", 2)
    deck.hello()
    assert deck.renewed == before + 3
    deck.take("fly", 3)
    deck.hello("n2")
    deck.hello()
    assert deck.renewed == before + 3, "nor does a host whose time is over"


@given(st.lists(st.integers(1, 14), max_size=60))
def test_an_intent_is_done_at_most_once(idents: Any) -> None:
    """Among the last eight ids a repeated one is answered with the same reply."""
    deck = Deck()
    deck.hello()
    known: dict[int, Any] = {}
    for ident in idents:
        before = len(deck.done)
        reply = deck.take("eye", ident)
        if ident in known:
            assert reply == known[ident]
            assert len(deck.done) == before
        else:
            assert len(deck.done) == before + 1
            known[ident] = reply
            if len(known) > 8:
                del known[next(iter(known))]


def test_typed_lines() -> None:
    deck = Deck()

    def typed(line: Any) -> Any:
        reply = deck.session.typed(line)
        assert reply is None or reply.endswith(b"\n")
        return reply and json.loads(reply)

    assert typed(b'{"op":"state"}') == {"re": 0, "ok": {"count": 1}}
    assert typed(b'{"id":5,"op":"stop"}') == {"re": 5, "ok": {"count": 2}}
    assert typed(b'{"op":"eye"}')["er"][0] == "bad_op"
    assert typed(b'{"op":"hello"}') == {"re": 0, "ok": {"nonce": None, "proto": [1, 0], "fw": "1"}}
    assert typed(b'{"op":"hello","a":{"nonce":"x","proto":[9,9]}}')["ok"]["nonce"] == "x"
    for noise in (b"AT", b"", b"{", b"{}", b'{"re":1,"ok":{}}', b'{"op":1}', b'["op"]', b'{"op":"stop"} now', b"{\xff}"):
        assert typed(noise) is None
    assert deck.session.nonce is None
    assert deck.leases == []
    assert deck.renewed == 0
    assert len(deck.done) == 2
