"""Mail that comes in: whose it is, what is answered and what is not, and that each counts once, whatever happens."""

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from eyecaptain.games.geieractions import Evaluate, FileOrder, Mail
from eyecaptain.postal import letters, outboxes, spool
from eyecaptain.postal.desk import Desk
from eyecaptain.postal.inboxes import Maildir
from eyecaptain.postal.intake import MOST_REFUSALS, is_late
from eyecaptain.postal.office import Office
from eyecaptain.postal.outboxes import Folder, NotSent, Unsure
from eyecaptain.sessions.writer import Writer
from postal.table import Clock, begun, codes, handle, letter, send, sent, text
from support import runs

ADA = "ada@example.org"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def game(tmp_path: Path, clock: Clock) -> Any:
    with begun(tmp_path / "sessions", clock) as desk:
        yield desk


@pytest.fixture
def code(game: Desk, tmp_path: Path) -> str:
    return codes(send(game, tmp_path / "out"))[ADA]


def test_an_order_is_acknowledged_as_it_was_understood(game: Desk, code: str, tmp_path: Path) -> None:
    outcome = handle(game, letter(ADA, f"12 17\nR3: 9 8\nwait\n{code}"))
    assert (outcome.state, outcome.player) == ("done", "Ada")
    assert game.game.filed(0) == (12, 17)
    (answer,) = send(game, tmp_path / "out")
    said = text(answer)
    assert "Your order for round 1: A=12 B=17 (A is +1, B is -4)" in said
    assert "17 cannot be played for B: 1 would be played instead, your lowest." in said
    assert "Then you have left: 2 3 4 5 6 7 8 9 10 11 13 14 15 16" in said
    assert "Your order for round 3: A=9 B=8" in said
    assert "not evaluated before its deadline" in said
    assert "Orders until 2026-12-07 19:00 CET" in said
    assert answer["To"] == ADA
    assert answer["In-Reply-To"] == "<1.adaexampleorg@example.org>"
    assert answer["Auto-Submitted"] == "auto-replied"
    assert answer["Subject"] == f"[geier {game.name} R1] Understood"
    assert code not in answer.as_string()


def test_what_is_not_understood_leaves_the_old_order_and_says_why(game: Desk, code: str, tmp_path: Path) -> None:
    handle(game, letter(ADA, f"12 4\n{code}", 1))
    outcome = handle(game, letter(ADA, f"9 8 7\n{code}", 2))
    assert outcome.state == "refused"
    assert game.game.filed(0) == (12, 4)
    answer = next(mail for mail in send(game, tmp_path / "out") if "refusal" in mail["X-Captain-Game"])
    assert "nothing has changed" in text(answer)
    assert "9 8 7" in text(answer)


@pytest.mark.parametrize("body", ["12 4", "12 4\naaaa-bbbb-cccc", "12 4\n> {code}"])
def test_a_mail_without_the_right_code_changes_nothing_and_is_told_to_the_real_player(
    body: str, game: Desk, code: str, tmp_path: Path
) -> None:
    outcome = handle(game, letter(ADA, body.format(code=code)))
    assert (outcome.state, outcome.suspicious) == ("refused", True)
    assert game.game.filed(0) is None
    assert game.status()["suspicious"] == 1
    (answer,) = send(game, tmp_path / "out")
    assert answer["To"] == ADA
    assert "somebody else did in your name" in text(answer)


def test_a_stranger_gets_no_answer_even_with_a_code(game: Desk, code: str, tmp_path: Path) -> None:
    outcome = handle(game, letter("eve@evil.example", f"12 4\n{code}"))
    assert (outcome.state, outcome.suspicious) == ("refused", True)
    assert send(game, tmp_path / "out") == []
    assert [game.game.filed(seat) for seat in range(5)] == [None] * 5


def test_the_game_master_is_told_by_mail_of_what_may_be_forged_but_not_for_ever(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path / "s", clock, master="master@example.org") as desk:
        found = codes(send(desk, tmp_path / "out"))
        handle(desk, letter("mallory@evil.example", f"12 4\n{found[ADA]}", 0))
        for number in range(1, 20):
            handle(desk, letter(ADA, "12 4", number))
        notices = [mail for mail in send(desk, tmp_path / "out") if mail["To"] == "master@example.org"]
        assert len(notices) == MOST_REFUSALS
        assert any("no player has" in text(mail) for mail in notices)
        assert any("claims to be by Ada" in text(mail) for mail in notices)
        assert not any("evil" in mail.as_string() for mail in notices)


def test_another_players_code_is_not_the_own_one(game: Desk, code: str) -> None:
    assert handle(game, letter("ben@example.org", f"12 4\n{code}")).state == "refused"


