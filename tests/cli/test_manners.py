"""Manners of the command line: help, exit codes, streams, colours, consoles, interruption (design.md, command line)."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eyecaptain import __version__
from eyecaptain.cli import COMMANDS
from eyecaptain.language import LANGUAGES
from support import captain, only_session, terminal

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="terminals, signals and limits of Linux and macOS")
COMMAND = [sys.executable, "-m", "eyecaptain"]


def test_captain_alone_says_what_can_be_done_next(tmp_path: Path) -> None:
    done = captain(sessions=tmp_path)
    assert done.returncode == 0
    assert "captain play team --players You --bots 2" in done.stdout
    assert "--resume" in done.stdout


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS), ["sessions", "list"], ["sessions", "delete"]])
def test_every_command_has_help(command: list[str], tmp_path: Path) -> None:
    done = captain(*command, "--help", sessions=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: captain")
    assert "--lang" in done.stdout


def test_the_version(tmp_path: Path) -> None:
    assert captain("--version", sessions=tmp_path).stdout == f"captain {__version__}\n"


def test_help_imports_nothing_heavy() -> None:
    heavy = ("asyncio", "rich", "textual", "numpy", "serial", "filelock", "platformdirs", "importlib.metadata", "dataclasses")
    code = f"import sys; from eyecaptain.cli import main; main(['--help']); print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


BAD_USE = [
    (["play", "chess", "--bots", "2"], 'There is no game "chess"', "captain, geier, solo, team"),
    (["play"], "Which game?", "captain play team"),
    (["play", "team", "--players", "Ada"], "2 to 4 players, not 1", "--bots 1"),
    (["play", "team", "--players", "A,B,C,D,E"], "2 to 4 players, not 5", "--bots"),
    (["play", "team", "--players", "Ada,Ben", "--bots", "3"], "2 to 4 players, not 5", ""),
    (["play", "team"], "2 to 4 players, not 0", "--players"),
    (["play", "team", "--players", "Ada,ada"], "Two players", "another name"),
    (["play", "team", "--players", "Ada,"], "it is empty", "--players"),
    (["play", "team", "--players", "Ada,Bot 1", "--bots", "1"], "Two players", ""),
    (["play", "team", "--players", "Ada,Be\u202en"], "cannot be printed", "--players"),
    (["play", "team", "--players", "Ada,Ben", "--bots", "1", "--deck", "real"], "Bots need a virtual deck", "--deck real"),
    (["play", "team", "--bots", "x"], "say how many", "--bots 2"),
    (["play", "team", "--bots", "2:grandmaster"], "no strength", "medium"),
    (["play", "solo", "--bots", "2", "--open-corners", "2"], 'no option "open_corners"', ""),
    (["play", "team", "--bots", "2", "--open-corners", "9"], "--open-corners", "--help"),
    (["play", "team", "--players", "Ada,Ben", "--start", "Zed"], "nobody of that name", "--players"),
    (["play", "team", "--players", "Ada,Ben", "--start", "7"], "start", ""),
    (["play", "--resume"], "No unfinished game", "captain play team"),
    (["dance"], "No such command", "--help"),
    (["plya"], "Did you mean play", "--help"),
    (["session", "list"], "Did you mean sessions", "--help"),
    (["replay"], "ID|FILE", "--help"),
]


@pytest.mark.parametrize(("args", "says", "hint"), BAD_USE, ids=[" ".join(case[0]) for case in BAD_USE])
def test_wrong_use_is_one_clear_error_and_exit_code_2(args: list[str], says: str, hint: str, tmp_path: Path) -> None:
    done = captain(*args, sessions=tmp_path / "sessions")
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert says in done.stderr
    assert hint in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "sessions").exists()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("group", ["sessions", "geier", "calibrate"])
def test_a_groups_list_cuts_no_sentence_off(group: str, lang: str, tmp_path: Path) -> None:
    shown = captain("--lang", lang, group, "--help", sessions=tmp_path).stdout.rsplit("\n\n", 1)[1]
    assert shown.count(".\n") >= 4
    assert "..." not in shown


@pytest.mark.parametrize("group", ["sessions", "geier"])
def test_a_group_alone_shows_its_commands_and_not_that_as_an_error(group: str, tmp_path: Path) -> None:
    done = captain(group, sessions=tmp_path)
    assert done.returncode == 2
    assert done.stderr == captain(group, "--help", sessions=tmp_path).stdout


BROKEN = [
    (b"", "is empty"),
    (b'{"type":"sess', "line 1"),
    (b'{"event":"login"}\n', "not a session"),
    (b'{"type":"session","format":9,"game":"team","players":["A","B"]}\n', "newer captain"),
    (b'{"type":"session","format":1,"game":"chess","players":["A","B"]}\n', 'no game "chess"'),
    (b'{"type":"session","format":1,"game":"team","players":["A"]}\n', "2 to 4 players"),
    (b'{"type":"session","format":1,"game":"team","players":["A","B"],"options":{"x":1}}\n', 'no option "x"'),
    (b'{"type":"session","format":1,"game":"team","players":["A","B"]}\n{"type":"dance"}\n', "Line 2"),
    (b'{"type":"session","format":1,"game":"team","players":["A","B"]}\n{"type":"pause"} x}\n', "line 2"),
]


@pytest.mark.parametrize(("data", "says"), BROKEN)
@pytest.mark.parametrize("command", [["replay"], ["sessions", "verify"], ["sessions", "show"]], ids=" ".join)
def test_a_broken_session_is_exit_code_5_with_its_line(command: list[str], data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    done = captain(*command, str(path), sessions=tmp_path)
    assert (done.returncode, done.stdout) == (5, ""), done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_an_edited_session_is_found_and_cannot_be_resumed(tmp_path: Path) -> None:
    captain("play", "solo", "--players", "Ada,Ben", stdin="red 1\nred 2\n", sessions=tmp_path)
    folder = only_session(tmp_path)
    path = folder / "session.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"dropping":1', b'"dropping":3'))
    for command in (["sessions", "verify", folder.name], ["play", "--resume", folder.name], ["replay", folder.name]):
        done = captain(*command, sessions=tmp_path)
        assert done.returncode == 5
        assert "line 3" in done.stderr
    row = json.loads(captain("sessions", "list", "--json", sessions=tmp_path).stdout)[0]
    assert row["status"] == "broken"


def test_a_move_against_the_rules_is_exit_code_6(tmp_path: Path) -> None:
    path = tmp_path / "by-hand.jsonl"
    path.write_text('{"type":"session","format":1,"game":"solo","players":["A","B"]}\n{"type":"turn","seat":4}')
    done = captain("replay", str(path), sessions=tmp_path)
    assert (done.returncode, done.stdout) == (6, "")
    assert "line 2: there is no seat 4" in done.stderr
    done = captain("replay", str(path), "--json", sessions=tmp_path)
    assert json.loads(done.stdout)["error"]["code"] == "no_such_seat"


def test_play_show_verify_list_replay_delete(tmp_path: Path) -> None:
    done = captain("play", "team", "--bots", "2", "--json", sessions=tmp_path)
    result = json.loads(done.stdout)
    assert "A new round" in done.stderr
    name = only_session(tmp_path).name
    assert json.loads(captain("replay", name, "--json", sessions=tmp_path).stdout) == result
    listed = json.loads(captain("sessions", "list", "--json", sessions=tmp_path).stdout)
    assert [(row["id"], row["status"]) for row in listed] == [(name, result["status"])]
    shown = captain("sessions", "show", name, "--json", sessions=tmp_path).stdout
    assert json.loads(shown)["state"] == result
    assert "seed" not in shown
    verified = json.loads(captain("sessions", "verify", name, "--json", sessions=tmp_path).stdout)
    assert (verified["ok"], verified["lines"]) == (True, listed[0]["actions"] + 1)
    assert captain("sessions", "path", name[:12], sessions=tmp_path).stdout.strip().endswith(f"{name}/session.jsonl")
    for command in (["sessions", "show", name], ["sessions", "verify", name], ["sessions", "list"], ["replay", name]):
        assert captain(*command, sessions=tmp_path).returncode == 0
    assert captain("sessions", "delete", name, stdin="n\n", sessions=tmp_path).returncode == 130
    assert captain("sessions", "delete", name, "--yes", sessions=tmp_path).returncode == 0
    assert captain("replay", name, sessions=tmp_path).returncode == 5


def test_a_finished_game_is_resumed_at_its_end_where_the_last_action_can_be_taken_back(tmp_path: Path) -> None:
    captain("play", "team", "--players", "Ada,Ben", "--deck", "real", "--board", "none", stdin="die fell\n", sessions=tmp_path)
    name = only_session(tmp_path).name
    log = (tmp_path / name / "session.jsonl").read_text()
    assert '"type":"die_fell"' in log
    seen = captain("play", "--resume", name, "--board", "none", stdin="", sessions=tmp_path)
    assert seen.returncode == 0
    assert (tmp_path / name / "session.jsonl").read_text() == log
    assert captain("play", "--resume", name, "--board", "none", stdin="u\n", sessions=tmp_path).returncode == 0
    assert json.loads(captain("replay", name, "--json", sessions=tmp_path).stdout.splitlines()[-1])["status"] == "running"
    assert captain("play", "--resume", "--board", "none", stdin="", sessions=tmp_path).returncode == 0


def test_resume_goes_on_at_the_very_action(tmp_path: Path) -> None:
    captain("play", "solo", "--players", "Ada,Ben", "--seed", "1", stdin="red 1\nred 2\n", sessions=tmp_path)
    done = captain("play", "--resume", stdin="red 3\n", sessions=tmp_path)
    assert "going on after action 3" in done.stdout
    assert "The tongs are with Ada." in done.stdout
    assert len((only_session(tmp_path) / "session.jsonl").read_text().splitlines()) == 5


def test_a_session_that_is_being_played_is_not_resumed_twice(tmp_path: Path) -> None:
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)}
    with subprocess.Popen(
        [*COMMAND, "play", "solo", "--players", "Ada,Ben", "--board", "none"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
    ) as first:
        assert first.stdout is not None
        assert first.stdin is not None
        first.stdout.readline()
        done = captain("play", "--resume", sessions=tmp_path)
        assert done.returncode == 5
        assert "another process" in done.stderr
        first.stdin.close()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = captain("play", "team", "--bots", "2", sessions=tmp_path / "file" / "sessions")
    assert done.returncode == 1
    assert "--sessions DIR" in done.stderr
    assert "Traceback" not in done.stderr


@POSIX
def test_a_full_disk_ends_the_game_cleanly_and_resume_goes_on(tmp_path: Path) -> None:
    """The limit on a file's size plays the full disk, in the real command."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000));"
        "from eyecaptain.cli import main; sys.exit(main())"
    )
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)}
    command = [sys.executable, "-c", code, "play", "solo", "--bots", "2", "--seed", "5eed", "--board", "none"]
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "--resume" in done.stderr
    assert "Traceback" not in done.stderr
    shown = sum("lifted" in line for line in done.stdout.splitlines())
    verified = json.loads(captain("sessions", "verify", only_session(tmp_path).name, "--json", sessions=tmp_path).stdout)
    assert verified["lines"] == shown + 2  # the header and the deal
    assert captain("play", "--resume", "--json", sessions=tmp_path).returncode == 0


