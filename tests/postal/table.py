"""A game by mail for tests: real files, real mail as bytes, and a clock that the test moves."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from eyecaptain.postal import founding, intake, letters
from eyecaptain.postal.desk import Desk
from eyecaptain.postal.intake import Outcome
from eyecaptain.postal.orders import CODE
from eyecaptain.postal.outboxes import Folder

START = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
SEED = bytes(range(32)).hex()


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **by: float) -> None:
        self.at += timedelta(**by)


def plan(names: Sequence[str] = NAMES, **rest: Any) -> founding.Plan:
    people = [(name, f"{name.lower()}@example.org", "Europe/Berlin", "en") for name in names]
    usual: dict[str, Any] = {"deadline": START + timedelta(days=7), "days": 7, "seed": SEED}
    return founding.Plan(people, "Europe/Berlin", "en", **(usual | rest))


def begun(root: Path, clock: Clock, **rest: Any) -> Desk:
    """A new game whose welcome and first report are spooled."""
    desk = founding.begin(root, plan(**rest), clock)
    desk.catch_up()
    return desk


def sent(folder: Path) -> list[EmailMessage]:
    """The messages that were sent into a folder."""
    return [_read(path) for path in sorted(folder.glob("*.eml"))]


def _read(path: Path) -> EmailMessage:
    message = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    assert isinstance(message, EmailMessage)
    return message


def send(desk: Desk, folder: Path) -> list[EmailMessage]:
    """Send everything that waits; returns what went out now."""
    before = {path.name for path in folder.glob("*.eml")} if folder.exists() else set()
    for _waiting, state, why in desk.spool.send(Folder(folder)):
        assert state == "sent", why
    return [_read(path) for path in sorted(folder.glob("*.eml")) if path.name not in before]


def text(message: EmailMessage) -> str:
    """The plain text of a message."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def codes(messages: Sequence[EmailMessage]) -> dict[str, str]:
    """The secret codes in the welcome mails, by address."""
    found = {}
    for message in messages:
        if "welcome" in message["X-Captain-Game"]:
            match = next(each for each in CODE.findall(text(message)) if each != "xxxx-xxxx-xxxx")
            found[str(message["To"])] = match
    return found


def letter(sender: str, body: str, number: int = 1, subject: str = "order", **headers: str) -> bytes:
    """A mail as a player's program writes it."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = "geier@example.org"
    message["Subject"] = subject
    message["Date"] = f"Mon, 30 Nov 2026 18:{number // 60 % 60:02}:{number % 60:02} +0000"
    message["Message-ID"] = f"<{number}.{re.sub('[^a-z]', '', sender)}@example.org>"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(body)
    return message.as_bytes()


def handle(desk: Desk, data: bytes, arrived: datetime | None = None) -> Outcome:
    return intake.handle(desk, letters.read(data), arrived or desk.now())
