"""The same seed gives the same log on the board `none`, whatever Python's hash seed is; a hidden random number is found."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from random_play import KINDS

HIDDEN = """
import random
from eyecaptain.games.bots.base import Bot
Bot._any_of = lambda self, droppings: droppings[int(random.random() * len(droppings))]
"""
MAIN = "import sys; from eyecaptain.cli import main; sys.exit(main())"
LINES = "1\nw\nu\n\n2\ncall Ada\nred 4\ngreen 5\n{}\nblue 7\n" * 8


def logged(folder: Path, game: str, hash_seed: int, before: str = "") -> list[dict[str, object]]:
    """A game by three bots and one person (whose lines do not all fit), without what may differ."""
    env = os.environ | {"CAPTAIN_SESSIONS": str(folder), "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-c", before + MAIN, "play", game, "--players", "Ada", "--bots", "3", "--seed", "5eed"]
    subprocess.run(command, input=LINES, text=True, env=env, capture_output=True, check=True)
    (path,) = folder.glob("*/session.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in line.items() if key not in ("id", "created", "hash")} for line in lines]


@pytest.mark.parametrize("game", KINDS)
def test_the_same_seed_gives_the_same_log(game: str, tmp_path: Path) -> None:
    first, *others = [logged(tmp_path / str(seed), game, seed) for seed in (0, 1, 2)]
    assert len(first) > 20
    assert others == [first, first]


def test_a_hidden_random_number_would_be_found(tmp_path: Path) -> None:
    first, *others = [logged(tmp_path / str(seed), "solo", seed, HIDDEN) for seed in (0, 1, 2)]
    assert others != [first, first]
