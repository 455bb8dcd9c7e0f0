"""The instant at which a job runs next, as its own record and its schedule say it.

Planners store the runs of the next minutes ahead, and move ``next_run_at`` past them. Those runs
are still to come. The schedule names the first of them without a read.
"""

from datetime import datetime

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.ledger import withdrawn_zone
from timegate.domain.planning.plan import first_fire


def next_run(timing: Timing, *, now: datetime) -> datetime | None:
    """Return the next instant of an active job, planned or not; ``None`` when none comes.

    An instant that has passed without a record comes first: planners decide it next. Calendars,
    freezes and ``max_runs`` may still leave an instant out, which previews show. No clock tells the
    runs ahead of a job whose zone was withdrawn: its next instant without a record is shown.
    """
    unplanned = timing.next_run_at
    if timing.status is not JobStatus.ACTIVE or (unplanned is not None and unplanned <= now):
        return unplanned
    if withdrawn_zone(timing.schedule) is not None:
        return unplanned
    coming = first_fire(timing, after=now)
    if coming is None or unplanned is None:
        return coming or unplanned
    return min(coming, unplanned)
