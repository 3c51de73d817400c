"""A mail as the desk needs it: who sent it, what was written, whether a machine did; read so that nothing can break it."""

import re
from contextlib import suppress
from dataclasses import dataclass
from email import policy
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.utils import getaddresses
from hashlib import sha256

from eyecaptain.language import N_
from eyecaptain.postal import plaintext

LARGEST = 2_000_000  # bytes
_MACHINES = re.compile(
    r"^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounce[sd]?|listserv|majordomo)([+@-]|$)", re.IGNORECASE
)
_AUTOMATIC = re.compile(
    r"^\s*(auto(matic)?[ -]?(reply|response)|out of (the )?office|automatische antwort|abwesenheits\w*|risposta automatica"
    r"|respuesta autom[aá]tica|undeliver\w*|delivery (status|failure)|mail delivery|unzustellbar|returned mail|failure notice)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that came in.

    :param id: two digests of 16 hex digits: of its Message-ID, and of what it says. Either tells that it came before.
    :param sender: the address it claims to come from, in lower case; empty when that cannot be said.
    :param machine: why it is no person's mail, or empty.
    :param message_id: as it was, if it can be named in an answer.
    """

    id: str
    sender: str
    subject: str
    text: str
    machine: str = ""
    message_id: str = ""


def read(data: bytes) -> Letter:
    """Read a mail; whatever it is, something comes out."""
    message = BytesParser(policy=policy.compat32).parsebytes(data[:LARGEST])
    subject = plaintext.shown(_header(message, "Subject")).replace("\n", " ").strip()
    senders = [address for _, address in getaddresses([_header(message, "From")]) if address]
    sender = senders[0].strip().lower() if len(senders) == 1 else ""
    text = _text(message)
    named = _header(message, "Message-ID").strip()
    said = "\0".join([sender, _header(message, "Date").strip(), subject, text.strip(), "" if message["Date"] else named])
    return Letter(
        id=digest(named or said) + digest(said),
        sender=sender,
        subject=subject,
        text=text,
        machine=N_("too large") if len(data) > LARGEST else _machine(message, sender, subject),
        message_id=named if re.fullmatch(r"<[!-;=?-~]{1,200}>", named) else "",
    )


def digest(text: str) -> str:
    """What tells a text from others: 16 hex digits."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def _header(message: Message, name: str) -> str:
    """A header's text, decoded where it can be."""
    value = str(message.get(name, ""))
    with suppress(Exception):  # a header that nobody could decode stays as it is
        value = str(make_header(decode_header(value)))
    return value


def _machine(message: Message, sender: str, subject: str) -> str:
    """Why this is an automatic answer, a bounce, or a mailing list's, or empty (as RFC 3834 and custom have it)."""

    def has(name: str) -> str:
        return _header(message, name).strip().lower()

    if message["X-Captain-Game"]:
        return N_("our own mail")
    if (
        has("Auto-Submitted") not in ("", "no")
        or message["X-Autoreply"]
        or message["X-Autorespond"]
        or _AUTOMATIC.match(subject)
    ):
        return N_("an automatic answer")
    if has("Return-Path") == "<>" or message.get_content_type() == "multipart/report" or _MACHINES.match(sender):
        return N_("a bounce")
    if has("Precedence") in ("bulk", "junk", "list") or message["List-Id"] or message["List-Unsubscribe"]:
        return N_("a mailing list's")
    return ""


def _text(message: Message) -> str:
    """What was written: the plain part, or else the HTML part."""
    plain, pages = [], []
    for part in message.walk():
        if part.is_multipart() or part.get_content_disposition() == "attachment":
            continue
        kind = part.get_content_type()
        if kind == "text/plain":
            plain.append(_decoded(part))
        elif kind == "text/html":
            pages.append(_decoded(part))
    text = "\n".join(plain)
    if not text.strip() and pages:
        with suppress(Exception):  # half a page is read as far as it goes
            text = "\n".join(plaintext.of_html(page) for page in pages)
    return text[: plaintext.LONGEST]


def _decoded(part: Message) -> str:
    """The text of a part; what is no letter in its character set becomes a mark that no digit can be taken for."""
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    for charset in (part.get_content_charset() or "utf-8", "utf-8"):
        with suppress(LookupError, UnicodeError, ValueError):
            return payload.decode(charset, errors="replace")
    return payload.decode("latin-1")
