"""A job that is set back to instants whose records did not arrive, and one that is not."""

from datetime import datetime

import pytest

from tests.support.factories import after, attempt_factory, job_factory
from timegate.domain.auditing.audit import LedgerRecords
from timegate.domain.auditing.unarrived import LostTime, settle_unarrived
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.restrictions.restrictions import UNRESTRICTED
from timegate.domain.values.instants import MILLISECOND

#: The region before ended at 200 s, and had planned the job until 600 s.
LOST = LostTime(since=after(-3_600), until=after(200))
INSTANTS = tuple(after(each) for each in (60, 120, 180, 240, 300))


def settled(job: Job, *missing: float) -> Timing:
    """Return the job once instants without a record are decided."""
    lacking = {after(each) for each in missing}
    runs = {at: attempt_factory(due_at=at) for at in INSTANTS if at not in lacking}
    found = settle_unarrived(
        job,
        INSTANTS,
        LedgerRecords(runs=runs, gaps=()),
        LOST,
        restrictions=UNRESTRICTED,
        now=after(260),
    )
    assert found is not None
    return found.timing


def test_a_job_whose_lost_runs_had_begun_stays_where_it_is() -> None:
    """Its next instant is that which the region before left: without one it would never run."""
    job = job_factory(next_run_at=after(600))

    assert settled(job, 60, 120) == job.timing


@pytest.mark.parametrize(
    ("decided", "stays"),
    [(None, None), (after(100), after(100)), (after(300), after(240) - MILLISECOND)],
)
def test_a_job_is_set_back_to_the_first_instant_that_had_not_begun(
    decided: datetime | None, stays: datetime | None
) -> None:
    """Nothing from there on is decided: a planner would pass over what is."""
    job = job_factory(next_run_at=after(600), decided_until=decided)
    timing = settled(job, 120, 240, 300)

    assert (timing.next_run_at, timing.decided_until) == (after(240), stays)
