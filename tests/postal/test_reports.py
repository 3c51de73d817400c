"""Reports: the same data as text, HTML and JSON, in every language; and checking them without trusting anybody."""

import copy
import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.errors import BrokenSession
from eyecaptain.language import LANGUAGES, _, speaking
from eyecaptain.postal import reporthtml, reporttext, verify
from eyecaptain.postal.paper import paper
from eyecaptain.postal.reporttext import wide
from eyecaptain.sessions import log, replay, store

EXAMPLES = Path(__file__).parents[1] / "sessions" / "examples"


def game(name: str = "v1-shared") -> tuple[Any, dict[str, Any]]:
    session = store.read(EXAMPLES / f"{name}.jsonl")
    return replay.replay(session).game, log.HEADER_DEFAULTS | session.header


def report(number: int, name: str = "v1-shared") -> dict[str, Any]:
    played, header = game(name)
    found: dict[str, Any] = json.loads(json.dumps(paper(played, header, number, zones=["Europe/Berlin", "UTC"])))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", range(9))
def test_text_has_80_columns_and_says_what_is_in_the_data(number: int, language: str) -> None:
    data = report(number)
    with speaking(language):
        text = reporttext.as_text(data)
        page = reporthtml.as_html(data, language)
    assert max(wide(line) for line in text.splitlines()) <= 80
    assert "{" not in text
    shown = re.sub(r"<[^>]*>", " ", page.partition("</style>")[2])
    for auction in data["auctions"]:
        for bid in auction["bids"]:
            assert re.search(rf"{bid['player']} +{bid['card']}\b", text)
        for words in (text, shown):
            assert " ".join(reporttext.signed(animal) for animal in auction["pot"]) in words
    for row in data["standings"]:
        assert re.search(rf"{row['rank']}\. {row['player']} +{re.escape(reporttext.signed(row['score']))}\b", text)
    assert (data["seed"] is not None) == (number == 8)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", range(9))
def test_a_report_has_everything_that_a_zine_prints(number: int, language: str) -> None:
    """In text and page: bids in order with the knock-outs, substitutions, the change, hands, what comes and waits, press."""
    played, header = game()
    played.press = [(number, 1, "A word to all."), (number, None, "By the way: hello.")]
    data = paper(played, header, number)
    with speaking(language):
        text = reporttext.as_text(data)
        page = reporthtml.as_html(data, language)
        marks = {flag: _(note) for flag, note in reporttext.FLAGS.items() if note}
        states = {state: _(note) for state, note in reporttext.STATES.items() if note}
        told = [reporttext.explanation(auction) for auction in data["auctions"]]
        missing = [reporttext.missing_words(each) for each in data["missing"]]
    assert (set(marks), set(states)) == ({"missing", "illegal"}, {"takes", "out"})
    shown = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page.partition("</style>")[2])))
    flowing = re.sub(r"\s+", " ", text)
    for words in (flowing, shown):
        assert all(re.sub(r"\s+", " ", each) in words for each in (*told, *missing, "A word to all.", "By the way: hello."))
        at = 0
        for auction in data["auctions"]:
            for bid in auction["bids"]:  # in the order of the data, each with what became of it
                notes = [states[bid["state"]]] if bid["state"] in states else []
                notes += [marks[bid["flag"]]] if bid["flag"] in marks else []
                mark = r"[*x]? ?"
                found = re.compile(rf"{mark}\b{bid['player']} {bid['card']}\b *{re.escape('; '.join(notes))}").search(words, at)
                assert found, bid
                at = found.end()
        for row in data["standings"]:
            change = rf" \(?{re.escape(reporttext.signed(row['change']))}\)?" if number else ""
            won = " ".join(reporttext.signed(animal) for animal in row["won"])
            score = re.escape(reporttext.signed(row["score"]))
            assert re.search(rf"{row['rank']}\. {row['player']} {score}{change} {re.escape(won)}".rstrip(), words), row
        if not data["over"]:
            for player, hand in data["hands"].items():
                assert re.search(rf"\b{player} {' +'.join(map(str, hand))}\b", words)
            for slot, animal in data["next"]["animals"].items():
                waits = [re.escape(reporttext.signed(each)) for each in data["next"]["carry"][slot]]
                with_it = r" \(.*" + " ".join(waits) if waits else ""
                assert re.search(rf"\b{slot}: {re.escape(reporttext.signed(animal))}{with_it}", words)


