"""The plain view: what is shown, and above all what is not."""

import random
from pathlib import Path

import pytest

from eyecaptain.world.deck import VirtualDeck
from random_play import KINDS
from support import runs
from table.sittings import play_lines, recorded, sit


def test_a_game_can_be_followed_line_by_line(tmp_path: Path) -> None:
    out = play_lines(sit(tmp_path, "solo"), "blue 3", "help", "where", "nonsense", "blue 3", "undo", "undo")
    places = ("In the centre: ", "In the middle: ", "At the edge: ", "At a corner: ")
    assert any(line.startswith(places) for line in out.splitlines())
    assert [line for line in out.splitlines() if not line.startswith(places)] == [
        "A new round: twelve droppings on the deck, the tongs are with Ada.",
        "The tongs are with Ada. Collected: Ada 0, Ben 0. On the deck: 0 1 2 3 4 5 6 7 8 9 10 11.",
        "Ada lifted dropping 3: it is red. Back on the deck; the next player leaves it alone.",
        "The tongs are with Ben. Collected: Ada 0, Ben 0. On the deck: 0 1 2 3 4 5 6 7 8 9 10 11. Not 3: it was just put back.",
        "red 5             announce red and lift dropping 5",
        "Enter, wait       let the eye roll on",
        "undo              take the last action back",
        "turn Ben          the tongs are with Ben",
        "pause, resume     the eye stands still, goes on",
        "status, where     how things stand, where they lie",
        "quit              leave; captain play --resume goes on",
        '{"type":"pause"}  a line that begins with { is an action as in the log',
        'Not understood: "nonsense" is not understood here: type help.',
        "Not allowed: dropping 3 was just put back: take another one (rule C3).",
        "Taken back.",
        (
            "Enter goes on, undo takes back one more. The tongs are with Ada. Collected: Ada 0, Ben 0. "
            "On the deck: 0 1 2 3 4 5 6 7 8 9 10 11."
        ),
        "Not allowed: there is nothing to take back.",
    ]


def test_a_line_of_json_is_answered_in_json(tmp_path: Path) -> None:
    out = play_lines(sit(tmp_path), "{", '{"type":"dance"}', '{"type":"lift","seat":1,"dropping":3}', '{"type":"pause"}')
    assert [line for line in out.splitlines() if line.startswith("{")] == [
        (
            '{"error":{"code":"bad_action","rule":null,"line":null,"message":"this is no JSON object: '
            'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"}}'
        ),
        '{"error":{"code":"bad_action","rule":null,"line":null,"message":"unknown action \\"dance\\""}}',
        '{"error":{"code":"not_your_turn","rule":"C2","line":null,"message":"the tongs are with Ada, not with Ben"}}',
    ]


def test_the_only_person_is_told_a_secret_look_at_once(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "captain", ["Ada"], bots=1)
    out = play_lines(sitting, "5")
    color = recorded(sitting).entries[0].data["layout"][5]
    assert "looked, and put it back" in out
    told = next(line for line in out.splitlines() if line.startswith("Only you know"))
    assert told.split()[-1][0].upper() == color


def test_among_several_a_secret_look_is_shown_on_demand_only(tmp_path: Path) -> None:
    sitting = sit(tmp_path, "captain", ["Ada", "Ben"])
    out = play_lines(sitting, "5", "look", "", "look", "5", "look")
    before, after = out.split("Ada saw: dropping 5 is ", 1)
    assert "dropping 5 is" not in before
    assert "Ada, type look when nobody else can see it" in before
    assert "Ben saw: dropping 5 is" in after


def test_every_colour_has_its_word_also_when_it_is_coloured(tmp_path: Path) -> None:
    import io

    from eyecaptain.views.plain import PlainView

    out = io.StringIO()
    PlainView(out, [0], colored=True).write("The die shows red.")
    assert out.getvalue() == "The die shows \x1b[97;41mred\x1b[0m.\n"
    del tmp_path


@pytest.mark.soak
@pytest.mark.parametrize("game", KINDS)
def test_the_screen_never_shows_a_layout_nor_what_nobody_lifted(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two sittings that differ in two droppings that nobody lifts show the same bytes, also in errors and after undos."""
    words = ["u", "p", "resume", "w", "where", "s", "look", "help", "call Ada", "turn Ben", "final red", "red", "fell"]
    words += ["recentre exhausted", "call Ben right", '{"type":"call","seat":1,"right":true}']
    real_deal = VirtualDeck.deal
    compared = 0
    for seed in range(runs(10)):
        rng = random.Random(f"{game} {seed}")
        one, other = rng.sample(range(12), 2)
        lifted = [dropping for dropping in range(12) if dropping not in (one, other)]
        lines = [
            rng.choice(words)
            if rng.random() < 0.4
            else f"{rng.choice(['red', 'blue'])} {rng.choice(lifted)}"
            if game == "solo"
            else str(rng.choice(lifted))
            for _ in range(60)
        ]

        def swapped(deck: VirtualDeck, one: int = one, other: int = other) -> str:
            letters = list(real_deal(deck))
            letters[one], letters[other] = letters[other], letters[one]
            deck.layout = "".join(letters)
            return deck.layout

        shown, layouts = [], []
        for number, deal in enumerate((real_deal, swapped)):
            with monkeypatch.context() as patch:
                patch.setattr(VirtualDeck, "deal", deal)
                sitting = sit(tmp_path / f"{seed}-{number}", game, seed=str(seed))
                shown.append(play_lines(sitting, *lines))
                layouts += [entry.data["layout"] for entry in recorded(sitting).entries if entry.data["type"] == "deal"]
        compared += layouts[0][one] != layouts[0][other]
        assert shown[0] == shown[1]
        assert not any(layout in shown[0] for layout in layouts)
    assert compared
