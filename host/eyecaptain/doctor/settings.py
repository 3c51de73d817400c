"""The settings of a board, `board.json`: read and changed at its REPL."""

import json
from typing import Any

from eyecaptain.errors import UsageProblem
from eyecaptain.flash.console import Repl
from eyecaptain.flash.meet import await_port, meet
from eyecaptain.language import _
from eyecaptain.link.ports import Port
from eyedeck.config import FILE, Config


def parse(pairs: tuple[str, ...]) -> dict[str, Any]:
    """What `--set KEY=VALUE` asks for; an empty value takes a setting out.

    :raises UsageProblem: something is no pair.
    """
    wanted = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageProblem(_("--set {pair}: that is no KEY=VALUE.").format(pair=pair), _("Example: --set cap=60"))
        try:
            wanted[key] = json.loads(value) if value else None
        except ValueError:
            wanted[key] = value
    return wanted


def change(port: Port, wanted: dict[str, Any], patience: float = 1.0) -> dict[str, Any]:
    """Change settings, have the board start with them, and return all of them.

    :raises UsageProblem: the firmware would not understand them; then nothing is changed.
    """
    met = meet(port, patience)
    if met is not None:
        with met:
            met.quiet()
    try:
        with Repl(port.port, max(patience, port.slow)) as repl:
            now = repl.ask(f"print(json.dumps(load('/{FILE}')))")
            settings = {**(now if isinstance(now, dict) else {}), **wanted}
            settings = {key: value for key, value in settings.items() if value is not None}
            text = json.dumps(settings)
            problem: str | None = Config(text).problem  # type: ignore[no-untyped-call] # the firmware's own check
            if problem:
                raise UsageProblem(_("{problem}. Nothing was changed.").format(problem=problem))
            repl.run(f"swap('/{FILE}',{text!r})")
    finally:
        await_port(port)
    return settings
