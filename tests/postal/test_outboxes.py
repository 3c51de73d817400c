"""Mail goes out: what a server says and does at each step decides whether a message counts as sent, failed, or unsure."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.postal import outboxes
from eyecaptain.postal.outboxes import Folder, NotSent, Smtp, Unsure, open_outbox
from eyecaptain.postal.servers import Server, config_file

DIALOGUE = ["220 hello", "250 hello", "250 sender ok", "250 recipient ok", "354 go on", "250 taken"]  # EHLO is the second


@contextmanager
def server(answers: list[str | None]) -> Iterator[int]:
    """A server on loopback that says these lines, one for each it hears; None: it hangs, "": it hangs up."""
    stop = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as heard:
            for number, answer in enumerate(answers):
                if answer is None:
                    stop.wait(30)
                    return
                if answer == "":
                    return
                connection.sendall(answer.encode() + b"\r\n")
                if number == 4:  # the message, up to its dot
                    while heard.readline() not in (b".\r\n", b""):
                        pass
                elif not heard.readline():
                    return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        stop.set()
        listener.close()
        thread.join(10)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outboxes, "TIMEOUT", 0.5)


MESSAGE = b"Subject: x\r\n\r\nhello\r\n.hidden\r\n"


@pytest.mark.parametrize("step", range(5))
@pytest.mark.parametrize("answer", [None, "", "451 later", "550 never ada@example.org", "nonsense"])
def test_a_failure_before_the_message_is_over_means_not_sent(step: int, answer: str | None) -> None:
    with server([*DIALOGUE[:step], answer]) as port, pytest.raises((NotSent, Unsure)) as error:
        Smtp(f"smtp://127.0.0.1:{port}", "geier@example.org").send("id", "ada@example.org", MESSAGE)
    # Where the answer to DATA itself is lost nobody can tell, to be on the safe side.
    assert isinstance(error.value, NotSent) or (step == 4 and answer in (None, "", "nonsense"))
    assert "ada@" not in str(error.value)


@pytest.mark.parametrize(("answer", "kind"), [(None, Unsure), ("", Unsure), ("451 disk full", NotSent), ("554 spam", NotSent)])
def test_a_failure_after_the_message_is_unsure_unless_it_was_refused(answer: str | None, kind: type[Exception]) -> None:
    with server([*DIALOGUE[:5], answer]) as port, pytest.raises(kind):
        Smtp(f"smtp://127.0.0.1:{port}", "geier@example.org").send("id", "ada@example.org", MESSAGE)


def test_a_message_that_is_taken_is_sent() -> None:
    with server([*DIALOGUE, "221 bye"]) as port:
        smtp = Smtp(f"smtp://127.0.0.1:{port}", "geier@example.org")
        smtp.send("id", "ada@example.org", MESSAGE)
        smtp.close()


def test_no_server_at_all_is_not_sent() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with pytest.raises(NotSent, match="refused"):
            Smtp(f"smtp://127.0.0.1:{port}", "geier@example.org").send("id", "ada@example.org", MESSAGE)


def test_over_a_network_nothing_is_sent_without_encryption() -> None:
    """Only a server on this computer is spoken to in clear."""
    assert Server("smtp", "smtp://127.0.0.1:25").local
    assert not Server("smtp", "smtp://mail.example.org").local


@pytest.mark.parametrize("maildir", [True, False])
def test_a_folder_knows_what_it_had(maildir: bool, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out", maildir=maildir)
    assert folder.had("abc") is False
    folder.send("abc", "ada@example.org", MESSAGE)
    assert folder.had("abc") is True
    (file,) = (path for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert file.read_bytes() == MESSAGE
    assert file.stat().st_mode & 0o077 == 0
    if maildir:
        file.rename(tmp_path / "out" / "cur" / (file.name + ":2,S"))  # a mail program has shown it
        assert folder.had("abc") is True


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("pigeon:roof", "cannot go there"),
        ("folder:", "cannot go there"),
        ("smtp://", "no SMTP server"),
        ("smtp://u:p@host", "password in a URL"),
        ("smtp://host:99999", "no URL"),
        (None, "Nobody says"),
    ],
)
def test_a_place_that_mail_cannot_go_to(where: str | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPTAIN_CONFIG", str(tmp_path))
    with pytest.raises(UsageProblem, match=says):
        open_outbox(where)


def test_passwords_come_from_the_environment_or_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPTAIN_CONFIG", str(tmp_path))
    monkeypatch.delenv("CAPTAIN_SMTP_PASSWORD", raising=False)
    found = Server("smtp", "smtps://u@host")
    with pytest.raises(UsageProblem, match="no password"):
        found.password()
    config_file().write_text('[smtp]\npassword_command = "echo secret word"\n')
    assert found.password() == "secret word"
    config_file().write_text('[smtp]\npassword_command = "false"\n')
    with pytest.raises(CaptainError, match="failed"):
        found.password()
    monkeypatch.setenv("CAPTAIN_SMTP_PASSWORD", "other")
    assert found.password() == "other"
    config_file().write_text("[smtp\n")
    with pytest.raises(UsageProblem, match="cannot be read"):
        open_outbox(None)
    config_file().write_text("[smtp]\nurl = 1\n")
    with pytest.raises(UsageProblem, match="texts"):
        open_outbox(None)
