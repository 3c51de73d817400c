"""`captain geier`: a first game in a few commands, files instead of servers, and everything that can be typed wrong."""

import json
import subprocess
import sys
from email import policy
from email.parser import BytesParser
from pathlib import Path

import pytest

from postal.table import codes, letter
from support import captain, only_session

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for files, which plays the full disk")
TWO = ("--player", "Ada=ada@x.org,Europe/Rome,it", "--player", "Ben=ben@x.org")
FAR = ("--deadline", "2099-12-20 20:00", "--zone", "Europe/Berlin")


def geier(*args: str, sessions: Path, code: int = 0) -> str:
    done = captain("geier", *args, sessions=sessions)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def test_a_first_game_with_files_instead_of_servers(tmp_path: Path) -> None:
    sessions, out, box = tmp_path / "sessions", f"folder:{tmp_path / 'out'}", tmp_path / "box"
    begun = json.loads(geier("new", *TWO, *FAR, "--bots", "3", "--days", "7", "--via", out, "--json", sessions=sessions))
    mails = [BytesParser(policy=policy.default).parsebytes(path.read_bytes()) for path in (tmp_path / "out").glob("*.eml")]
    code = codes(mails)
    assert set(code) == {"ada@x.org", "ben@x.org"}
    (box / "new").mkdir(parents=True)
    (box / "cur").mkdir()
    (box / "new" / "1").write_bytes(letter("ada@x.org", f"12 4\n{code['ada@x.org']}"))
    read = captain("--lang", "de", "geier", "inbox", "--maildir", str(box), "--via", out, "--json", sessions=sessions)
    assert "Ada: Zug für Runde 1" in read.stderr
    assert json.loads(read.stdout)["read"][0]["what"] == "order for round 1"
    assert "A=9 B=8" in geier("order", "R1 Ben: 9 8", sessions=sessions)
    assert "round 1 of 8" in geier("status", sessions=sessions)
    assert "12" in geier("preview", sessions=sessions)
    evaluated = json.loads(geier("run", "--via", out, "--json", sessions=sessions))["evaluated"]
    assert evaluated == [{"game": begun["name"], "round": 1}]
    assert "report of round 1" in geier("report", sessions=sessions)
    page = geier("report", "--as", "html", "--language", "es", sessions=sessions)
    assert page.startswith('<!DOCTYPE html>\n<html lang="es">')
    files = json.loads(geier("export", str(tmp_path / "zine"), "--json", sessions=sessions))["files"]
    assert sorted(map(Path, files)) == sorted((tmp_path / "zine").iterdir())
    assert len(files) == 6
    report = tmp_path / "zine" / f"geier-{begun['name']}-1.json"
    assert json.loads(geier("verify", str(report), "--json", sessions=sessions))["ok"]
    assert json.loads(captain("replay", begun["game"], "--json", sessions=sessions).stdout)["round"] == 2
    for command in (["sessions", "show"], ["sessions", "verify"], ["replay"]):
        done = captain(*command, begun["game"], sessions=sessions)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    for kind in ("record", "csv", "cast"):
        done = captain("sessions", "export", begun["game"], "--as", kind, sessions=sessions)
        assert done.returncode == 2
        assert "captain geier export" in done.stderr


def test_a_game_by_mail_does_not_keep_the_one_at_the_table_from_being_resumed(tmp_path: Path) -> None:
    sessions = tmp_path / "sessions"
    captain("play", "team", "--players", "Ada,Ben", "--seed", "1", stdin="", sessions=sessions)
    begun = json.loads(geier("new", *TWO, *FAR, "--via", f"folder:{tmp_path / 'out'}", "--json", sessions=sessions))
    done = captain("play", "--resume", stdin="", sessions=sessions)
    assert "not played at the table" not in done.stderr
    assert done.returncode == captain("play", "team", "--players", "Ada,Ben", stdin="", sessions=tmp_path / "other").returncode
    done = captain("play", "--resume", begun["game"], sessions=sessions)
    assert done.returncode == 2
    assert "geier is not played at the table. It goes by mail: captain geier" in " ".join(done.stderr.split())


def test_first_looked_at_then_sent(tmp_path: Path) -> None:
    sessions = tmp_path / "sessions"
    geier("new", *TWO, *FAR, "--outbox", str(tmp_path / "look"), sessions=sessions)
    assert len(list((tmp_path / "look").iterdir())) == 4
    assert "wait to be sent: 4" in geier("status", sessions=sessions).lower().replace("waits", "wait")
    geier("run", "--via", f"maildir:{tmp_path / 'out'}", sessions=sessions)
    assert len(list((tmp_path / "out" / "new").iterdir())) == 4
    assert json.loads(geier("run", "--json", sessions=sessions))["mail"] == []


