"""What a player wants, from what a player wrote: forgiving about how, strict about what (rules.md B, H2, H11).

A line with a number that cannot be placed makes the whole mail unclear: nothing is guessed, and no card is ever played
that was not written.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from eyecaptain.games.auction import ROUNDS
from eyecaptain.language import N_, Text
from eyecaptain.postal.ordertokens import NUMBERED, ROUND, SAID, STRANGE, Token, scan
from eyecaptain.postal.plaintext import own_lines

CODE = re.compile(r"(?<![\w-])([a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4})(?![\w-])", re.IGNORECASE)
TAG = re.compile(r"\[geier ([0-9a-z]{4})(?: R(\d))?\]", re.IGNORECASE)
LONGEST_PRESS = 1000
LONGEST_NONCE = 200


class Unclear(ValueError):
    """What was written can be read in more than one way, or in none; `text` says why."""

    def __init__(self, template: str, **fields: object) -> None:
        super().__init__(template)
        self.text = Text(template, **fields)

    def __str__(self) -> str:
        """Why, in the language that is spoken now."""
        return str(self.text)


@dataclass(frozen=True, slots=True)
class Context:
    """What the reader has to know.

    :param players: the names by seat; `seat` is the writer's.
    :param round: the current one, from 1.
    :param animals: those of the current round, or None when orders cannot be labelled by them (blind, or not shuffled).
    :param games: the short names of games, which may stand before an order.
    :param expected: the round that the mail answers, as its subject says.
    """

    players: Sequence[str]
    seat: int
    round: int
    animals: tuple[int, int] | None = None
    games: Sequence[str] = ()
    expected: int | None = None


@dataclass(slots=True)
class Reading:
    """What was understood.

    :param orders: by round.
    :param says: wait, nowait, absent, back, show or clear.
    """

    orders: dict[int, tuple[int | None, int | None]] = field(default_factory=dict)
    says: list[str] = field(default_factory=list)
    press: list[str] = field(default_factory=list)
    nonce: str | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing was asked for."""
        return not (self.orders or self.says or self.press or self.nonce)


_PRESS = re.compile(r"^\s*(?:press|presse|stampa|prensa|note|notiz|nota)\s*:\s*(.*)$", re.IGNORECASE)
_NONCE = re.compile(r"^\s*(?:nonce|zufallswort|zufall|parola casuale|palabra al azar|azar|caso)\s*:\s*(.*)$", re.IGNORECASE)


def codes(text: str) -> list[str]:
    """What looks like a secret code in the writer's own lines, at most five."""
    found = dict.fromkeys(code.lower() for line in own_lines(text) for code in CODE.findall(line))
    return list(found)[:5]


def read(text: str, context: Context) -> Reading:
    """What the mail asks for.

    :raises Unclear: it is ambiguous, or about another round or player; nothing of it counts.
    """
    reading = Reading()
    tokens: list[Token] = []
    in_press = False
    for raw in own_lines(text):
        line = _without_labels(CODE.sub(" ", raw), context)
        if found := _NONCE.match(raw):
            reading.nonce = found[1].strip()[:LONGEST_NONCE] or None
            in_press = False
        elif found := _PRESS.match(raw):
            reading.press.append(found[1].strip())
            in_press = True
        elif (said := SAID.get(" ".join(re.findall(r"[^\W\d_]+", line.casefold())))) and not re.search(r"\d", line):
            reading.says.append(said)
            in_press = False
        elif in_press and line.strip() and not _is_order(line, raw):
            reading.press[-1] += " " + raw.strip()
        else:
            in_press = False
            tokens += _tokens(line, raw, context)
    reading.press = [CODE.sub("", press).strip()[:LONGEST_PRESS] for press in reading.press if CODE.sub("", press).strip()]
    reading.orders = _orders(tokens, context)
    _consistent(reading)
    return reading


def _consistent(reading: Reading) -> None:
    for one, other in (("wait", "nowait"), ("absent", "back")):
        if one in reading.says and other in reading.says:
            raise Unclear(N_('Both "{one}" and "{other}" are asked for.'), one=one, other=other)
    if "clear" in reading.says and reading.orders:
        raise Unclear(N_('There is an order, and the word "clear", which takes an order back.'))


# --- lines -----------------------------------------------------------------------------------------------------------


