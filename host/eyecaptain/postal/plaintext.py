"""What somebody wrote with their own hand: no quotations, no signature, no remarks, and characters that mean what they show."""

import re
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser

LONGEST = 20_000  # characters: no order is longer
MINUS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u207b\u208b\u2796\ufe58\ufe63\uff0d\u02d7"), "-")
ARROWS = dict.fromkeys(map(ord, "\u2192\u21d2\u27a1\u2794\u279c"), "=")

# A line that introduces a quotation. What a reply adds below a quotation of its own marks (>) still counts.
_ATTRIBUTION = re.compile(
    r"^\s*(on\b.*\bwrote|am\b.*\bschrieb\b.*|il\b.*\bha scritto|el\b.*\bescribi[oó])\s*:?\s*$", re.IGNORECASE | re.DOTALL
)
_BEGINS_ATTRIBUTION = re.compile(r"^\s*(on|am|il|el)\b.*\d", re.IGNORECASE)
# From here on everything is the mail that was answered.
_ORIGINAL = re.compile(
    r"^\s*(-{2,}|_{5,})?\s*(original message|urspr(ü|ue)ngliche nachricht|messaggio originale|mensaje original"
    r"|weitergeleitete nachricht|forwarded message|messaggio inoltrato|mensaje reenviado)\s*-*\s*$|^\s*_{10,}\s*$",
    re.IGNORECASE,
)
_HEADER = re.compile(r"^\s*\*?(from|von|da|de)\s*:\*?\s.*(@|\[mailto:|<)", re.IGNORECASE)
_SENT_FROM = re.compile(
    r"^\s*(sent from|von mein\w* .* gesendet|gesendet (mit|von)|inviato da|enviado desde|get outlook)\b", re.IGNORECASE
)


def shown(text: str) -> str:
    """The text with every digit, minus sign and space in its plain form, and without what cannot be seen.

    Only what *is* a decimal digit becomes one: a superscript or a fraction stays what it is.
    """
    result = []
    for character in text[:LONGEST].translate(MINUS).translate(ARROWS):
        category = unicodedata.category(character)
        if category == "Nd":
            result.append(str(unicodedata.decimal(character)))
        elif "\uff01" <= character <= "\uff5e":  # full width
            result.append(chr(ord(character) - 0xFEE0))
        elif category == "Zs":
            result.append(" ")
        elif category in ("Zl", "Zp"):
            result.append("\n")
        elif category not in ("Cf", "Cs") and (category != "Cc" or character in "\n\t"):
            result.append(character)
        elif character in "\r\v\f\x85":
            result.append("\n")
    return "".join(result).replace("\t", " ")


def own_lines(text: str) -> list[str]:
    """The lines that the writer added, in their plain form; a remark after # is cut off."""
    lines = shown(text.replace("\r\n", "\n")).split("\n")
    return [line.partition("#")[0].rstrip() for line in _unquoted(lines)]


def _unquoted(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.rstrip() in ("--", "---") or _ORIGINAL.match(line) or _HEADER.match(line):
            return
        attribution = next((n for n in (1, 2, 3) if _is_attribution(lines[at : at + n])), 0)
        if attribution:
            at += attribution
            continue
        if not line.lstrip().startswith((">", "|")) and not _SENT_FROM.match(line):
            yield line
        at += 1


def _is_attribution(lines: list[str]) -> bool:
    """Whether these lines together say who wrote what is quoted; only such that begin like one are joined."""
    return bool(lines and _BEGINS_ATTRIBUTION.match(lines[0]) and _ATTRIBUTION.match(" ".join(lines)))


# --- HTML ------------------------------------------------------------------------------------------------------------

_BREAKS = frozenset({"br", "p", "div", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "h4", "hr", "pre", "section"})
_SKIPPED = frozenset({"script", "style", "head", "title", "blockquote", "template", "del", "s", "strike"})
_VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "area", "base", "col", "embed", "source", "track", "wbr"})
_QUOTES = ("gmail_quote", "gmail_attr", "moz-cite-prefix", "yahoo_quoted", "moz-signature", "gmail_signature", "divrplyfwdmsg")


class _Text(HTMLParser):
    """Collects what a reader of the page would see of the writer's own words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._open: list[tuple[str, bool]] = []  # tag, whether it is skipped

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        if tag in _BREAKS:
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append(" ")
        if tag not in _VOID:
            self._open.append((tag, tag in _SKIPPED or _is_hidden(dict(attrs))))

    def handle_endtag(self, tag: str) -> None:
        """An element ends, and with it those inside that were never closed."""
        if tag in _BREAKS:
            self.parts.append("\n")
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at][0] == tag:
                del self._open[at:]
                return

    def handle_data(self, data: str) -> None:
        """Text: in HTML a line break is a space."""
        if not any(skipped for _, skipped in self._open):
            self.parts.append(re.sub(r"\s+", " ", data))


def _is_hidden(attrs: dict[str, str | None]) -> bool:
    style = (attrs.get("style") or "").replace(" ", "").lower()
    marks = f"{attrs.get('class') or ''} {attrs.get('id') or ''}".lower()
    return "hidden" in attrs or "display:none" in style or "line-through" in style or any(quote in marks for quote in _QUOTES)


def of_html(page: str) -> str:
    """The text of an HTML mail, without what it quotes, strikes out or hides."""
    parser = _Text()
    parser.feed(page[: 10 * LONGEST])
    parser.close()
    return "".join(parser.parts)
