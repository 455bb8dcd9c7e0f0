"""Creations that the job's own record tells of: of one-shots that end soon."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT, after, job_factory, job_id
from tests.support.stores.contract_stores import Stores
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.planning.plan import plan_runs
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.tenants.audit_trail import (
    AuditEntry,
    AuditFilter,
    Resource,
    ResourceKind,
    Stamp,
)
from timegate.domain.values.tenant import TenantId

MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)
EVERYTHING = AuditFilter()


def stamp(at: datetime, request: str = "r") -> Stamp:
    """That of a request."""
    return Stamp(subject="ci", operation="createJob", request_id=request, at=at, source_ip="::1")


def create(
    stores: Stores,
    name: str,
    at: datetime = NOW,
    *,
    schedule: Schedule | None = None,
    asked_at: datetime | None = None,
    tenant: TenantId = TENANT,
    description: str = "",
) -> Job:
    """A job as the API opens it, with its first runs."""
    once = Schedule(kind=ScheduleKind.AT, at=at)
    new = job_factory(
        tenant=tenant,
        job_id=job_id(name),
        schedule=schedule or once,
        next_run_at=at,
        created_at=at,
        updated_at=at,
        description=description,
    )
    plan = plan_runs(new.timing, now=at, until=at + timedelta(seconds=120))
    opened = replace(new, timing=plan.after(new.timing))
    with stores.trail.on_behalf_of(stamp(asked_at or at, name)):
        assert stores.runs.create_job(opened, plan.attempts, limit=None)
    return stores.jobs.get(tenant, new.job_id)


def pause(stores: Stores, job: Job, at: datetime) -> Job:
    """Change the job by a request."""
    timing = replace(job.timing, version=job.timing.version + 1, status=JobStatus.PAUSED)
    with stores.trail.on_behalf_of(replace(stamp(at, "p"), operation="pauseJob")):
        stores.jobs.update(job, replace(job, timing=timing, updated_at=at))
    return stores.jobs.get(job.tenant, job.job_id)


def entries(stores: Stores, wanted: AuditFilter = EVERYTHING, *, limit: int = 50) -> list[str]:
    """Operations that are on record, latest first, page by page."""
    return [each.stamp.operation for each in walk(stores, wanted, limit=limit)]


def walk(stores: Stores, wanted: AuditFilter, *, limit: int) -> list[AuditEntry]:
    """All pages."""
    seen: list[AuditEntry] = []
    cursor: str | None = None
    for _ in range(60):
        page = stores.audits.list_entries(TENANT, wanted, limit=limit, cursor=cursor)
        assert len(page.rows) <= limit
        seen += page.rows
        cursor = page.cursor
        if cursor is None:
            break
    else:
        pytest.fail("The listing does not end.")
    return seen


def of(job: Job) -> AuditFilter:
    """Entries of one job."""
    return AuditFilter(resource=Resource(kind=ResourceKind.JOB, id=job.job_id))


def test_an_entry_in_the_record_is_as_one_of_its_own(stores: Stores) -> None:
    """The same stamp, changes, version and position, in the job's list and the tenant's."""
    job = create(stores, "a")
    (told,) = walk(stores, of(job), limit=9)
    created = replace(job, creation=None)
    with stores.trail.on_behalf_of(stamp(NOW, "a")):
        resource = (ResourceKind.JOB, str(job.job_id))
        expected = stores.trail.entry(TENANT, resource, before=None, after=created, version=1)

    assert job.creation is not None
    assert told == expected
    assert expected is not None
    assert told.position == expected.position
    assert walk(stores, EVERYTHING, limit=9) == [told]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"schedule": MINUTELY}, id="one-that-recurs"),
        pytest.param({"asked_at": NOW - timedelta(milliseconds=1)}, id="of-another-instant"),
        pytest.param({"description": "d" * 500}, id="larger-than-a-unit"),
    ],
)
def test_other_jobs_leave_their_entry_with_the_trail(
    stores: Stores, fields: dict[str, object]
) -> None:
    """It costs no more than it did."""
    job = create(stores, "a", **fields)  # type: ignore[arg-type]

    assert job.creation is None
    assert entries(stores, of(job)) == ["createJob"]
    assert entries(stores) == ["createJob"]


def test_a_change_keeps_the_entry_of_the_creation(stores: Stores) -> None:
    """Its own lies with the trail; the replaced definition has no copy."""
    job = create(stores, "a")
    paused = pause(stores, job, after(1))
    named = replace(paused, name="other", timing=replace(paused.timing, version=3))
    stores.jobs.update(paused, named)

    assert stores.jobs.get(TENANT, job.job_id).creation == job.creation
    assert stores.jobs.definition(TENANT, job.job_id, version=2).creation is None
    assert entries(stores, of(job)) == ["pauseJob", "createJob"]
    assert entries(stores) == ["pauseJob", "createJob"]


def test_a_completed_job_tells_of_its_creation(stores: Stores) -> None:
    """In the same words: its status was another one then."""
    job = create(stores, "a")
    before = walk(stores, of(job), limit=9)
    assert stores.jobs.complete_all([(TENANT, job.job_id)], now=after(5), tallied=False) == [True]

    assert walk(stores, of(job), limit=9) == before


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_pages_merge_records_and_trail(stores: Stores, limit: int) -> None:
    """Each entry once, latest first: of one instant as of several."""
    for number in range(3):
        once = create(stores, f"once-{number}", after(number))
        create(stores, f"minutely-{number}", after(number), schedule=MINUTELY)
        pause(stores, once, after(number + 0.5))
    seen = walk(stores, EVERYTHING, limit=limit)

    assert len(seen) == 9
    assert len({each.position for each in seen}) == 9
    assert [each.stamp.at for each in seen] == sorted((e.stamp.at for e in seen), reverse=True)


def test_jobs_that_tell_nothing_hide_none_behind_them(stores: Stores) -> None:
    """Later ones, more than a page looks at."""
    create(stores, "minutely", after(-1), schedule=MINUTELY)
    once = create(stores, "once")
    for number in range(60):
        stores.jobs.create(job_factory(job_id=job_id(f"{number}"), created_at=after(number + 1)))

    for limit in (1, 2, 50):
        seen = walk(stores, EVERYTHING, limit=limit)
        assert [each.stamp.at for each in seen] == [NOW, after(-1)]
    assert entries(stores, AuditFilter(since=NOW, until=NOW), limit=1) == ["createJob"]
    assert entries(stores, of(once), limit=1) == ["createJob"]


def test_a_span_has_both_its_ends(stores: Stores) -> None:
    """In a job's list and in its tenant's."""
    job = create(stores, "a", after(1))
    for wanted in (EVERYTHING, of(job)):
        for since, until, there in ((1, 1, 1), (1.001, 2, 0), (0, 0.999, 0)):
            within = replace(wanted, since=after(since), until=after(until))
            assert len(entries(stores, within)) == there


def test_a_record_tells_its_tenant_alone(stores: Stores) -> None:
    """Jobs of one id may be of two tenants."""
    theirs = create(stores, "a", tenant=OTHER_TENANT)

    assert entries(stores) == []
    assert entries(stores, of(theirs)) == []
    assert entries(stores, AuditFilter(resource=Resource(kind=ResourceKind.DAG, id="a"))) == []
