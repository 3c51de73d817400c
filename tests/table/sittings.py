"""Sittings for tests: a table with a plain view that writes into a text, and lines that were typed beforehand."""

import io
import queue
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eyecaptain.sessions import log, replay, store
from eyecaptain.table.loop import Loop
from eyecaptain.table.sitting import Plan, Sitting, begin
from eyecaptain.views.plain import PlainView


def sit(root: Path, game: str = "team", people: Iterable[str] = ("Ada", "Ben"), seed: str = "5eed", **plan: Any) -> Sitting:
    return begin(root, Plan(game, list(people), seed=seed, **plan))


def play_lines(sitting: Sitting, *lines: str) -> str:
    """Type these lines, then leave; return all that was shown."""
    out = io.StringIO()
    inbox: queue.Queue[Any] = queue.Queue()
    for line in lines:
        inbox.put(line)
    inbox.put(None)
    with sitting:
        Loop(sitting.table, PlainView(out, sitting.people), sitting.bots, inbox).run()
    return out.getvalue()


def recorded(sitting: Sitting) -> log.Session:
    return store.read(sitting.folder / log.FILE_NAME)


def check_replay(sitting: Sitting) -> None:
    """Replay equals the final state, also in what nobody may see."""
    again = replay.replay(recorded(sitting)).game
    game = sitting.table.game
    assert (again.summary(), again.view(0)) == (game.summary(), game.view(0))
    assert {slot: getattr(again, slot) for slot in type(game).__slots__} == {
        slot: getattr(game, slot) for slot in type(game).__slots__
    }
