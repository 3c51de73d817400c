"""What README.md tells people to type exists."""

import re
import shlex
from pathlib import Path

import click
import pytest

from eyecaptain.cli import cli

ROOT = Path(__file__).parents[1]
LINES = [
    line.strip().split("#")[0].split("(")[0]
    for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"    (captain|make) ", line)
]


@pytest.mark.parametrize("line", LINES)
def test_a_command_of_the_readme_exists_with_its_options(line: str) -> None:
    program, *words = shlex.split(line)
    if program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        return
    context = click.Context(cli)
    command: click.Command = cli
    while isinstance(command, click.Group) and not (command.invoke_without_command and not words):
        name = words.pop(0).split("|")[0]
        found = command.get_command(context, name)
        assert found is not None, name
        command = found
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


def test_the_readme_shows_something_to_type() -> None:
    assert len(LINES) > 10