def _without_labels(line: str, context: Context) -> str:
    """A line without the game's name, and without the writer's own name at its beginning."""
    line = NUMBERED.sub(r"R\1 ", line)
    bare = TAG.sub(" ", line)
    for game in context.games:
        bare = re.sub(rf"(?<![\w-]){re.escape(game)}(?![\w-])", " ", bare, flags=re.IGNORECASE)
    labelled = bare != line  # by a game's name
    for seat in (context.seat, *(each for each in range(len(context.players)) if each != context.seat)):
        name = context.players[seat]
        # A name that could be part of an order is one only where nothing else can be meant.
        plain = any(token.kind in ("unknown", "other") for token in scan(name, name))
        if plain and bare.strip().casefold() == name.casefold():  # a signature
            return ""
        found = re.match(rf"\s*((?:{'|'.join(ROUND)})\s*\d+\s*[,:]?)?\s*{re.escape(name)}(?![\w=])\s*(:?)", bare, re.IGNORECASE)
        if found and (plain or (labelled and found[2] and re.search(r"[=:]", bare[found.end() :]))):
            if seat != context.seat and re.search(r"\d", bare[found.end() :]):
                raise Unclear(
                    N_('"{line}" is an order for {name}, but the mail is not by {name}.'), line=_short(line), name=name
                )
            return (found[1] or "") + " " + bare[found.end() :]
    return bare


