"""One simulated game: the very game that the table would play."""

from pathlib import Path

import pytest

from eyecaptain.games.base import action_to_json
from eyecaptain.games.bots import STRENGTHS
from eyecaptain.simulate import batch
from eyecaptain.simulate.batch import Batch
from random_play import KINDS
from support import runs
from table.sittings import play_lines, recorded, sit


@pytest.mark.soak
@pytest.mark.parametrize("name", KINDS)
def test_a_simulated_game_is_the_one_that_the_table_plays(name: str, tmp_path: Path) -> None:
    for number in range(min(runs(6), 100)):
        strength = STRENGTHS[number % 3]
        seed = f"same {number}"
        options = {"open_corners": number % 4 + 1, "reveal_galley": number % 2 == 1} if name == "team" else {}
        simulated = Batch(KINDS[name], [strength] * (number % 3 + 2), options, seed)
        simulated.keep = True
        outcome = simulated.play()
        sitting = sit(tmp_path, name, [], seed, bots=number % 3 + 2, strength=strength, options=options)
        play_lines(sitting)
        assert [action_to_json(action) for action in simulated.actions] == [entry.data for entry in recorded(sitting).entries]
        assert sitting.table.game.winners() == list(outcome.winners)
        assert sitting.header["bots"] == [strength] * (number % 3 + 2)


def test_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Batch(KINDS["captain"], ["easy", "medium", "hard"], {}, "count")
    game.keep = True
    outcome = game.play()
    calls = [action for action in game.actions if action.type == "call"]
    assert sum(outcome.right) + sum(outcome.wrong) == len(calls)
    assert outcome.lifts == sum(action.type == "lift" for action in game.actions)
    assert outcome.rounds == sum(action.type == "deal" for action in game.actions)
    assert outcome.status == "over"
    monkeypatch.setattr(batch, "LONGEST", 5)
    cut = Batch(KINDS["captain"], ["easy", "medium", "hard"], {}, "count").play()
    assert (cut.status, cut.winners, cut.lifts) == ("unfinished", (), 5)
