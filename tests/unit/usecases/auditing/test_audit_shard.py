"""The auditor's tick: what it finds, and what it is not fooled by."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.execution.executing import MINUTELY
from tests.support.execution.restricting import live
from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    gap_factory,
    job_id,
)
from tests.support.world import World
from timegate.domain.auditing.audit_cursor import CHECK_EVERY
from timegate.domain.jobs.job import Job
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.auditing import TablePage
from timegate.usecases.auditing import audit_shard as audit_module
from timegate.usecases.auditing import find_unaudited as finding_module
from timegate.usecases.auditing.audit_shard import LEASE, Audited, audit_shard

EVERY_SECOND = Schedule(kind=ScheduleKind.RATE, every_seconds=1)
DAILY = Schedule(kind=ScheduleKind.CRON, cron="0 7 * * *")
#: Given ten minutes ago, and so was the job: it has no other past.
YOUNG = {"anchored_at": after(-600), "created_at": after(-600)}


def test_what_the_planner_planned_is_accounted_for() -> None:
    """Through an outage with its gap, too."""
    world = World()
    world.tick()
    world.add_job(schedule=MINUTELY, anchored_at=NOW, next_run_at=after(60))
    world.tick()
    world.clock.advance(3 * 86_400)
    for _ in range(3):
        world.tick()
        world.clock.advance(60)

    found = world.audit()
    assert (found.jobs, found.unaccounted) == (1, 0)
    assert found.instants > 50


def test_a_missing_record_is_reported() -> None:
    """A count rings the alarm, and an event names the job and the instant."""
    world = World()
    world.add_job(schedule=MINUTELY, **YOUNG, next_run_at=after(60))
    world.runs.insert_all([attempt_factory(due_at=after(-n * 60)) for n in range(10) if n != 7])

    assert world.audit().unaccounted == 1
    assert world.telemetry.counts["InstantsUnaccounted"] == 1
    (event,) = world.telemetry.named("audit_finding")
    assert event.fields["code"] == "instant_unrecorded"
    assert (event.fields["job_id"], event.fields["instants"]) == (JOB_ID, [after(-420)])


def an_edited_job(world: World, *, superseded: int, missing: int | None = None) -> None:
    """A minutely job with its runs, among which lie many of the version before."""
    world.add_job(schedule=MINUTELY, **YOUNG, next_run_at=after(60), version=2)
    minutes = [n for n in range(10) if n != missing]
    world.runs.insert_all([attempt_factory(due_at=after(-n * 60)) for n in minutes])
    world.runs.insert_all(
        [
            attempt_factory(due_at=after(-539.75 + n / 5), state=RunState.SKIPPED)
            for n in range(superseded)
        ]
    )


@pytest.mark.parametrize("superseded", [1, 9, 40, 600])
def test_superseded_runs_hide_none_of_the_present_version(superseded: int) -> None:
    """An ordinary edit is no miss, however many runs of the version before it left behind."""
    world = World()
    an_edited_job(world, superseded=superseded)

    found = world.audit()
    assert (found.instants, found.unaccounted) == (5, 0)


def test_a_miss_among_superseded_runs_is_reported() -> None:
    """Their number does not make up for it."""
    world = World()
    an_edited_job(world, superseded=600, missing=7)

    assert world.audit().unaccounted == 1


def test_a_job_that_no_planner_sees_is_reported() -> None:
    """The planner passed by it: its instant is overdue, and the index still shows it."""
    world = World()
    world.add_job(
        schedule=DAILY, anchored_at=after(-3600), created_at=after(-3600), next_run_at=NOW
    )
    world.clock.advance(16 * 60)

    assert world.audit().unaccounted == 1


def test_a_damaged_job_ends_the_audit_of_no_other_job() -> None:
    """It is counted, and its neighbour is audited."""
    world = World()
    world.tick()
    no_pattern = Schedule(kind=ScheduleKind.CRON, cron="every day")
    for name, schedule in (("damaged", no_pattern), ("sound", MINUTELY)):
        world.add_job(
            job_id=job_id(name),
            schedule=schedule,
            created_at=NOW,
            anchored_at=NOW,
            next_run_at=after(60),
        )
    live(world, 600)
    found = world.audit()

    assert found.jobs == 1
    assert found.instants > 0
    assert [e.fields["job_id"] for e in world.telemetry.named("job_unaudited")] == [
        job_id("damaged")
    ]


@pytest.mark.parametrize("first_is_known", [True, False], ids=["begins", "only-ends"])
def test_damaged_records_are_told_of(*, first_is_known: bool) -> None:
    """Both are on record; a gap that does not say where it begins may hold what lies before it."""
    world = World()
    world.add_job(schedule=MINUTELY, **YOUNG, next_run_at=after(60))
    attempts = [attempt_factory(due_at=after(-n * 60)) for n in range(7)]
    gap = gap_factory(first=after(-540), last=after(-420), count=3)
    world.runs.insert_all(attempts)
    world.tables.put_gap(gap)
    world.tables.damaged.add((TENANT, attempts[6].id))
    world.tables.damaged_gaps[TENANT, JOB_ID, gap.last, 1] = first_is_known
    found = world.audit()

    assert (found.instants, found.unaccounted) == (5, 0)
    assert world.telemetry.counts["RecordsUnreadable"] == 2
    (run,) = world.telemetry.named("run_damaged")
    (left_out,) = world.telemetry.named("gap_damaged")
    assert run.fields["record"] == str(attempts[6].id)
    assert left_out.fields["record"] == f"{JOB_ID} 2026-11-21T06:53:00.000Z version 1"


def test_a_job_of_many_gaps_is_audited_to_the_end() -> None:
    """They are read page by page: what lies behind the first hundred is on record as well."""
    world = World()
    world.add_job(
        schedule=EVERY_SECOND, anchored_at=after(-480), created_at=after(-480), next_run_at=after(1)
    )
    for second in range(-480, 1):
        world.tables.put_gap(gap_factory(first=after(second), last=after(second), count=1))

    assert world.audit() == Audited(jobs=1, instants=180, unaccounted=0)


def test_an_instant_is_checked_once() -> None:
    """And a loss is reported once; the next check begins behind it."""
    world = World()
    world.add_job(schedule=MINUTELY, **YOUNG, next_run_at=after(60))
    first, again = world.audit(), world.audit()
    world.runs.insert_all([attempt_factory(due_at=after(60 * n)) for n in range(-4, 60)])
    world.clock.advance(CHECK_EVERY.total_seconds() - 0.001)
    early = world.audit()
    world.clock.advance(0.001)
    job = world.tables.jobs[TENANT, JOB_ID]
    world.tables.put_job(replace(job, timing=replace(job.timing, next_run_at=after(3600))))
    later = world.audit()

    assert (first.instants, first.unaccounted) == (5, 5)
    assert (again.instants, early.instants) == (0, 0)
    assert (later.instants, later.unaccounted) == (15, 0)


def test_too_many_jobs_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """By lot: each of them is checked in the end, and none twice."""
    world = World()
    monkeypatch.setattr(audit_module, "MAX_JOBS", 2)
    for number in range(5):
        world.add_job(job_id=job_id(f"{number}"), schedule=MINUTELY, **YOUNG, next_run_at=after(60))
    found = [world.audit().jobs for _ in range(4)]

    assert found == [2, 2, 1, 0]
    assert world.telemetry.counts["AuditsPutOff"] == 3 + 1


def test_an_index_shows_more_new_jobs_than_one_tick_looks_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By lot; the others are met by later ticks, or by the walk over the table."""
    world = World()
    monkeypatch.setattr(finding_module, "MAX_UNKNOWN", 2)
    nothing = TablePage(jobs=(), damaged=(), position=None)
    monkeypatch.setattr(world.audit_cursors, "jobs", lambda *_, **__: nothing)
    for number in range(5):
        world.add_job(job_id=job_id(f"{number}"), schedule=MINUTELY, **YOUNG, next_run_at=after(60))
    found = [world.audit().jobs for _ in range(4)]

    assert found == [2, 2, 1, 0]


