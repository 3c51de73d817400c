"""The command line: one file per command, imported when it is called, so that help comes up fast."""

import sys
from collections.abc import Sequence

import click

from eyecaptain import __version__
from eyecaptain.cli import console
from eyecaptain.cli.help import in_language
from eyecaptain.language import N_, _

# name: (module, attribute, one line for the list). Kept as text, because importing a command imports its room.
COMMANDS = {
    "play": ("play", N_("Play a game at the table, or go on with one (--resume).")),
    "rules": ("rules", N_("Explain how a game is played.")),
    "geier": ("geier", N_("Run Hol's der Geier by mail.")),
    "replay": ("replay", N_("Replay a recorded session step by step.")),
    "sessions": ("sessions", N_("List, show, verify, export, count or delete recorded sessions.")),
    "simulate": ("simulate", N_("Let bots play many games against each other, with figures.")),
    "flash": ("flash", N_("Put the firmware on a board, checked and with a way back.")),
    "rollback": ("rollback", N_("Let a board run the firmware that it had before.")),
    "doctor": ("doctor", N_("Ask a board how it is; --link measures the link.")),
    "calibrate": ("calibrate", N_("Teach a board the colours of its die; show, check, export, import that.")),
    "record": ("record", N_("Write readings of a board's colour sensor to a file.")),
    "evaluate": ("evaluate", N_("Say how well colours are told apart, from recorded readings.")),
    "ports": ("ports", N_("List the boards that are attached.")),
    "emulate": ("emulate", N_("Run a simulated board for other programs.")),
}

FIRST_STEPS = N_("""\
Eye Eye Captain, electronic {version}

  captain play                               play: you are asked what, and who
  captain play team --players You --bots 2   play the team game with two bots
  captain play solo --players Ada,Ben        every sailor for himself
  captain play captain --players Ada,Ben     find out when a colour is gone
  captain geier new --help                   Hol's der Geier by mail
  captain rules captain                      how a game is played

  captain play --resume                      go on with the last unfinished game
  captain sessions list                      what was recorded
  captain replay ID                          see a recorded game again

captain --help lists everything; captain play --help says what a game can be given.""")


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order in which people meet them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command, or None when there is none of that name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        command = getattr(import_module(f"eyecaptain.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        assert isinstance(command, click.Command)
        return in_language(command)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a name that is none, say which ones are like it (click compares only imported ones)."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from difflib import get_close_matches

            if not (near := get_close_matches(args[0], COMMANDS)):
                raise
            words = _("There is no command {name}. Did you mean {near}?").format(name=args[0], near=", ".join(near))
            raise click.UsageError(words, ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands for --help, without importing any of them."""
        del ctx
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(line)) for name, (_module, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="captain", message="%(prog)s %(version)s")
@click.option("-v", "--verbose", is_flag=True, help="Say more: notes, and where a fault of ours happened.")
@click.pass_context
def cli(ctx: click.Context, verbose: bool) -> None:
    """Eye Eye Captain, electronic: play on a real board or a virtual one, log, resume and replay."""
    console.verbose = verbose
    if ctx.invoked_subcommand is None:
        click.echo(_(FIRST_STEPS).format(version=__version__))


def main(argv: Sequence[str] | None = None) -> int:
    """Run `captain` with these arguments (default: those of the process) and return its exit code."""
    return console.run(cli, list(sys.argv[1:] if argv is None else argv))
