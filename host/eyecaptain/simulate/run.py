"""Many games on all cores. A game depends on the seed and its number alone, so the number of processes changes nothing."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

from eyecaptain import games
from eyecaptain.errors import CaptainError
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import _
from eyecaptain.simulate.batch import Batch, Outcome

AT_ONCE = 20  # games that a process plays between two words to us: a small part of a second, so that Ctrl-C is quick


@dataclass(frozen=True, slots=True)
class Series:
    """What is to be played.

    :param game: the name of a game at the table.
    :param bots: the strength of each bot.
    :param number: of games.
    :param seed: of all of them.
    """

    game: str
    bots: tuple[str, ...]
    number: int
    seed: str
    options: Mapping[str, Any]

    def seats(self, index: int) -> tuple[int, ...]:
        """Which bot sits in each seat of a game: every seating comes in its turn, so that no bot has the better seat."""
        return seatings(len(self.bots))[index % len(seatings(len(self.bots)))]

    def seed_of(self, index: int) -> str:
        """The seed of one game, with which ``captain play`` plays it again."""
        return f"{self.seed}-{index}"


class Played(NamedTuple):
    """One game of a series: its number from 0, the bot in each seat, and what came of it."""

    number: int
    seats: tuple[int, ...]
    outcome: Outcome


@cache
def seatings(number: int) -> list[tuple[int, ...]]:
    """Every order in which so many bots can sit."""
    return list(permutations(range(number)))


@cache
def _kind(game: str) -> type[TwelveGame]:
    kind = games.find(game)
    assert issubclass(kind, TwelveGame)
    return kind


def play(series: Series, first: int, last: int) -> list[Played]:
    """The games from number `first` up to and without `last`."""
    done = []
    for index in range(first, last):
        seats = series.seats(index)
        strengths = [series.bots[bot] for bot in seats]
        outcome = Batch(_kind(series.game), strengths, series.options, series.seed_of(index)).play()
        done.append(Played(index, seats, outcome))
    return done


def cores() -> int:
    """How many processes can work at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(series: Series, jobs: int) -> Generator[list[Played], None, None]:
    """Play a series in so many processes; yields some games at a time, in the order of their numbers.

    :raises CaptainError: a process was killed.
    """
    parts = [(first, min(first + AT_ONCE, series.number)) for first in range(0, series.number, AT_ONCE)]
    jobs = min(jobs, len(parts))
    if jobs <= 1:
        for part in parts:
            yield play(series, *part)
        return
    with _deaf():  # so is the helper process of `multiprocessing`, which would complain about a closed terminal
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin)
    waiting: deque[Future[list[Played]]] = deque()
    try:
        for part in parts:
            with _deaf():  # the first of these start processes, which shall not be interrupted before `_begin`
                waiting.append(pool.submit(play, series, *part))
            if len(waiting) > 4 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise CaptainError(
            _("A process that played games was killed."), _("Is there enough memory? Try fewer --jobs.")
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """A process of the pool: Ctrl-C is for its parent to hear, and it does not outlive that."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    """A parent that was killed takes nobody along by itself."""
    parent.join()
    os._exit(1)


@contextmanager
def _deaf() -> Iterator[None]:
    """Keep Ctrl-C back for a moment; a process that is started now never hears it."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
