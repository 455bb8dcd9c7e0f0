"""Moments as people say them: when something happened, by this machine's clock."""

import re
from datetime import datetime, timedelta
from functools import partial

import typer

from timegate.cli.terminal.values import instant, seconds
from timegate.domain.values.instants import rfc3339

#: A day, a time of day, or both: in the zone of this machine.
_LOCAL = re.compile(
    r"(?P<day>today|yesterday|\d{4}-\d\d-\d\d)?(?P<between>[ T])?"
    r"(?:(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d))?"
)
_NOW = "now"

#: Options of moments, which are texts until a command knows what time it is.
moment_option = partial(typer.Option, metavar="WHEN")


def moment_text(text: str | None, now: datetime) -> str | None:
    """Return a moment in the API's form, and ``None`` for none; raises ``BadParameter``."""
    return None if text is None else rfc3339(past_instant(text, now))


def coming_text(text: str | None, now: datetime) -> str | None:
    """Return a moment to come in the API's form, as ``moment_text`` does one that has passed."""
    return None if text is None else rfc3339(coming_instant(text, now))


def coming_instant(text: str, now: datetime) -> datetime:
    """Read when something is to happen: the next ``22:00``, or ``2h`` from now.

    Any other text is read as ``past_instant`` does. Raises
    ``BadParameter``.
    """
    local = _LOCAL.fullmatch(text)
    if local is not None and local["hour"] is not None and local["day"] is None:
        last = past_instant(text, now)
        tomorrow = (last.replace(tzinfo=None) + timedelta(days=1)).astimezone()
        return last if last == now else tomorrow
    try:
        return now + timedelta(seconds=seconds(text))
    except typer.BadParameter:
        return past_instant(text, now)


def past_instant(text: str, now: datetime) -> datetime:
    """Read when something happened: a day, a time of day, a duration ago, or an instant.

    Days begin at midnight, and ``22:00`` is the last time that a clock showed it: in this machine's
    zone, as ``yesterday 22:00`` and ``2026-11-21 22:00``. Raises ``BadParameter``.
    """
    if text == _NOW:
        return now
    local = _LOCAL.fullmatch(text)
    if local is not None and text and (local["between"] is None) is (None in local.group(1, 3)):
        return _local_instant(local, text, now)
    if text[:4].isdigit() and "T" in text:
        return instant(text)
    try:
        return now - timedelta(seconds=seconds(text))
    except typer.BadParameter as refused:
        message = f"{text!r} is no moment; write now, yesterday, today, 22:00, 6h, or an instant."
        raise typer.BadParameter(message) from refused


def _local_instant(local: re.Match[str], text: str, now: datetime) -> datetime:
    midnight = _midnight(local["day"] or "today", text, now)
    shown = midnight.replace(hour=int(local["hour"] or 0), minute=int(local["minute"] or 0))
    is_to_come = local["day"] is None and shown.astimezone() > now
    return (shown - timedelta(days=is_to_come)).astimezone()


def _midnight(day: str, text: str, now: datetime) -> datetime:
    """Return the midnight of a day without its zone."""
    today = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    if day in {"today", "yesterday"}:
        return today - timedelta(days=day == "yesterday")
    try:
        return datetime.fromisoformat(day)
    except ValueError as error:
        message = f"{text!r}: there is no such day."
        raise typer.BadParameter(message) from error
