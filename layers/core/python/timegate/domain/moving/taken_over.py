"""Instants of a job that the stage answers for which takes it over."""

from datetime import datetime, timedelta

from timegate.domain.jobs.job import Timing
from timegate.domain.values.instants import MILLISECOND

#: The other stage has planned no run further ahead, nor left out an instant.
_AHEAD = timedelta(hours=2)


def checked_until(timing: Timing, *, imported_at: datetime) -> datetime:
    """Return the last instant that the other stage answers for.

    The import tells it, and not the export: that may take hours, while jobs fire. Not later than
    the other stage may have decided about: a schedule that is changed here names its own.
    """
    following = timing.next_run_at
    if following is None or following > imported_at + _AHEAD:
        return imported_at
    return following - MILLISECOND
