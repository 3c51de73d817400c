"""The words that orders are written with, in four languages, and a line taken apart into them."""

import re
from collections.abc import Iterator

ROUND = ("r", "rd", "round", "runde", "turno", "giro", "ronda", "rnd")
MOUSE = ("mouse", "mice", "maus", "mäuse", "maeuse", "topo", "topi", "ratón", "raton", "ratones")
VULTURE = ("vulture", "vultures", "geier", "avvoltoio", "avvoltoi", "buitre", "buitres")
FOR = ("for", "on", "für", "fuer", "auf", "per", "su", "para", "en", "sobre")
AND = ("and", "und", "e", "ed", "y", "et", "then", "dann", "poi", "luego")
_FILLER_WORDS = """
    my mein meine meinen mio mia mis mi i ich io yo we please bitte prego bid bids bidding biete gebot gebote play plays
    spiele card cards karte karten carta carte cartas order orders zug befehl ordine ordini mossa jugada orden órdenes pedido
    puja pujas offro offerta gioco juego the die der das den il la lo el las los le gli auction auktion asta subasta slot
    animal animale tier with mit con correction änderung aenderung korrektur correzione corrección code
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
SAYS = {
    "wait": ("wait", "please wait", "warten", "bitte warten", "warte", "aspettare", "aspetta", "esperar", "espera"),
    "nowait": ("nowait", "no wait", "nicht warten", "non aspettare", "no esperar"),
    "absent": ("absent", "absence", "abwesend", "abwesenheit", "assente", "assenza", "ausente", "ausencia"),
    "back": ("back", "i am back", "present", "zurück", "zurueck", "anwesend", "tornato", "tornata", "presente", "de vuelta"),
    "show": ("show", "status", "zeigen", "zeige", "mostra", "stato", "mostrar", "estado"),
    "clear": ("clear", "löschen", "loeschen", "cancella", "annulla", "borrar", "anular"),
}
SAID = {phrase: word for word, phrases in SAYS.items() for phrase in phrases}
NUMBERED = re.compile(rf"^\s*(\d)\.\s*(?:{'|'.join(ROUND)})\b", re.IGNORECASE)  # 3. Runde
_TOKEN = re.compile(
    r"(?P<decimal>\d+(?:\.\d+)+)|(?P<number>\d+)|(?P<animal>(?<![\w+-])[+-]\s?\d+(?=\s*[=:)]))|(?P<signed>(?<![\w)\]\s])[+-]\d+|(?<=\s)[+-]\d+)"
    r"|(?P<eq>=>|->|=|:)|(?P<dash>-)|(?P<word>[^\W\d_]+)|(?P<sep>[,;/|&.!+])|(?P<paren>[()\[\]])|(?P<space>\s+)|(?P<other>.)"
)


STRANGE = ("unknown", "other", "decimal", "long", "signed")


class Token:
    """A word of an order: its kind, its value, and the line it stands in."""

    __slots__ = ("kind", "line", "value")

    def __init__(self, kind: str, value: int | str, line: str) -> None:
        self.kind = kind
        self.value = value
        self.line = line


def scan(line: str, raw: str) -> Iterator[Token]:
    """The tokens of a line; words become what they mean."""
    for found in _TOKEN.finditer(line):
        kind, value = str(found.lastgroup), found.group().casefold()
        if kind == "space":
            continue
        if kind in ("number", "animal", "signed"):
            digits = value.replace(" ", "")
            yield Token(kind if len(digits) <= 3 else "long", int(digits) if len(digits) <= 3 else value, raw)
        elif kind == "word":
            yield Token(_meaning(value), value, raw)
        else:
            yield Token(kind, value, raw)


def _meaning(word: str) -> str:
    for kind, known in (("round", ROUND), ("mouse", MOUSE), ("vulture", VULTURE), ("for", FOR), ("sep", AND)):
        if word in known:
            return kind
    return "slot" if word in ("a", "b") else "filler" if word in _FILLERS else "unknown"
