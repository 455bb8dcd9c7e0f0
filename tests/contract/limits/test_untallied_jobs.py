"""One-shots that are due soon: uncounted, as long as their tenant is far from its quota."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.factories import NOW, TENANT, after, job_factory, job_id
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.limits.ample_room import READ_EACH
from timegate.adapters.dynamo.limits.creations import LARGE
from timegate.domain.execution.quota_usage import Quota
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.planning.plan import plan_runs
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.usecases.auditing.recount import recount

ONCE = Schedule(kind=ScheduleKind.AT, at=NOW)


def create(
    stores: Stores,
    name: str,
    *,
    limit: int | None = LARGE,
    schedule: Schedule = ONCE,
    at: timedelta = timedelta(0),
) -> Job:
    """A job as the API opens it, with the runs of its first two minutes."""
    new = job_factory(job_id=job_id(name), schedule=schedule, next_run_at=NOW, created_at=NOW + at)
    plan = plan_runs(new.timing, now=NOW, until=after(120))
    opened = replace(new, timing=plan.after(new.timing))
    assert stores.runs.create_job(opened, plan.attempts, limit=limit)
    return stores.jobs.get(TENANT, new.job_id)


def used(stores: Stores) -> int:
    """Return the tally's count, after a recount finds it right."""
    found = recount(TENANT, Quota.JOBS, stores.usage, lambda: None, most=10)
    assert found is not None
    assert found.drift == 0
    return found.tallied.used


@pytest.mark.parametrize(
    ("limit", "schedule", "counted"),
    [
        pytest.param(LARGE, ONCE, 0, id="far-from-a-large-quota"),
        pytest.param(None, ONCE, 0, id="without-a-quota"),
        pytest.param(LARGE - 1, ONCE, 1, id="under-a-small-quota"),
        pytest.param(
            LARGE, Schedule(kind=ScheduleKind.RATE, every_seconds=60), 1, id="one-that-recurs"
        ),
    ],
)
def test_a_job_that_ends_soon_is_not_counted(
    stores: Stores, limit: int | None, schedule: Schedule, counted: int
) -> None:
    """Its record and its run say so, and recounts leave it out."""
    job = create(stores, "first", limit=limit, schedule=schedule)
    ref = plan_runs(job_factory(job_id=job.job_id, schedule=schedule).timing, now=NOW, until=NOW)
    (run,) = (stores.stored(each) for each in ref.attempts)

    assert used(stores) == counted
    assert (job.timing.untallied, run.untallied) == (counted == 0, counted == 0)


@pytest.mark.parametrize(("others", "counted"), [(LARGE // 2 - 1, 0), (LARGE // 2, 1)])
def test_half_of_a_quota_is_far_from_it(stores: Stores, others: int, counted: int) -> None:
    """From there on each job is counted."""
    assert stores.usage.correct(
        TENANT, Quota.JOBS, stores.usage.tallied(TENANT, Quota.JOBS), by=others
    )
    create(stores, "first")

    assert stores.usage.usage(TENANT).jobs == others + counted


def test_a_process_reads_the_counts_again(stores: Stores) -> None:
    """Five minutes later; until then it believes what it has read."""
    create(stores, "first")
    tallied = stores.usage.tallied(TENANT, Quota.JOBS)
    assert stores.usage.correct(TENANT, Quota.JOBS, tallied, by=LARGE // 2)
    create(stores, "soon after", at=READ_EACH - timedelta(milliseconds=1))
    before = stores.usage.usage(TENANT).jobs
    create(stores, "later", at=READ_EACH)

    assert (before, stores.usage.usage(TENANT).jobs) == (LARGE // 2, LARGE // 2 + 1)


def test_it_is_completed_once_and_counts_nothing(stores: Stores) -> None:
    """Neither by those who take it for one that is counted, nor by a second record of its end."""
    owner = (TENANT, create(stores, "first").job_id)
    owners = [owner, owner, (TENANT, job_id("another"))]

    assert stores.jobs.complete_all([owner], now=after(1)) == [False]
    assert stores.jobs.complete_all(owners, now=after(1), tallied=False) == [True, False, False]
    assert stores.jobs.complete_all(owners, now=after(1), tallied=False) == [False] * 3
    assert stores.jobs.get(*owner).timing.status is JobStatus.COMPLETED
    assert used(stores) == 0


def test_one_that_is_counted_is_not_completed_without_its_count(stores: Stores) -> None:
    """Its place would be lost."""
    owner = (TENANT, create(stores, "first", limit=10).job_id)

    assert stores.jobs.complete_all([owner], now=after(1), tallied=False) == [False]
    assert used(stores) == 1
    assert stores.jobs.complete_all([owner], now=after(1)) == [True]
    assert used(stores) == 0


def test_one_that_is_read_again_is_completed_by_what_its_record_says(stores: Stores) -> None:
    """A caller has changed it since; it counts as little as before."""
    job = create(stores, "first")
    timing = replace(job.timing, status=JobStatus.PAUSED, version=2)
    stores.jobs.update(job, replace(job, timing=timing, updated_at=after(1)))
    paused = stores.jobs.get(TENANT, job.job_id)
    active = replace(timing, status=JobStatus.ACTIVE, version=3)
    stores.jobs.update(paused, replace(paused, timing=active, updated_at=after(2)))

    assert used(stores) == 0
    assert stores.jobs.complete(TENANT, job.job_id, now=after(3), read=active)
    assert used(stores) == 0


def test_one_that_is_to_be_counted_takes_a_place(stores: Stores) -> None:
    """A new definition may keep it for long."""
    job = create(stores, "first")
    timing = replace(job.timing, untallied=False, version=2)
    stores.jobs.update(job, replace(job, timing=timing, updated_at=after(1)), limit=1)

    assert used(stores) == 1
    assert stores.jobs.complete(TENANT, job.job_id, now=after(2), read=timing)
    assert used(stores) == 0
