"""Help in the language of people: every command's, and the option that chooses the language."""

import re
from copy import copy
from inspect import cleandoc

import click

from eyecaptain.language import LANGUAGES, _


def in_language(command: click.Command) -> click.Command:
    """The command with its help, and that of its options and subcommands, in the language that was chosen.

    It has ``--lang``, too; that has been heeded already, before anything of the command line was read (`console.run`).
    """
    told = copy(command)
    if command.help:
        told.help = _(cleandoc(command.help))
        told.short_help = " ".join(re.split(r"(?<=\.)\s", told.help, maxsplit=1)[0].split())  # whole: click would cut it
    told.params = [_told(param) for param in command.params] + [_lang()]
    if isinstance(told, click.Group):
        told.commands = {name: in_language(sub) for name, sub in told.commands.items()}
    return told


def _told(param: click.Parameter) -> click.Parameter:
    if not isinstance(param, click.Option) or not param.help:
        return param
    told = copy(param)
    told.help = _(cleandoc(param.help))
    return told


def _lang() -> click.Option:
    words = _("The language (default: that of the system, else English).")
    return click.Option(["--lang"], type=click.Choice(LANGUAGES), expose_value=False, help=words)
