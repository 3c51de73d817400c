"""Mail over TLS with a login: real servers, the real command; a certificate that nobody vouches for is never taken."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
import trustme

from postal.mailhouse import FAR, MASTER, PASSWORD, Encryption, MailHouse
from postal.table import codes, text
from postal.test_real_mail import Office

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason=f"{FAR} is loopback, too, only on Linux")
AT_ONCE = pytest.mark.parametrize("at_once", [True, False], ids=["tls", "starttls"])
TWO = ("--player", "Ada=ada@post.example", "--player", "Ben=ben@post.example")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


class Secured(Office):
    """The program and its servers, whose certificate is signed by an authority of their own."""

    def __init__(self, folder: Path, authority: trustme.CA, house: MailHouse) -> None:
        super().__init__(folder, house)
        self._settings = folder / "config" / "servers.toml"
        self._own = folder / "own-ca.pem"
        authority.cert_pem.write_to_path(self._own)

    def trust(self, file: Path | None = None) -> None:
        """Name the authority, or another file, in the settings."""
        line = f'ca_file = "{file or self._own}"\n'
        self._settings.write_text(self._settings.read_text().replace("[imap]\n", f"{line}[imap]\n{line}"))

    def fails(self, *args: str, code: int = 1) -> str:
        with self.start(*args) as process:
            _, err = process.communicate(timeout=120)
        assert process.returncode == code, err
        assert "Traceback" not in err
        assert PASSWORD not in err
        return err

    def states(self) -> set[str]:
        """What became of the mail, by the log."""
        last = {entry["id"]: entry["state"] for entry in self.log() if entry["type"] == "mail"}
        return set(last.values())


@pytest.fixture
def secured(at_once: bool, authority: trustme.CA, tmp_path: Path) -> Iterator[Secured]:
    yield from opened(at_once, authority, tmp_path, FAR)


def opened(at_once: bool, authority: trustme.CA, folder: Path, name: str, ends: datetime | None = None) -> Iterator[Secured]:
    certificate = folder / "server.pem"
    began = datetime(2024, 1, 1, tzinfo=UTC) if ends else None
    authority.issue_cert(name, not_before=began, not_after=ends).private_key_and_cert_chain_pem.write_to_path(certificate)
    with MailHouse(FAR, Encryption(certificate, at_once)) as house:
        yield Secured(folder, authority, house)


def order(code: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ada@post.example", MASTER, "order"
    message["Date"], message["Message-ID"] = "Mon, 30 Nov 2026 18:00:00 +0000", "<1@client.example>"
    message.set_content(f"A=12 B=4\n\n{code}\n")
    return message.as_bytes()


@AT_ONCE
def test_orders_come_and_answers_go_over_tls_with_a_login(secured: Secured) -> None:
    secured.trust()
    secured.call("new", *TWO)
    house = secured.house
    assert set(house.logins) == {(b"geier", PASSWORD.encode())}
    code = codes([message for _, message in house.delivered])["ada@post.example"]
    house.put(order(code))
    (read,) = secured.call("inbox", "--json")["read"]
    assert read["state"] == "done"
    address, answer = house.delivered[-1]
    assert address == "ada@post.example"
    assert "12" in text(answer)


@AT_ONCE
def test_a_certificate_that_nobody_vouches_for_is_not_taken(secured: Secured) -> None:
    said = secured.fails("new", *TWO)
    assert f"The certificate of {FAR} cannot be trusted" in said
    assert "ca_file into [smtp]" in said
    assert "servers.toml" in said
    said = secured.fails("inbox")
    assert "ca_file into [imap]" in said
    assert (secured.house.delivered, secured.house.logins) == ([], [])
    assert secured.states() == {"failed"}
    secured.trust()  # what the error says to do
    secured.call("run")
    assert secured.states() == {"sent"}
    assert len(secured.house.delivered) == len({message["Message-ID"] for _, message in secured.house.delivered})
    secured.call("inbox")


@AT_ONCE
@pytest.mark.parametrize(
    ("name", "ends", "why"),
    [
        ("mail.example.org", None, f"not valid for '{FAR}'"),
        (FAR, datetime(2025, 1, 1, tzinfo=UTC), "certificate has expired"),
    ],
    ids=["for another server", "expired"],
)
def test_a_certificate_that_is_no_good_is_not_taken(
    name: str, ends: datetime | None, why: str, at_once: bool, authority: trustme.CA, tmp_path: Path
) -> None:
    for secured in opened(at_once, authority, tmp_path, name, ends):
        secured.trust()
        for args, kind in ((("new", *TWO), "smtp"), (("inbox",), "imap")):
            said = secured.fails(*args)
            assert f"into [{kind}]" in said
            assert why in said
        assert (secured.house.delivered, secured.house.logins) == ([], [])


@AT_ONCE
def test_a_refused_login_sends_nothing_and_never_shows_the_password(secured: Secured) -> None:
    secured.trust()
    secured.env |= {"CAPTAIN_SMTP_PASSWORD": "mistyped", "CAPTAIN_IMAP_PASSWORD": "mistyped"}
    said = secured.fails("new", *TWO)
    assert "535" in said
    assert len(secured.house.logins) <= 2  # smtplib tries a second way to log in; not once more for every message
    assert "mistyped" not in said + secured.fails("inbox")
    assert secured.house.delivered == []
    assert secured.states() == {"failed"}


@pytest.mark.parametrize("at_once", [False])
def test_a_missing_password_leaves_nothing_to_check(secured: Secured) -> None:
    secured.trust()
    del secured.env["CAPTAIN_SMTP_PASSWORD"]
    assert "CAPTAIN_SMTP_PASSWORD" in secured.fails("new", *TWO)
    assert secured.states() == {"failed"}
    assert secured.call("status", "--json")[0]["to_check"] == []


@pytest.mark.parametrize("at_once", [True])
@pytest.mark.parametrize("content", [None, "no certificate\n"])
def test_a_file_that_holds_no_authority_is_said(content: str | None, secured: Secured, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pem"
    if content is not None:
        wrong.write_text(content)
    secured.trust(wrong)
    for args, code in ((("new", *TWO), 1), (("inbox",), 2)):
        said = secured.fails(*args, code=code)
        assert "wrong.pem: there is no certificate in it" in said
        assert "Correct ca_file" in said


def test_a_far_server_without_starttls_learns_neither_password_nor_mail(tmp_path: Path) -> None:
    with MailHouse(FAR) as house:
        office = Office(tmp_path, house)
        settings = tmp_path / "config" / "servers.toml"
        settings.write_text(settings.read_text().replace(f"//{FAR}", f"//geier@{FAR}"))
        for args, says in ((("new", *TWO), "STARTTLS"), (("inbox",), "TLS not supported")):
            with office.start(*args) as process:
                _, err = process.communicate(timeout=120)
            assert process.returncode == 1
            assert says in err
        assert (house.delivered, house.logins) == ([], [])
