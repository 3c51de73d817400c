"""A whole game over real mail: a real SMTP and a real IMAP server, the real command, killed in the middle."""

import json
import os
import signal
import smtplib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from postal.mailhouse import MASTER, PASSWORD, MailHouse
from postal.table import codes, text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus")


@pytest.fixture
def house() -> Iterator[MailHouse]:
    with MailHouse() as found:
        yield found


class Office:
    """The game master's program, as cron starts it."""

    def __init__(self, folder: Path, house: MailHouse) -> None:
        self.sessions = folder / "sessions"
        self.house = house
        self.env = os.environ | {
            "CAPTAIN_SESSIONS": str(self.sessions),
            "CAPTAIN_CONFIG": str(folder / "config"),
            "CAPTAIN_IMAP_PASSWORD": PASSWORD,
            "CAPTAIN_SMTP_PASSWORD": PASSWORD,
        }
        (folder / "config").mkdir()
        (folder / "config" / "servers.toml").write_text(
            f'[smtp]\nurl = "{house.smtp}"\nfrom = "{MASTER}"\n[imap]\nurl = "{house.imap}"\n'
        )

    def start(self, *args: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "eyecaptain", "geier", *args]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env)

    def call(self, *args: str, code: int = 0) -> Any:
        with self.start(*args) as process:
            out, err = process.communicate(timeout=120)
        assert process.returncode == code, err
        assert "Traceback" not in err
        return json.loads(out) if "--json" in args else out

    def killed(self, *args: str, at: int, arrives: bool) -> None:
        """Kill -9 while the mail server has the `at`th message, but has not said so yet; it may arrive all the same."""
        self.house.held_counts = arrives
        self.house.held.clear()
        self.house.go_on.clear()
        self.house.hold_at = at
        with self.start(*args) as process:
            assert self.house.held.wait(120)
            process.kill()
            process.communicate()
        assert process.returncode == -signal.SIGKILL
        self.house.go_on.set()

    def log(self) -> list[dict[str, Any]]:
        (folder,) = self.sessions.glob("*/session.jsonl")
        return [json.loads(line) for line in folder.read_text().splitlines()]


def mail(sender: str, number: int, *, plain: str = "", html: str = "", subject: str = "order") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, MASTER, subject
    message["Date"] = f"Mon, 30 Nov 2026 18:{number // 60:02}:{number % 60:02} +0000"
    message["Message-ID"] = f"<{number}@client.example>"
    if html:
        message.set_content(html, subtype="html")
    else:
        message.set_content(plain)
    return message


def test_a_whole_game_over_real_mail(tmp_path: Path, house: MailHouse) -> None:
    office = Office(tmp_path, house)
    players = [word for name in NAMES for word in ("--player", f"{name}={name.lower()}@post.example")]
    soon = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")
    office.call("new", *players, "--deadline", soon, "--days", "7", "--zone", "Europe/Berlin", "--json")
    code = codes([message for _, message in house.delivered])
    assert len(code) == len(set(code.values())) == 7

    def send(*messages: EmailMessage) -> None:
        with smtplib.SMTP("127.0.0.1", int(house.smtp.rpartition(":")[2])) as smtp:
            for message in messages:
                smtp.send_message(message)

    def own(name: str, body: str) -> str:
        return f"{body}\n\n{code[f'{name.lower()}@post.example']}\n"

    page = "<html><body><p>Hi!</p><table><tr><td>A</td><td>=</td><td>12</td></tr></table>B&nbsp;= 4<br>"
    ada = page + code["ada@post.example"]
    twice = mail("cleo@post.example", 3, plain=own("Cleo", "A=9 B=8"))
    round_1 = [
        mail("ada@post.example", 1, html=ada),
        mail("ben@post.example", 2, plain=own("Ben", "A=1 B=2\n\nOn Mon, X <y@z> wrote:\n> A=16 B=15")),
        twice,
        twice,
        mail("dan@post.example", 4, plain=own("Dan", "16 15")),
        mail("dan@post.example", 5, plain=own("Dan", "A=3 B=17")),  # corrected, and irregular
        mail("fay@post.example", 6, plain="A=1 B=1\n\naaaa-bbbb-cccc"),  # forged
        mail("mallory@evil.example", 7, plain=own("Fay", "A=1 B=1")),  # a stranger, with a stolen code
        mail("gus@post.example", 8, plain=own("Gus", "5 6\nwait")),
        mail("ada@post.example", 9, plain="Out of office until the 12th", subject="Automatic reply: geier"),
    ]
    send(*round_1)
    office.killed("inbox", at=2, arrives=True)
    office.call("inbox", "--json", code=1)  # one mail is marked for a check: the command says so
    assert office.call("inbox", "--json")["read"] == []
    status = office.call("status", "--json")[0]
    assert (status["missing"], status["waiting"], status["suspicious"]) == (["Eve", "Fay"], ["Gus"], 1)
    office.call("run", "--settled", office.call("status", "--json")[0]["to_check"][0]["id"])
    orders = Counter((entry["player"], entry["a"], entry["b"]) for entry in office.log() if entry["type"] == "order")
    assert orders == Counter([(0, 12, 4), (1, 1, 2), (2, 9, 8), (3, 16, 15), (3, 3, 17), (6, 5, 6)])
    # Nobody waits for the game master's clock: the deadline is moved, passes, and a late order still counts.
    at = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=4)
    office.call("run", "--deadline", at.isoformat())
    wait_until(at + timedelta(seconds=1))  # a server says the second in which a mail came
    send(mail("fay@post.example", 10, plain=own("Fay", "7 7")))
    office.call("inbox")
    assert [entry.get("late") for entry in office.log() if entry["type"] == "order"][-1] is True
    office.killed("run", at=3, arrives=False)
    office.call("run", code=1)
    (check,) = office.call("status", "--json")[0]["to_check"]
    assert check["what"] == "report 1 seat 2"
    office.call("run", "--resend", "all")
    send(mail("eve@post.example", 11, plain=own("Eve", "R1: 1 2")))  # too late
    assert office.call("inbox", "--json")["read"][0]["state"] == "refused"
    rest = "\n".join(f"R{round_}: A={2 * round_} B={2 * round_ - 1}" for round_ in range(2, 9))
    send(*(mail(f"{name.lower()}@post.example", 20 + number, plain=own(name, rest)) for number, name in enumerate(NAMES)))
    house.refuse = 2
    office.call("inbox", code=1)  # two answers were refused ...
    assert [each["round"] for each in office.call("run", "--json")["evaluated"]] == [2, 3, 4, 5, 6, 7, 8]  # ... and go now
    assert not any(b"Seen" in flags for flags in house.flags())
    the_books_are_right(office, house, tmp_path)