def _short(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= 60 else line[:59] + "…"


def _is_order(line: str, raw: str) -> bool:
    kinds = [token.kind for token in scan(line, raw)]
    return "number" in kinds and not any(kind in STRANGE for kind in kinds)


def _tokens(line: str, raw: str, context: Context) -> list[Token]:
    """What a line adds to the orders: nothing when it is a greeting."""
    tokens = list(scan(line, raw))
    kinds = {token.kind for token in tokens}
    if kinds & {"number", "animal", "signed", "decimal", "long"}:
        strange = next((token for token in tokens if token.kind in STRANGE), None)
        if strange is not None:
            raise Unclear(
                N_('"{line}" has a number in it, but is no order. Put remarks after #, or after "press:".'), line=_short(raw)
            )
    elif "unknown" in kinds or "other" in kinds or not kinds & {"slot", "round", "mouse", "vulture"}:
        return []
    if kinds & {"mouse", "vulture", "animal"} and context.animals is None and kinds & {"number", "animal"}:
        raise Unclear(N_("The animals are not known before this auction: say A or B."))
    return [token for token in tokens if token.kind not in ("filler", "paren")]


# --- orders ----------------------------------------------------------------------------------------------------------


def _orders(tokens: list[Token], context: Context) -> dict[int, tuple[int | None, int | None]]:
    """The orders by round: what follows a round's number is for that round, else for the current one."""
    parts: list[tuple[int | None, list[Token]]] = [(None, [])]
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "round":
            after = tokens[at + 1] if at + 1 < len(tokens) else None
            if after is None or after.kind != "number":
                raise Unclear(N_('"{line}": which round?'), line=_short(token.line))
            parts.append((int(after.value), []))
            at += 2
        else:
            parts[-1][1].append(token)
            at += 1
    orders: dict[int, tuple[int | None, int | None]] = {}
    for number, part in parts:
        if not any(token.kind in ("number", "slot", "animal", "mouse", "vulture") for token in part):
            continue
        round_ = _round(number, context)
        order = _one(part, context if round_ == context.round else None)
        if orders.setdefault(round_, order) != order:
            raise Unclear(N_("There are two different orders for round {round}."), round=round_)
    return orders


def _round(number: int | None, context: Context) -> int:
    if number is None:
        if context.expected is not None and context.expected != context.round:
            raise Unclear(
                N_(
                    "Your mail answers that of round {then}, but this is round {now}. Write the round before the order: R{now}."
                ),
                then=context.expected,
                now=context.round,
            )
        return context.round
    if not context.round <= number <= ROUNDS:
        raise Unclear(
            N_("There can be no order for round {round}: this is round {now} of {last}."),
            round=number,
            now=context.round,
            last=ROUNDS,
        )
    return number


Order = tuple[int | None, int | None]


def _one(tokens: list[Token], context: Context | None) -> Order:
    """The one order that these tokens can be; `context` is None for a round whose animals are not known yet."""
    found = {order for reader in (_labelled, _reversed, _bare) if (order := reader(tokens, context)) is not None}
    if len(found) != 1:
        line = _short(" ".join(dict.fromkeys(token.line.strip() for token in tokens)))
        raise Unclear(N_('"{line}" is not clear: write for example A=12 B=4.'), line=line)
    return found.pop()


def _slot(token: Token, context: Context | None) -> int | None:
    """The slot (0 for A, 1 for B) that a label means, or None when it is none.

    :raises Unclear: it is an animal that is not auctioned, or could be either.
    """
    if token.kind == "slot":
        return 0 if token.value == "a" else 1
    if token.kind not in ("animal", "mouse", "vulture"):
        return None
    animals = context.animals if context is not None else None
    if animals is None:
        raise Unclear(N_("The animals are not known before this auction: say A or B."))
    fits = [
        slot
        for slot, animal in enumerate(animals)
        if (animal == token.value if token.kind == "animal" else (animal > 0) == (token.kind == "mouse"))
    ]
    if len(fits) != 1:
        name = f"{token.value:+d}" if isinstance(token.value, int) else token.value
        raise Unclear(
            N_('"{name}" could be neither or both: the animals are A {a:+d} and B {b:+d}.'),
            name=name,
            a=animals[0],
            b=animals[1],
        )
    return fits[0]


def _labels(tokens: list[Token], at: int, context: Context | None) -> tuple[int | None, int]:
    """The slot that the labels from `at` on mean, and where they end; "mouse A" is one label, "A B" is none."""
    slot, end = None, at
    while at < len(tokens) and (found := _slot(tokens[at], context)) is not None:
        if slot not in (None, found):
            return None, at
        slot, end = found, at + 1
        at = _skip(tokens, end, "eq")
    return slot, end


def _skip(tokens: list[Token], at: int, *kinds: str) -> int:
    while at < len(tokens) and tokens[at].kind in kinds:
        at += 1
    return at


def _labelled(tokens: list[Token], context: Context | None) -> Order | None:
    """``A=12 B=4``, also in the other order, or only one of them."""
    order: list[int | None] = [None, None]
    seen: set[int] = set()
    at = _skip(tokens, 0, "sep", "eq")
    while at < len(tokens):
        at = _skip(tokens, at, "for")
        slot, at = _labels(tokens, at, context)
        after = _skip(tokens, at, "eq", "sep")
        if slot is None or slot in seen or after >= len(tokens):
            return None
        token = tokens[after]
        if token.kind == "number":
            order[slot] = int(token.value)
        elif token.kind != "dash" or after == at:
            return None
        seen.add(slot)
        at = _skip(tokens, after + 1, "sep", "dash")
    return (order[0], order[1]) if seen else None


def _reversed(tokens: list[Token], context: Context | None) -> Order | None:
    """``12 for A, 4 for B``."""
    order: list[int | None] = [None, None]
    seen: set[int] = set()
    at = _skip(tokens, 0, "sep", "eq")
    while at < len(tokens):
        if tokens[at].kind != "number" or at + 1 >= len(tokens) or tokens[at + 1].kind != "for":
            return None
        slot, after = _labels(tokens, at + 2, context)
        if slot is None or slot in seen:
            return None
        order[slot] = int(tokens[at].value)
        seen.add(slot)
        at = _skip(tokens, after, "sep", "eq")
    return (order[0], order[1]) if seen else None


def _bare(tokens: list[Token], context: Context | None) -> Order | None:
    """``12 4``: A and B in the order of the announcement (H2); a single number is for A (H11); a dash is no card."""
    del context
    tokens = tokens[_skip(tokens, 0, "sep", "eq") :]
    while tokens and tokens[-1].kind == "sep":
        tokens = tokens[:-1]
    cards = [token for token in tokens if token.kind == "number"]
    if any(token.kind not in ("number", "sep", "dash") for token in tokens) or not 1 <= len(cards) <= 2:
        return None
    if tokens[0].kind == "dash":  # "-, 4"
        return (None, int(cards[0].value)) if len(cards) == 1 and len(tokens) > 2 and tokens[-1] is cards[0] else None
    if len(cards) == 1:
        return int(cards[0].value), None
    return int(cards[0].value), int(cards[1].value)
