"""Two keys mend a real deck: what was missed, the wrong child, the wrong colour; right away, and after one more report.

What comes out is the game as if all had been told right and in time. In the plain view it is two words.
"""

import asyncio
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from eyecaptain.games.base import COLORS, Color, Refused, action_from_json
from eyecaptain.games.history import History
from eyecaptain.games.mending import Mend, mending
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.table.sitting import Room, Sitting, resume
from eyecaptain.views.terminal import scene
from random_play import KINDS
from support import runs
from table.sittings import check_replay, play_lines, recorded, sit
from views.terminal.stage import played

PEOPLE = ("Ada", "Ben", "Cleo")
LETTER = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
VERBS = {"a": "last", "i": "missed", "s": "earlier", "t": "turn", "u": "undo"}


class Case(NamedTuple):
    """What happened and what was told of it: reports as keys, and `=r` where the board sees that the die shows red."""

    game: str
    happened: str
    told: str
    keys: str
    misread: bool = False  # the board's die differs, too


CASES = {
    # A report was missed, and nobody has told anything since; the die has turned.
    "team, missed": Case("team", "=r r =b", "=r =b", "hr"),
    "captain, missed": Case("captain", "=r m =b", "=r =b", "hr"),
    "solo, missed": Case("solo", "rr", "", "rr"),
    # ... and the next player's was taken for it.
    "team, match missed before a miss": Case("team", "=r r =b g", "=r =b g", "ir"),
    "team, match missed before a match": Case("team", "=r r =b b", "=r =b b", "ir"),
    "team, miss missed before a match": Case("team", "=r b =b b", "=r =b b", "ix"),
    "captain, match missed before a miss": Case("captain", "=r m =b x", "=r =b x", "ir"),
    "captain, match missed before a match": Case("captain", "=r m =b m", "=r =b m", "ir"),
    "captain, miss missed before a match": Case("captain", "=r x =b m", "=r =b m", "ix"),
    "captain, match missed, and the die turned again": Case("captain", "=r m =b m =y", "=r =b m =y", "ir"),
    "captain, match missed, and the die told since": Case("captain", "=r m =b m dy", "=r =b m dy", "ir"),
    "captain, match missed, the die told since and turned again": Case("captain", "=r m =b m dy =g", "=r =b m dy =g", "ir"),
    "team, match missed, and one fell since": Case("team", "=r r =b g f", "=r =b g f", "ir"),
    "solo, match missed before a miss": Case("solo", "rr bg", "bg", "ir"),
    "solo, match missed before a match": Case("solo", "rr bb", "bb", "ir"),
    "solo, miss missed before a match": Case("solo", "rg bb", "bb", "ix"),
    # Cleo got the tongs, not Ben.
    **{
        f"{game}, wrong child": Case(game, f"{die} {first} t3", f"{die} {first}", "t3")
        for game, die, first in (("team", "=r", "g"), ("captain", "=r", "x"), ("solo", "", "rg"))
    },
    # ... and she has lifted already.
    **{
        f"{game}, wrong child and her {what}": Case(game, f"{die} {first} t3 {then}", f"{die} {first} {then}", "a3")
        for game, die, first, what, then in (
            ("team", "=r", "g", "match", "r"),
            ("team", "=r", "g", "miss", "b"),
            ("captain", "=r", "x", "match", "m"),
            ("captain", "=r", "x", "miss", "x"),
            ("solo", "", "rg", "match", "yy"),
            ("solo", "", "rg", "miss", "yb"),
        )
    },
    # Another colour was found.
    "team, wrong colour": Case("team", "=r g", "=r r", "ug"),
    "team, wrong colour, and the die turned": Case("team", "=r g =g", "=r r =g", "ag"),
    "team, told too late, a match all the same": Case("team", "=r r =b", "=r =b r", "am"),
    "team, told too late, no match": Case("team", "=r g =g", "=r =g g", "ax"),
    "captain, match told as none": Case("captain", "=r m", "=r x", "um"),
    "captain, match told as none, and the die turned": Case("captain", "=r m =b", "=r x =b", "ar"),
    "captain, none told as a match": Case("captain", "=r x", "=r m", "ux"),
    "captain, the die was misread": Case("captain", "=r m", "=y m", "ar", misread=True),
    "solo, wrong colour": Case("solo", "rr", "rg", "ar"),
    "solo, wrong colour, no match": Case("solo", "ry", "rr", "ay"),
    "solo, another was announced": Case("solo", "gg", "rg", "am"),
    # ... and one more report was told.
    "team, wrong colour before": Case("team", "=r g =b b", "=r r =b b", "sg"),
    "team, match before, told too late": Case("team", "=r r =b b", "=r =b r b", "sm"),
    "captain, match told as none before a miss": Case("captain", "=r m =b x", "=r x =b x", "sr"),
    "captain, match told as none before a match": Case("captain", "=r m =b m", "=r x =b m", "sr"),
    "captain, none told as a match before": Case("captain", "=r x =b m", "=r m =b m", "sx"),
    "captain, the die was misread before": Case("captain", "=r m =b x", "=y m =b x", "sr"),
    "solo, wrong colour before": Case("solo", "rr bb", "rg bb", "sr"),
    "solo, wrong colour before, no match": Case("solo", "ry bb", "rr bb", "sy"),
}


