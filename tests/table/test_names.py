"""What can be a player's name (design.md, two decks)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyecaptain.errors import UsageProblem
from eyecaptain.table.names import checked


@pytest.mark.parametrize("name", ["Ada", "Zoë", "李雷", "עדה", "👩‍🚀", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "x" * 20, "Ada Lovelace", "7", "{ada}", "-v"])
def test_a_name_that_is_fine(name: str) -> None:
    assert checked([name]) == [unicodedata.normalize("NFC", name)]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 21,
        "Ada,Ben",
        "A\nB",
        "A\tB",
        "\x1b[2J",
        "a\u202eb",
        "\u2066a",
        "a\u200fb",
        "\u200d",
        "\udcff",
        "\ue000",
        "\x00",
    ],
)
def test_a_name_that_is_not(name: str) -> None:
    with pytest.raises(UsageProblem, match="cannot be a player's name"):
        checked([name])


def test_names_are_trimmed_and_composed() -> None:
    assert checked([" Zoe\u0308 "]) == ["Zoë"]


@pytest.mark.parametrize("pair", [("Ada", "ada"), ("Zoë", "Zoe\u0308"), ("STRASSE", "straße"), ("Ada", " Ada ")])
def test_two_names_that_are_the_same_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(UsageProblem, match="Two players"):
        checked(pair)


@given(st.text(max_size=30))
def test_what_is_accepted_is_short_trimmed_and_printable(name: str) -> None:
    try:
        (found,) = checked([name])
    except UsageProblem:
        return
    assert 1 <= len(found) <= 20
    assert found == found.strip()
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in found)
    assert checked([found]) == [found]
