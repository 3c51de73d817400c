"""A mail server that hangs, hangs up or talks nonsense while it is read from: one clear line, and nobody waits for ever."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("imap_tools", reason="pip install imap-tools")

from eyecaptain.errors import CaptainError
from eyecaptain.postal import imap
from eyecaptain.postal.ledger import Ledger

STEPS = 5  # greeting, CAPABILITY, LOGIN, EXAMINE, UID SEARCH


@contextmanager
def server(fine: int, then: str | None) -> Iterator[str]:
    """The URL of a server that is fine for so many answers; then it says `then`, hangs (None), or hangs up (empty)."""
    stop = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as heard:
            for number in range(99):
                if number == fine:
                    if then is None:
                        stop.wait(30)
                    elif then:
                        connection.sendall(then.encode() + b"\r\n")
                    return
                if number == 0:
                    connection.sendall(b"* OK IMAP4rev1\r\n")
                    continue
                tag, _space, command = heard.readline().partition(b" ")
                if not tag:
                    return
                answer = b"* CAPABILITY IMAP4rev1\r\n" if command.startswith(b"CAPABILITY") else b""
                connection.sendall(answer + tag + b" OK done\r\n")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"imap://geier@127.0.0.1:{listener.getsockname()[1]}/INBOX"
    finally:
        stop.set()
        listener.close()
        thread.join(10)


@pytest.mark.parametrize("fine", range(STEPS))
@pytest.mark.parametrize("then", [None, "", "nonsense"], ids=["hangs", "hangs up", "nonsense"])
def test_a_server_that_fails_at_any_step_is_one_clear_line(
    fine: int, then: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "TIMEOUT", 0.5)
    monkeypatch.setenv("CAPTAIN_CONFIG", str(tmp_path))
    monkeypatch.setenv("CAPTAIN_IMAP_PASSWORD", "correct horse")
    with (
        server(fine, then) as url,
        pytest.raises(CaptainError, match=r"^The mailbox on 127\.0\.0\.1 cannot be read: .+$") as caught,
    ):
        list(imap.Imap(url).messages(Ledger(tmp_path)))
    assert "\n" not in caught.value.message
    assert "correct horse" not in caught.value.message


def test_an_empty_folder_is_none_of_these(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPTAIN_CONFIG", str(tmp_path))
    monkeypatch.setenv("CAPTAIN_IMAP_PASSWORD", "correct horse")
    with server(STEPS, "") as url:
        assert list(imap.Imap(url).messages(Ledger(tmp_path))) == []