def slots(game: TwelveGame) -> dict[str, Any]:
    names = {slot for owner in type(game).__mro__ for slot in owner.__dict__.get("__slots__", ())}
    return {name: getattr(game, name) for name in sorted(names)}


def as_happened(case: Case, root: Path) -> dict[str, Any]:
    """The game when all is told right and in time."""
    sitting = sit(root, case.game, PEOPLE, deck="real")
    tell(sitting, case.game, case.happened.split())
    return slots(sitting.table.game)


def tell(sitting: Sitting, game: str, told: list[str], *lines: str) -> None:
    """Tell it in the plain view: what the board sees as JSON, the rest in words."""
    seen = [saw(part[1]) if part[0] == "=" else words(game, part) for part in told]
    play_lines(sitting, *seen, *lines)


def saw(letter: str) -> str:
    return f'{{"type":"die","face":"{LETTER[letter]}","by":"board"}}'


def words(game: str, keys: str) -> str:
    """A report in the words of the plain view."""
    if keys[0] == "t":
        return f"turn {PEOPLE[int(keys[1]) - 1]}"
    if keys == "f":
        return "fall"
    if keys[0] == "d":
        return f"die {LETTER[keys[1]]}"
    if game == "captain":
        return {"m": "match", "x": "miss"}[keys]
    return " ".join(LETTER[key] for key in keys)


def lines(case: Case) -> list[str]:
    """The mending keys in the words of the plain view."""
    first, second = case.keys[0], case.keys[1]
    if first == "h":
        return [f"{'match' if case.game == 'captain' else LETTER[second]} {LETTER[second]}"]
    if first == "u":
        return ["undo", words(case.game, second)]
    if first not in VERBS:
        return [words(case.game, case.keys)]
    what = LETTER.get(second) or {"m": "match", "x": "no"}.get(second) or PEOPLE[int(second) - 1]
    return [f"{VERBS[first]} {what}"]


def same(case: Case, sitting: Sitting, expected: dict[str, Any]) -> None:
    found = slots(sitting.table.game)
    if case.misread:
        expected["die"] = found["die"]
    assert found == expected
    check_replay(sitting)