def test_whatever_sends_can_be_looked_at_first_and_is_sent_once_afterwards(tmp_path: Path) -> None:
    sessions, box = tmp_path / "sessions", tmp_path / "box"
    out = ("--via", f"folder:{tmp_path / 'out'}")
    geier("new", *TWO, *FAR, "--days", "7", *out, sessions=sessions)
    code = codes([BytesParser(policy=policy.default).parsebytes(path.read_bytes()) for path in (tmp_path / "out").iterdir()])
    (box / "new").mkdir(parents=True)
    (box / "cur").mkdir()
    (box / "new" / "1").write_bytes(letter("ada@x.org", f"12 4\n{code['ada@x.org']}"))
    for number, (command, mails) in enumerate(
        (
            (("inbox", "--maildir", str(box)), 1),
            (("run", "--now"), 2),
            (("run", "--deadline", "2099-12-24 20:00"), 2),
            (("rollback", "1"), 2),
            (("standby", "Ben", "--name", "Zoe"), 1),
        )
    ):
        before, look = len(list((tmp_path / "out").iterdir())), tmp_path / f"look{number}"
        said = json.loads(geier(*command, "--outbox", str(look), "--json", sessions=sessions))
        assert [mail["state"] for mail in said["mail"]] == ["waiting"] * mails, command
        assert len(list(look.iterdir())) == mails
        assert len(list((tmp_path / "out").iterdir())) == before
        sent = json.loads(geier("run", *out, "--json", sessions=sessions))["mail"]
        assert [mail["id"] for mail in sent] == [mail["id"] for mail in said["mail"]]
        assert len(list((tmp_path / "out").iterdir())) == before + mails


def test_a_mailbox_file_is_read_and_left_as_it_is(tmp_path: Path) -> None:
    sessions, out = tmp_path / "sessions", f"folder:{tmp_path / 'out'}"
    geier("new", *TWO, *FAR, "--via", out, sessions=sessions)
    mails = [BytesParser(policy=policy.default).parsebytes(path.read_bytes()) for path in (tmp_path / "out").glob("*.eml")]
    code = codes(mails)
    box = tmp_path / "box"
    late = b"From ada@x.org Thu Jan  1 10:00:00 2099\n" + letter("ada@x.org", f"12 4\n{code['ada@x.org']}")
    box.write_bytes(late)
    for state in (["done"], []):
        read = json.loads(geier("inbox", "--mbox", str(box), "--via", out, "--json", sessions=sessions))["read"]
        assert [outcome["state"] for outcome in read] == state
    assert box.read_bytes() == late


BAD = [
    (["new", "--player", "Ada=ada@x.org", *FAR], "2 or more players, not 1"),
    (["new", "--player", "Ada", "--player", "Ben=b@x.org"], "Ada has no address"),
    (["new", "--player", "Ada=ada@x.org", "--player", "Ada=b@x.org"], "Two players"),
    (["new", "--player", "Ada=a@x.org", "--player", "Ben=a@x.org"], "same address"),
    (["new", "--player", "Ada=a@x.org,Europe/Atlantis", "--player", "Ben=b@x.org"], "no time zone"),
    (["new", *TWO, "--zone", "Mars/Base"], "no time zone"),
    (["new", *TWO, "--deadline", "2020-01-01 10:00"], "has passed"),
    (["new", *TWO, "--deadline", "2099-03-29 02:30", "--zone", "Europe/Berlin"], "put forward"),
    (["new", *TWO, "--deadline", "soon"], "not a date"),
    (["new", *TWO, "--bots", "two"], "how many"),
    (["new", *TWO, "--bots", "2:grandmaster"], "how strong"),
    (["new", *TWO, "--seed", "5eed"], "hex digits"),
    (["new", *TWO, "--remind", "soon"], "no hours"),
    (["new", *TWO, "--nonces"], "--deadline"),
    (["new", *TWO, "--master", "nobody"], "not an address"),
    (["run", "--now"], "Which game?"),
    (["run", "--game", "k3f9"], "no game by mail"),
    (["report", "--game", "k3f9"], "no game by mail"),
    (["inbox"], "Which mailbox?"),
    (["inbox"], "servers.toml"),
    (["inbox", "--maildir", "a", "--mbox", "b"], "Only one mailbox"),
    (["order", "12 4"], "Which game?"),
]