def test_what_changed_meanwhile_is_left_to_the_next_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit between the reads of one check is no miss."""
    world = World()
    job = world.add_job(schedule=MINUTELY, **YOUNG, next_run_at=after(60))
    reads = 0
    get = world.jobs.get

    def edited_after_the_first_read(tenant: TenantId, wanted: JobId) -> Job:
        nonlocal reads
        reads += 1
        if reads == 2:
            world.tables.put_job(replace(job, timing=replace(job.timing, version=2)))
        return get(tenant, wanted)

    monkeypatch.setattr(world.jobs, "get", edited_after_the_first_read)

    assert world.audit().unaccounted == 0
    assert world.audit().unaccounted == 5


def test_one_auditor_works_on_a_shard() -> None:
    """Until it is done, or its lease has ended."""
    world = World()
    cursors = world.audit_cursors
    cursors.acquire(0, 1, owner="another", now=NOW, until=NOW + LEASE)
    held = audit_shard(0, world.auditing, now=NOW + LEASE - timedelta(milliseconds=1), owner="me")
    free = audit_shard(0, world.auditing, now=NOW + LEASE, owner="me")

    assert held is None
    assert free == Audited()


def test_each_shard_checks_the_jobs_that_are_its_own() -> None:
    """All jobs are checked, none twice, whichever segment of the table shows them."""
    world = World()
    for number in range(20):
        world.add_job(job_id=job_id(f"{number}"), schedule=MINUTELY, **YOUNG, next_run_at=after(60))
    found = [
        audit_shard(shard, world.auditing, of=3, now=after(n), owner="me")
        for n in range(2)
        for shard in range(3)
    ]

    assert sum(one.jobs for one in found if one is not None) == 20
    assert all(one is not None and one.jobs > 0 for one in found[:3])
