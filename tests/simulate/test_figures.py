"""Figures: intervals that can be checked by hand, and sums that add up."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyecaptain.simulate.batch import Outcome
from eyecaptain.simulate.figures import Figures, Length, Share
from eyecaptain.simulate.run import Played, Series


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662), (0, 0, 0.0, 1.0)],
)
def test_the_interval_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    """81 of 263 is the example of Newcombe (1998), table I, method 3."""
    assert Share(hits, of).interval == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_a_share_lies_in_its_interval(one: int, other: int) -> None:
    share = Share(one, one + other)
    low, high = share.interval
    assert 0.0 <= low <= share.rate <= high <= 1.0


@given(st.lists(st.integers(0, 5000), min_size=1))
def test_lengths(lengths: list[int]) -> None:
    found = Length(Counter(lengths)).as_json()
    assert found["mean"] == pytest.approx(sum(lengths) / len(lengths), abs=1e-4)
    assert (found["shortest"], found["longest"]) == (min(lengths), max(lengths))
    assert found["low"] <= found["mean"] <= found["high"]
    assert found["median"] in lengths


def test_no_length_is_no_number() -> None:
    assert Length(Counter()).as_json()["mean"] is None


def test_what_is_counted_for_whom() -> None:
    """Bots are counted as they were listed, wherever they sat."""
    figures = Figures(Series("captain", ("hard", "easy", "easy"), 2, "s", {}))
    figures.add(
        [
            Played(0, (2, 0, 1), Outcome("over", None, (1,), 40, 2, (0, 2, 0), (1, 0, 0))),
            Played(1, (0, 1, 2), Outcome("over", None, (1, 2), 60, 3, (0, 1, 1), (0, 0, 0))),
            Played(2, (1, 2, 0), Outcome("unfinished", None, (), 5000, 3, (0, 0, 0), (0, 0, 0))),
        ]
    )
    found = figures.as_json()
    assert [bot["wins"]["count"] for bot in found["bots"]] == [1, 1, 1]
    assert [bot["alone"]["count"] for bot in found["bots"]] == [1, 0, 0]
    assert [bot["calls"]["count"] for bot in found["bots"]] == [2, 1, 1]
    assert [bot["calls"]["of"] for bot in found["bots"]] == [2, 1, 2]
    assert [seat["count"] for seat in found["seats"]] == [0, 2, 1]
    assert {strength: share["count"] for strength, share in found["strengths"].items()} == {"hard": 1, "easy": 1}
    assert found["ends"]["unfinished"]["count"] == 1
    assert found["calls"]["count"] == 4
    assert found["games"] == 3