@pytest.mark.parametrize(("players", "said"), [(4, True), (5, False), (9, False), (10, True)])
def test_an_unusual_number_of_players_is_said_and_plays_all_the_same(players: int, said: bool, tmp_path: Path) -> None:
    bots = ("--bots", str(players - 2), "--via", f"folder:{tmp_path / 'out'}", "--json")
    done = captain("geier", "new", *TWO, *FAR, *bots, sessions=tmp_path / "s")
    assert done.returncode == 0
    assert json.loads(done.stdout)["game"]
    assert (f"{players} players: the game is at its best with 5 to 9." in done.stderr) == said


@pytest.mark.parametrize(("args", "says"), BAD, ids=[" ".join(args)[:60] for args, _ in BAD])
def test_wrong_use_is_one_clear_line_and_nothing_is_written(args: list[str], says: str, tmp_path: Path) -> None:
    said = geier(*args, sessions=tmp_path / "sessions", code=2)
    assert says in said
    assert said.startswith("Error: "), "nothing is said of a game that does not begin"
    assert not list((tmp_path / "sessions").glob("*/session.jsonl"))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("12 4", "Whose order"),
        ("Zoe: 12 4", "Whose order"),
        ("Ben: 1 2 3", "not clear"),
        ("Ben: hello", "No order"),
        ("R9 Ben: 1 2", "no order for round 9"),
        ("Runde 9 Ben: 1 2", "no order for round 9"),
        ("abcd Ben: 1 2", "Whose order"),
    ],
)
def test_an_order_that_cannot_be_read_is_refused(line: str, says: str, tmp_path: Path) -> None:
    geier("new", *TWO, *FAR, "--via", f"folder:{tmp_path / 'out'}", sessions=tmp_path / "s")
    assert says in geier("order", line, sessions=tmp_path / "s", code=2)


def test_a_sealed_order_opens_to_its_commitment(tmp_path: Path) -> None:
    from hashlib import sha256

    geier("new", *TWO, *FAR, "--via", f"folder:{tmp_path / 'out'}", sessions=tmp_path / "s")
    (seal,) = json.loads(geier("order", "Ben: 12 4", "--seal", "--json", sessions=tmp_path / "s"))["seals"]
    assert sha256(seal["opening"].encode()).hexdigest() == seal["commitment"]
    assert seal["opening"].split("|")[1:5] == ["1", "1", "12", "4"]
    assert "whole order" in geier("order", "Ben: 12", "--seal", sessions=tmp_path / "s", code=2)


def test_repairs(tmp_path: Path) -> None:
    sessions, out = tmp_path / "s", f"folder:{tmp_path / 'out'}"
    geier("new", *TWO, *FAR, "--days", "7", "--via", out, sessions=sessions)
    assert "has not been evaluated" in geier("rollback", "1", "--via", out, sessions=sessions, code=6)
    geier("run", "--press", "Sorry: 2 days late!", "--now", "--via", out, sessions=sessions)
    assert "Press by the game master:\n  Sorry: 2 days late!" in geier("report", sessions=sessions)
    geier("rollback", "1", "--via", out, sessions=sessions)
    assert "Rolled back" in geier("status", sessions=sessions)
    geier("order", "Ben: 9 8", sessions=sessions)
    geier("run", "--now", "--via", out, sessions=sessions)
    assert "CORRECTED" in geier("report", sessions=sessions)
    geier("standby", "Ben", "--name", "Zoe", "--address", "zoe@x.org", "--via", out, sessions=sessions)
    assert "Zoe" in geier("report", sessions=sessions)
    assert "same address" in geier("standby", "Zoe", "--address", "ada@x.org", "--via", out, sessions=sessions, code=2)
    assert "Nobody is called" in geier("standby", "Nemo", "--via", out, sessions=sessions, code=2)


def test_a_damaged_game_does_not_hide_the_others(tmp_path: Path) -> None:
    sessions, out = tmp_path / "s", f"folder:{tmp_path / 'out'}"
    names = [json.loads(geier("new", *TWO, *FAR, "--via", out, "--json", sessions=sessions))["name"] for _ in range(2)]
    (folder,) = (path for path in sessions.iterdir() if path.name.endswith(names[0]))
    (folder / "session.jsonl").write_bytes(b"{}")
    done = captain("geier", "status", "--json", sessions=sessions)
    assert done.returncode == 5
    assert [game["name"] for game in json.loads(done.stdout)] == names[1:]
    assert done.stderr.count("Error:") == 1


