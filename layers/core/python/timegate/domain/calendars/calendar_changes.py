"""Stretches of time over which a calendar's answer does not change."""

from datetime import datetime, timedelta

from timegate.domain.calendars.calendar import Calendar, covers

#: No look goes further, ...
HORIZON = timedelta(days=366)
#: ... nor over more borders of entries: those within others change nothing, and there may be many.
MAX_BORDERS = 10_000


def unchanged_until(calendar: Calendar, instant: datetime) -> datetime | None:
    """Up to this later moment ``covers`` says what it says at ``instant``; ``None``: for ever.

    There it changes, unless that is as far as the look ahead goes.
    """
    covered, at = covers(calendar, instant), instant
    for _ in range(MAX_BORDERS):
        following = calendar.coverage.next_change(at)
        if following is None:
            return None
        if covers(calendar, following) != covered:
            return following
        at = following
        if at >= instant + HORIZON:
            break
    return at
