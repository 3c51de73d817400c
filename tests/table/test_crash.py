"""kill -9 at every action, at four moments of its write: resume loses no action that was shown."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eyecaptain.sessions import replay, store
from eyecaptain.sessions.log import FILE_NAME
from eyecaptain.table.sitting import resume
from eyecaptain.views.plain import tell
from random_play import KINDS
from support import runs


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process can be forked and killed on Linux and macOS only")
@pytest.mark.parametrize("game", KINDS)
def test_no_action_that_was_shown_is_lost(game: str, tmp_path: Path) -> None:
    """Every third action in `make test`, every one in `make soak`."""
    step = 1 if runs(3) > 3 else 3
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("dying.py")), str(tmp_path), game, str(step)],
        capture_output=True,
        text=True,
        check=True,
    )
    deaths = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(death["killed"] for death in deaths) >= 4 * 5
    for death in deaths[:-1]:
        (folder,) = Path(death["folder"]).iterdir()
        recorded = store.read(folder / FILE_NAME)
        history = replay.new_history(recorded.header)
        told = [tell(step.game, effect) for step in replay.steps(recorded, history) for effect in step.news]
        shown = death["shown"].splitlines()
        assert [text[0].upper() + text[1:] for text in told][: len(shown)] == shown
        saved = len(recorded.entries)
        assert saved == death["point"] - (death["stage"] in ("before the write", "half-way through it"))
        if history.game.over:
            continue
        with resume(folder) as sitting:
            assert sitting.table.game.summary() == history.game.summary()
            assert sitting.torn == (death["stage"] == "half-way through it")
            assert sitting.writer.seq == saved