def test_who_knocked_out_whom_and_why_it_counts_as_what() -> None:
    text = reporttext.as_text(report(3))
    assert "A: +9 -3 = +6: auctioned as a mouse" in text
    assert "P, Q, R, S and T knock each other out with 16. Nobody is left: +10 waits\n  for the next B." in text
    last = reporttext.as_text(report(8))
    assert "T had no order on file." in last
    assert "Winner: Q and T." in last
    forfeited = reporttext.as_text(report(8, "h10-last-round"))
    assert "Nobody is left, and no round comes: +3 -1 is lost." in forfeited
    assert "Lost: +3 -1" in forfeited


class Outline(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.urls += [str(value) for name, value in attrs if name in ("src", "href")]


def test_a_page_is_one_file_without_script_and_lets_no_name_break_it() -> None:
    played, header = game()
    played.players = ("<b>P", 'Q"><script>', "R&D", "S", "T")
    page = reporthtml.as_html(paper(played, header, 4), "en")
    outline = Outline()
    outline.feed(page)
    assert "script" not in outline.tags
    assert "b" not in outline.tags
    assert outline.urls == []
    assert "R&amp;D" in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_wide_name_keeps_the_columns() -> None:
    played, header = game()
    played.players = ("海鸥", "Zoë", "🦅", "S", "T" * 20)
    lines = reporttext.as_text(paper(played, header, 1)).splitlines()
    bids = [found[1] for line in lines if (found := re.match(r"(  [*x ] \S.*? +\d+)(?:  |$)", line))]
    assert len(bids) == 10
    assert len({wide(bid) for bid in bids}) == 1


# --- checking --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(9))
def test_an_honest_report_passes(number: int) -> None:
    said = verify.check(report(number), seed=bytes(range(32)).hex())
    assert "commitment" in said[0]
    assert said[-1].startswith(f"{number} round{'' if number == 1 else 's'}: ")
    assert "not known yet" in verify.check(report(number) | {"seed": None})[0]


def changed(path: tuple[Any, ...], value: Any, number: int = 8) -> dict[str, Any]:
    data = copy.deepcopy(report(number))
    at: Any = data
    for key in path[:-1]:
        at = at[key]
    assert at[path[-1]] != value
    at[path[-1]] = value
    return data


CHEATS: list[tuple[tuple[Any, ...], Any]] = [
    (("seed",), "00" * 32),
    (("commitment",), "00" * 32),
    (("game",), "demo-2"),
    (("history", 0, "A", "winner"), "P"),
    (("history", 0, "A", "bids", "P"), 16),
    (("history", 2, "A", "pot"), [-3]),
    (("history", 0, "A", "pot"), [2]),
    (("history", 4, "B", "bids", "P"), 4),
    (("history", 7, "A", "bids", "P"), 3),
    (("standings", 0, "score"), 13),
    (("winners",), ["Q"]),
    (("over",), False),
    (("nonces",), ["x", "", "", "", ""]),
    (("options", "tie_break"), "cancel"),
    (("round",), 7),
    (("history", 3, "round"), 5),
    (("commitment",), None),
    (("history", 0, "A", "flags", "P"), "illegal"),
    (("auctions", 0, "bids", 0, "card"), 16),
    (("auctions", 0, "bids", 0, "state"), "out"),
    (("standings", 0, "rank"), 2),
    (("standings", 0, "won"), [12]),
    (("standings", 0, "change"), 5),
    (("hands", "P"), [16]),
    (("forfeited",), [-1]),
    (("missing",), []),
]


@pytest.mark.parametrize(("path", "value"), CHEATS, ids=[".".join(map(str, path)) for path, _ in CHEATS])
def test_a_changed_report_is_found_out(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(verify.NotSo):
        verify.check(changed(path, value))


MIDDLE: list[tuple[tuple[Any, ...], Any]] = [
    (("next", "animals", "A"), 10),
    (("next", "animals"), None),
    (("next", "carry", "B"), []),
    (("next", "round"), 5),
    (("hands", "P"), [*range(1, 17)]),
    (("auctions", 1, "knocked_out"), []),
    (("auctions", 1, "outcome"), "lost"),
]


@pytest.mark.parametrize("seed", [bytes(range(32)).hex(), None], ids=["with the seed", "without"])
@pytest.mark.parametrize(("path", "value"), MIDDLE, ids=[".".join(map(str, path)) for path, _ in MIDDLE])
def test_a_changed_report_of_the_middle_is_found_out_before_the_seed_is_known(
    path: tuple[Any, ...], value: Any, seed: str | None
) -> None:
    with pytest.raises(verify.NotSo):
        verify.check(changed(path, value, 3), seed)


@pytest.mark.parametrize(
    "data",
    [{}, {"type": "x"}, {"type": "geier report"}, {"type": "geier report", "history": 1}, {"type": "geier report", "seed": 1}],
)
def test_what_is_no_report_is_said_so(data: dict[str, Any]) -> None:
    with pytest.raises(BrokenSession, match="no report"):
        verify.check(data)
