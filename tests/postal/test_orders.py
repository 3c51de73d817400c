"""Orders as people write them: what is understood, what is refused, and that no card is played that was not written."""

import random
import re
import unicodedata

import pytest

from eyecaptain.language import LANGUAGES, speaking
from eyecaptain.postal.orders import Context, Unclear, codes, read
from eyecaptain.postal.plaintext import of_html, own_lines, shown
from support import runs

PLAYERS = ("Ada", "Ben", "Bot 1", "A", "12", "R")
HERE = Context(PLAYERS, 0, 3, (7, -4), ("k3f9", "20261130-181502-k3f9"))
CODE = "k7fm-2xqp-9dve"

UNDERSTOOD = {
    "labelled": "A=12 B=4",
    "in the other order": "B=4 A=12",
    "bare": "12 4",
    "commas": "12, 4.",
    "a dash": "12 - 4",
    "glued": "A12 B4",
    "colons": "A: 12; B: 4",
    "arrows": "A \u2192 12, B -> 4",
    "by animal": "+7=12 -4=4",
    "by animal, the other way round": "-4=4 +7=12",
    "typographic minus": "\u22124=4, +7=12",
    "en dash as minus": "\u20134=4 +7=12",
    "full width": "\uff0b\uff17\uff1d\uff11\uff12\u3000\uff0d\uff14\uff1d\uff14",
    "arabic digits": "A=\u0661\u0662 B=\u0664",
    "no-break spaces": "A\xa0=\xa012\xa0B\xa0=\xa04",
    "zero-width characters": "A=1\u200b2 B=4\ufeff",
    "English": "I bid 12 on the mouse, 4 on the vulture",
    "German": "Maus 12, Geier 4",
    "German, reversed": "12 auf die Maus und 4 auf den Geier",
    "Italian": "topo: 12 avvoltoio: 4",
    "Italian and": "12 e 4",
    "Spanish": "ratón 12 y buitre 4",
    "with the animal": "A: mouse +7: 12 B: vulture -4: 4",
    "in brackets": "A (+7) = 12, B (-4) = 4",
    "a round": "R3: 12 4",
    "a round in German": "Runde 3: 12 4",
    "a round, numbered": "3. Runde: A=12 B=4",
    "a round in Italian": "turno 3, 12 4",
    "a round in Spanish": "ronda 3: 12 4",
    "the line of the rules": f"k3f9 R3 Ada {CODE}: A=12 B=4",
    "the line with the whole id": f"20261130-181502-k3f9 R3 Ada {CODE}: 12 4",
    "the code apart": f"A=12 B=4\n\n{CODE}\n",
    "line breaks in the wrong place": "A=\n12\nB =\n4",
    "one a line": "A=12\nB=4",
    "greetings": "Hello,\n\nhere it is:\n\n12 4\n\nBest wishes\nAda",
    "a signature": "12 4\n-- \nAda, 15 Main Street, tel. 0123 456789",
    "a phone's signature": "12 4\n\nSent from my iPhone 15",
    "a remark": "12 4 # better than 3 and 9",
    "a quotation": "> A=1 B=2\n>> 3 4\n12 4",
    "a quotation below": "12 4\n\nOn Mon, 30 Nov 2026 at 10:00, Captain <geier@x.org> wrote:\n> R3: A=12 B=4\n> 1 2",
    "a German quotation": "Am 30.11.2026 um 10:00 schrieb Captain <g@x.org>:\n> 1 2\n\n12 4",
    "an Italian quotation": "12 4\n\nIl giorno lun 30 nov 2026 alle ore 10:00 Captain <g@x.org> ha scritto:\n> 1 2",
    "a Spanish quotation": "12 4\n\nEl lun, 30 nov 2026 a las 10:00, Captain (<g@x.org>)\nescribió:\n> 1 2",
    "an attribution of two lines": "12 4\n\nOn Mon, 30 Nov 2026 at 10:00, The Captain\n<geier@x.org> wrote:\n> 1 2",
    "Outlook": "12 4\n\n-----Original Message-----\nFrom: g@x.org\nSent: 30 November 2026\n\nA=1 B=2",
    "Outlook in German": "12 4\n\nVon: Captain <g@x.org>\nGesendet: 30. November 2026 10:00\nR3 1 2",
    "Windows line ends": "A=12\r\nB=4\r\n",
    "leading zeros": "A=012 B=04",
    "a dash for punctuation": "A=12 - B=4",
    "said twice": "R3: 12 4\nR3: A=12 B=4",
}