@POSIX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root, to become somebody else")
def test_a_folder_of_somebody_else_is_said(tmp_path: Path) -> None:
    """Everything is imported before the child becomes another user, who may not read where Python lives."""
    tmp_path.chmod(0o755)
    code = (
        "import os, sys; from eyecaptain import games; from eyecaptain.cli import main, play;"
        "from eyecaptain.table import sitting; kind = games.find('solo'); games.find = lambda name: kind;"
        "os.setgid(65534); os.setuid(65534); sys.exit(main())"
    )
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path / "sessions")}
    done = subprocess.run(
        [sys.executable, "-c", code, "play", "solo", "--bots", "2", "--board", "none"], capture_output=True, text=True, env=env
    )
    assert done.returncode == 1
    assert "Permission denied" in done.stderr
    assert "Traceback" not in done.stderr


@POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_ends_cleanly_with_130(number: signal.Signals, tmp_path: Path) -> None:
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)}
    with subprocess.Popen(
        [*COMMAND, "play", "solo", "--players", "Ada,Ben", "--board", "none"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    ) as process:
        assert process.stdout is not None
        while "The tongs are" not in process.stdout.readline():
            pass
        process.send_signal(number)
        _, stderr = process.communicate(timeout=10)
    assert process.returncode == 130
    assert f"captain play --resume {only_session(tmp_path).name}" in stderr
    assert "Traceback" not in stderr
    assert captain("sessions", "verify", only_session(tmp_path).name, sessions=tmp_path).returncode == 0


@POSIX
def test_ctrl_c_at_any_moment_leaves_a_whole_session_or_none(tmp_path: Path) -> None:
    """Twenty moments from our first line (before it Python itself answers) to the end of a game of bots; twice in a row."""
    code = (
        "import os, signal, sys; from eyecaptain import __main__ as start;"
        "signal.signal(signal.SIGINT, start._interrupted_at_the_start); os.write(1, b'.'); sys.exit(start.main())"
    )
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)}
    command = [sys.executable, "-c", code, "play", "captain", "--bots", "4", "--board", "none"]
    for moment in range(20):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
            assert process.stdout is not None
            assert process.stdout.read(1) == b"."
            time.sleep(moment * 0.008)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=10)
        assert process.returncode in (0, 130)
        assert b"Traceback" not in stderr
    for row in json.loads(captain("sessions", "list", "--json", sessions=tmp_path).stdout):
        assert row["status"] != "broken"


