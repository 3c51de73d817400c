"""What a key means now: the menu of a moment, the questions that follow a key, and the wishes that come out.

Everything here is plain: a scene and a key go in, a wish or a question comes out. A question is never a dead end: Escape
leaves it, and what happens at the table meanwhile goes on.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Union

from eyecaptain.games.base import COLORS, Action, Color, action_from_json
from eyecaptain.games.mending import Mend
from eyecaptain.games.twelve import PER_COLOR
from eyecaptain.language import N_, _
from eyecaptain.table.loop import Wish
from eyecaptain.views.terminal.palette import PAINTS, seat_letter
from eyecaptain.views.terminal.scene import Scene
from eyecaptain.world.deck import EDGE

# Words of the keys ...
LIFT = N_("lift")
ANNOUNCE = N_("announce {color}")
FOUND = N_("{color} lifted")
GO_ON = N_("go on")
WAIT = N_("let the eye roll")
UNDO = N_("undo")
PAUSE = N_("pause")
RESUME = N_("resume")
TURN = N_("whose turn")
QUIT = N_("quit")
END = N_("end")
HELP = N_("help")
CALL = N_("call")
NOBODY = N_("nobody")
NOBODY_CALLS = N_("nobody calls")
LOOK = N_("secret look")
MATCH = N_("match")
MISS = N_("no match")
DIE = N_("the die shows")
UNSEEN = N_("not to be seen")
CENTRE_DIE = N_("die to the centre")
FELL = N_("one fell")
OVERBOARD = N_("die fell")
LAST = N_("name the last one")
CONCEDE = N_("give up")
CANCEL = N_("back")
YES, NO = N_("yes"), N_("no")
BARE, STILL = N_("a colour is gone"), N_("all are still there")
NOT_SEEN = N_("did not look")
TABLE, COUNT = N_("the table"), N_("the count")
REASONS = {"falling": N_("about to fall"), "stuck": N_("stuck"), "exhausted": N_("colour gone")}
CENTRE = {
    "falling": N_("die to the centre: about to fall"),
    "stuck": N_("die to the centre: stuck"),
    "exhausted": N_("die to the centre: colour gone"),
}
EARLIER = N_("earlier match")
MISSED = N_("one was missed")
WRONG = (N_("last was wrong"), N_("last but one wrong"))
ALL_THE_SAME = N_("a match")
NOBODY_KEY = "n"
MISSED_KEY, WRONG_KEYS = "i", ("a", "s")
# ... and of the questions.
ASK_DIE = N_("Look at the die: which colour does it show?")
ASK_MEANT = N_("The die has just turned. Which colour was meant?")
ASK_FOUND = N_("{color} was announced. Which colour was found?")
ASK_NUMBER = N_("{color} is announced. Which dropping?")
ASK_CALLER = N_("Who called?")
ASK_LOOK = N_("{player} calls! Look under all that is left: what do you see?")
ASK_DIFFER_BARE = N_("Count and table differ: by the count a colour is gone. Who is right?")
ASK_DIFFER_STILL = N_("Count and table differ: by the count all are still there. Who is right?")
ASK_TURN = N_("Who has the tongs?")
ASK_REASON = N_("Why does the die go back to the centre?")
ASK_NAMED = N_("Which colour do you all name for the last dropping?")
ASK_WAS = N_("You named {color}. Which colour was it?")
ASK_FALLEN = N_("Which colour had the dropping that fell?")
ASK_CONCEDE = N_("Give up this game?")
ASK_EARLIER = N_("The die has turned since. Which colour had the match?")
ASK_MISSED = N_("Missed before the last report: a match of which colour, or none?")
ASK_WRONG = (N_("What, or whose, was the last report really?"), N_("What, or whose, was the report before it really?"))


class Answer(NamedTuple):
    """A key, what it does in words (empty: it is not listed), and what comes of it."""

    key: str
    label: str
    then: Callable[[], "Outcome"]
    paint: Color | None = None


class Question(NamedTuple):
    """Something to be answered with one key.

    :param announced: a colour that the whole screen should show meanwhile.
    :param numbers: a dropping may be chosen instead, by number, arrows or mouse.
    """

    text: str
    answers: tuple[Answer, ...]
    announced: Color | None = None
    numbers: Callable[[int], "Outcome"] | None = None


Outcome = Union[Wish, Question, str, None]  # noqa: UP007 - names itself


def _color_answers(then: Callable[[Color], Outcome], label: str = "{color}") -> Iterator[Answer]:
    for color in COLORS:
        yield Answer(PAINTS[color].letter.lower(), label.format(color=_(color)), lambda color=color: then(color), color)  # type: ignore[misc] # bound here


def _sentence(words: str) -> str:
    """Words of which the first may be a colour's name."""
    return words[:1].upper() + words[1:]


