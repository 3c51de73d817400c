"""The language in which people are spoken to: gettext catalogues in `locales/`, one language for the whole process.

English is what stands in the code, so it needs no catalogue. `_("...")` says a text in the language that was chosen;
`N_("...")` marks one that is kept (a constant, a table) and said later, with `_(KEPT)`.
"""

import gettext
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TypeVar

S = TypeVar("S", bound=str)

DOMAIN = "eyecaptain"
LANGUAGES = ("en", "de", "it", "es")
FOLDER = os.path.join(os.path.dirname(__file__), "locales")  # noqa: PTH118, PTH120 - help need not wait for pathlib

chosen = LANGUAGES[0]
_catalogue = gettext.NullTranslations()


def use(language: str) -> None:
    """Speak this one of `LANGUAGES` from now on; click's own words, and processes that we start, follow."""
    global chosen, _catalogue  # noqa: PLW0603 - one language for a process
    chosen = language
    _catalogue = gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
    gettext.bindtextdomain(DOMAIN, FOLDER)
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say what is said inside in this one of `LANGUAGES`: for mail to somebody who speaks another one than we do here."""
    global _catalogue  # noqa: PLW0603 - as above
    before = _catalogue
    _catalogue = gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
    try:
        yield
    finally:
        _catalogue = before


def wanted(args: Sequence[str], environ: Mapping[str, str]) -> str:
    """The language that a command line (``--lang de``, ``--lang=de``) asks for, else the environment, else English.

    Looked up before anything else of the command line is read, so that also help and every complaint about it are in that
    language. The environment is read as gettext reads it: LANGUAGE (a list, unless the locale is C), LC_ALL, LC_MESSAGES, LANG.
    """
    named = [arg.removeprefix("--lang=") for arg in args if arg.startswith("--lang=")]
    named += [language for option, language in pairwise(args) if option == "--lang"]
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale not in ("C", "POSIX"):
        named += environ.get("LANGUAGE", "").split(":")
    named.append(locale)
    known = (name.replace(".", "_").replace("@", "_").partition("_")[0].lower() for name in named)
    return next((name for name in known if name in LANGUAGES), LANGUAGES[0])


def _(text: str) -> str:
    """`text` in the language that was chosen."""
    return _catalogue.gettext(text)


def ngettext(one: str, many: str, number: int) -> str:
    """The sentence that fits a number, in the language that was chosen."""
    return _catalogue.ngettext(one, many, number)


def pgettext(context: str, text: str) -> str:
    """`text`, which has several meanings, in the one that `context` names."""
    return _catalogue.pgettext(context, text)


def N_(text: S) -> S:  # noqa: N802 - the name that gettext's tools look for
    """Mark a text that is said later: it stays English here."""
    return text


class Text:
    """A sentence that is put into words when it is read: in the language of people, or in English for programs.

    :param template: English, with named fields.
    :param fields: what stands in them; a `Text` among them is put into words, too.
    """

    __slots__ = ("_fields", "_template")

    def __init__(self, template: str, **fields: object) -> None:
        self._template = template
        self._fields = fields

    def __str__(self) -> str:
        """In the language that was chosen."""
        return _(self._template).format(**self._fields) if self._fields else _(self._template)

    @property
    def english(self) -> str:
        """As it stands in the code."""
        plain = {name: value.english if isinstance(value, Text) else value for name, value in self._fields.items()}
        return self._template.format(**plain) if plain else self._template
