"""Every text of the program in every language: none is missing, and what is put into it agrees."""

import re
import sys
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from eyecaptain import language
from eyecaptain.language import LANGUAGES, wanted
from support import captain

ROOT = Path(__file__).parent.parent
OTHERS = LANGUAGES[1:]
FIX = "run `make words`, then write what is empty in host/eyecaptain/locales"


@cache
def words() -> Catalog:
    """What `make words` collects."""
    sys.path.insert(0, str(ROOT / "tools"))
    with (ROOT / "tools" / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file, "babel.cfg")  # type: ignore[no-untyped-call] # of Babel
    found = Catalog()
    for name, line, text, comments, context in extract_from_dir(
        ROOT, methods, options, comment_tags=("Translators:",), directory_filter=lambda path: Path(path).name != ".git"
    ):
        found.add(text, None, [(name, line)], auto_comments=comments, context=context)
    sys.path.remove(str(ROOT / "tools"))
    return found


@cache
def catalogue(name: str) -> Catalog:
    with (Path(language.FOLDER) / name / "LC_MESSAGES" / f"{language.DOMAIN}.po").open("rb") as file:
        return read_po(file, locale=name)


def texts(catalog: Catalog) -> dict[tuple[str | None, str | tuple[str, ...]], Message]:
    return {(m.context, tuple(m.id) if isinstance(m.id, list | tuple) else m.id): m for m in catalog if m.id}


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def fields(text: str) -> set[tuple[str, str, str]]:
    """The fields of a text, each with how it is put in; "{" that is no field is none of them."""
    try:
        return {(name, spec or "", how or "") for _, name, spec, how in Formatter().parse(text) if name is not None}
    except ValueError:
        return set()


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_is_missing_in_any_language(name: str) -> None:
    mine = texts(catalogue(name))
    missing = [key for key in texts(words()) if key not in mine or not all(forms(mine[key].string)) or mine[key].fuzzy]
    assert not missing, f"{name}: {FIX}: {missing[:10]}"
    left = mine.keys() - texts(words()).keys()
    assert not left, f"{name}: no text of the program any more: {FIX}: {list(left)[:10]}"


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_put_into_a_text_agrees_in_every_language(name: str) -> None:
    for (_, text), message in texts(catalogue(name)).items():
        allowed = set().union(*map(fields, forms(text)))
        many = fields(forms(text)[-1])
        for form, said in enumerate(forms(message.string)):
            # In the singular a number may be a word; the plural needs everything.
            assert fields(said) <= allowed, (text, said)
            singular = form == 0 and len(forms(message.string)) > 1
            assert singular or fields(said) == many, (text, said)


@pytest.mark.parametrize("name", OTHERS)
def test_lines_and_ends_of_a_text_agree_in_every_language(name: str) -> None:
    """A text that ends in a line feed, or begins with a space, is put beside others."""
    for (_, text), message in texts(catalogue(name)).items():
        for said in forms(message.string):
            assert re.search(r"\s*$", said).group() == re.search(r"\s*$", forms(text)[0]).group(), said  # type: ignore[union-attr] # matches always
            assert re.match(r"\s*", said).group() == re.match(r"\s*", forms(text)[0]).group(), said  # type: ignore[union-attr] # matches always


@pytest.mark.parametrize(
    ("args", "environ", "chosen"),
    [
        ([], {}, "en"),
        ([], {"LANG": "de_AT.UTF-8"}, "de"),
        ([], {"LANG": "C"}, "en"),
        ([], {"LANG": "C.UTF-8"}, "en"),
        ([], {"LANG": "ca_ES@valencia"}, "en"),
        ([], {"LANG": "it_IT@euro", "LC_MESSAGES": "es_MX.UTF-8"}, "es"),
        ([], {"LANG": "it_IT", "LC_MESSAGES": "es_MX", "LC_ALL": "de"}, "de"),
        ([], {"LANG": "it_IT", "LANGUAGE": "fr:es:de"}, "es"),
        ([], {"LANG": "it_IT", "LANGUAGE": "fr"}, "it"),
        ([], {"LANGUAGE": "de"}, "de"),
        ([], {"LC_ALL": "C", "LANGUAGE": "de"}, "en"),
        ([], {"LC_ALL": "", "LANG": "es"}, "es"),
        (["--lang", "it"], {"LC_ALL": "C", "LANGUAGE": "de"}, "it"),
        (["play", "team", "--lang=es"], {"LANG": "de_DE"}, "es"),
        (["play", "--lang"], {"LANG": "de_DE"}, "de"),
        (["play", "--lang", "fr"], {"LANG": "de_DE"}, "de"),
    ],
)
def test_the_language_is_the_wish_else_that_of_the_system(args: list[str], environ: dict[str, str], chosen: str) -> None:
    assert wanted(args, environ) == chosen


@pytest.mark.parametrize("args", [["--lang", "fr"], ["--lang=fr", "ports"], ["ports", "--lang", "fr"]], ids=" ".join)
def test_an_unknown_language_is_wrong_use_and_the_four_are_named(args: list[str], tmp_path: Path) -> None:
    done = captain(*args, sessions=tmp_path)
    assert done.returncode == 2
    assert all(f"'{name}'" in done.stderr for name in LANGUAGES)