def test_a_copy_of_a_mail_counts_once_also_with_another_id_or_another_text(game: Desk, code: str) -> None:
    first = letter(ADA, f"12 4\n{code}", 1)
    assert handle(game, first).state == "done"
    handle(game, letter(ADA, f"9 8\n{code}", 2))
    for again in (first, first.replace(b"<1.", b"<77."), first.replace(b"12 4", b"3 5")):
        assert handle(game, again).state == "duplicate"
    assert game.game.filed(0) == (9, 8)


def test_no_order_is_late_before_the_shuffle_however_late_the_words_for_it_are(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock, nonces=True, options={"late": "refuse"}) as desk:
        found = codes(send(desk, tmp_path / "out"))
        clock.forward(days=8)
        assert not is_late(desk, clock())
        assert handle(desk, letter(ADA, f"12 4\n{found[ADA]}")).state == "done"
        desk.run()
        assert not desk.game.needs_deal
        clock.forward(days=8)
        assert is_late(desk, clock())


def test_a_replayed_mail_is_told_to_the_game_master_and_changes_nothing(tmp_path: Path, clock: Clock) -> None:
    """Somebody sends an overheard mail again, changed in its text or under another id; the same copy in the box is no news."""
    with begun(tmp_path / "s", clock) as desk:
        code = codes(send(desk, tmp_path / "out"))[ADA]
    box, first = tmp_path / "box", letter(ADA, f"12 4\n{code}", 1)
    put(box, "1", first)
    put(box, "2", letter(ADA, f"9 8\n{code}", 2))
    put(box, "3", first)
    put(box, "4", first.replace(b"12 4", b"3 5"))
    put(box, "5", first.replace(b"<1.", b"<77."))
    with Office(tmp_path / "s", [desk.folder], clock) as office:
        told = [(outcome.state, outcome.suspicious) for outcome in office.read(Maildir(box))]
        assert sorted(told) == [("done", False), ("done", False), ("duplicate", True), ("duplicate", True)]
        assert list(office.read(Maildir(box))) == []
        orders = [action for _, action in office.desks[0].events if isinstance(action, FileOrder)]
        assert {(order.a, order.b) for order in orders} == {(12, 4), (9, 8)}
        assert len(orders) == 2
        assert len(send(office.desks[0], tmp_path / "out")) == 2  # answers


def test_after_the_deadline_an_order_is_late_as_the_option_says(tmp_path: Path, clock: Clock) -> None:
    for late, state in (("accept", "done"), ("refuse", "refused")):
        with begun(tmp_path / late, clock, options={"late": late}) as desk:
            found = codes(send(desk, tmp_path / late / "out"))
            arrived = clock() + timedelta(days=7, seconds=1)
            assert handle(desk, letter(ADA, f"12 4\n{found[ADA]}", 1), arrived).state == state
            # What arrived in time is in time, also when it is read later.
            assert handle(desk, letter(ADA, f"9 8\n{found[ADA]}", 2), arrived - timedelta(seconds=2)).state == "done"
            clock.at = arrived
            desk.run()
            assert handle(desk, letter(ADA, f"R1: 12 4\n{found[ADA]}", 3)).state == "refused"
        clock.at -= timedelta(days=7, seconds=1)


MACHINES: list[dict[str, str]] = [
    {"Auto-Submitted": "auto-replied"},
    {"Auto-Submitted": "auto-generated (vacation)"},
    {"Precedence": "bulk"},
    {"Precedence": "list"},
    {"List-Id": "<friends.example.org>"},
    {"X-Autoreply": "yes"},
    {"Return-Path": "<>"},
    {"X-Captain-Game": "k3f9 answer seat 0"},
    {"Subject": "Automatic reply: [geier]"},
    {"Subject": "Abwesenheitsnotiz: Urlaub"},
    {"Subject": "Undelivered Mail Returned to Sender"},
    {"From": "MAILER-DAEMON@example.org"},
    {"From": "noreply@example.org"},
]


@pytest.mark.parametrize("headers", MACHINES, ids=lambda headers: " ".join(map(str, headers.items())))
def test_a_machines_mail_is_neither_read_nor_answered(headers: dict[str, str], tmp_path: Path) -> None:
    data = letter(headers.get("From", ADA), "12 4", subject=headers.get("Subject", "order"))
    extra = {key: value for key, value in headers.items() if key not in ("From", "Subject")}
    data = "".join(f"{key}: {value}\n" for key, value in extra.items()).encode() + data
    assert letters.read(data).machine
    with begun(tmp_path / "sessions", Clock()) as desk:
        send(desk, tmp_path / "out")
    put(tmp_path / "box", "1", data)
    with Office(tmp_path / "sessions", [desk.folder], Clock()) as office:
        (outcome,) = list(office.read(Maildir(tmp_path / "box")))
        assert outcome.state == "ignored"
        assert office.desks[0].game.filed(0) is None
        assert send(office.desks[0], tmp_path / "out") == []


