"""``JobStore``: definitions, their versions, and who may change them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    gap_factory,
    job_factory,
    job_id,
    timing_factory,
)
from tests.support.stores.contract_stores import MINUTE, SHARD, Stores
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.jobs.retry import Backoff, RetryPolicy
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.catch_up import SettledCatchUp
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.values.errors import JobChanged, JobNotFound
from timegate.domain.values.payload import Payload

FULL = job_factory(
    schedule=Schedule(
        kind=ScheduleKind.CRON,
        cron="30 2 * * MON",
        timezone="Europe/Berlin",
        starts_at=NOW,
        ends_at=after(86_400),
        max_runs=7,
        gap=GapPolicy.SKIP,
        fold=FoldPolicy.BOTH,
        jitter_seconds=30,
    ),
    priority=Priority.CRITICAL,
    resource_class=ResourceClass.LONG,
    precision=Precision.SUBSECOND,
    next_run_at=after(0.125),
    runs_planned=3,
    catch_up=CatchUp(policy=CatchUpPolicy.LATEST, limit=7, window_seconds=60),
    start_within_seconds=90,
    decided_until=after(-0.5),
    held_at=after(-7),
    version=9,
    action=WebhookAction(
        url="https://hooks.example.com/?a=b", method="PUT", headers={"X-Team": "ops"}
    ),
    payload=Payload(inline='{"name": "Ærø"}', size_bytes=17),
    retry=RetryPolicy(
        max_attempts=9,
        backoff=Backoff.FIXED,
        initial_delay_seconds=0.5,
        max_delay_seconds=86_400.25,
        jitter=False,
    ),
    description="what it is for",
    tags={"team": "ops", "tier": "1"},
    metadata={"ticket": "TG-7"},
)
JOBS = {
    "plain": job_factory(),
    "full": FULL,
    "lambda": job_factory(action=LambdaAction(function_arn="arn:aws:lambda:x:1:function:f")),
    "sqs": job_factory(action=SqsAction(queue_url="https://sqs/1/q"), payload=Payload(blob="p/1")),
    "at": job_factory(schedule=Schedule(kind=ScheduleKind.AT, at=after(60.001))),
    "delay": job_factory(schedule=Schedule(kind=ScheduleKind.DELAY, delay_seconds=0.25)),
    "immediate": job_factory(schedule=Schedule(kind=ScheduleKind.IMMEDIATE), next_run_at=None),
    "paused": job_factory(status=JobStatus.PAUSED, next_run_at=None),
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS.keys())
def test_a_job_is_read_back_as_it_was_stored(stores: Stores, job: Job) -> None:
    """Every field of it, at once."""
    created = stores.jobs.create(job)

    assert job == created
    assert job == stores.jobs.get(job.tenant, job.job_id)


def test_creating_a_job_again_changes_nothing(stores: Stores) -> None:
    """The answer is what is stored: the same key and body give the same job (J5)."""
    first = stores.add_job(name="first")

    assert first == stores.jobs.create(job_factory(name="second"))
    assert first == stores.jobs.get(TENANT, JOB_ID)


def test_a_job_that_is_not_there_is_told(stores: Stores) -> None:
    """Never as an empty one."""
    with pytest.raises(JobNotFound):
        stores.jobs.get(TENANT, JOB_ID)


def test_a_job_of_another_tenant_is_not_there(stores: Stores) -> None:
    """Neither to read nor to change nor to complete (S1)."""
    job = stores.add_job(next_run_at=None)
    theirs = replace(job, timing=replace(job.timing, tenant=OTHER_TENANT))

    with pytest.raises(JobNotFound):
        stores.jobs.get(OTHER_TENANT, JOB_ID)
    with pytest.raises(JobChanged):
        stores.jobs.update(theirs, theirs)
    assert not stores.jobs.complete(OTHER_TENANT, JOB_ID, now=NOW)
    assert job == stores.jobs.get(TENANT, JOB_ID)


def changed(job: Job, **timing: object) -> Job:
    """Its next version."""
    fields = {"version": job.timing.version + 1} | timing
    return replace(job, name="renamed", timing=replace(job.timing, **fields))  # type: ignore[arg-type]


def test_an_update_replaces_the_whole_definition(stores: Stores) -> None:
    """Fields that the new definition lacks are gone, from the due index as well."""
    stores.jobs.create(FULL)
    plain = job_factory(version=10, runs_planned=3, status=JobStatus.PAUSED, next_run_at=None)
    stores.jobs.update(FULL, plain)

    assert plain == stores.jobs.get(TENANT, JOB_ID)
    assert stores.due(MINUTE, SHARD) == []


READ_BEFORE = [
    pytest.param({"version": 0}, id="edited since"),
    pytest.param({"version": 2}, id="not yet so"),
    pytest.param({"runs_planned": 0}, id="planned since"),
    pytest.param({"next_run_at": after(-60)}, id="advanced since"),
    pytest.param({"decided_until": after(-60)}, id="settled since"),
]


@pytest.mark.parametrize("read", READ_BEFORE)
def test_an_update_undoes_nothing_that_came_between(
    stores: Stores, read: dict[str, object]
) -> None:
    """Neither an edit nor what the planner did; nothing is written, no gap either."""
    job = stores.add_job(runs_planned=1)
    before = replace(job, timing=replace(job.timing, **read))  # type: ignore[arg-type]

    with pytest.raises(JobChanged):
        stores.jobs.update(before, changed(job), gap=gap_factory())
    assert job == stores.jobs.get(TENANT, JOB_ID)
    assert stores.jobs.gaps(TENANT, JOB_ID, since=after(-86_400), limit=9) == ()


@pytest.mark.parametrize("gap", [None, gap_factory()], ids=["without", "with"])
def test_an_update_is_stored_with_its_gap(stores: Stores, gap: Gap | None) -> None:
    """Both, in one go."""
    job = stores.add_job()
    stores.jobs.update(job, changed(job), gap=gap)

    assert changed(job) == stores.jobs.get(TENANT, JOB_ID)
    assert stores.jobs.gaps(TENANT, JOB_ID, since=after(-86_400), limit=9) == (
        () if gap is None else (gap,)
    )


@pytest.mark.parametrize("gap", [None, gap_factory()], ids=["without", "with"])
def test_a_settlement_moves_a_job_with_its_gap(stores: Stores, gap: Gap | None) -> None:
    """Past what is skipped, remembering how far was decided; the due index follows."""
    job = stores.add_job()
    moved = replace(job.timing, next_run_at=after(300), decided_until=after(240))
    gaps = () if gap is None else (gap,)
    settlement = SettledCatchUp(timing=moved, gaps=gaps, decided_at=NOW)
    settled = [stores.jobs.settle(job.timing, settlement) for _ in range(2)]

    assert settled == [True, False]
    assert moved == stores.jobs.get(TENANT, JOB_ID).timing
    assert stores.due(MINUTE, SHARD) == []
    assert len(stores.jobs.gaps(TENANT, JOB_ID, since=after(-86_400), limit=9)) == (gap is not None)


@pytest.mark.parametrize("read", READ_BEFORE)
def test_a_settlement_of_what_moved_is_refused(stores: Stores, read: dict[str, object]) -> None:
    """The planner that moved it decided; no second record."""
    job = stores.add_job(runs_planned=1)
    before = replace(job.timing, **read)  # type: ignore[arg-type]
    moved = replace(before, next_run_at=after(300), decided_until=after(240))

    settlement = SettledCatchUp(timing=moved, gaps=(gap_factory(),), decided_at=NOW)

    assert not stores.jobs.settle(before, settlement)
    assert job == stores.jobs.get(TENANT, JOB_ID)
    assert stores.jobs.gaps(TENANT, JOB_ID, since=after(-86_400), limit=9) == ()


def test_gaps_are_read_from_an_instant_on(stores: Stores) -> None:
    """The first that reaches it comes first, whole; other jobs and tenants have their own."""
    gaps = [gap_factory(first=after(n * 100), last=after(n * 100 + 60)) for n in range(4)]
    for gap in gaps:
        before = stores.jobs.create(job_factory(job_id=JOB_ID))
        stores.jobs.update(before, before, gap=gap)
    others = job_factory(tenant=OTHER_TENANT)
    stores.jobs.create(others)
    stores.jobs.update(others, others, gap=gap_factory(tenant=OTHER_TENANT))

    found = stores.jobs.gaps(TENANT, JOB_ID, since=gaps[1].last, limit=2)
    assert found == (gaps[1], gaps[2])
    beyond = gaps[1].last + timedelta(milliseconds=1)
    assert stores.jobs.gaps(TENANT, JOB_ID, since=beyond, limit=9) == (gaps[2], gaps[3])


def test_an_update_creates_nothing(stores: Stores) -> None:
    """A job that is not there has no version."""
    with pytest.raises(JobChanged):
        stores.jobs.update(job_factory(), job_factory())
    with pytest.raises(JobNotFound):
        stores.jobs.get(TENANT, JOB_ID)


def test_a_job_with_nothing_left_to_fire_is_completed(stores: Stores) -> None:
    """Completion is a new version: an update that read the job before must not undo it."""
    job = stores.add_job(next_run_at=None)
    done = stores.jobs.complete(TENANT, JOB_ID, now=after(5))
    timing = replace(job.timing, status=JobStatus.COMPLETED, version=2)

    assert done
    assert replace(job, timing=timing, updated_at=after(5)) == stores.jobs.get(TENANT, JOB_ID)
    with pytest.raises(JobChanged):
        stores.jobs.update(job, changed(job))


@pytest.mark.parametrize(
    "job",
    [
        pytest.param(job_factory(), id="more-to-fire"),
        pytest.param(job_factory(status=JobStatus.PAUSED, next_run_at=None), id="paused"),
        pytest.param(job_factory(status=JobStatus.CANCELLED, next_run_at=None), id="cancelled"),
        pytest.param(job_factory(status=JobStatus.COMPLETED, next_run_at=None), id="completed"),
        pytest.param(job_factory(version=2, next_run_at=None), id="changed-and-not-read"),
    ],
)
def test_any_other_job_is_not_completed(stores: Stores, job: Job) -> None:
    """Nor is one that is not there, nor one twice."""
    stores.jobs.create(job)

    assert not stores.jobs.complete(TENANT, JOB_ID, now=after(5))
    assert not stores.jobs.complete(TENANT, job_id("another"), now=after(5))
    assert job == stores.jobs.get(TENANT, JOB_ID)


def test_what_the_planner_reads_is_all_it_may_know(stores: Stores) -> None:
    """The due index projects a job's timing, and nothing has to be read for it."""
    stores.jobs.create(FULL)

    assert [FULL.timing] == stores.due(MINUTE, SHARD)
    assert FULL.timing != timing_factory()
