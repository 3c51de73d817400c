"""All games by mail below one folder: which mail is for which game, and one walk through a mailbox."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Self

from eyecaptain.errors import BrokenSession, CaptainError, UsageProblem
from eyecaptain.games.base import Refused
from eyecaptain.language import N_, Text, _
from eyecaptain.postal import intake, letters, orders, roster
from eyecaptain.postal.desk import Clock, Desk
from eyecaptain.postal.inboxes import Inbox
from eyecaptain.postal.intake import Outcome
from eyecaptain.postal.ledger import Ledger
from eyecaptain.postal.letters import Letter
from eyecaptain.postal.paper import short_name
from eyecaptain.sessions import log, replay, store

CHANGED = Text(N_("a changed copy of a mail that was dealt with before"))


def games(root: Path) -> list[Path]:
    """The folders of all games by mail, the newest first; what cannot be read is left out."""
    return [folder for folder in store.folders(root) if (folder / roster.FILE_NAME).is_file()]


def find(root: Path, name: str | None) -> Path:
    """The folder of a game: by its short name, its id or the beginning of that; without a name the only one.

    :raises UsageProblem: there is none, or more than one.
    """
    known = games(root)
    if name is None:
        running = [folder for folder in known if _is_running(folder)] or known
        if len(running) != 1:
            names = ", ".join(short_name(folder.name) for folder in running[:9]) or "none"
            raise UsageProblem(
                _("Which game? There are {running} by mail in {root}: {names}.").format(
                    running=len(running), root=root, names=names
                ),
                _("captain geier new begins one."),
            )
        return running[0]
    found = [folder for folder in known if short_name(folder.name) == name.lower() or folder.name.startswith(name)]
    if len(found) != 1:
        raise UsageProblem(
            _('There is no game by mail "{name}" in {root}, or more than one.').format(name=name, root=root),
            _("captain geier status lists them."),
        )
    return found[0]


def _is_running(folder: Path) -> bool:
    """Whether a game still has something to do: it is not over, or mail of it waits."""
    try:
        over = replay.replay(store.read(folder / log.FILE_NAME)).game.over
    except (BrokenSession, Refused):
        return True  # whoever works at it is told
    return not over or any((folder / "spool").glob("*.eml"))


def running(root: Path) -> list[Path]:
    """The games that still have something to do."""
    return [folder for folder in games(root) if _is_running(folder)]


class Office:
    """A walk through a mailbox with all games open.

    :param folders: of the games.
    :param now: the clock.
    """

    def __init__(self, root: Path, folders: list[Path], now: Clock) -> None:
        self._stack = ExitStack()
        self.ledger = Ledger(root)
        self.desks: list[Desk] = []
        self.broken: list[CaptainError | Refused] = []  # a game that cannot be opened does not keep the others from going on
        for folder in folders:
            try:
                self.desks.append(self._stack.enter_context(Desk.open(folder, now)))
            except (CaptainError, Refused) as error:
                self.broken.append(error)

    def close(self) -> None:
        """Let go of all games."""
        self._stack.close()

    def __enter__(self) -> Self:
        """Use it in a `with` statement."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close it, however it ended."""
        self.close()

    def read(self, inbox: Inbox) -> Iterator[Outcome]:
        """Deal with every message that was not dealt with before.

        :raises CaptainError: the mailbox cannot be read (on), or the disk is full; what came before counts.
        """
        for incoming in inbox.messages(self.ledger):
            letter = letters.read(incoming.data)
            if self.ledger.has(letter.id):
                # The same message in the same mailbox again is no news; one that differs in half of what names it is.
                if not self.ledger.has_exactly(letter.id):
                    self.ledger.add(letter.id)
                    yield Outcome(
                        None,
                        None,
                        "duplicate",
                        [Text(N_("a changed copy of a mail that was dealt with before"))],
                        suspicious=True,
                    )
                continue
            yield self._dealt_with(letter, incoming.arrived)
            self.ledger.add(letter.id)
        for desk in self.desks:
            if (outcome := intake.give_up(desk)) is not None:
                yield outcome

    def _dealt_with(self, letter: Letter, arrived: datetime) -> Outcome:
        if letter.machine:
            return Outcome(None, None, "ignored", [Text(letter.machine)])
        desk = self._desk_for(letter)
        if desk is None:
            return Outcome(None, None, "ignored", [Text(N_("no game of ours is meant"))], suspicious=True)
        return intake.handle(desk, letter, arrived)

    def _desk_for(self, letter: Letter) -> Desk | None:
        """The game that a mail is for: by its name in the subject or the text, by its sender, by the code."""
        named = {found[0].lower() for found in orders.TAG.findall(f"{letter.subject}\n{letter.text}")}
        words = set(f"{letter.subject} {' '.join(letter.text.split())}".lower().replace(":", " ").split())
        found = [desk for desk in self.desks if desk.name in named or desk.name in words or desk.header["id"].lower() in words]
        if len(found) == 1:
            return found[0]
        playing = [desk for desk in found or self.desks if desk.roster.seat_of(letter.sender) is not None]
        open_ = [desk for desk in playing if not desk.game.over] or playing
        if len(open_) == 1:
            return open_[0]
        codes = orders.codes(f"{letter.subject}\n{letter.text}")
        return next((desk for desk in open_ if self._fits(desk, letter, codes)), open_[0] if open_ else None)

    @staticmethod
    def _fits(desk: Desk, letter: Letter, codes: list[str]) -> bool:
        seat = desk.roster.seat_of(letter.sender)
        return seat is not None and any(roster.is_code(code, desk.roster.players[seat].code) for code in codes)