def put(box: Path, name: str, data: bytes) -> None:
    for part in ("new", "cur", "tmp"):
        (box / part).mkdir(parents=True, exist_ok=True)
    (box / "new" / name).write_bytes(data)


def test_nobody_talks_with_a_machine_that_has_no_manners_for_ever(game: Desk, code: str, tmp_path: Path, clock: Clock) -> None:
    """An autoresponder that quotes our answer without any mark, again and again."""
    for number in range(30):
        handle(game, letter(ADA, f"I am away, thank you for your mail {number}!\n{code}", number))
    assert len(send(game, tmp_path / "out")) == MOST_REFUSALS
    for number in range(30, 40):
        handle(game, letter(ADA, f"I am away, thank you for your mail {number}!\n{code}", number))
    assert send(game, tmp_path / "out") == []
    assert handle(game, letter(ADA, f"12 4\n{code}", 99)).state == "done"  # an order is always heard
    clock.forward(days=7)
    game.run()
    send(game, tmp_path / "out")
    handle(game, letter(ADA, f"I am away\n{code}", 100))
    assert len(send(game, tmp_path / "out")) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Message-ID": "<x>\r\n\tBcc: eve@evil.example"},
        {"Message-ID": "<a b>"},
        {"Message-ID": "no brackets"},
        {"Message-ID": "<" + "x" * 999 + "@y>"},
        {"Subject": "=?utf-8?q?hello=0D=0ABcc:_eve@evil.example?="},
        {"Reply-To": "eve@evil.example"},
        {"From": 'ada@example.org, "x" <eve@evil.example>'},
        {"From": '"eve@evil.example\r\n Bcc: x@y.z" <ada@example.org>'},
    ],
)
def test_no_header_of_an_answer_can_be_injected(headers: dict[str, str], game: Desk, code: str, tmp_path: Path) -> None:
    base = {"From": ADA, "Message-ID": "<1@x>", "Subject": "order", "Date": "Mon, 30 Nov 2026 18:00:00 +0000"} | headers
    data = "".join(f"{key}: {value}\r\n" for key, value in base.items()).encode() + f"\r\n12 4\r\n{code}\r\n".encode()
    handle(game, data)
    for answer in send(game, tmp_path / "out"):
        assert answer["To"] == ADA
        assert answer["Bcc"] is None
        assert answer["Cc"] is None
        assert "evil" not in answer.as_string()


def test_press_cannot_break_out_of_a_report(game: Desk, code: str, tmp_path: Path, clock: Clock) -> None:
    handle(game, letter(ADA, f"press: </blockquote><script>alert(1)</script> & {{braces}}\n{code}"))
    clock.forward(days=7)
    game.run()
    report = next(mail for mail in send(game, tmp_path / "out") if "report 1" in mail["X-Captain-Game"])
    page = report.get_body(("html",))
    assert page is not None
    assert "<script" not in page.get_content()
    assert "{braces}" in text(report)
    assert code not in report.as_string()


def test_absence_clear_and_show_by_mail(game: Desk, code: str, tmp_path: Path) -> None:
    for number, (body, filed, absent) in enumerate(
        [("12 4\nabsent", (12, 4), {0}), ("show", (12, 4), {0}), ("clear\nback", None, set()), ("nowait", None, set())]
    ):
        assert handle(game, letter(ADA, f"{body}\n{code}", number)).state == "done"
        assert game.game.filed(0) == filed
        assert game.game.absent == absent
    assert len(send(game, tmp_path / "out")) == 4


def test_a_mail_after_the_end_is_answered_so(game: Desk, code: str, tmp_path: Path, clock: Clock) -> None:
    for _ in range(8):
        clock.forward(days=7)
        game.run()
    send(game, tmp_path / "out")
    assert handle(game, letter(ADA, f"12 4\n{code}")).state == "refused"
    (answer,) = send(game, tmp_path / "out")
    assert "The game is over." in text(answer)


