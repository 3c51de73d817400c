"""Deadlines: one moment, said in the time of everybody's zone."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from eyecaptain.errors import UsageProblem
from eyecaptain.language import _

_EXAMPLE = 'Example: --deadline "2026-12-20 20:00" --zone Europe/Berlin'


def zone_of(name: str) -> ZoneInfo:
    """The time zone of this name.

    :raises UsageProblem: there is none.
    """
    try:
        if not re.fullmatch(r"[A-Za-z0-9_+/-]+", name):
            raise ValueError(name)
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageProblem(
            _("There is no time zone {name!r} here.").format(name=name),
            _("Example: Europe/Berlin. Where the system has no zones (Windows): pip install tzdata"),
        ) from None


def parse(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """A deadline as people type it: date and time, in `zone` unless it says its own offset.

    :raises UsageProblem: it is none, it has passed, or the clock does not show it, or shows it twice.
    """
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageProblem(_("{text!r} is not a date and time.").format(text=text), _(_EXAMPLE)) from None
    if at.tzinfo is None:
        if len(text.strip()) <= 10:
            raise UsageProblem(_("{text!r} has no time of day.").format(text=text), _(_EXAMPLE))
        if not _exists(at, zone):
            raise UsageProblem(
                _("There is no {at:%H:%M} on {at:%Y-%m-%d} in {zone}: the clocks are put forward over it.").format(
                    at=at, zone=zone.key
                ),
                _("Take another hour."),
            )
        first, second = (at.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
        if first.utcoffset() != second.utcoffset():
            raise UsageProblem(
                _("{at:%H:%M} on {at:%Y-%m-%d} comes twice in {zone}, because the clocks are put back.").format(
                    at=at, zone=zone.key
                ),
                _('Say which one: "{first}" or "{second}".').format(first=first.isoformat(), second=second.isoformat()),
            )
        at = first
    if at <= now:
        raise UsageProblem(_("The deadline {said} has passed.").format(said=said(at, zone)), _(_EXAMPLE))
    return at.astimezone(zone)


def _exists(at: datetime, zone: ZoneInfo) -> bool:
    return at.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) == at


def after(previous: datetime, days: int, zone: ZoneInfo, now: datetime) -> datetime:
    """The next deadline: at the same time of day by the clock of `zone`, so many days after the previous one, or after now.

    Where the clock does not show that time it is as long after midnight as on other days, which is an hour later by the clock.
    """
    local = previous.astimezone(zone)
    day = max(local.date(), now.astimezone(zone).date()) + timedelta(days=days)
    return datetime.combine(day, local.time(), tzinfo=zone).astimezone(UTC).astimezone(zone)


def said(at: datetime, zone: ZoneInfo) -> str:
    """A moment by the clock of a zone: ``2026-12-20 20:00 CET (Europe/Berlin)``."""
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M} {local.tzname()} ({zone.key})" if zone.key != "UTC" else f"{local:%Y-%m-%d %H:%M} UTC"


def in_zones(at: datetime, zones: Iterable[str]) -> list[str]:
    """A moment by the clocks of all these zones, each said once."""
    return [said(at, ZoneInfo(zone)) for zone in dict.fromkeys(zones)]
