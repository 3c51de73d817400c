"""Letters as they come in: whatever their bytes are, they are read, and nothing breaks."""

import random

import pytest

from eyecaptain.postal import letters
from eyecaptain.postal.orders import Context, Unclear, read
from postal.table import letter
from support import runs


def test_letters_that_nobody_can_read_are_read_all_the_same() -> None:
    for data in (
        b"",
        b"\x00\xff\xfe",
        b"From: \xff\xfe\n\n12 4",
        b"From: ada@example.org\nContent-Type: text/plain; charset=klingon\n\n12 4",
        b"From: ada@example.org\nContent-Type: multipart/mixed\n\nno boundary",
        b"From: ada@example.org\nContent-Transfer-Encoding: base64\n\n!!!!",
        b"Subject: =?utf-8?b?////?=\nFrom: =?x?y?z?= <a@b.c>\n\n",
        b"From: a@b.c\nContent-Type: text/html\n\n<p><![if !foo]><!DOCTYPE [<&#99999999;",
        b"From: a@b.c\n" + b"X: y\n" * 10_000 + b"\n12 4",
    ):
        found = letters.read(data)
        assert len(found.id) == 32


WHOLE = [
    letter("ada@example.org", "12 4\nR3: 9 8\nwait\npress: hello"),
    b"""From: Ada <ada@example.org>
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<html><body><p>A&nbsp;=3D 12<br>B =3D 4</p><blockquote>1 2</blockquote></body></html>
""",
    b"""From: ada@example.org
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=x

--x
Content-Type: text/plain
Content-Transfer-Encoding: base64

QT0xMiBCPTQK
--x
Content-Type: text/html

<p>A=12 B=4
--x--
""",
    b"""From: =?utf-8?q?=C3=84da?= <ada@example.org>
Subject: =?utf-8?b?R2VpZXI=?=
Content-Type: text/plain; charset=utf-16

"""
    + "12 4".encode("utf-16"),
]
PARTS = (
    *(b"\n", b"--x", b"=", b"=3", b"\x00", b"\xff\xfe", b"Content-Type: ", b"multipart/mixed", b"charset=", b"=?utf-8?b?"),
    *(b"<!--", b"&#"),
)


@pytest.mark.soak
def test_no_mutated_mail_breaks_the_reading() -> None:
    """Whole mails: headers, encodings, parts and markup; every one has an id, and its text can be read or is refused."""
    rng = random.Random("mails")
    here = Context(("Ada", "Ben"), 0, 1, (7, -4), ("k3f9",))
    understood = 0
    for _ in range(runs(1000)):
        data = bytearray(rng.choice(WHOLE))
        for _change in range(rng.randint(1, 6)):
            at = rng.randrange(len(data) + 1)
            match rng.randrange(4):
                case 0:
                    data[at:at] = rng.choice(PARTS)
                case 1:
                    del data[at : at + rng.randint(1, 20)]
                case 2:
                    data[at : at + 1] = bytes([rng.randrange(256)])
                case _:
                    data[at:] = data[at // 2 :]
        found = letters.read(bytes(data))
        assert len(found.id) == 32
        try:
            understood += bool(read(found.text, here).orders)
        except Unclear:
            continue
    assert understood
