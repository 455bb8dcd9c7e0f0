"""A job as the stage has it that takes it over, and the instants that this stage answers for."""

from datetime import datetime, timedelta

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.places import counts_places
from timegate.domain.planning.transitions import completed, may_complete
from timegate.domain.recurrence.fires import instants_between
from timegate.domain.values.instants import MILLISECOND

#: The other stage has planned no run further ahead, nor left out an instant.
_AHEAD = timedelta(hours=2)


def completed_elsewhere(timing: Timing) -> Timing:
    """Complete an active job that waits for nothing but the end of its last run.

    The run ends in the stage that stored it, which completes its own record by then: the same
    status and version. Planners complete jobs themselves whose runs they count.
    """
    waits = timing.announced is not None or timing.reopens or counts_places(timing)
    if timing.status is not JobStatus.ACTIVE or waits or not may_complete(timing, None):
        return timing
    return completed(timing)


def checked_until(timing: Timing, *, imported_at: datetime) -> datetime:
    """Return the last instant that the other stage answers for.

    The import tells it, and not the export: that may take hours, while jobs fire. Not later than
    the other stage may have decided about: a schedule that is changed here names its own.
    """
    following = timing.next_run_at
    if timing.status is JobStatus.COMPLETED:
        return max(_last_planned(timing, imported_at), imported_at)
    if following is None or following > imported_at + _AHEAD:
        return imported_at
    return following - MILLISECOND


def _last_planned(timing: Timing, at: datetime) -> datetime:
    """Return the last instant that the other stage may have planned before it completed the job."""
    named = instants_between(timing, after=at, until=at + _AHEAD)
    return max(named, default=at)
