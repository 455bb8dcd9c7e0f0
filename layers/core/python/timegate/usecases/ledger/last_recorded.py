"""The last instant on record of a job that has used up its ``max_runs``."""

from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.planning.places import keeps_place
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import MILLISECOND
from timegate.ports.stores import RunStore
from timegate.usecases.ledger.gaps_on_record import gaps_on_record
from timegate.usecases.services.api_services import ApiServices

#: A run by hand may follow the last one of the schedule, and seldom more than some do.
_PAGE = 20


def last_recorded(timing: Timing, services: ApiServices, *, now: datetime) -> datetime | None:
    """Return the last instant up to which each has a record; ``None``: its runs are forgotten.

    Runs by hand leave instants without a record before them.
    """
    last = _last_begun(timing, services.runs, now)
    if last is None:
        return None
    gaps = gaps_on_record(timing, services.jobs, since=last, page_size=_PAGE)
    return max([last, *(gap.last for gap in gaps)])


def _last_begun(timing: Timing, runs: RunStore, end: datetime) -> datetime | None:
    """The instant of the last run that holds a place of ``max_runs``."""
    start = timing.anchored_at
    while True:
        found = runs.history(
            timing.tenant,
            timing.job_id,
            start=start,
            end=end,
            limit=_PAGE,
            latest_first=True,
        )
        for run in sorted(found, key=lambda each: each.id.run.scheduled_at, reverse=True):
            if isinstance(run, Attempt) and keeps_place(run):
                return run.id.run.scheduled_at
        if len(found) < _PAGE:
            return None
        end = min(each.id.run.scheduled_at for each in found) - MILLISECOND
