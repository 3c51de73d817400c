"""Three games in a real terminal, one a mode and deck, played by keys from a script to the end.

With a wrong key, an undo over a call, a board that is killed, a window that shrinks, Ctrl-C and `--resume`; the state
that people see in the end is the log's replay.
"""

import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from eyecaptain.boards.simulated.launcher import SimulatedBoard
from eyecaptain.games.base import LETTERS
from eyecaptain.views.plain import status
from support import needs_micropython, only_session, runs
from tmux import Open, needs_tmux

pytestmark = [needs_tmux, pytest.mark.soak]

AGAIN = 1.0  # seconds
SIZES = ((80, 24), (120, 40), (200, 60))
MANNERS: tuple[dict[str, str], ...] = ({}, {"CAPTAIN_THEME": "light"}, {"NO_COLOR": "1"}, {"CAPTAIN_REDUCED_MOTION": "1"})


class Fingers:
    """Plays at a table: decides by the log what to press, and sees in the log what came of it.

    :param seed: of what is decided.
    """

    def __init__(self, open_terminal: Open, seed: int, *command: str) -> None:
        self._open = open_terminal
        self._size, self._env = SIZES[seed % 3], MANNERS[seed % 4]
        self.rng = random.Random(f"{command} {seed}")
        self.table = open_terminal(*command, size=self._size, env=self._env)

    def resume(self, *command: str) -> None:
        """Go on in a new terminal."""
        env = {**self._env, "CAPTAIN_SESSIONS": str(self.table.sessions)}
        self.table = self._open("play", "--resume", *command, size=self._size, env=env)

    def logs(self, kind: str, *keys: str) -> None:
        """Press keys until one more action of this kind is in the log."""
        before = self.table.logged().count(kind)
        # The eye may end the game meanwhile.
        self.press(keys, lambda: self.table.logged().count(kind) > before or (self.table.game().over and kind != "undo"))

    def press(self, keys: Sequence[str], done: Callable[[], bool]) -> None:
        """Press keys, and again when nothing comes of them: fingers that read the log are faster than the screen."""
        pressed = 0.0

        def pressing() -> bool:
            nonlocal pressed
            if done():
                return True
            if time.monotonic() > pressed + AGAIN:
                self.table.keys(*keys)
                pressed = time.monotonic()
            return False

        self.table.until(pressing, keys, seconds=60.0)

    def lift(self) -> None:
        """Lift something on the virtual deck, for whoever has the tongs; the eye may be faster, or the game be over by it."""
        game = self.table.game()
        if game.over:
            return
        before = len(game.ids_on_deck()), self.table.logged().count("lift")
        there = [each for each in game.ids_on_deck() if each != getattr(game, "barred", None) or game.deck == 1]
        # The script knows the layout: a game of luck alone would take all evening.
        fits = [each for each in there if LETTERS[game.layout[each]] == getattr(game, "die", None)]
        if game.has_die and not fits and self.rng.random() < 0.8:
            self._let_it_roll()
            return
        dropping = self.rng.choice(fits if fits and self.rng.random() < 0.8 else there)
        announced = [self.rng.choice("rgby")] if game.name == "solo" else []
        # Enter ends a number to which a digit could be added.
        keys = [*announced, *str(dropping), *(["Enter"] if dropping == 1 else [])]

        def done() -> bool:
            now = self.table.game()
            return now.over or (len(now.ids_on_deck()), self.table.logged().count("lift")) != before

        late = time.monotonic() + 5 * AGAIN  # what was free may be barred by now: then it is decided anew
        self.press(keys, lambda: done() or time.monotonic() > late)

    def match(self) -> None:
        """Report a match of the captain game; where the die is not sure, the table asks for its colour."""
        before = self.table.logged().count("lift")
        self.table.keys("m")

        def done() -> bool:
            return self.table.logged().count("lift") > before

        self.table.until(lambda: done() or "Esc" in self.table.screen(), "a report, or a question")
        if not done():
            self.table.keys(*"rgby")
            self.table.until(done, "an answer")

    def _let_it_roll(self) -> None:
        """Until the eye has turned the die, or something fell."""
        before = self.table.logged()
        self.press(["w"], lambda: self.table.logged() != before)

    def ends(self) -> None:
        """The game is over: leave, and compare what the last line says with the log's replay."""
        self.table.until(lambda: " u " in self.table.screen(), "the end")
        self.table.keys("Enter")
        game = self.table.game()
        said = status(game.view(None)).replace(" ", "")
        self.table.until(lambda: said in "".join(self.table.screen().split()), said)
        self.press(["n"], lambda: "EXIT 0" in self.table.screen())  # no other game
        assert self.table.state() == game.summary()
        assert game.over