def test_a_player_is_answered_in_the_own_language(tmp_path: Path, clock: Clock) -> None:
    from dataclasses import replace

    from eyecaptain.postal import founding
    from postal.table import plan

    people = [(name, address, zone, "de") for name, address, zone, _ in plan().people]
    with founding.begin(tmp_path / "s", replace(plan(), people=people), clock) as desk:
        desk.catch_up()
        found = codes(send(desk, tmp_path / "out"))
        handle(desk, letter(ADA, f"12 4\n{found[ADA]}"))
        handle(desk, letter(ADA, f"1 2 3\n{found[ADA]}", 2))
        one, other = send(desk, tmp_path / "out")
        assert "Hallo Ada" in text(one)
        assert "Hallo Ada" in text(other)


# --- several games ---------------------------------------------------------------------------------------------------


def test_several_games_share_a_mailbox(tmp_path: Path, clock: Clock) -> None:
    root, box = tmp_path / "sessions", tmp_path / "box"
    folders, found, names = [], [], []
    for number in range(3):
        with begun(root, clock) as desk:
            folders.append(desk.folder)
            names.append(desk.name)
            found.append(codes(send(desk, tmp_path / f"out{number}")))
    put(box, "1", letter(ADA, f"12 4\n{found[0][ADA]}", 1, f"Re: [geier {names[0]} R1] The game begins"))
    put(box, "2", letter(ADA, f"{names[1]} R1 Ada {found[1][ADA]}: 9 8", 2))
    put(box, "3", letter(ADA, f"3 5\n{found[2][ADA]}", 3))  # only the code says which game
    put(box, "4", letter("who@example.org", "1 2", 4))
    with Office(root, folders, clock) as office:
        outcomes = list(office.read(Maildir(box)))
        assert [(outcome.game, outcome.state) for outcome in outcomes] == [
            (names[0], "done"),
            (names[1], "done"),
            (names[2], "done"),
            (None, "ignored"),
        ]
        assert [desk.game.filed(0) for desk in office.desks] == [(12, 4), (9, 8), (3, 5)]
        assert list(office.read(Maildir(box))) == []


def test_a_damaged_game_does_not_keep_the_others_from_going_on(tmp_path: Path, clock: Clock) -> None:
    folders = []
    for _ in range(2):
        with begun(tmp_path, clock) as desk:
            folders.append(desk.folder)
    log = folders[0] / "session.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"round":1', b'"round":2', 1))
    with Office(tmp_path, folders, clock) as office:
        assert len(office.desks) == 1
        assert "line 2" in str(office.broken[0])


# --- killed at any moment --------------------------------------------------------------------------------------------


class Killed(BaseException):
    """As if the process had been killed here."""


class Executioner:
    """Counts the moments at which something gets to a disk or out of the house, before and after, and kills at one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.at: int | None = None
        for owner, name in ((Writer, "append"), (spool, "put"), (outboxes, "put"), (Post, "send"), (Folder, "send")):
            monkeypatch.setattr(owner, name, self._watched(getattr(owner, name)))

    def _watched(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            self._moment()
            result = real(*args, **kwargs)
            self._moment()
            return result

        return call

    def _moment(self) -> None:
        self.count += 1
        if self.count == self.at:
            raise Killed


class Post:
    """A post office that, as SMTP, cannot be asked what it had; it keeps what it took."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    def had(self, id_: str) -> bool | None:
        del id_
        return None

    def send(self, id_: str, to: str, message: bytes) -> None:
        del to, message
        self.taken.append(id_)

    def close(self) -> None:
        pass


def an_evening(root: Path, box: Path, outbox: Any, clock: Clock, folder: Path) -> None:
    """One call of inbox and run, as cron makes them."""
    with Office(root, [folder], clock) as office:
        if office.broken:
            raise office.broken[0]
        list(office.read(Maildir(box)))
        for desk in office.desks:
            list(desk.spool.send(outbox))
            desk.run()
            list(desk.spool.send(outbox))


