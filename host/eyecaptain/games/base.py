"""What every game is made of: colours, actions, effects, refusals, and the class `Game`.

An *action* is what the log holds: a report of something that happened, or a wish of the table. A game applies it (or
refuses it, naming the rule) and answers with *effects*, the public news. Games do no I/O, read no clock and draw no
random number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Literal, NamedTuple, Self

from eyecaptain.language import N_, Text, _

Color = Literal["red", "green", "blue", "yellow"]
COLORS: tuple[Color, ...] = (N_("red"), N_("green"), N_("blue"), N_("yellow"))
LETTERS: dict[str, Color] = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}


class BadAction(ValueError):
    """Something that is not an action of the log at all: an unknown type, field or value.

    :param message: what it is, as a template of `language.Text`, and its fields.
    """

    def __init__(self, message: str, **fields: object) -> None:
        super().__init__(message)
        self.text = Text(message, **fields)

    def __str__(self) -> str:
        """The message, in the language of people."""
        return str(self.text)


class Refused(ValueError):
    """An action that the rules, or the state of the game, do not allow now. Nothing has changed.

    :param code: a short word for programs.
    :param message: why, as a template of `language.Text`, and its fields.
    :param rule: the section (``C2``) or ruling (``E10``) of the rules that refuses it; empty when it is none of theirs.
    """

    def __init__(self, code: str, message: str | Text, rule: str = "", **fields: object) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.text = message if isinstance(message, Text) else Text(message, **fields)
        self.line: int | None = None  # the line of the session file, in a replay

    @property
    def message(self) -> str:
        """Why, in the language of people."""
        return str(self.text)

    def __str__(self) -> str:
        """The message, with the line and the rule where they are known."""
        message = self.message if not self.rule else _("{message} (rule {rule})").format(message=self.message, rule=self.rule)
        return message if self.line is None else _("line {line}: {message}").format(line=self.line, message=message)

    def as_json(self) -> dict[str, Any]:
        """The object that ``--json`` prints under the key ``error``; programs get the message in English."""
        return {"code": self.code, "rule": self.rule or None, "line": self.line, "message": self.text.english}


# What a field of an action may hold: a check, and the same in words.
Check = tuple[Callable[[Any], bool], str]


# --- actions ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Action:
    """What happened, as the log holds it. The fields are those of design.md; None is left out of the log."""

    type: ClassVar[str]
    checks: ClassVar[Mapping[str, Check]] = {}  # of fields that mean something else here than in `FIELDS`


@dataclass(frozen=True, slots=True)
class Die(Action):
    """The die shows `face`, or cannot be seen (`face` is None, with the reason in `why`)."""

    type: ClassVar[str] = "die"
    face: Color | None
    why: str | None = None
    by: str | None = None  # board (what None means), world or table


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """A round begins. `layout` holds twelve letters of RGBY by dropping id; it is None on a real deck, and always private."""

    type: ClassVar[str] = "deal"
    round: int
    layout: str | None = None


@dataclass(frozen=True, slots=True)
class Recentre(Action):
    """The die goes back to the centre: it is about to fall, stuck, or shows a colour that is not on the deck any more."""

    type: ClassVar[str] = "recentre"
    reason: str  # falling, stuck or exhausted
    force: bool | None = None


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Take back the action whose seq (or line number, when it has none) is `of`."""

    type: ClassVar[str] = "undo"
    of: int


@dataclass(frozen=True, slots=True)
class Turn(Action):
    """The table corrects who has the tongs."""

    type: ClassVar[str] = "turn"
    seat: int


@dataclass(frozen=True, slots=True)
class Pause(Action):
    """The eye stops."""

    type: ClassVar[str] = "pause"


@dataclass(frozen=True, slots=True)
class Resume(Action):
    """The eye goes on."""

    type: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class Note(Action):
    """Something said about the game."""

    type: ClassVar[str] = "note"
    text: str


@dataclass(frozen=True, slots=True)
class Link(Action):
    """The board was lost, came back, or rebooted."""

    type: ClassVar[str] = "link"
    what: str


def is_int(low: int, high: int) -> Callable[[Any], bool]:
    """A check for a whole number from `low` to `high`."""
    return lambda value: type(value) is int and low <= value <= high


def is_one_of(*values: str) -> Callable[[Any], bool]:
    """A check for one of some words."""
    return lambda value: isinstance(value, str) and value in values


def _is_layout(value: Any) -> bool:
    return isinstance(value, str) and sorted(value) == sorted("RGBY" * 3)


_color = (is_one_of(*COLORS), N_("one of red, green, blue, yellow"))
FLAG: Check = (lambda value: isinstance(value, bool), N_("true or false"))
TEXT: Check = (lambda value: isinstance(value, str) and len(value) <= 1000, N_("a text of at most 1000 characters"))