def wait_until(at: datetime) -> None:
    import time

    while datetime.now(UTC) <= at:
        time.sleep(0.05)


def the_books_are_right(office: Office, house: MailHouse, tmp_path: Path) -> None:
    """Every report was sent once, or marked for a check; nothing came twice; the last one can be checked by anybody."""
    log = office.log()
    marked = {entry["id"] for entry in log if entry["type"] == "mail" and entry["state"] == "check"}
    assert len(marked) == 2  # the program was killed twice
    came = Counter(str(message["Message-ID"]) for _, message in house.delivered)
    assert set(came.values()) == {1}
    what = Counter(str(message["X-Captain-Game"]).split(" ", 1)[1] for _, message in house.delivered)
    for round_ in range(9):
        for seat in range(7):
            assert what[f"report {round_} seat {seat}"] == 1, (round_, seat)
    assert [entry["round"] for entry in log if entry["type"] == "evaluate"] == list(range(1, 9))
    assert not any("mallory" in str(address) or "evil" in message.as_string() for address, message in house.delivered)
    report = next(message for address, message in house.delivered if "report 8 seat 0" in str(message["X-Captain-Game"]))
    (attached,) = report.iter_attachments()
    (tmp_path / "report.json").write_bytes(bytes(attached.get_content()))
    assert office.call("verify", str(tmp_path / "report.json"), "--json")["ok"]
    assert "Round 8" in str(report["Subject"])
    assert "seed" in text(report).lower()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("imap://geier@127.0.0.1:1/INBOX", "refused"),
        ("imap://geier:secret@127.0.0.1/INBOX", "password in a URL"),
        ("imap://127.0.0.1/INBOX", "who you are"),
        ("http://x@127.0.0.1/", "no IMAP server"),
        ("imap://x@127.0.0.1:99999/", "no URL"),
    ],
)
def test_a_mailbox_that_cannot_be_read_is_one_clear_line(url: str, says: str, tmp_path: Path, house: MailHouse) -> None:
    office = Office(tmp_path, house)
    with office.start("inbox", "--imap", url) as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode in (1, 2)
    assert says in err
    assert "Traceback" not in err


def test_a_wrong_password_a_missing_folder_and_a_missing_password(tmp_path: Path, house: MailHouse) -> None:
    office = Office(tmp_path, house)
    for change, url in (
        ({"CAPTAIN_IMAP_PASSWORD": "wrong"}, house.imap),
        ({}, house.imap.replace("INBOX", "Nowhere")),
    ):
        office.env |= {"CAPTAIN_IMAP_PASSWORD": PASSWORD} | change
        with office.start("inbox", "--imap", url) as process:
            _, err = process.communicate(timeout=60)
        assert (process.returncode, "Traceback" in err, "wrong" in err.replace("went wrong", "")) == (1, False, False), err
    del office.env["CAPTAIN_IMAP_PASSWORD"]
    with office.start("inbox", "--imap", house.imap) as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "CAPTAIN_IMAP_PASSWORD" in err