def question(text: str, *answers: Answer, **more: Any) -> Question:
    """A question that can always be left."""
    return Question(text, (*answers, Answer("escape", _(CANCEL), lambda: None)), **more)


class Hands:
    """The menus of one scene.

    :param now: the monotonic time of the key.
    """

    def __init__(self, scene: Scene, now: float) -> None:
        self._scene = scene
        self._now = now

    # -- the menu --

    def menu(self) -> Question:
        """All keys that work now."""
        scene = self._scene
        numbers = self._lift_number if self._may_lift and scene.deck_kind == "virtual" and scene.kind.has_die else None
        return Question("", tuple(self._answers()), numbers=numbers)

    @property
    def _may_lift(self) -> bool:
        scene = self._scene
        return not scene.over and not scene.view["paused"] and scene.view["turn"] in scene.people and bool(scene.view["deck"])

    def _answers(self) -> Iterator[Answer]:
        scene = self._scene
        if not scene.over:
            if scene.held:
                yield Answer("enter", _(GO_ON), lambda: Wish(word="wait"))
            elif scene.deck_kind == "virtual" and not scene.view["paused"]:
                yield Answer("w", _(WAIT), lambda: Wish(word="wait"))
            if scene.deck_kind == "virtual":
                yield from self._virtual()
            elif not scene.view["paused"] or scene.kind.name == "captain":
                yield from self._real()
            if scene.view["paused"]:
                yield Answer("p", _(RESUME), lambda: self._do("resume"))
            else:
                yield Answer("p", _(PAUSE), lambda: self._do("pause"))
            yield Answer("t", _(TURN), self._whose_turn)
            yield from self._mends()
        else:
            yield Answer("enter", _(END), lambda: Wish(word="quit"))
        if scene.can_undo:
            yield Answer("u", _(UNDO), lambda: Wish(word="undo"))
        yield Answer("question_mark", _(HELP), lambda: "help")
        yield Answer("q", "" if scene.over else _(QUIT), lambda: Wish(word="quit"))

    def _virtual(self) -> Iterator[Answer]:
        """A deck that knows itself."""
        scene = self._scene
        if self._may_lift and not scene.kind.has_die:
            yield from _color_answers(self._announce, _(ANNOUNCE))
        yield from self._calls()
        if scene.looks:
            yield Answer("v", _(LOOK), lambda: "look")
        if scene.view["paused"]:
            return
        if "final" in scene.kind.actions and scene.view["deck"] == 1:
            yield Answer("l", _(LAST), lambda: question(_(ASK_NAMED), *_color_answers(lambda c: self._do("final", named=c))))
        yield from self._centre()
        yield from self._concede()

    def _real(self) -> Iterator[Answer]:
        """A deck of which people tell."""
        scene = self._scene
        actions = scene.kind.actions
        if self._may_lift:
            if scene.kind.name == "captain":
                yield Answer("m", _(MATCH), lambda: self._match(None))
                yield Answer("x", _(MISS), lambda: self._do("lift", seat=self._turn, match=False))
            elif scene.kind.has_die:
                yield from _color_answers(self._found, _(FOUND))
            else:
                yield from _color_answers(self._announce_real, _(ANNOUNCE))
        yield from self._calls()
        if scene.view["paused"]:
            return
        if "fall" in actions and scene.view["deck"]:
            yield Answer("f", _(FELL), self._fell)
        if "final" in actions and scene.view["deck"] == 1:
            yield Answer("l", _(LAST), lambda: question(_(ASK_NAMED), *_color_answers(self._named)))
        if "die" in actions:
            yield Answer("d", _(DIE), self._die_shows)
        if "die_fell" in actions:
            yield Answer("o", _(OVERBOARD), lambda: self._do("die_fell"))
        yield from self._centre()
        yield from self._concede()

    def _calls(self) -> Iterator[Answer]:
        """Anybody calls, at any time; a sole person with one key. A void round is for an empty deck."""
        scene = self._scene
        if "call" not in scene.kind.actions:
            return
        if len(scene.people) == 1:
            yield Answer("c", _(CALL), lambda: self._call(scene.people[0]))
        elif scene.people:
            yield Answer("c", _(CALL), lambda: self.who_called(at_a_switch=False))
            for seat in scene.people:
                yield Answer(seat_letter(seat), "", lambda seat=seat: self._call(seat))  # type: ignore[misc] # bound here
        if not scene.view["deck"] and not scene.view["paused"]:
            yield Answer(NOBODY_KEY, _(NOBODY_CALLS), lambda: self._do("void"))

    def _centre(self) -> Iterator[Answer]:
        reasons = self._reasons()
        if len(reasons) == 1 or (reasons[:1] == ["falling"] and self._scene.places is not None):
            # In the secret game even the reason would be a comment (E29).
            label = _(CENTRE_DIE) if self._scene.kind.name == "captain" else _(CENTRE[reasons[0]])
            yield Answer("e", label, lambda: self._do("recentre", reason=reasons[0]))
        elif reasons:
            answers = [
                Answer(str(number), _(REASONS[reason]), lambda reason=reason: self._do("recentre", reason=reason))  # type: ignore[misc] # bound here
                for number, reason in enumerate(reasons, 1)
            ]
            yield Answer("e", _(CENTRE_DIE), lambda: question(_(ASK_REASON), *answers))

    def _reasons(self) -> list[str]:
        """Why the die may be put back now; on the virtual deck everybody can see where it lies."""
        scene = self._scene
        if "recentre" not in scene.kind.actions:
            return []
        secret = scene.kind.name == "captain"  # neither checked nor commented there (E29)
        if scene.places is None:
            falls = not secret and scene.view["open_corners"]
            return [reason for reason in REASONS if reason != "falling" or falls]
        lies = {"falling": scene.places["danger"], "stuck": (scene.places["die"] or 0) >= EDGE}
        lies["exhausted"] = secret or self._seen_off(scene.sought) == PER_COLOR
        return [reason for reason in REASONS if lies[reason]]

    def _seen_off(self, color: Color | None) -> int:
        """How many of a colour everybody knows to be off the deck (E10)."""
        view = self._scene.view
        return view["kept"].get(color, 0) + view.get("galley_colors", {}).get(color, 0) if "kept" in view else 0

    def _concede(self) -> Iterator[Answer]:
        if "concede" in self._scene.kind.actions and self._scene.view["galley"] >= 7:
            sure = question(_(ASK_CONCEDE), Answer("y", _(YES), lambda: self._do("concede")), Answer("n", _(NO), lambda: None))
            yield Answer("k", _(CONCEDE), lambda: sure)

    # -- what the keys lead to --

    @property
    def _turn(self) -> int:
        return int(self._scene.view["turn"] or 0)

    def _do(self, kind: str, **fields: Any) -> Wish:
        return Wish((self._action(kind, **fields),))

    def _action(self, kind: str, **fields: Any) -> Action:
        return action_from_json(self._scene.kind, {"type": kind, **fields})

    def _lift_number(self, dropping: int) -> Outcome:
        return self._do("lift", seat=self._turn, dropping=dropping)

    def _announce(self, color: Color) -> Outcome:
        """Solo on the virtual deck: the colour first, then the number; another colour changes one's mind."""
        return Question(
            _sentence(_(ASK_NUMBER).format(color=_(color))),
            (*_color_answers(self._announce, ""), Answer("escape", _(CANCEL), lambda: None)),
            announced=color,
            numbers=lambda dropping: self._do("lift", seat=self._turn, announced=color, dropping=dropping),
        )

    def _announce_real(self, color: Color) -> Outcome:
        return question(
            _sentence(_(ASK_FOUND).format(color=_(color))),
            *_color_answers(lambda found: self._do("lift", seat=self._turn, announced=color, color=found)),
            announced=color,
        )

    def _found(self, color: Color) -> Outcome:
        """Team on a real deck: a colour was found; what it is compared with may have to be asked."""
        doubt = self._scene.doubt(self._now)
        if self._scene.sought is None:
            return self.die_first(self._action("lift", seat=self._turn, color=color))
        if doubt is not None and color in (doubt.before, doubt.after):
            return self._meant(lambda sought: self._do("lift", seat=self._turn, color=color, sought=sought))
        return self._do("lift", seat=self._turn, color=color)

    def _match(self, color: Color | None) -> Outcome:
        """Captain on a real deck: a match has the die's colour, unless that is not sure."""
        if color is None and self._scene.sought is None:
            return self.die_first(self._action("lift", seat=self._turn, match=True))
        if color is None and self._scene.doubt(self._now) is not None:
            return self._meant(self._match)
        return self._do("lift", seat=self._turn, match=True, **({"color": color} if color else {}))

    def _match_of(self, color: Color) -> Outcome:
        """A match of a colour that the die does not show any more."""
        if self._scene.kind.name == "captain":
            return self._match(color)
        return self._do("lift", seat=self._turn, color=color, sought=color)

    def _mends(self) -> Iterator[Answer]:
        """A real deck: what was told too late, was missed before the last report, or was wrong in one of the last two."""
        if self._scene.deck_kind == "real" and self._may_lift and self._scene.kind.has_die:
            yield Answer("h", _(EARLIER), lambda: question(_(ASK_EARLIER), *_color_answers(self._match_of)))
        if self._scene.reports:
            missed = (
                *_color_answers(lambda color: Wish(mend=Mend(missed=True, color=color))),
                Answer("x", _(MISS), lambda: Wish(mend=Mend(missed=True, match=False))),
            )
            yield Answer(MISSED_KEY, _(MISSED), lambda: question(_(ASK_MISSED), *missed))
        for back, key in enumerate(WRONG_KEYS[: self._scene.reports], 1):
            yield Answer(key, _(WRONG[back - 1]), lambda back=back: self._wrong(back))  # type: ignore[misc] # bound here

    def _wrong(self, back: int) -> Question:
        """What a report really was: a colour, a match or none, or another player's."""
        answers = list(_color_answers(lambda color: Wish(mend=Mend(back, color=color))))
        if self._scene.kind.name != "captain":  # there a match is its colour
            answers.append(Answer("m", _(ALL_THE_SAME), lambda: Wish(mend=Mend(back, match=True))))
        answers.append(Answer("x", _(MISS), lambda: Wish(mend=Mend(back, match=False))))
        for seat, player in enumerate(self._scene.players):
            answers.append(Answer(str(seat + 1), player, lambda seat=seat: Wish(mend=Mend(back, seat=seat))))  # type: ignore[misc] # bound here
        return question(_(ASK_WRONG[back - 1]), *answers)

    def _meant(self, then: Callable[[Color], Outcome]) -> Question:
        doubt = self._scene.change
        assert doubt is not None
        return question(_(ASK_MEANT), *(a for a in _color_answers(then) if a.paint in (doubt.before, doubt.after)))

    def die_first(self, *actions: Action) -> Question:
        """Ask for the die's face; then what was wanted is done."""
        return question(_(ASK_DIE), *_color_answers(lambda face: Wish((self._die(face), *actions))))

    def _die(self, face: Color | None) -> Action:
        return self._action("die", face=face, by="table", **({} if face else {"why": "absent"}))

    def _die_shows(self) -> Question:
        unseen = Answer("n", _(UNSEEN), lambda: Wish((self._die(None),)))
        return question(_(ASK_DIE), *_color_answers(lambda face: Wish((self._die(face),))), unseen)

    def _fell(self) -> Outcome:
        if not self._scene.reveals:
            return self._do("fall")
        return question(_(ASK_FALLEN), *_color_answers(lambda color: self._do("fall", color=color)))

    def _named(self, named: Color) -> Question:
        return question(
            _(ASK_WAS).format(color=_(named)), *_color_answers(lambda color: self._do("final", named=named, color=color))
        )

    def _seats(self, seats: tuple[int, ...], then: Callable[[int], Outcome], label: str = "{player}") -> Iterator[Answer]:
        for seat in seats:
            words = label.format(player=self._scene.players[seat])
            yield Answer(str(seat + 1), words, lambda seat=seat: then(seat))  # type: ignore[misc] # bound here
            yield Answer(seat_letter(seat).lower(), "", lambda seat=seat: then(seat))  # type: ignore[misc] # bound here

    def _whose_turn(self) -> Question:
        seats = tuple(range(len(self._scene.players)))
        return question(_(ASK_TURN), *self._seats(seats, lambda seat: self._do("turn", seat=seat)))

    def who_called(self, *, at_a_switch: bool = True) -> Question:
        """Who called? When the eye was switched off it may also have been nobody."""
        answers = list(self._seats(self._scene.people, self._call))
        if at_a_switch:
            answers.append(Answer("0", _(NOBODY), lambda: None))
        return question(_(ASK_CALLER), *answers)

    def _call(self, seat: int) -> Outcome:
        """A call. On a real deck the table looks too, and is believed when it differs from the count."""
        if self._scene.deck_kind == "virtual":
            return self._do("call", seat=seat)
        return question(
            _(ASK_LOOK).format(player=self._scene.players[seat]),
            Answer("y", _(BARE), lambda: self._seen(seat, right=True)),
            Answer("n", _(STILL), lambda: self._seen(seat, right=False)),
            Answer("enter", _(NOT_SEEN), lambda: self._do("call", seat=seat)),
        )

    def _seen(self, seat: int, *, right: bool) -> Outcome:
        if right == self._scene.gone:
            return self._do("call", seat=seat)
        return question(
            _(ASK_DIFFER_BARE if self._scene.gone else ASK_DIFFER_STILL),
            Answer("t", _(TABLE), lambda: self._do("call", seat=seat, right=right)),
            Answer("c", _(COUNT), lambda: self._do("call", seat=seat)),
        )


class Number:
    """A number that is being typed: it is done as soon as no longer one could be meant."""

    def __init__(self) -> None:
        self.typed = ""

    def digit(self, digit: str, on_deck: list[int]) -> int | None:
        """Take a digit; return the number when it is complete."""
        self.typed = (self.typed + digit)[-2:]
        if len(self.typed) == 2 and int(self.typed) not in on_deck:
            self.typed = digit
        longer = [dropping for dropping in on_deck if dropping >= 10 and str(dropping).startswith(self.typed)]
        if len(self.typed) == 1 and longer:
            return None
        return self.done()

    def done(self) -> int | None:
        """The number as typed, and begin anew."""
        number = int(self.typed) if self.typed else None
        self.typed = ""
        return number
