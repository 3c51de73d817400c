"""A session for others: as a table, as a readable record, as a recording of a terminal.

Only what everybody at the table could see goes out: the effects of actions and the public view, never a layout, a secret
look, the seed, or a hash (design.md, sessions: projections).
"""

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from eyecaptain.games.base import Effect, Game, Note, Undo
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import _, ngettext
from eyecaptain.sessions import replay
from eyecaptain.sessions.log import Session
from eyecaptain.sessions.replay import Step

COLUMNS = (
    *("seq", "t", "round", "action", "player", "dropping", "color", "announced", "named", "of", "text"),
    *("result", "chip", "die", "deck", "next"),  # chip: who got one
)
SCREEN = {"width": 100, "height": 30}
IDLE = 5.0  # seconds: a player of recordings need not wait longer, also where a game rested for a night

Tell = Callable[[Game, Effect], str]


def anonymous(session: Session, name: str = "Player {number}") -> Session:
    """The session without what says who played, and when: names, id, date, and what was noted.

    :param name: what the players are called.
    """
    count = len(session.header["players"])
    header = session.header | {
        "players": [name.format(number=number) for number in range(1, count + 1)],
        "id": None,
        "created": None,
    }
    entries = [
        replace(entry, data={**entry.data, "text": ""}) if entry.data.get("type") == Note.type else entry
        for entry in session.entries
    ]
    return replace(session, header=header, entries=entries)


# --- CSV -------------------------------------------------------------------------------------------------------------


def as_csv(session: Session) -> str:
    """A row for each action, also for those that were taken back; the columns are `COLUMNS`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for step in replay.steps(session, replay.new_history(session.header)):
        row = _row(step)
        writer.writerow([_cell(row.get(column)) for column in COLUMNS])
    return out.getvalue()


def _row(step: Step) -> dict[str, Any]:
    """What all could see of an action."""
    public = step.game.view(None)
    players = step.game.players
    row = {
        "seq": step.entry.key,
        "t": step.entry.t,
        "round": public.get("round"),
        "action": step.action.type,
        "result": " ".join(effect.kind for effect in step.news if effect.kind != step.action.type),
        "chip": ", ".join(players[effect.seat] for effect in step.news if effect.kind == "chip" and effect.seat is not None),
        "die": public.get("die"),
        "deck": public.get("deck"),
        "next": players[public["turn"]] if public.get("turn") is not None else None,
    }
    first = step.news[0] if step.news else None
    if first is not None:
        row |= {"dropping": first.dropping, "color": first.color}
        row["player"] = players[first.seat] if first.seat is not None else None
    for field in ("announced", "named", "of", "text"):
        row[field] = getattr(step.action, field, None)
    return row


def _cell(value: Any) -> Any:
    """A name that looks like a formula shall not become one in a spreadsheet."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


# --- a record to read ------------------------------------------------------------------------------------------------


def as_record(session: Session, tell: Tell) -> str:
    """The game in words, lift by lift; what was taken back is left out."""
    return "\n".join(_record(session, tell)) + "\n"


def _record(session: Session, tell: Tell) -> Iterator[str]:
    history = replay.new_history(session.header)
    steps = list(replay.steps(session, history))
    counted = {past.key for past in history.past}
    yield title(session)
    if day := _day(session):
        yield _("Played on {day}.").format(day=day)
    lifts = 0
    round_: int | None = None
    die = None
    for step in steps:
        if step.entry.key not in counted:
            continue
        number = step.game.view(None).get("round")
        # An action that ends a round belongs to it, though the next round has begun after it.
        if step.action.type == "deal" and number != round_:
            round_ = number
            yield ""
            yield _("Round {number}").format(number=round_)
        text = " ".join(tell(step.game, effect) for effect in step.news if effect.kind not in ("die", "no_die"))
        if isinstance(step.action, Note) and step.action.text:
            text = _("Note: {text}").format(text=step.action.text)
        if text:
            is_lift = step.action.type == "lift"
            lifts += is_lift
            sought = _("The die shows {color}.").format(color=_(die)) + " " if is_lift and die is not None else ""
            label = f"{lifts}." if is_lift else ""
            yield f"{label:>4} {_clock(step.entry.t):>8}  {sought}{text}"
        if isinstance(step.game, TwelveGame):
            die = step.game.die
    yield ""
    yield from _end(history.game, lifts, sum(isinstance(step.action, Undo) for step in steps))


def _end(game: Game, lifts: int, undone: int) -> Iterator[str]:
    """How it ended, in numbers."""
    summary = game.summary()
    if game.over:
        yield ngettext("In the end: {number} lift.", "In the end: {number} lifts.", lifts).format(number=lifts)
    else:
        yield ngettext("So far: {number} lift.", "So far: {number} lifts.", lifts).format(number=lifts)
    if undone:
        yield ngettext("{number} action taken back.", "{number} actions taken back.", undone).format(number=undone)
    for key, words in (("chips", _("Chips: {counts}.")), ("collected", _("Collected: {counts}."))):
        if key in summary:
            yield words.format(counts=", ".join(f"{player} {number}" for player, number in summary[key].items()))
    if "team" in summary:
        words = _("Team {team}, galley {galley}: {result}.")
        yield words.format(team=summary["team"], galley=summary["galley"], result=_(summary["status"]))
    elif game.over:
        yield _("Won by {winners}.").format(winners=", ".join(summary["winners"]))


def title(session: Session) -> str:
    """Which game it was, who played, on which deck."""
    header = session.header
    bots = header["bots"] or [None] * len(header["players"])
    words = _("{name} (bot, {strength})")
    names = [
        name if bot is None else words.format(name=name, strength=_(bot))
        for name, bot in zip(header["players"], bots, strict=True)
    ]
    real, virtual = (
        _("Eye Eye Captain, game {game}: {names}, on a real deck."),
        _("Eye Eye Captain, game {game}: {names}, on a virtual deck."),
    )
    return (real if header["deck"] == "real" else virtual).format(game=header["game"], names=", ".join(names))


def _day(session: Session) -> str:
    try:
        created = datetime.fromisoformat(session.header["created"] or "")
    except ValueError:
        return ""
    return f"{created:%Y-%m-%d}, {created:%H:%M}"


def _clock(t: float | None) -> str:
    """Minutes and seconds; hours where there are any."""
    if t is None:
        return ""
    hours, seconds = divmod(int(t), 3600)
    return f"{hours}:{seconds // 60:02}:{seconds % 60:02}" if hours else f"{seconds // 60}:{seconds % 60:02}"


# --- a recording of a terminal ---------------------------------------------------------------------------------------


def as_cast(session: Session, shown: Callable[[Step], str]) -> str:
    """An asciicast, version 2, with the times of the session.

    :param shown: what a view shows of a step.
    """
    header: dict[str, Any] = {"version": 2, **SCREEN, "title": title(session), "idle_time_limit": IDLE}
    with suppress(ValueError):
        header["timestamp"] = int(datetime.fromisoformat(session.header["created"] or "").timestamp())
    lines = [header, [0.0, "o", _for_terminal(title(session) + "\n")]]
    t = 0.0
    for step in replay.steps(session, replay.new_history(session.header)):
        t = step.entry.t if step.entry.t is not None else t + 1.0  # by hand, without times: one a second
        if text := shown(step):
            lines.append([t, "o", _for_terminal(text)])
    return "".join(json.dumps(line) + "\n" for line in lines)


def _for_terminal(text: str) -> str:
    return text.replace("\n", "\r\n")