def test_what_cannot_be_sealed_is_not_filed(tmp_path: Path) -> None:
    sessions = tmp_path / "s"
    geier("new", *TWO, *FAR, "--via", f"folder:{tmp_path / 'out'}", sessions=sessions)
    assert "Only a whole order" in geier("order", "Ben: A=9", "--seal", sessions=sessions, code=2)
    assert json.loads(geier("status", "--json", sessions=sessions))[0]["missing"] == ["Ada", "Ben"]


@pytest.mark.parametrize(("address", "says"), [("", "which address mail comes from"), ("nobody", "is not an address")])
def test_a_game_whose_answers_would_be_lost_does_not_begin(
    address: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPTAIN_CONFIG", str(tmp_path))
    monkeypatch.setenv("CAPTAIN_FROM", address)
    (tmp_path / "servers.toml").write_text('[smtp]\nurl = "smtps://geier@mail.example.org"\n')
    assert says in geier("new", *TWO, *FAR, sessions=tmp_path / "s", code=2)
    assert geier("status", "--json", sessions=tmp_path / "s") == "[]\n"


def test_mail_that_cannot_go_out_waits(tmp_path: Path) -> None:
    sessions = tmp_path / "s"
    done = captain("geier", "new", *TWO, *FAR, "--via", "smtp://127.0.0.1:1", "--json", sessions=sessions)
    assert done.returncode == 1
    assert json.loads(done.stdout)["name"]  # the game has begun all the same
    assert "refused" in done.stderr
    assert json.loads(geier("status", "--json", sessions=sessions))[0]["to_send"] == 4
    geier("run", "--via", f"folder:{tmp_path / 'out'}", sessions=sessions)
    assert len(list((tmp_path / "out").iterdir())) == 4


@pytest.mark.parametrize(
    ("make", "args"),
    [
        (lambda path: path.mkdir(), "--mbox"),
        (lambda path: path.write_bytes(b"\x00\x01 not a mailbox"), "--mbox"),
        (lambda _: None, "--mbox"),
        (lambda path: path.mkdir(), "--maildir"),
        (lambda path: path.write_bytes(b""), "--maildir"),
        (lambda _: None, "--maildir"),
    ],
)
def test_a_broken_mailbox_is_named(make: object, args: str, tmp_path: Path) -> None:
    path = tmp_path / "box"
    make(path)  # type: ignore[operator]
    assert str(path) in geier("inbox", args, str(path), sessions=tmp_path / "s", code=1)


@POSIX
def test_a_full_disk_while_the_report_is_written_costs_nothing(tmp_path: Path) -> None:
    """The log may still grow a little, the report does not fit any more; then there is room again."""
    sessions, out = tmp_path / "s", tmp_path / "out"
    geier("new", *TWO, *FAR, "--via", f"folder:{out}", sessions=sessions)
    before = {path.name for path in out.iterdir()}
    size = (only_session(sessions) / "session.jsonl").stat().st_size
    code = (
        f"import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size + 400}, {size + 400})); from eyecaptain.cli import main;"
        f"sys.exit(main({['geier', 'run', '--now', '--via', f'folder:{out}', '--sessions', str(sessions)]!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name for path in out.iterdir()} == before
    geier("run", "--via", f"folder:{out}", sessions=sessions)
    log = [json.loads(line) for line in (only_session(sessions) / "session.jsonl").read_text().splitlines()]
    assert [entry["round"] for entry in log if entry["type"] == "evaluate"] == [1]
    assert len(list(out.iterdir())) == len(before) + 2
    assert not list((only_session(sessions) / "spool").iterdir())


@POSIX
def test_an_export_that_does_not_fit_leaves_no_half_file(tmp_path: Path) -> None:
    sessions = tmp_path / "s"
    geier("new", *TWO, *FAR, "--via", f"folder:{tmp_path / 'out'}", sessions=sessions)
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (800, 800)); from eyecaptain.cli import main;"
        f"sys.exit(main({['geier', 'export', str(tmp_path / 'zine'), '--sessions', str(sessions)]!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert all(path.stat().st_size < 800 for path in (tmp_path / "zine").iterdir())
    assert not list((tmp_path / "zine").glob("*.new"))


COMMANDS = ("new", "order", "status", "preview", "run", "report", "verify", "rollback", "standby", "inbox", "export")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, tmp_path: Path) -> None:
    assert geier(command, "--help", sessions=tmp_path).startswith("Usage: captain geier")
