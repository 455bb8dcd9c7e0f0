"""``JobStore``: a tenant's list of jobs, and the buckets of the due index."""

from itertools import count

import pytest

from tests.support.execution.placing import placed
from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    job_factory,
    job_id,
    timing_factory,
)
from tests.support.stores.contract_stores import MINUTE, SHARDS, Stores
from tests.support.stores.corrupt_record import damage
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.jobs.job import Job
from timegate.domain.planning.plan import Plan
from timegate.domain.values.errors import InvalidInput, JobDamaged
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import minute_of
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Advance


def listed(stores: Stores, tenant: TenantId, *, limit: int) -> list[Job]:
    """Every page after the other."""
    jobs: list[Job] = []
    cursor: str | None = None
    while True:
        page = stores.jobs.list_jobs(tenant, limit=limit, cursor=cursor)
        assert len(page.rows) <= limit
        jobs += page.rows
        cursor = page.cursor
        if cursor is None:
            return jobs


def sharing_a_shard(count: int) -> list[JobId]:
    """Ids of jobs that one planner looks after."""
    ids = [job_id(f"job {number}") for number in range(count * SHARDS * 4)]
    return [each for each in ids if placed(SHARDS).shard_of(each) == 0][:count]


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_a_tenants_jobs_are_listed_newest_first(stores: Stores, limit: int) -> None:
    """Each once, whatever the size of a page; those of one millisecond too."""
    jobs = [
        stores.add_job(job_id=job_id(str(number)), created_at=after(number // 2))
        for number in range(5)
    ]
    newest = sorted(jobs, key=lambda job: (job.timing.created_at, job.job_id), reverse=True)

    assert newest == listed(stores, TENANT, limit=limit)


def test_no_other_tenants_jobs_are_listed(stores: Stores) -> None:
    """A similar name of another tenant adds no job (S1)."""
    stores.add_job()
    stores.add_job(tenant=TenantId("acm"))
    stores.add_job(tenant=TenantId("acme2"))

    assert [job.tenant for job in listed(stores, TENANT, limit=10)] == [TENANT]
    assert listed(stores, OTHER_TENANT, limit=10) == []


def test_a_damaged_job_is_named_and_hides_no_other(stores: Stores) -> None:
    """It takes a place of its page; read alone it is there, and not readable."""
    old, damaged, new = [
        stores.add_job(job_id=job_id(str(n)), created_at=after(n)) for n in range(3)
    ]
    damage(stores, damaged)
    first = stores.jobs.list_jobs(TENANT, limit=2, cursor=None)
    second = stores.jobs.list_jobs(TENANT, limit=2, cursor=first.cursor)
    with pytest.raises(JobDamaged) as raised:
        stores.jobs.get(TENANT, damaged.job_id)

    assert [page.rows for page in (first, second)] == [(new,), (old,)]
    assert [(each.tenant, each.job_id) for each in first.damaged] == [(TENANT, damaged.job_id)]
    assert second.damaged == ()
    assert first.damaged[0].reason == raised.value.reason != ""


def test_a_job_created_meanwhile_disturbs_no_page(stores: Stores) -> None:
    """A cursor is a position, not a count."""
    old = [stores.add_job(job_id=job_id(str(n)), created_at=after(n)) for n in range(3)]
    first = stores.jobs.list_jobs(TENANT, limit=2, cursor=None)
    stores.add_job(job_id=job_id("new"), created_at=after(9))
    second = stores.jobs.list_jobs(TENANT, limit=2, cursor=first.cursor)

    assert list(first.rows) == [old[2], old[1]]
    assert list(second.rows) == [old[0]]


@pytest.mark.parametrize(
    "cursor",
    ["", "no cursor", write_cursor("jobs#globex", "20261121T070000000Z#x")],
    ids=["empty", "none", "of-another-tenant"],
)
def test_a_cursor_of_no_page_of_this_list_is_refused(stores: Stores, cursor: str) -> None:
    """It is the caller's mistake, not an empty page."""
    with pytest.raises(InvalidInput):
        stores.jobs.list_jobs(TENANT, limit=2, cursor=cursor)


def test_a_bucket_holds_one_minute_of_one_shard(stores: Stores) -> None:
    """Soonest first, and nothing of the minute before or after."""
    ids = sharing_a_shard(4)
    times = [after(59.999), after(0), after(-0.001), after(60)]
    for each, instant in zip(ids, times, strict=True):
        stores.add_job(job_id=each, next_run_at=instant)
    others = (job_id(str(number)) for number in count())
    elsewhere = next(each for each in others if placed(SHARDS).shard_of(each) == 1)
    stores.add_job(job_id=elsewhere, next_run_at=NOW)

    assert [ids[1], ids[0]] == [timing.job_id for timing in stores.due(MINUTE, 0)]
    assert [elsewhere] == [timing.job_id for timing in stores.due(MINUTE, 1)]


def advance(job: Job, seconds: float | None) -> Advance:
    """Past one planned run."""
    following = after(seconds) if seconds is not None else None
    plan = Plan(attempts=(), next_run_at=following, runs_planned=job.timing.runs_planned + 1)
    return Advance(timing=job.timing, plan=plan, at=NOW)


def test_an_advanced_job_waits_in_another_bucket(stores: Stores) -> None:
    """Only its place changes: an edit that read it before sees the count."""
    (only,) = sharing_a_shard(1)
    job = stores.add_job(job_id=only, tags={"team": "ops"})
    moved = stores.runs.plan_all([advance(job, 60)])
    expected = timing_factory(
        job_id=only, next_run_at=after(60), runs_planned=1, tags={"team": "ops"}
    )

    assert moved == [()]
    assert stores.due(MINUTE, 0) == []
    assert [expected] == list(stores.due(minute_of(after(60)), 0))
    assert stores.jobs.get(TENANT, only) == job_factory(timing=expected)


def test_a_job_without_a_next_fire_waits_in_no_bucket(stores: Stores) -> None:
    """It costs nothing from then on."""
    (only,) = sharing_a_shard(1)
    job = stores.add_job(job_id=only)

    assert stores.runs.plan_all([advance(job, None)]) == [()]
    assert stores.due(MINUTE, 0) == []
    assert stores.jobs.get(TENANT, only).timing.next_run_at is None


def test_a_job_that_moved_or_changed_is_not_advanced(stores: Stores) -> None:
    """Each is decided by itself; those before and after it move."""
    ids = [job_id(str(number)) for number in range(5)]
    jobs = [stores.add_job(job_id=each) for each in ids]
    assert stores.runs.plan_all([advance(jobs[1], 60)]) == [()]
    edited = job_factory(job_id=ids[3], version=2)
    stores.jobs.update(jobs[3], edited)
    missing = job_factory(job_id=job_id("missing"))
    moves = [advance(job, 120) for job in (*jobs, missing)]

    assert stores.runs.plan_all(moves) == [(), None, (), None, (), None]
    assert stores.jobs.get(TENANT, ids[1]).timing.next_run_at == after(60)
    assert stores.jobs.get(TENANT, ids[3]) == edited


def test_any_number_of_jobs_is_advanced_at_once(stores: Stores) -> None:
    """More than one batch of DynamoDB's takes."""
    jobs = [stores.add_job(job_id=job_id(str(number))) for number in range(30)]

    assert stores.runs.plan_all([advance(job, 60) for job in jobs]) == [()] * 30
    assert stores.runs.plan_all([advance(job, 60) for job in jobs]) == [None] * 30
    assert stores.runs.plan_all([]) == []
