"""What the loop's thread tells the screen; nothing in them changes afterwards."""

from textual.message import Message

from eyecaptain.games.base import Refused
from eyecaptain.views.terminal.scene import Scene


class Now(Message):
    """How things stand."""

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene


class Happened(Message):
    """An action was written down.

    :param kind: its type.
    :param said: its news in words.
    :param missed: the seat that has looked in secret, or None.
    """

    def __init__(self, kind: str, said: tuple[str, ...], missed: int | None, scene: Scene) -> None:
        super().__init__()
        self.kind = kind
        self.said = said
        self.missed = missed
        self.scene = scene


class Refusal(Message):
    """What was wanted is not allowed."""

    def __init__(self, error: Refused) -> None:
        super().__init__()
        self.error = error


class Reading(Message):
    """The board reads the die; what was wanted is done then."""


class Said(Message):
    """Something that people should know, from the board."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Ended(Message):
    """The loop has ended: the game is over, people left, or something broke."""
