"""A recorded session as a list of moments, and where in it a replay stands."""

from collections.abc import Iterable
from typing import NamedTuple

from eyecaptain.games.base import LETTERS, Action, Color, Undo
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import N_, _
from eyecaptain.sessions.replay import Step
from eyecaptain.views.plain import tell

TAKEN_BACK = N_("Action {of} is taken back.")


class Moment(NamedTuple):
    """One action of a recording.

    :param t: seconds since the session began.
    :param said: the news in words.
    :param colors: undersides as far as anybody could know them with everything turned over.
    """

    key: int
    t: float
    action: Action
    said: tuple[str, ...]
    game: TwelveGame
    colors: dict[int, Color]


def moments(steps: Iterable[Step]) -> list[Moment]:
    """The moments of a replay; games that are not played at this table have none."""
    result: list[Moment] = []
    t = 0.0
    for step in steps:
        if not isinstance(step.game, TwelveGame):
            continue
        t = step.entry.t if step.entry.t is not None else t + 1.0  # hand-written files may have no time
        said = tuple(_words(step))
        layout = step.game.layout
        told = dict(enumerate(LETTERS[letter] for letter in layout)) if layout else dict(step.game.told)
        result.append(Moment(step.entry.key, t, step.action, said, step.game, told))
    return result


def _words(step: Step) -> Iterable[str]:
    if isinstance(step.action, Undo):
        yield _(TAKEN_BACK).format(of=step.action.of)
    for effect in step.news:
        if effect.kind != "undo":
            yield tell(step.game, effect)


class Head:
    """Where a replay stands, and how fast it goes."""

    SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

    def __init__(self, recording: list[Moment], speed: float = 1.0) -> None:
        self.recording = recording
        self.at = 0
        self.speed = speed
        self.running = False

    @property
    def moment(self) -> Moment:
        """What is shown."""
        return self.recording[self.at]

    @property
    def last(self) -> bool:
        """Whether it is the end."""
        return self.at == len(self.recording) - 1

    def step(self, by: int) -> None:
        """Go so many actions on, or back."""
        self.at = min(max(0, self.at + by), len(self.recording) - 1)

    def jump(self, kinds: tuple[str, ...], by: int) -> bool:
        """Go to the next (1) or the last (-1) action of one of these kinds; return whether there is one."""
        at = self.at + by
        while 0 <= at < len(self.recording):
            if self.recording[at].action.type in kinds:
                self.at = at
                return True
            at += by
        return False

    def faster(self, by: int) -> None:
        """The next higher (1) or lower (-1) of the usual speeds."""
        near = min(range(len(self.SPEEDS)), key=lambda i: abs(self.SPEEDS[i] - self.speed))
        self.speed = self.SPEEDS[min(max(0, near + by), len(self.SPEEDS) - 1)]

    def wait(self) -> float:
        """Seconds until the next action at this speed."""
        return 0.0 if self.last else max(0.0, self.recording[self.at + 1].t - self.moment.t) / self.speed