@POSIX
def test_ctrl_c_at_any_line_of_our_outermost_code_leaves_no_traceback(tmp_path: Path) -> None:
    """Where no command has begun yet, or all is written already: a moment that a clock would hardly ever hit."""
    code = """if True:
    import os, signal, sys
    from eyecaptain import __main__ as start
    wanted, seen = int(sys.argv.pop(1)), 0
    def look(frame, event, _):
        global seen
        if not frame.f_code.co_filename.endswith(("cli/console.py", "cli/__init__.py", "eyecaptain/__main__.py")):
            return None
        if event == "line":
            seen += 1
            if seen == wanted:
                os.kill(os.getpid(), signal.SIGINT)
        return look
    signal.signal(signal.SIGINT, start._interrupted_at_the_start)
    sys.settrace(look)
    code = start.main()
    sys.settrace(None)
    print(seen, file=sys.stderr)
    sys.exit(code)
    """

    def run(wanted: int, *args: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, "-c", code, str(wanted), *args], capture_output=True, text=True)

    for args in (["rules", "solo"], ["--version"], ["replay", str(tmp_path / "none")]):
        whole = run(0, *args)
        lines = int(whole.stderr.split()[-1])
        assert lines > 50
        for wanted in range(1, lines + 1, 5):
            done = run(wanted, *args)
            assert "Traceback" not in done.stderr, (wanted, done.stderr)
            assert done.returncode in (whole.returncode, 130), (wanted, done.stderr)


