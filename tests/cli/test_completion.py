"""A shell really completes: commands, games, sessions, files and boards, after TAB in a real terminal."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from support import captain, only_session
from tmux import Open, needs_tmux

pytestmark = needs_tmux

# How to begin the shell without a person's own settings, and what the README says to type.
SHELLS = {
    "bash": ("bash --norc --noprofile -i", 'eval "$(_CAPTAIN_COMPLETE=bash_source captain)"'),
    "zsh": ("zsh -f -i", 'autoload -U compinit; compinit -u -D; eval "$(_CAPTAIN_COMPLETE=zsh_source captain)"'),
    "fish": ("fish --no-config -i", "_CAPTAIN_COMPLETE=fish_source captain | source"),
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(shell: str, terminal: Open, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here: apt install {shell}")
    sessions = tmp_path / "sessions"
    captain("play", "team", "--players", "Ada,Ben", sessions=sessions, stdin="q\n")
    (tmp_path / "by-hand.jsonl").write_text("")
    name = only_session(sessions).name
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    begin, source = SHELLS[shell]
    env = {"CAPTAIN_SESSIONS": str(sessions), "PATH": path, "HOME": str(tmp_path), "PS1": "> ", "PWD": str(tmp_path)}
    table = terminal(size=(200, 40), env=env, line=f"sh -c 'cd {tmp_path}; exec {begin}'")
    table.keys(source, "Enter", "C-l")
    for typed, whole in {
        "captain pl": "captain play",
        "captain play ca": "captain play captain",
        "captain rules so": "captain rules solo",
        "captain replay 2": f"captain replay {name}",
        "captain replay by-": "captain replay by-hand.jsonl",
        "captain play --board no": "captain play --board none",
        "captain flash --board si": "captain flash --board sim",
        "captain sessions ve": "captain sessions verify",
    }.items():
        table.keys(typed, "Tab")
        table.sees(whole)
        table.keys("C-u")
