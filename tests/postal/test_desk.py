"""The game master's desk: when a round is evaluated, who gets what mail, corrections, and what nobody may see."""

import json
from collections import Counter
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from eyecaptain.errors import BrokenSession, UsageProblem
from eyecaptain.games import commitment
from eyecaptain.games.base import Refused
from eyecaptain.games.geieractions import Absence, FileOrder, Wait
from eyecaptain.postal import deadlines, notices, roster, verify
from eyecaptain.postal.desk import Desk
from eyecaptain.postal.roster import Correspondent
from postal.table import NAMES, SEED, START, Clock, begun, codes, handle, letter, plan, send, text


@pytest.fixture
def clock() -> Clock:
    return Clock()


def all_order(desk: Desk, round_: int | None = None) -> None:
    for seat in range(len(desk.game.players)):
        number = round_ or desk.game.round
        desk.happen(FileOrder(seat, number, 17 - number, number))


def kinds(messages: list[EmailMessage]) -> Counter[str]:
    return Counter(message["X-Captain-Game"].split(" ", 1)[1].rpartition(" seat ")[0] for message in messages)


def test_a_game_begins_with_a_welcome_and_the_first_animals(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        mails = send(desk, tmp_path / "out")
        assert kinds(mails) == {"welcome": 5, "report 0": 5}
        found = codes(mails)
        assert len(set(found.values())) == 5
        for seat, code in enumerate(found[f"{name.lower()}@example.org"] for name in NAMES):
            assert roster.is_code(code, desk.roster.players[seat].code)
        start = next(mail for mail in mails if "report 0" in mail["X-Captain-Game"])
        assert "  A: +1\n  B: -4\n" in text(start)
        assert "2026-12-07 19:00 CET (Europe/Berlin)" in text(start)
        assert start["Auto-Submitted"] == "auto-generated"
        assert send(desk, tmp_path / "out") == []


def test_a_round_is_evaluated_when_all_orders_are_in(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        assert desk.run() == []
        all_order(desk)
        assert desk.run() == [1]
        assert desk.run() == []
        assert kinds(send(desk, tmp_path / "out"))["report 1"] == 5
        at = desk.deadline()
        assert at is not None
        assert at.isoformat() == "2026-12-14T19:00:00+01:00"


def test_who_wants_to_wait_makes_the_round_wait_until_its_deadline(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        all_order(desk)
        desk.happen(Wait(2, on=True))
        assert desk.run() == []
        clock.forward(days=7)
        assert desk.run() == [1]
        assert desk.game.waiting == set()


def test_a_deadline_evaluates_also_without_orders_and_tells_who_was_missing(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        desk.happen(FileOrder(0, 1, 1, 2))  # equals the two lowest, and is no missing one (H14)
        desk.happen(Absence(1, on=True))
        clock.forward(days=7, seconds=-1)
        assert desk.run() == []
        clock.forward(seconds=1)
        assert desk.run() == [1]
        report = desk.paper(1)
        assert [each["player"] for each in report["missing"]] == ["Ben", "Cleo", "Dan", "Eve"]
        assert report["missing"][0]["excused"]


def test_reminders_come_once_for_each_hour_and_only_to_who_is_missing_and_there(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock, remind=(72, 24)) as desk:
        send(desk, tmp_path / "out")
        desk.happen(FileOrder(0, 1, 12, 4))
        desk.happen(Absence(1, on=True))
        clock.forward(days=3)
        assert notices.remind(desk) == []
        assert desk.status()["to_remind"] == []
        clock.forward(days=1)
        assert desk.status()["to_remind"] == ["Cleo", "Dan", "Eve"]
        assert notices.remind(desk) == [2, 3, 4]
        assert desk.status()["to_remind"] == []
        assert notices.remind(desk) == []
        clock.forward(days=2)
        assert notices.remind(desk) == [2, 3, 4]
        desk.set_deadline(clock() + timedelta(hours=20))  # moved: all of it once more
        assert notices.remind(desk) == [2, 3, 4]
        clock.forward(days=3)
        assert notices.remind(desk) == []  # over: the round is evaluated instead


def test_a_moved_deadline_is_told_to_all_but_the_first_one_is_in_the_report(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        send(desk, tmp_path / "out")
        desk.set_deadline(START + timedelta(days=9))
        desk.catch_up()
        mails = send(desk, tmp_path / "out")
        assert kinds(mails) == {"deadline 1": 5}
        assert "2026-12-09 19:00 CET" in text(mails[0])


def test_orders_ahead_may_evaluate_several_rounds_one_after_the_other(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        for number in (1, 2, 3):
            all_order(desk, number)
        assert desk.run() == [1, 2, 3]


def test_bots_fill_empty_seats_and_play_by_the_seed(tmp_path: Path, clock: Clock) -> None:
    played = []
    for number in range(2):
        with begun(tmp_path / str(number), clock, names=("Ada",), bots=("easy", "medium", "hard")) as desk:
            assert desk.people() == [0]
            for round_ in range(1, 9):
                assert desk.game.missing() == [0]
                desk.happen(FileOrder(0, round_, round_, 17 - round_))
                assert desk.run() == [round_]
            assert desk.game.over
            played.append(desk.game.summary()["rounds"])
    assert played[0] == played[1]
    assert all(flag == "ok" for each in played[0] for slot in ("A", "B") for flag in each[slot]["flags"].values())


def test_a_whole_game_ends_with_its_seed_and_no_next_deadline(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        for _ in range(8):
            clock.forward(days=7)
            assert len(desk.run()) == 1
        mails = send(desk, tmp_path / "out")
        assert kinds(mails) == {"welcome": 5, **{f"report {number}": 5 for number in range(9)}}
        last = [mail for mail in mails if "report 8" in mail["X-Captain-Game"]]
        assert all(SEED in text(mail) for mail in last)
        assert not any(SEED in text(mail) for mail in mails if mail not in last)
        assert desk.deadline() is None
        assert desk.run() == []


def test_words_of_the_players_are_in_the_shuffle(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock, nonces=True) as desk:
        mails = send(desk, tmp_path / "out")
        assert kinds(mails) == {"welcome": 5}
        assert "nonce: ..." in text(mails[0])
        code = codes(mails)
        assert desk.run() == []
        for number, name in enumerate(NAMES[:4]):
            address = f"{name.lower()}@example.org"
            assert handle(desk, letter(address, f"nonce: word {number}\n{code[address]}")).state == "done"
            assert desk.run() == []
        clock.forward(days=8)
        assert desk.run() == []
        assert not desk.game.needs_deal
        assert desk.game.nonces == {number: f"word {number}" for number in range(4)}
        assert kinds(send(desk, tmp_path / "out"))["report 0"] == 5
        assert desk.deadline() is not None
        words = [*(f"word {number}" for number in range(4)), ""]
        assert desk.game.cards == commitment.deck(commitment.mixed(bytes.fromhex(SEED), words))
        for _ in range(8):
            desk.run(at_once=True)
        report = json.loads(json.dumps(desk.paper(8)))
        assert "fits the commitment" in verify.check(report)[0]
        with pytest.raises(verify.NotSo):
            verify.check(report | {"nonces": [*words[:4], "word 4"]})


def test_blind_no_order_can_be_labelled_by_an_animal(tmp_path: Path, clock: Clock) -> None:
    """Also not by the right one: whoever guesses must not learn from the answer what is auctioned."""
    said = []
    for number, options in enumerate(({}, {"announce": "blind"})):
        with begun(tmp_path / str(number), clock, options=options) as desk:
            code = codes(send(desk, tmp_path / str(number) / "out"))["ada@example.org"]
            outcomes = [
                handle(desk, letter("ada@example.org", f"{order}\n{code}", at))
                for at, order in enumerate(("+1=12 -4=4", "+2=12 -4=4", "mouse 12, vulture 4", "A=12 B=4"))
            ]
            said.append([outcome.state for outcome in outcomes])
            answers = "".join(text(mail) for mail in send(desk, tmp_path / str(number) / "out"))
            assert ("-4" in answers.replace("+1=12 -4=4", "").replace("+2=12 -4=4", "")) == (not options)
            assert ("say A or B" in answers) == bool(options)
            assert desk.game.filed(0) == (12, 4)
    assert said == [["done", "refused", "done", "done"], ["refused", "refused", "refused", "done"]]


def test_everybody_reads_the_deadline_by_the_own_clock(tmp_path: Path, clock: Clock) -> None:
    """In reports, which are the same for all, by the clocks of all; in what is for one alone, by that one's."""
    from dataclasses import replace

    from eyecaptain.postal import founding

    zones = {"Ada": "Europe/Berlin", "Ben": "America/New_York", "Cleo": "Asia/Kolkata"}
    people = [(name, f"{name.lower()}@example.org", zone, "en") for name, zone in zones.items()]
    own = {"Ada": "19:00 CET (Europe/Berlin)", "Ben": "13:00 EST (America/New_York)", "Cleo": "23:30 IST (Asia/Kolkata)"}
    with founding.begin(tmp_path / "s", replace(plan(), people=people), clock) as desk:
        desk.catch_up()
        clock.forward(days=6)
        desk.run()  # reminds
        mails = send(desk, tmp_path / "out")
    for mail in mails:
        shown = {name for name, time in own.items() if time in text(mail)}
        if "report 0" in mail["X-Captain-Game"]:
            page = mail.get_body(("html",))
            assert page is not None
            assert shown == set(own)
            assert all(time in page.get_content() for time in own.values())
        else:
            assert shown == {str(mail["To"]).partition("@")[0].capitalize()}
    assert kinds(mails) == {"welcome": 3, "report 0": 3, "reminder": 3}


def test_who_was_silent_twice_is_announced(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        for number in (1, 2):
            desk.happen(FileOrder(0, number, 12 + number, 4))
            clock.forward(days=7)
            desk.run()
        mails = [mail for mail in send(desk, tmp_path / "out") if "report 2" in mail["X-Captain-Game"]]
        assert "Ben had no order on file, for 2 rounds now. Who would play on in this" in text(mails[0])
        assert "Ada had no order" not in text(mails[0])
        assert set(desk.status()["missed"]) == {"Ben", "Cleo", "Dan", "Eve"}


def test_a_rollback_tells_everybody_waits_for_the_game_master_and_corrects_the_report(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        all_order(desk)
        desk.run()
        clock.forward(days=14)
        desk.run()
        send(desk, tmp_path / "out")
        desk.roll_back(1)
        assert kinds(send(desk, tmp_path / "out")) == {"correction 1": 5}
        clock.forward(days=14)
        assert desk.run() == []
        assert desk.status()["held"]
        desk.happen(FileOrder(0, 1, 3, 9))
        assert desk.run(at_once=True) == [1]
        mails = send(desk, tmp_path / "out")
        assert kinds(mails) == {"report 1": 5}
        assert all("CORRECTED" in mail["Subject"] for mail in mails)


def test_a_rollback_goes_on_by_itself_after_a_new_deadline(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        clock.forward(days=7)
        desk.run()
        desk.roll_back(1)
        desk.set_deadline(clock() + timedelta(days=1))
        assert desk.run() == []
        clock.forward(days=1)
        assert desk.run() == [1]


def test_who_stands_by_gets_a_new_code_and_the_old_one_is_worth_nothing(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        old = codes(send(desk, tmp_path / "out"))
        desk.stand_by(1, "Zoe", Correspondent("zoe@example.org", zone="Europe/Rome", language="it"))
        mails = send(desk, tmp_path / "out")
        new = codes(mails)
        assert list(new) == ["zoe@example.org"]
        assert desk.game.players[1] == "Zoe"
        tries = (
            ("ben@example.org", old["ben@example.org"], "refused"),
            ("zoe@example.org", old["ben@example.org"], "refused"),
            ("zoe@example.org", new["zoe@example.org"], "done"),
        )
        for number, (sender, code, state) in enumerate(tries):
            assert handle(desk, letter(sender, f"12 4\n{code}", number)).state == state
    with Desk.open(desk.folder, clock) as again:
        assert again.roster.players[1].address == "zoe@example.org"
        assert again.game.filed(1) == (12, 4)


def test_a_preview_changes_nothing(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        before = desk.game.summary(), len(desk.events)
        assert desk.preview()["round"] == 1
        assert (desk.game.summary(), len(desk.events)) == before


def test_a_report_of_a_past_round_is_as_it_was(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        then = []
        for number in range(1, 9):
            then.append(desk.paper(number - 1))
            clock.forward(days=7)
            desk.run()
        for number, paper in enumerate(then):
            assert desk.paper(number) == paper


def test_nothing_secret_is_in_reports_status_log_or_projections(tmp_path: Path, clock: Clock) -> None:
    """No address, no code, no hash of one; and nothing of the animals to come, nor of an order on file."""
    with begun(tmp_path, clock) as desk:
        mails = send(desk, tmp_path / "out")
        found = codes(mails)
        clock.forward(days=7)
        desk.run()
        address = "ada@example.org"
        handle(desk, letter(address, f"R2: A=11 B=13\nR3: 9 8\n{found[address]}"))
        public = json.dumps([desk.paper(0), desk.paper(1), desk.status(), desk.game.view(None), desk.game.summary()])
        log = (desk.folder / "session.jsonl").read_text()
        for text_ in (public, log):
            for secret in (*found, *found.values(), *(player.code for player in desk.roster.players)):
                assert secret not in text_
        assert SEED not in public
        assert '"hash"' not in public
        # Two games that differ only in what is secret look the same.
        secret_free = desk.game.view(None)
        desk.happen(FileOrder(0, 2, 3, 4))
        assert desk.game.view(None) == secret_free
        assert (desk.folder / "mail.toml").stat().st_mode & 0o077 == 0
        assert desk.folder.stat().st_mode & 0o077 == 0


# --- deadlines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("yesterday", "not a date"),
        ("2026-12-20", "no time of day"),
        ("2026-11-30 18:00", "has passed"),
        ("2020-01-01 10:00", "has passed"),
        ("2027-03-28 02:30", "put forward"),
        ("2027-10-31 02:30", "comes twice"),
        ("2026-02-30 10:00", "not a date"),
    ],
)
def test_a_deadline_that_cannot_be_is_refused(typed: str, says: str) -> None:
    with pytest.raises(UsageProblem, match=says):
        deadlines.parse(typed, deadlines.zone_of("Europe/Berlin"), START)


def test_a_deadline_may_say_its_own_offset_and_keeps_its_hour_over_the_change_of_clocks() -> None:
    berlin = deadlines.zone_of("Europe/Berlin")
    twice = deadlines.parse("2027-10-31 02:30+01:00", berlin, START)
    assert twice.isoformat() == "2027-10-31T02:30:00+01:00"
    at = deadlines.parse("2027-03-21 20:00", berlin, START)
    assert deadlines.after(at, 14, berlin, START).isoformat() == "2027-04-04T20:00:00+02:00"
    at = deadlines.parse("2027-03-21 02:30", berlin, START)
    assert deadlines.after(at, 7, berlin, START).isoformat() == "2027-03-28T03:30:00+02:00"


@pytest.mark.parametrize("name", ["Europe/Bielefeld", "", "../../etc/passwd", "/etc/localtime", "a\0b"])
def test_a_zone_that_does_not_exist(name: str) -> None:
    with pytest.raises(UsageProblem, match="no time zone"):
        deadlines.zone_of(name)


# --- beginning and files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "says"),
    [
        ([("Ada", "a@x.org"), ("ada", "b@x.org")], "Two players"),
        ([("Ada", "a@x.org"), ("Ben", "A@X.org")], "same address"),
        ([("Ada", "a@x.org"), ("Ben", "")], "Ben has no address"),
        ([("Ada", "a@x.org"), ("Ben", "not an address")], "not an address"),
        ([("Ada", "a@x.org"), ("Ben", "b@x.org\nBcc: c@x.org")], "not an address"),
        ([("Ada", "a@x.org")], "2 or more players"),
        ([("Ada", "a@x.org"), ("B\nen", "b@x.org")], "cannot be printed"),
    ],
)
def test_players_who_cannot_play_are_refused_before_anything_is_written(
    people: list[tuple[str, str]], says: str, tmp_path: Path, clock: Clock
) -> None:
    from dataclasses import replace

    from eyecaptain.postal import founding

    wanted = replace(plan(), people=[(name, address, "UTC", "en") for name, address in people])
    with pytest.raises(UsageProblem, match=says):
        founding.begin(tmp_path / "sessions", wanted, clock)
    assert not (tmp_path / "sessions").exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda text_: text_.replace("Europe/Berlin", "Europe/Atlantis"),
        lambda text_: text_.replace('language = "en"', 'language = "xx"'),
        lambda text_: text_.replace("ada@example.org", "ada at example"),
        lambda text_: text_.replace("days = 7", 'days = "7"'),
        lambda text_: text_.replace("[[players]]", "[[players"),
        lambda text_: text_.replace("zone", "zonk"),
        lambda _: "",
    ],
)
def test_a_damaged_roster_is_named_and_changes_nothing(change: object, tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        path = desk.folder / "mail.toml"
    path.write_text(change(path.read_text()))  # type: ignore[operator]
    with pytest.raises(BrokenSession, match=r"mail\.toml"):
        Desk.open(desk.folder, clock)
    path.unlink()
    with pytest.raises(BrokenSession, match=r"mail\.toml"):
        Desk.open(desk.folder, clock)


def test_a_game_is_open_at_one_desk_only(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk, pytest.raises(BrokenSession, match="another process"):
        Desk.open(desk.folder, clock)


def test_nothing_is_evaluated_twice(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        clock.forward(days=7)
        assert desk.run() == [1]
    for _ in range(3):
        with Desk.open(desk.folder, clock) as again:
            assert again.run() == []
            with pytest.raises(Refused, match="has been evaluated"):
                again.happen(FileOrder(0, 1, 5, 6))


def test_the_published_schema_describes_every_line_of_a_game(tmp_path: Path, clock: Clock) -> None:
    from jsonschema import Draft202012Validator

    from eyecaptain.sessions import log

    with begun(tmp_path, clock, nonces=True, bots=("hard",)) as desk:
        found = codes(send(desk, tmp_path / "out"))
        address = "ada@example.org"
        handle(desk, letter(address, f"nonce: x\nwait\nabsent\npress: hello\nR1: 1 2\n{found[address]}"))
        clock.forward(days=8)
        desk.run()
        clock.forward(days=8)
        desk.run()
        desk.roll_back(1)
        desk.stand_by(1, "Zoe", Correspondent("zoe@example.org"))
        send(desk, tmp_path / "out")
    schema = json.loads(Path(log.__file__).with_name("session-1.schema.json").read_text(encoding="utf-8"))
    lines = [json.loads(line) for line in (desk.folder / "session.jsonl").read_text().splitlines()]
    seen = {line["type"] for line in lines}
    assert seen >= {"deal", "order", "nonce", "wait", "absence", "deadline", "press", "mail", "rollback", "standby"}
    for line in lines:
        Draft202012Validator(schema).validate(line)
