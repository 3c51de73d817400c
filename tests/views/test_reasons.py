"""Why the die is not seen, in words: on each view, and for each reason that a board may give."""

import re
from pathlib import Path

import pytest

from eyecaptain.views.reasons import OTHER, REASONS, reason
from eyecaptain.views.terminal.panels import hint
from eyecaptain.views.terminal.scene import Watch
from table.sittings import sit

DEVICE = Path(__file__).parents[2] / "device" / "eyedeck"


def test_every_reason_of_the_firmware_has_words_of_its_own() -> None:
    source = "".join((DEVICE / name).read_text() for name in ("core/die.py", "sight.py"))
    said = set(re.findall(r'None, 0, "(\w+)"', source))
    assert said == set(REASONS)
    assert len({reason(why) for why in REASONS}) == len(REASONS)
    assert reason("something new") == reason(None) == OTHER


@pytest.mark.parametrize("why", REASONS)
def test_the_screen_says_what_to_do(why: str, tmp_path: Path) -> None:
    with sit(tmp_path, deck="real") as sitting:
        sitting.table.begin()
        sitting.table.board.unseen = why  # type: ignore[misc]
        words, urgent = hint(Watch().scene(sitting.table, sitting.people, held=False))
        assert words == reason(why)
        assert urgent