@pytest.fixture
def fingers(terminal: Open) -> Callable[..., Fingers]:
    return lambda *words: Fingers(terminal, *words)


@needs_micropython
@pytest.mark.parametrize("seed", range(min(100, runs(1))))
def test_the_team_game_on_the_virtual_deck_of_a_board(seed: int, fingers: Callable[..., Fingers]) -> None:
    play = fingers(seed, "play", "team", "--players", "Ada,Ben", "--board", "sim", "--seed", f"{seed}", "--pace", "0.1")
    table = play.table
    table.sees(" q ")
    table.keys("z")
    table.sees(" z ")
    assert set(table.logged()) <= {"deal", "die", "fall"}
    play.lift()
    play.logs("undo", "u")
    play.lift()
    table.resize(40, 10)
    table.until(lambda: "┗" not in table.screen(), "a small screen")
    play.lift()
    table.resize(*play._size)
    table.sees("┗")
    table.keys("?")
    table.until(lambda: "┗" not in table.screen(), "help")
    table.keys("x")
    while not table.game().over:
        play.lift()
    play.logs("undo", "u")  # also the end is taken back
    play.logs("pause", "p")
    play.logs("resume", "p")
    while not table.game().over:
        play.lift()
    play.ends()


@needs_micropython
@pytest.mark.parametrize("seed", range(min(100, runs(1))))
def test_the_captain_game_on_a_real_deck_over_a_board_that_is_killed(
    seed: int, fingers: Callable[..., Fingers], tmp_path: Path
) -> None:
    play_captain = ("play", "captain", "--players", "Ada,Ben,Cleo", "--deck", "real")
    with SimulatedBoard.start(seed=str(seed), record=tmp_path / "record") as board:
        play = fingers(seed, *play_captain, "--board", board.entry.port)
        play.table.sees(" q ")
        play.logs("lift", "x")
        play.logs("undo", "i", "x")  # another one was missed before it
        assert play.table.game().turn == 2
        play.logs("call", "c", "2", "Enter")  # nobody has looked: the count decides, and it is wrong
        assert play.table.game().chips == [1, 0, 1]
        play.logs("undo", "u")
        assert (play.table.game().chips, play.table.game().round) == ([0, 0, 0], 1)
        play.logs("lift", "x")
        os.kill(board.entry.pid, signal.SIGKILL)
        shown = play.table.sees("EXIT 4")
        assert f"captain play --resume {only_session(play.table.sessions).name}" in " ".join(shown.split())
    before = play.table.game().view(None)
    play.resume("--board", "sim")
    play.table.sees(" q ")
    assert play.table.game().view(None) | {"die": None} == before | {"die": None}
    play.logs("turn", "t", "1")
    for _ in range(3):
        play.match()
        play.logs("turn", "t", "1")
    # All three may have had one colour: then count and table agree, and nothing is asked.
    play.logs("call", "C", "y", *([] if 3 in play.table.game().gone.values() else ["t"]))
    play.table.keys("C-c")
    play.table.sees("EXIT 130")
    play.resume("--board", "none")
    play.table.sees(" q ")
    while not play.table.game().over:
        play.logs("call", "W", "Enter")
    play.ends()


@pytest.mark.parametrize("seed", range(min(100, runs(1))))
def test_the_solo_game_against_a_bot_without_a_board(seed: int, fingers: Callable[..., Fingers]) -> None:
    words = ("--players", "Ada", "--bots", "1", "--board", "none", "--seed", f"{seed}", "--pace", "0.01")
    play = fingers(seed, "play", "solo", *words)
    play.table.sees(" q ")
    play.lift()
    play.table.keys("C-c")
    play.table.sees("EXIT 130")
    play.resume("--board", "none")
    play.table.sees(" q ")
    while not play.table.game().over:
        play.lift()
    play.ends()
