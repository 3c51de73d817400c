"""The game master's desk: one game by mail, opened, worked at, and closed again.

Everything that happens is an action in the log first; what follows from it (reports, reminders, a bot's order, the next
deadline) is worked out from the log, so that a program that was killed at any moment does the rest when it runs again, and
nothing twice.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self
from zoneinfo import ZoneInfo

from eyecaptain.errors import BrokenSession
from eyecaptain.games.base import Action, action_to_json
from eyecaptain.games.bots.geier import order
from eyecaptain.games.commitment import commitment, deck, mixed
from eyecaptain.games.geier import GeierGame
from eyecaptain.games.geieractions import Deadline, Deal, Evaluate, FileOrder, Mail, Rollback, Standby
from eyecaptain.games.history import History
from eyecaptain.language import _, speaking
from eyecaptain.postal import deadlines, messages, notices, roster
from eyecaptain.postal.letters import digest
from eyecaptain.postal.outboxes import sender
from eyecaptain.postal.paper import paper, short_name
from eyecaptain.postal.roster import Correspondent
from eyecaptain.postal.spool import Spool
from eyecaptain.sessions import replay as replays
from eyecaptain.sessions.writer import Writer

Clock = Callable[[], datetime]


class Event(NamedTuple):
    """An action of the log under its seq."""

    seq: int
    action: Action


class Desk:
    """A game that is worked at; use `open`, and `close` it.

    :param now: the clock: aware, in any zone.
    """

    def __init__(
        self, writer: Writer, header: dict[str, Any], history: History[GeierGame], events: list[Event], now: Clock
    ) -> None:
        self.folder = writer.folder
        self.header = header
        self.name = short_name(header["id"])
        self.roster = roster.load(writer.folder)
        self.now = now
        self.events = events
        self._writer = writer
        self._history = history
        self._created = datetime.fromisoformat(header["created"])
        self._t = 0.0
        states = {mail.id: mail.state for mail in self._mails("out")}
        self.spool = Spool(writer.folder, states, lambda id_, what, state: self._mailed("out", id_, what, state))

    @classmethod
    def open(cls, folder: Path, now: Clock) -> Self:
        """Take a game for this process alone.

        :raises BrokenSession: it is damaged, another process has it, or it is no game by mail.
        """
        writer, session = Writer.reopen(folder)
        try:
            if session.header["game"] != GeierGame.name:
                raise BrokenSession(
                    _("{name} is no game by mail.").format(name=folder.name), _("captain geier status lists them.")
                )
            history = replays.new_history(session.header)
            events = [Event(step.entry.key, step.action) for step in replays.steps(session, history)]
            desk = cls(writer, session.header, history, events, now)  # type: ignore[arg-type]
            desk._t = max((entry.t or 0.0 for entry in session.entries), default=0.0)
        except BaseException:
            writer.close()
            raise
        return desk

    def close(self) -> None:
        """Let go of the game."""
        self._writer.close()

    def __enter__(self) -> Self:
        """Use it in a `with` statement."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close it, however it ended."""
        self.close()

    @property
    def game(self) -> GeierGame:
        """The state; read it, do not change it."""
        return self._history.game

    # -- writing --

    def happen(self, action: Action) -> None:
        """Judge an action and put it on the disk.

        :raises Refused: the rules do not allow it; nothing was written.
        :raises CaptainError: the disk does not take it.
        """
        game, _ = self._history.trial(action)
        self._t = max(self._t, (self.now() - self._created).total_seconds())
        seq = self._writer.append(self._t, action_to_json(action))
        self._history.add(seq, action, game)
        self.events.append(Event(seq, action))

    def _mailed(self, direction: str, id_: str, what: str, state: str) -> None:
        self.happen(Mail(direction, id_, what, state))

    def _mails(self, direction: str) -> Iterator[Mail]:
        return (action for _, action in self.events if isinstance(action, Mail) and action.dir == direction)

    # -- reading --

    def deadline(self, round_: int | None = None) -> datetime | None:
        """The deadline of a round (None: the current one, or before the shuffle that of the words for it)."""
        if round_ is None:
            round_ = 0 if self.game.needs_deal and 0 in self.game.deadlines else self.game.round
        at = self.game.deadlines.get(round_)
        return datetime.fromisoformat(at) if at else None

    def passed(self, at: datetime | None) -> bool:
        """Whether a moment is over."""
        return at is not None and self.now() >= at

    def deadline_words(self, seat: int) -> str:
        """The current deadline by a player's clock, or nothing."""
        at = self.deadline()
        return deadlines.said(at, ZoneInfo(self.roster.players[seat].zone)) if at else ""

    def people(self) -> list[int]:
        """The seats that get mail."""
        return [seat for seat, player in enumerate(self.roster.players) if player.address]

    def held(self) -> bool:
        """Whether a rollback waits for the game master: no deadline was set since."""
        for event in reversed(self.events):
            if isinstance(event.action, Rollback):
                return True
            if isinstance(event.action, Evaluate | Deadline):
                return False
        return False

    def paper(self, number: int) -> dict[str, Any]:
        """The report of a round, as plain data."""
        zones = [self.roster.zone, *(self.roster.players[seat].zone for seat in self.people())]
        times = sum(isinstance(event.action, Evaluate) and event.action.round == number for event in self.events)
        return paper(self.game, self.header, number, correction=times > 1, zones=zones)

    # -- what follows --

    def catch_up(self) -> None:
        """Do what follows from the log and was not done yet."""
        self._shuffle()
        self._order_for_bots()
        self._set_next_deadline()
        notices.write(self)

    def _shuffle(self) -> None:
        """Shuffle the animals, when all words for it are in or their deadline has passed (A10)."""
        game = self.game
        if not game.needs_deal or not self.header["seed"]:
            return
        seed = bytes.fromhex(self.header["seed"])
        if 0 in game.deadlines:
            if not self.passed(self.deadline(0)) and any(seat not in game.nonces for seat in self.people()):
                return
            seed = mixed(seed, [game.nonces.get(seat, "") for seat in range(len(game.players))])
        self.happen(Deal(deck(seed)))

    def _order_for_bots(self) -> None:
        game = self.game
        for seat, strength in enumerate(self.header["bots"] or ()):
            if (
                strength
                and not self.roster.players[seat].address
                and not game.over
                and not game.needs_deal
                and game.filed(seat) is None
            ):
                a, b = order(game.view(seat), seat, strength, f"{self.header['seed']}/{game.round}".encode())
                self.happen(FileOrder(seat, game.round, a, b))
                game = self.game

    def _set_next_deadline(self) -> None:
        game, days = self.game, self.roster.days
        if game.over or game.needs_deal or game.round in game.deadlines or not days:
            return
        last = self.deadline(game.round - 1)
        if last is not None:
            at = deadlines.after(last, days, ZoneInfo(self.roster.zone), self.now())
            self.happen(Deadline(game.round, at.isoformat()))

    def tell(self, seat: int, what: str, key: str, content: Callable[[int], Sequence[Any]], answer_to: str = "") -> bool:
        """Spool one mail, unless it was before; says whether it is new.

        :param key: with `what` and the seat, what makes it the same mail.
        :param content: gives subject, text, HTML and report for a seat; called in that player's language.
        """
        player = self.roster.players[seat]
        id_ = self.mail_id(seat, what, key)
        if self.spool.has(id_) or not player.address:
            return False
        envelope = self._envelope(id_, f"{what} seat {seat}", player.address)
        with speaking(player.language):
            subject, text, *more = content(seat)
            html, data = more or (None, None)
            self.spool.add(id_, messages.mail(envelope, subject, text, html=html, paper=data, answer_to=answer_to))
        return True

    def mail_id(self, seat: int, what: str, key: str) -> str:
        """What a mail to a seat is known by; `what` and `key` as for `tell`."""
        return digest(f"{self.header['id']}|{what}|{key}|{seat}")

    def tell_master(self, key: str, content: Callable[[], tuple[str, str]]) -> None:
        """Spool a notice for the game master, if there is an address; `key` tells it from others."""
        id_ = digest(f"{self.header['id']}|notice|{key}")
        if self.roster.master and not self.spool.has(id_):
            with speaking(self.roster.language):
                self.spool.add(id_, messages.mail(self._envelope(id_, "notice", self.roster.master), *content()))

    def _envelope(self, id_: str, what: str, to: str) -> messages.Envelope:
        round_ = None if self.game.over else self.game.round
        return messages.Envelope(id_, what, self.name, sender(), to, round_, self.now())

    def told(self, what: str) -> int:
        """How many mails of a kind were written since the last evaluation."""
        count = sum(waiting.what == what for waiting in self.spool.waiting())
        for __, action in reversed(self.events):
            if isinstance(action, Evaluate):
                break
            count += isinstance(action, Mail) and (action.dir, action.what, action.state) == ("out", what, "sending")
        return count

    def welcome(self, seat: int, code: str) -> None:
        """Spool the mail with a player's secret code; it is nowhere else, and gone when it is sent."""
        told = messages.Welcome(
            self.name,
            code,
            commitment(self.header["id"], bytes.fromhex(self.header["seed"])),
            self.deadline_words(seat),
            nonces=self.game.needs_deal and 0 in self.game.deadlines,
        )
        self.tell(seat, "welcome", self.roster.players[seat].code, partial(messages.welcome, self.game, told))

    # -- the game goes on --

    def set_deadline(self, at: datetime) -> None:
        """Set or move the deadline of the current round (before the shuffle: of the words for it); everybody is told."""
        self.happen(Deadline(0 if self.game.needs_deal else self.game.round, at.isoformat()))

    def roll_back(self, round_: int) -> None:
        """Go back to the beginning of a round and tell everybody (H20); it is not evaluated again by itself."""
        self.happen(Rollback(round_))
        self.catch_up()

    def stand_by(self, seat: int, name: str, player: Correspondent) -> None:
        """Somebody else plays on in a seat, or the same with a new address: a new code is on its way.

        :param player: with an address; its code is made here.
        """
        self.happen(Standby(seat, name))
        code = roster.new_code()
        players = list(self.roster.players)
        players[seat] = replace(player, code=roster.hashed(code))
        self.roster = replace(self.roster, players=players)
        roster.save(self.folder, self.roster)
        self.welcome(seat, code)

    def preview(self) -> dict[str, Any]:
        """The report that an evaluation right now would give. Only the game master may see it.

        :raises Refused: there is nothing to evaluate.
        """
        game, _ = self._history.trial(Evaluate(self.game.round))
        return paper(game, self.header, self.game.round, zones=[self.roster.zone])

    def status(self) -> dict[str, Any]:
        """How the game stands, for its game master: who is missing, what mail waits; no order."""
        game, at = self.game, self.deadline()
        names = game.players
        refused = [mail.what for mail in self._mails("in") if mail.state == "refused"]
        return {
            "game": self.header["id"],
            "name": self.name,
            "status": game.status,
            "round": game.round,
            "shuffled": not game.needs_deal,
            "deadline": at.isoformat() if at else None,
            "due": self.due(),
            "held": self.held() and not game.over,
            "missing": [names[seat] for seat in game.missing()],
            "waiting": [names[seat] for seat in sorted(game.waiting)],
            "absent": [names[seat] for seat in sorted(game.absent)],
            "to_remind": [names[seat] for seat in notices.to_remind(self)],
            "missed": {names[seat]: game.missed(seat) for seat in range(len(names)) if game.missed(seat) > 1},
            "to_send": sum(1 for waiting in self.spool.waiting() if not self.spool.is_for_check(waiting)),
            "to_check": [{"id": waiting.id, "what": waiting.what} for waiting in self.spool.for_check()],
            "suspicious": sum("seat" not in what for what in refused),
        }

    # -- evaluation --

    def due(self, *, at_once: bool = False) -> str | None:
        """Why the current round is to be evaluated now, or None (H13, H19)."""
        game = self.game
        if game.over or game.needs_deal:
            return None
        if at_once:
            return "the game master"
        if self.held():
            return None
        if self.passed(self.deadline()):
            return "the deadline has passed"
        if not game.missing() and not game.waiting:
            return "all orders are in"
        return None

    def run(self, *, at_once: bool = False) -> list[int]:
        """Evaluate what is due and spool what follows; returns the rounds that were evaluated.

        :param at_once: evaluate the current round, whatever is missing.
        """
        done = []
        self.catch_up()
        while self.due(at_once=at_once):
            done.append(self.game.round)
            self.happen(Evaluate(self.game.round))
            at_once = False
            self.catch_up()
        notices.remind(self)
        return done