# What a field of an action may hold: one meaning for each name in the games of one deck.
FIELDS: dict[str, Check] = {
    "announced": _color,
    "by": (is_one_of("board", "world", "table"), N_("one of board, world, table")),
    "color": _color,
    "dropping": (is_int(0, 11), N_("a number from 0 to 11")),
    "face": _color,
    "force": FLAG,
    "layout": (_is_layout, N_("twelve letters, three each of R, G, B, Y")),
    "match": FLAG,
    "named": _color,
    "of": (is_int(1, 2**53), N_("a whole number from 1")),
    "reason": (is_one_of("falling", "stuck", "exhausted"), N_("one of falling, stuck, exhausted")),
    "right": FLAG,
    "round": (is_int(1, 2**31), N_("a whole number from 1")),
    "seat": (is_int(0, 2**31), N_("the number of a seat, from 0")),
    "sought": _color,
    "text": TEXT,
    "what": (is_one_of("lost", "back", "rebooted"), N_("one of lost, back, rebooted")),
    "why": TEXT,
}


def field_names(action: type[Action]) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of action in the order of the log, each with whether it must be given."""
    return tuple((field.name, field.default is MISSING) for field in fields(action))


def action_to_json(action: Action) -> dict[str, Any]:
    """The action as the log writes it (without seq, t and hash)."""
    result: dict[str, Any] = {"type": action.type}
    for name, required in field_names(type(action)):
        value = getattr(action, name)
        if value is not None or required:
            result[name] = value
    return result


def action_from_json(game: Game | type[Game], data: Mapping[str, Any]) -> Action:
    """Read one action of a game.

    :raises BadAction: it is no action: an unknown type or field, or a value of the wrong kind.
    :raises Refused: it is an action of another game.
    """
    name = data.get("type")
    if not isinstance(name, str):
        raise BadAction(N_('an action needs a "type"'))
    kind = game.actions.get(name)
    if kind is None:
        if name in NOT_IN_ALL_GAMES:
            rule = game.rulings.get(name, game.section)
            raise Refused("not_in_this_game", N_('there is no "{name}" in game {game}'), rule, name=name, game=game.name)
        raise BadAction(N_('unknown action "{name}"'), name=name)
    known = field_names(kind)
    extra = data.keys() - {"type"} - {field for field, _ in known}
    if extra:
        raise BadAction(N_('"{name}" has no field "{extra}"'), name=name, extra=min(extra))
    values: dict[str, Any] = {}
    for field, required in known:
        value = data.get(field)
        check, words = kind.checks.get(field) or FIELDS[field]
        if value is None:
            if required and field not in data:
                raise BadAction(N_('"{name}" needs "{field}"'), name=name, field=field)
            if required and not (kind, field) == (Die, "face"):
                raise BadAction(N_('"{field}" of "{name}" must be {what}'), field=field, name=name, what=Text(words))
        elif not check(value):
            raise BadAction(N_('"{field}" of "{name}" must be {what}'), field=field, name=name, what=Text(words))
        values[field] = value
    return kind(**values)


NOT_IN_ALL_GAMES = frozenset({"call", "concede", "die", "die_fell", "fall", "final", "recentre", "void"})

SHARED: tuple[type[Action], ...] = (Deal, Undo, Turn, Pause, Resume, Note, Link)


def kinds(*own: type[Action]) -> dict[str, type[Action]]:
    """The actions of a game by their names in the log: its own, and those that all games share."""
    return {kind.type: kind for kind in (*own, *SHARED)}


# --- effects ---------------------------------------------------------------------------------------------------------


class Effect(NamedTuple):
    """Public news that came out of an action; `Game.words` has a sentence for each `kind`."""

    kind: str
    seat: int | None = None
    color: Color | None = None
    dropping: int | None = None
    number: int | None = None


# --- the game --------------------------------------------------------------------------------------------------------


class Game(ABC):
    """The state of one game and its rules. A subclass is a game; it is found by its entry point.

    :param players: the names by seat, as many as `seats` allows.
    :param options: those that the game names in `option_kinds`; a missing one has its default.
    :param deck: ``real`` (only people know what lies under a dropping) or ``virtual`` (the world knows).
    :raises ValueError: a number of players, an option or a deck that does not exist.
    """

    __slots__ = ("deck_kind", "options", "paused", "players", "status", "turn")

    name: ClassVar[str]
    seats: ClassVar[tuple[int, int | None, str]] = (2, 4, "E2")  # how many can play: at least, at most; the rule
    also_after_the_end: ClassVar[tuple[type[Action], ...]] = (Note, Link)
    section: ClassVar[str]  # of rules.md, for refusals that no ruling covers
    rulings: ClassVar[Mapping[str, str]] = {}  # for actions of other games that a ruling speaks of
    actions: ClassVar[Mapping[str, type[Action]]]
    words: ClassVar[Mapping[str, str]]  # a sentence for each kind of effect
    help: ClassVar[Mapping[str, Sequence[tuple[str, str]]]]  # what people can type, on a "virtual" and on a "real" deck
    rules: ClassVar[str] = ""  # for `captain rules`: in our own words, with a drawing; its first line is the title
    # name of an option: what it may be, in words; its default; a check
    option_kinds: ClassVar[Mapping[str, tuple[str, Any, Callable[[Any], bool]]]]
    # actions that the table or a seat reports on a real deck, but the world on a virtual one
    world_actions: ClassVar[frozenset[str]] = frozenset()
    handlers: ClassVar[Mapping[type[Action], Callable[[Any, Any], tuple[Effect, ...]]]]

    def __init__(self, players: Sequence[str], options: Mapping[str, Any] | None = None, deck: str = "virtual") -> None:
        low, high, rule = self.seats
        if len(players) < low or (high is not None and len(players) > high):
            wanted = N_("{game} is for {low} to {high} players, not {number} (rule {rule})")
            if high is None:
                wanted = N_("{game} is for {low} or more players, not {number} (rule {rule})")
            raise ValueError(Text(wanted, game=self.name, low=low, high=high, number=len(players), rule=rule))
        if deck not in ("real", "virtual"):
            raise ValueError(Text(N_('there is no "{deck}" deck: it is real or virtual'), deck=deck))
        self.players = tuple(players)
        self.deck_kind = deck
        self.options = self._checked(options or {})
        self.status = "running"
        self.turn: int = self.options.get("start", 0)
        self.paused = False

    def _checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        for name in options:
            if name not in self.option_kinds:
                known = ", ".join(self.option_kinds)
                words = N_('{game} has no option "{name}" (it has: {known})')
                raise ValueError(Text(words, game=self.name, name=name, known=known))
        result = {}
        for name, (words, default, check) in self.option_kinds.items():
            value = options.get(name, default)
            if not check(value) or (name == "start" and value >= len(self.players)):
                raise ValueError(
                    Text(N_('the option "{name}" must be {what}, not {value!r}'), name=name, what=Text(words), value=value)
                )
            result[name] = value
        return result

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.status != "running"

    @property
    @abstractmethod
    def eye(self) -> bool:
        """Whether the eye should run now."""

    @property
    @abstractmethod
    def needs_deal(self) -> bool:
        """Whether a round waits for its `deal`."""

    @abstractmethod
    def copy(self) -> Self:
        """A copy that changes on its own."""

    def answered(self, action: Action, look: Callable[[int], Color]) -> Action:
        """The action with what only a virtual deck knows filled in; `look` gives the colour under a dropping.

        :raises Refused: it does not say what the deck has to know.
        """
        del look
        return action

    def apply(self, action: Action) -> tuple[Effect, ...]:
        """Let `action` happen, and return the public news.

        :raises Refused: the rules do not allow it now; the state is as it was.
        """
        handler = self.handlers.get(type(action))
        if handler is None:
            raise Refused(
                "not_in_this_game", N_('there is no "{name}" in game {game}'), self.section, name=action.type, game=self.name
            )
        if self.status != "running" and type(action) not in self.also_after_the_end:
            raise Refused("over", N_("the game is over"), self.section)
        return handler(self, action)

    @abstractmethod
    def view(self, seat: int | None) -> dict[str, Any]:
        """What `seat` may know of the state (None: the public), as plain values for JSON. Never a layout."""

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """The state in the keys that ``captain replay --json`` promises (design.md, sessions)."""

    @abstractmethod
    def winners(self) -> list[int]:
        """The seats that have won, in order; empty while the game runs."""

    def undoable(self, action: Action) -> bool:
        """Whether people may take `action` back.

        That is an action by a seat or the table: not what board and world saw, not an undo. `deal` goes with what it
        followed from; `pause` and `resume` are left alone, so that no undo ever starts the motor; a note or a lost
        link is no part of the game.
        """
        if isinstance(action, Deal | Undo | Pause | Resume | Note | Link):
            return False
        if isinstance(action, Die):
            return action.by == "table"
        return not (self.deck_kind == "virtual" and action.type in self.world_actions)

    # -- the actions that all games share --

    def _seat(self, seat: int) -> int:
        if seat >= len(self.players):
            raise Refused(
                "no_such_seat",
                N_("there is no seat {seat}: the seats are 0 to {last}"),
                "C1",
                seat=seat,
                last=len(self.players) - 1,
            )
        return seat

    def _turn(self, action: Turn) -> tuple[Effect, ...]:
        self.turn = self._seat(action.seat)
        return (Effect("turn", action.seat),)

    def _pause(self, action: Pause) -> tuple[Effect, ...]:
        del action
        self.paused = True
        return (Effect("pause"),)

    def _resume(self, action: Resume) -> tuple[Effect, ...]:
        del action
        self.paused = False
        return (Effect("resume"),)

    def _nothing(self, action: Action) -> tuple[Effect, ...]:
        """A note or the state of the link: it is in the log, and changes nothing."""
        del action
        return ()


def start_option(value: Any) -> bool:
    """Whether `value` can be a start seat (E1)."""
    return type(value) is int and value >= 0