@pytest.mark.parametrize("text", UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_what_people_write_is_understood(text: str) -> None:
    assert read(text, HERE).orders == {3: (12, 4)}


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("9", (9, None)),
        ("A=9", (9, None)),
        ("B=4", (None, 4)),
        ("-, 2", (None, 2)),
        ("A=- B=2", (None, 2)),
        ("9 9", (9, 9)),
        ("17 0", (17, 0)),
        ("vulture 4", (None, 4)),
    ],
)
def test_half_and_irregular_orders_are_for_the_rules_to_complete(text: str, order: tuple[int | None, int | None]) -> None:
    assert read(text, HERE).orders == {3: order}


def test_orders_ahead_and_words() -> None:
    reading = read("R3: 12 4\nR5 A=1 B=2\nwait\nPress: Hello all,\nI have 12 cats.\n\nnonce: 42 is the answer", HERE)
    assert reading.orders == {3: (12, 4), 5: (1, 2)}
    assert reading.says == ["wait"]
    assert reading.press == ["Hello all, I have 12 cats."]
    assert reading.nonce == "42 is the answer"


WORDS = {
    "wait": ["wait", "Bitte warten!", "aspettare", "Esperar."],
    "nowait": ["NOWAIT", "nicht warten", "non aspettare", "no esperar"],
    "absent": ["absent", "abwesend", "assente", "ausente"],
    "back": ["back", "zurück", "tornata", "de vuelta"],
    "show": ["show", "zeigen", "mostra", "estado"],
    "clear": ["clear", "löschen", "cancella", "borrar"],
}


@pytest.mark.parametrize("word", WORDS)
def test_words_are_understood_in_every_language(word: str) -> None:
    for text in WORDS[word]:
        assert read(f"Hello\n{text}\nAda", HERE).says == [word]