def prepared(place: Path, clock: Clock) -> tuple[Path, Path]:
    """A game whose first mails are out, and a mailbox with seven mails for it; returns the folders of both."""
    with begun(place / "sessions", clock) as desk:
        found = codes(send(desk, place / "welcome"))
    subject = f"[geier {desk.name} R1]"
    bodies = (
        *(("ada", "12 4\nwait\npress: hello"), ("ben", "9 8\nR2: 3 5"), ("cleo", "1 2 3"), ("dan", "5 6\nnowait\nabsent")),
        *(("eve", "7 11"), ("cleo", "R1: 4 9"), ("ada", "nowait")),
    )
    for number, (player, body) in enumerate(bodies):
        address = f"{player}@example.org"
        put(place / "box", str(number), letter(address, f"{body}\n{found[address]}", number, subject))
    return desk.folder, place / "box"


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["smtp", "folder"])
def test_killed_at_any_moment_every_order_counts_once_and_nothing_is_sent_twice(
    kind: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At moments before and after a write or a mail; then it runs again, and again."""
    killer = Executioner(monkeypatch)
    moments = [0]  # never
    for number, moment in enumerate(moments):
        place = tmp_path / str(number)
        folder, box = prepared(place, clock)
        outbox: Any = Post() if kind == "smtp" else Folder(place / "out")
        killer.count, killer.at = 0, moment
        try:
            an_evening(place / "sessions", box, outbox, clock, folder)
        except Killed:
            assert moment
        if not moment:
            last = killer.count
            assert last > 60
            moments += random.Random(kind).sample(range(1, last + 1), min(last, runs(5)))
        killer.at = None
        for _ in range(2):
            an_evening(place / "sessions", box, outbox, clock, folder)
        check_books(folder, clock, outbox, place)


def check_books(folder: Path, clock: Clock, outbox: Any, place: Path) -> None:
    with Desk.open(folder, clock) as desk:
        orders = [action for _, action in desk.events if isinstance(action, FileOrder)]
        assert Counter((order.player, order.round) for order in orders) == Counter(
            [(0, 1), (1, 1), (1, 2), (2, 1), (3, 1), (4, 1)]
        )
        assert [action.round for _, action in desk.events if isinstance(action, Evaluate)] == [1]
        assert len(desk.game.press) == 1
        mails = Counter(action.id for _, action in desk.events if isinstance(action, Mail) and action.state == "done")
        assert set(mails.values()) == {1}
        assert len(mails) == 6
        states = {action.id: action for _, action in desk.events if isinstance(action, Mail) and action.dir == "out"}
        went = [action for action in states.values() if not action.what.startswith(("welcome", "report 0"))]
        # six answers, one refusal, five reports of round 1; each for one seat
        assert Counter(action.what.rpartition(" seat ")[0] for action in went) == {"answer": 6, "refusal": 1, "report 1": 5}
        if isinstance(outbox, Post):
            taken = Counter(outbox.taken)
            for action in went:
                assert action.state in ("sent", "check")
                assert taken[action.id] <= 1
                assert taken[action.id] == 1 or action.state == "check"
            assert sum(action.state == "check" for action in went) <= 1
        else:
            assert {action.state for action in went} == {"sent"}
            assert len(sent(place / "out")) == len(went)


def test_a_mail_that_vanished_half_read_is_for_the_game_master_to_look_at(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path / "sessions", clock) as game:
        game.happen(Mail("in", "0" * 32, "mail seat 0", "taken"))
    (tmp_path / "box" / "new").mkdir(parents=True)
    (tmp_path / "box" / "cur").mkdir()
    with Office(tmp_path / "sessions", [game.folder], clock) as office:
        (outcome,) = list(office.read(Maildir(tmp_path / "box")))
        assert outcome.suspicious
        assert list(office.read(Maildir(tmp_path / "box"))) == []


# --- a mail server that refuses or hangs up --------------------------------------------------------------------------


class Moody(Post):
    """Refuses, or breaks off, what it is told to."""

    def __init__(self, moods: list[type[Exception] | None]) -> None:
        super().__init__()
        self._moods = moods

    def send(self, id_: str, to: str, message: bytes) -> None:
        mood = self._moods.pop(0) if self._moods else None
        if mood is not None:
            raise mood("why")
        super().send(id_, to, message)


def test_what_was_refused_is_tried_again_and_what_is_unsure_is_not(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        post = Moody([NotSent, Unsure])
        states = Counter(state for _, state, _ in desk.spool.send(post))
        assert states == {"sent": 8, "failed": 1, "check": 1}
        assert Counter(state for _, state, _ in desk.spool.send(post)) == {"sent": 1}
        assert list(desk.spool.send(post)) == []
        (check,) = desk.status()["to_check"]
        folder = desk.folder
    with Desk.open(folder, clock) as desk:
        assert list(desk.spool.send(post)) == []
        desk.spool.settle(check["id"], again=True)
        assert [state for _, state, _ in desk.spool.send(post)] == ["sent"]
        assert len(post.taken) == len(set(post.taken)) == 10
        assert not list((folder / "spool").iterdir())


def test_what_arrived_after_all_is_settled_without_another(tmp_path: Path, clock: Clock) -> None:
    with begun(tmp_path, clock) as desk:
        post = Moody([Unsure] * 10)
        list(desk.spool.send(post))
        desk.spool.settle("all", again=False)
        assert list(desk.spool.send(post)) == []
        assert desk.status()["to_check"] == []
        assert post.taken == []
