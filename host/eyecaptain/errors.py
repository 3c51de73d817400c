"""Errors that end a command: each says what happened and what to do, and carries its exit code (design.md, command line).

A move against the rules is `eyecaptain.games.base.Refused`, exit code 6.
"""


class CaptainError(Exception):
    """What ends a command.

    :param message: what happened and where, one sentence.
    :param hint: what to do about it, one sentence.
    :ivar lines: the last raw lines of the link, when it was the link: `cli.console` puts them into a file.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.lines: list[str] = []


class UsageProblem(CaptainError):
    """The command was asked for something that it cannot do."""

    exit_code = 2


class NoBoard(CaptainError):
    """No board, or no permission to use it."""

    exit_code = 3


class LinkLost(CaptainError):
    """The board stopped answering."""

    exit_code = 4


class BrokenSession(CaptainError):
    """A session file that cannot be trusted, or cannot be had."""

    exit_code = 5


class CheckFailed(CaptainError):
    """The board failed a check: it is full, too old, or its firmware or a part does not do what it should."""

    exit_code = 7