REFUSED = {
    "a number in a sentence": "See you on the 12th\nA=12 B=4",
    "three numbers": "12 4 9",
    "four numbers": "12 4\n9 3",
    "a broken number": "A=1\n2 B=4",
    "a slot twice": "A=12 A=4",
    "both slots for one card": "A B = 12",
    "no such animal": "+8=12 -4=4",
    "animals without signs": "7=12 4=4",
    "a sign before a card": "A=+12 B=4",
    "12 and an animal": "12 -4",
    "a decimal": "A=1.2 B=4",
    "a time": "12:04 is fine, too",
    "a date": "2026-12-20 A=12 B=4",
    "a fraction": "A=\u00bd B=4",
    "an exponent": "A=1\u00b2 B=4",
    "a long number": "A=1234 B=4",
    "a past round": "R2: 12 4",
    "a round that never comes": "R9: 12 4",
    "no round": "Round: 12 4",
    "two orders for a round": "R3: 12 4\nR3: 4 12",
    "another's order": "Ben: A=12 B=4",
    "another's order, with a round": "R3 Ben: 12 4",
    "wait and nowait": "wait\nnowait\n12 4",
    "clear and an order": "clear\n12 4",
    "a label without a card": "A=12 B",
    "words for numbers mixed in": "A=twelve B=4",
    "a range": "A=12-14 B=4",
    "a choice": "A=12 or 13, B=4",
    "roman": "A=XII B=4",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_ambiguous_is_refused_with_a_reason_in_every_language(text: str) -> None:
    with pytest.raises(Unclear) as unclear:
        read(text, HERE)
    for language in LANGUAGES:
        with speaking(language):
            assert len(str(unclear.value)) > 10
            assert "{" not in str(unclear.value)


def test_mouse_is_no_label_where_it_could_be_either() -> None:
    for animals in ((7, 4), (-1, -2), None):
        with pytest.raises(Unclear):
            read("mouse 12 vulture 4", Context(PLAYERS, 0, 3, animals))
    with pytest.raises(Unclear):  # blind, or not shuffled yet (H1)
        read("+7=12 -4=4", Context(PLAYERS, 0, 3, None))
    with pytest.raises(Unclear):  # nobody knows the animals of a later round
        read("R4: +7=12 -4=4", HERE)


def test_an_answer_to_an_old_report_needs_its_round() -> None:
    """Whoever answers last round's mail may mean last round."""
    late = Context(PLAYERS, 0, 3, (7, -4), expected=2)
    with pytest.raises(Unclear, match="answers that of round"):
        read("12 4", late)
    assert read("R3: 12 4", late).orders == {3: (12, 4)}


@pytest.mark.parametrize("seat", range(len(PLAYERS)))
def test_a_name_that_looks_like_an_order_is_never_taken_for_a_card(seat: int) -> None:
    here = Context(PLAYERS, seat, 3, (7, -4), ("k3f9",))
    assert read("A=12 B=4", here).orders == {3: (12, 4)}
    assert read("12 4", here).orders == {3: (12, 4)}
    name = PLAYERS[seat]
    try:
        orders = read(f"12 4\n{name}", here).orders
    except Unclear:
        assert name in ("12", "A", "R")
    else:
        assert orders == {3: (12, 4)}
    assert read(f"k3f9 R3 {name} {CODE}: A=12 B=4", here).orders == {3: (12, 4)}


def test_an_empty_mail_asks_for_nothing() -> None:
    for text in ("", "Hello, how are you?", "> 12 4", "-- \n12 4", "\n\n\n"):
        assert read(text, HERE).empty


def test_codes_are_found_in_the_own_lines_only() -> None:
    assert codes(f"A=1 B=2\n{CODE.upper()}") == [CODE]
    assert codes(f"> {CODE}") == []
    assert codes("3f2504e0-4f89-41d3-9a0c-0305e82c3301") == []
    assert len(codes("\n".join(f"aaaa-bbbb-cc{a}{b}" for a in "abcd" for b in "abcd"))) == 5


def test_html_is_read_as_it_looks() -> None:
    page = (
        "<html><head><style>p{margin:12px}</style><title>9</title></head><body><p>Hi</p><table><tr><td>A</td><td>=</td>"
        "<td>12</td></tr><tr><td>B&nbsp;=</td><td>4</td></tr></table><div style='display: none'>A=1</div><s>B=9</s>"
        "<script>var a=1</script><div class='gmail_quote'>On Mon Ada wrote:<blockquote>1 2</blockquote></div></body></html>"
    )
    assert read(of_html(page), HERE).orders == {3: (12, 4)}
    assert read(of_html("A=12<br>B=4<blockquote type=cite>7 8"), HERE).orders == {3: (12, 4)}
    assert read(of_html("<p>A=1<b>2</b> B=4"), HERE).orders == {3: (12, 4)}


MINUS = (  # by their names in Unicode: a minus, or what a mail program or a keyboard puts in its place
    *("HYPHEN-MINUS", "MINUS SIGN", "SUPERSCRIPT MINUS", "SUBSCRIPT MINUS", "HEAVY MINUS SIGN", "SMALL HYPHEN-MINUS"),
    *("FULLWIDTH HYPHEN-MINUS", "MODIFIER LETTER MINUS SIGN", "HYPHEN", "NON-BREAKING HYPHEN", "FIGURE DASH", "EN DASH"),
    *("EM DASH", "HORIZONTAL BAR", "SMALL EM DASH"),
)


@pytest.mark.parametrize("name", MINUS)
def test_a_minus_of_any_kind_is_one(name: str) -> None:
    minus = unicodedata.lookup(name)
    for text in (f"+7=12 {minus}4=4", f"{minus}4: 4, +7: 12", f"A (+7) = 12, B ({minus}4) = 4"):
        assert read(text, HERE).orders == {3: (12, 4)}, text
    assert read(f"{minus}, 4", HERE).orders == {3: (None, 4)}


def test_only_a_decimal_digit_becomes_one() -> None:
    assert shown("\uff11\uff12 \u00b2 \u00bd \u2460 \u216b \u0663") == "12 \u00b2 \u00bd \u2460 \u216b 3"


# --- mutated messages ------------------------------------------------------------------------------------------------

SEEDS = [*UNDERSTOOD.values(), *REFUSED.values(), "R3: 12 4\nR5 A=1 B=2\nwait\nPress: 12 cats\n\n9 8", f"{CODE}\n\n+7=16 -4=1"]
PIECES = (
    *("A", "B", "=", ":", "R3", "R4", "12", "4", "1", "\n", "> ", "-- \n", "-", "+7", "\u2212", " ", "#", "\u200b", "\uff11"),
    *("\u00b2", "\u202e", "\x00", "Ada", "Ben:", "for", "mouse", "press:", "k3f9", "e", "\ud800", "\r", "=3D", "&#52;", "<br>"),
)


def mutated(rng: random.Random) -> str:
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(5):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + text[at + rng.randint(1, 4) :]
            case 2:
                text = text[:at] + chr(rng.randrange(rng.choice([127, 0x250, 0x11000]))) + text[at + 1 :]
            case 3:
                other = rng.choice(SEEDS)
                text = text[:at] + other[rng.randrange(len(other)) :]
            case _:
                end = min(len(text), at + rng.randint(1, 12))
                text = text[:end] + text[at:end] + text[end:]
    return text


@pytest.mark.soak
def test_no_mutated_message_breaks_the_reader_or_plays_a_card_that_was_not_written() -> None:
    rng = random.Random("orders")
    contexts = (HERE, Context(PLAYERS, 1, 1, None), Context(PLAYERS, 3, 8, (1, 2), ("k3f9",), 8))
    understood = 0
    for _ in range(runs(3000)):
        text, here = mutated(rng), rng.choice(contexts)
        try:
            reading = read(text, here)
        except Unclear:
            continue
        written = {int(number) for line in own_lines(text) for number in re.findall(r"\d+", line)}
        for round_, order in reading.orders.items():
            assert here.round <= round_ <= 8
            assert {card for card in order if card is not None} <= written, text
            understood += 1
    assert understood