@pytest.mark.parametrize("name", CASES)
def test_two_keys_mend_on_the_full_screen(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    monkeypatch.setattr(scene, "FRESH", 0.0)  # nobody reports so fast after the die has turned
    assert len(case.keys) == 2

    async def play() -> None:
        async with played(tmp_path / "told", case.game, PEOPLE, deck="real") as table:
            for part in case.told.split():
                if part[0] == "=":
                    table.sitting.table.reported({"type": "die", "face": LETTER[part[1]], "by": "board"})
                    await table.pilot.pause()
                else:
                    await table.keys(*part)
            listed = {answer.key for answer in table.app._menu().answers if answer.label}
            assert case.keys[0] in listed
            await table.keys(*case.keys)
            assert table.app._notice is None
            same(case, table.sitting, as_happened(case, tmp_path / "happened"))

    asyncio.run(play())


@pytest.mark.parametrize("name", CASES)
def test_two_words_mend_in_the_plain_view(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    sitting = sit(tmp_path / "told", case.game, PEOPLE, deck="real")
    said = lines(case)
    assert sum(len(line.split()) for line in said) == 2
    tell(sitting, case.game, case.told.split(), *said)
    same(case, sitting, as_happened(case, tmp_path / "happened"))


def test_what_was_mended_can_be_taken_back_step_by_step(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "captain", PEOPLE, deck="real")
    play_lines(sitting, "die red", "miss", "missed red", "undo", "undo")
    assert [entry.data["type"] for entry in recorded(sitting).entries] == [
        *("deal", "die", "lift"),
        *("undo", "lift", "lift"),
        *("undo", "undo"),
    ]
    assert (sitting.table.game.turn, sitting.table.game.deck) == (0, 12)
    check_replay(sitting)


def test_after_a_resume_it_can_still_be_mended(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "captain", PEOPLE, deck="real")
    play_lines(sitting, "die red", "miss", "q")
    again = resume(sitting.folder, "none", Room())
    play_lines(again, "missed red")
    assert again.table.game.summary()["collected"] == {"Ada": 1, "Ben": 0, "Cleo": 0}
    check_replay(again)


def test_all_that_mends_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = sit(tmp_path, "team", PEOPLE, deck="real")
    tell(sitting, "team", ["=r", "r", "f", "b"])
    with resume(sitting.folder, "none", Room()) as again:
        writes: list[bytes] = []
        real = again.writer._write

        def write(data: bytes) -> None:
            writes.append(data)
            real(data)

        monkeypatch.setattr(again.writer, "_write", write)
        again.table.mend(Mend(2, color="green"))
        assert [data.count(b"\n") for data in writes] == [6]
        check_replay(again)


@pytest.mark.parametrize(
    ("game", "told", "mend", "code"),
    [
        ("team", "=r", Mend(missed=True, color="red"), "nothing_to_mend"),
        ("team", "=r r", Mend(2, color="red"), "nothing_to_mend"),
        ("team", "=r " + "f " * 12, Mend(color="red"), "nothing_to_mend"),  # the game is over
        ("captain", "=r x", Mend(match=True), "color_needed"),
        ("team", "=r r r r", Mend(missed=True, color="red"), "contradiction"),
        ("team", "=r " + "f " * 11 + "b", Mend(missed=True, color="red"), "contradiction"),  # the deck would have been empty
        ("solo", "rr rr rr bg", Mend(color="red"), "fourth"),
    ],
)
def test_what_cannot_have_been_is_refused_and_nothing_is_logged(
    game: str, told: str, mend: Mend, code: str, tmp_path: Path
) -> None:
    sitting = sit(tmp_path, game, PEOPLE, deck="real")
    tell(sitting, game, told.split())
    with resume(sitting.folder, "none", Room()) as again:
        before = (again.writer.seq, slots(again.table.game))
        with pytest.raises(Refused) as refused:
            again.table.mend(mend)
        assert refused.value.code == code
        assert (again.writer.seq, slots(again.table.game)) == before


def test_reports_of_an_earlier_round_are_not_touched(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "captain", PEOPLE, deck="real")
    out = play_lines(sitting, "die red", "match", "call Ada", "last no")
    assert "there is no such report in this round" in out
    assert sitting.table.reports == 0


def test_a_virtual_deck_needs_no_mending(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "solo", PEOPLE)
    out = play_lines(sitting, "red 5", "missed red", "last red")
    assert out.count("there is no such report in this round") == 2


@pytest.mark.soak
@pytest.mark.parametrize("game", KINDS)
def test_whatever_was_missed_or_wrong_the_game_is_as_if_told_in_time(game: str) -> None:
    mended = 0
    for seed in range(runs(60)):
        rng = random.Random(f"{game} {seed}")
        happened = [happening(rng) for _ in range(rng.randint(2, 7))]
        back = rng.randint(1, 2)
        missed = len(happened) > back and rng.random() < 0.5
        at = -1 - back if missed else -back
        told = happened.copy()
        faces, color, match = happened[at]
        told[at] = Happening(faces) if missed else happening(rng)._replace(faces=faces)
        if not match:
            mends = [Mend(back, missed, match=False)]
        elif missed or game == "captain":
            mends = [Mend(back, missed, color)]
        else:  # here both what was found and what was sought may have been told wrongly
            mends = [Mend(back, color=color), Mend(back, match=True)]
        try:
            right, wrong = history(game, happened), history(game, told)
            for mend in mends:
                apply(wrong, mend)
        except Refused as error:
            if error.code not in {"fourth", "contradiction"}:
                raise
            continue
        mended += 1
        assert slots(wrong.game) == slots(right.game)
    assert mended > runs(60) / 3


class Happening(NamedTuple):
    """How the die turned, what was lifted then (None: it was not told), and was it a match?"""

    faces: list[Color]
    color: Color | None = None
    match: bool = False


def happening(rng: random.Random) -> Happening:
    return Happening(rng.choices(COLORS, k=rng.randint(1, 2)), rng.choice(COLORS), rng.random() < 0.5)


def history(game: str, happened: list[Happening]) -> History[TwelveGame]:
    """Told at once: for a match the die shows that colour, else another one."""
    past: History[TwelveGame] = History(lambda: KINDS[game](PEOPLE, {}, "real"))
    past.apply(1, action_from_json(past.game, {"type": "deal", "round": 1, "layout": None}))
    for faces, color, match in happened:
        if color is None:
            continue
        other = next(face for face in faces + list(COLORS) if face != color)
        face = color if match else other
        if "die" in past.game.actions:
            for each in (*faces, face):
                add(past, {"type": "die", "face": each})
        if game == "captain":
            add(past, {"type": "lift", "seat": past.game.turn, "match": match})
        elif game == "team":
            add(past, {"type": "lift", "seat": past.game.turn, "color": color})
        else:
            add(past, {"type": "lift", "seat": past.game.turn, "announced": face, "color": color})
    if "die" in past.game.actions:
        add(past, {"type": "die", "face": "red"})
    return past


def add(past: History[TwelveGame], data: dict[str, Any]) -> None:
    past.apply(past.past[-1].key + 1, action_from_json(past.game, data))


def apply(past: History[TwelveGame], mend: Mend) -> None:
    key = past.past[-1].key
    for action in mending(past, mend):
        key += 1
        past.apply(key, action)
