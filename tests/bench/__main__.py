"""`make bench`: timings as ratios within one run, each beside a named peer."""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from bench import geier, link, memory, sight
from bench.flashing import flashing
from bench.screen import measure as screen
from random_play import KINDS, new_game, play

HELP = [sys.executable, "-m", "eyecaptain", "--help"]
CLICK = [sys.executable, "-c", "import click"]
ROUNDS = 21


def wall(command: list[str]) -> float:
    """Seconds that a command takes."""
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def first_line(game: str, board: str) -> float:
    """Seconds from the command to the first line of a game on this board."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "eyecaptain", "play", game, "--players", "Ada,Ben", "--board", board],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"CAPTAIN_SESSIONS": folder},
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            took = time.perf_counter() - began
            process.communicate()
    return took


def startup() -> None:
    """Help against the price of importing click, in turns."""
    wall(HELP)
    pairs = [(wall(HELP), wall(CLICK)) for _ in range(ROUNDS)]
    helps, clicks = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"captain --help        {helps * 1e3:7.1f} ms   import click {clicks * 1e3:.1f} ms, ratio {helps / clicks:.2f} (1.7)")
    for board, goal in (("none", 1000), ("sim", 1500)):
        lines = [first_line(game, board) for _ in range(3) for game in KINDS]
        print(f"first line, --board {board:5}{statistics.median(lines) * 1e3:5.0f} ms   (goal {goal})")


def rate(one_game: Callable[[], None], seconds: float = 1.0) -> float:
    """Games a second."""
    began, games = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        one_game()
        games += 1
    return games / (time.perf_counter() - began)


def playing(name: str) -> Callable[[], None]:
    """A random game through the engine's public interface."""
    rng = random.Random(name)

    def one_game() -> None:
        for _ in play(new_game(name, rng), rng):
            pass

    return one_game


def peer() -> Callable[[], None] | None:
    """A random game of OpenSpiel's tic-tac-toe in its Python loop, when it is installed."""
    try:
        import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return None
    game = pyspiel.load_game("tic_tac_toe")
    rng = random.Random(1)

    def one_game() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))

    return one_game


def engines() -> None:
    """Random games a second of each game, in turns with the peer."""
    other = peer()
    rates: dict[str, list[float]] = {}
    for _ in range(3):
        for name in KINDS:
            rates.setdefault(name, []).append(rate(playing(name)))
        if other:
            rates.setdefault("OpenSpiel tic_tac_toe", []).append(rate(other))
    for name, values in rates.items():
        print(f"{name:22}{statistics.median(values):9.0f} random games a second")
    if not other:
        print("(pip install open_spiel shows its tic_tac_toe beside them)")


if __name__ == "__main__":
    startup()
    link.table()
    memory.table()
    engines()
    geier.table()
    screen()
    flashing()
    sight.cost()
    sight.latency()