@POSIX
def test_a_ctrl_c_that_python_drops_comes_again() -> None:
    """Where no exception can go anywhere, as in a weak reference's callback; imports have such ones."""
    code = """if True:
    import os, signal, sys, time, weakref
    import click
    from eyecaptain.cli import console

    @click.command()
    def wait():
        thing = type("Thing", (), {})()
        gone = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
        del thing
        time.sleep(30)  # what Ctrl-C has to end; the test gives up before

    sys.exit(console.run(wait, []))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=25)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


@POSIX
def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    captain("play", "captain", "--bots", "4", "--seed", "1", sessions=tmp_path)
    env = os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)}
    name = only_session(tmp_path).name
    for command in (f"replay {name}", "sessions list", "--help", "play captain --bots 4 --board none"):
        shell = f"{sys.executable} -m eyecaptain {command} | head -1 >/dev/null; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, env=env)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_no_console_ever_crashes_on_a_character(encoding: str, tmp_path: Path) -> None:
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    args = ["play", "solo", "--players", "Zoë,👩‍🚀", "--json", "--board", "none"]
    done = subprocess.run(
        [*COMMAND, *args],
        input=b"red 1\n",
        capture_output=True,
        env=os.environ | env | {"CAPTAIN_SESSIONS": str(tmp_path), "PYTHONUTF8": "1" if encoding == "utf-8" else "0"},
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr


@POSIX
@pytest.mark.parametrize(
    ("env", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)], ids=["xterm", "NO_COLOR", "dumb"]
)
def test_colours_on_a_terminal_unless_unwanted(env: dict[str, str], colored: bool, tmp_path: Path) -> None:
    out = terminal(["play", "solo", "--bots", "2", "--board", "none"], b"", tmp_path, env)
    assert (b"\x1b[" in out) == colored
    assert b"red" in out


def test_no_colours_into_a_pipe_unless_forced(tmp_path: Path) -> None:
    assert "\x1b[" not in captain("play", "solo", "--bots", "2", sessions=tmp_path).stdout
    assert "\x1b[" in captain("play", "solo", "--bots", "2", sessions=tmp_path, env={"FORCE_COLOR": "1"}).stdout


@POSIX
def test_a_person_can_play_in_a_terminal_and_a_secret_is_wiped(tmp_path: Path) -> None:
    out = terminal(
        ["play", "captain", "--players", "Ada,Ben", "--board", "none", "--seed", "5eed"], b"5\nlook\n\nq\n", tmp_path, {}
    )
    assert b"Ada saw: dropping 5" in out
    assert b"\x1b[3A\x1b[J" in out.split(b"Ada saw")[1]
    assert b"captain play --resume" in out


@POSIX
def test_a_terminal_that_closes_ends_the_game_and_keeps_it(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "play", "solo", "--players", "Ada,Ben", "--board", "none"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env=os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)},
    ) as process:
        os.close(slave)
        os.write(master, b"red 1\n")
        while b"lifted" not in os.read(master, 4096):
            pass
        os.close(master)
        process.wait(10)
    assert process.returncode in (0, 130)
    assert captain("sessions", "verify", only_session(tmp_path).name, sessions=tmp_path).returncode == 0


def test_a_fault_of_ours_is_one_line_with_what_to_do(tmp_path: Path) -> None:
    code = (
        "import sys; from eyecaptain.views import plain; plain.PlainView.show = lambda *_: 1 / 0;"
        "from eyecaptain.cli import main; sys.exit(main())"
    )
    for verbose in ([], ["-v"]):
        command = [sys.executable, "-c", code, *verbose, "play", "solo", "--bots", "2", "--board", "none"]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CAPTAIN_SESSIONS": str(tmp_path)})
        assert done.returncode == 1
        assert "a fault of ours: ZeroDivisionError" in done.stderr
        assert ("Traceback" in done.stderr) == bool(verbose)
