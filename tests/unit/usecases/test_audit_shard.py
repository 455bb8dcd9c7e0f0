"""The auditor's tick: what it finds, and what it is not fooled by."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.executing import MINUTELY
from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    gap_factory,
    job_id,
)
from tests.support.world import World
from timegate.domain.identity import JobId
from timegate.domain.job import Job, JobStatus, Timing
from timegate.domain.run import RunState
from timegate.domain.schedule import Schedule, ScheduleKind
from timegate.domain.tenant import TenantId
from timegate.domain.watch import PATIENCE
from timegate.ports.stores import Unreadable
from timegate.usecases import audit_shard as audit_module
from timegate.usecases.audit_shard import DRAWN_FROM, Audited, audit_shard

EVERY_SECOND = Schedule(kind=ScheduleKind.RATE, every_seconds=1)
DAILY = Schedule(kind=ScheduleKind.CRON, cron="0 7 * * *")


def audit(world: World, *, seed: str = "tick") -> Audited:
    """One tick of the auditor."""
    return audit_shard(0, world.auditing, now=world.clock.now(), seed=seed)


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

    found = audit(world)
    assert (found.jobs, found.unaccounted) == (1, 0)
    assert found.instants > 50


def test_a_missing_record_is_reported() -> None:
    """As a count to alarm on, and an event that names the job and the instant."""
    world = World()
    world.add_job(schedule=MINUTELY, anchored_at=after(-600), next_run_at=after(60))
    world.runs.insert_all([attempt_factory(due_at=after(-n * 60)) for n in range(10) if n != 7])

    assert audit(world).unaccounted == 1
    assert world.telemetry.counts["InstantsUnaccounted"] == 1
    (event,) = world.telemetry.named("instants_unaccounted")
    assert (event.fields["job_id"], event.fields["instants"]) == (JOB_ID, [after(-420)])


def an_edited_job(world: World, *, superseded: int, missing: int | None = None) -> None:
    """A minutely job with its runs, among which lie many of the version before."""
    world.add_job(schedule=MINUTELY, anchored_at=after(-600), next_run_at=after(60), version=2)
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

    found = audit(world)
    assert (found.instants, found.unaccounted) == (5, 0)


def test_a_miss_among_superseded_runs_is_reported() -> None:
    """Their number does not make up for it."""
    world = World()
    an_edited_job(world, superseded=600, missing=7)

    assert audit(world).unaccounted == 1


def test_a_job_that_nobody_plans_is_reported() -> None:
    """The planner passed by it: its instant is overdue, and the index still shows it."""
    world = World()
    world.add_job(schedule=DAILY, anchored_at=after(-3600), next_run_at=NOW)
    world.clock.advance(16 * 60)

    assert audit(world).unaccounted == 1


def daily(world: World, *, attempt_at: float) -> None:
    """A job of every day, planned to a moment of today and moved to tomorrow; it never ran before.

    Tomorrow's minute is drawn by one tick in a hundred or so.
    """
    at = after(attempt_at)
    schedule = Schedule(kind=ScheduleKind.CRON, cron=f"{at.minute} {at.hour} * * *")
    world.add_job(
        schedule=schedule,
        anchored_at=after(-50 * 3600),
        created_at=after(-50 * 3600),
        next_run_at=after(attempt_at + 86_400),
    )
    world.runs.insert_all([attempt_factory(due_at=at, watch_at=at + PATIENCE)])


@pytest.mark.parametrize(
    ("attempt_at", "found"),
    [
        pytest.param(-30, 1, id="has just begun"),
        pytest.param(0, 1, id="due now"),
        pytest.param(600, 1, id="queued ahead"),
        pytest.param(720, 0, id="planned further ahead"),
        pytest.param(-91, 0, id="the sweeper's by now"),
    ],
)
def test_a_job_that_was_planned_lately_is_audited(attempt_at: float, found: int) -> None:
    """However rarely it fires: what was missed a day ago comes out when the next run is near."""
    world = World()
    daily(world, attempt_at=attempt_at)
    seeds = [str(number) for number in range(3)]

    assert [audit(world, seed=seed).jobs for seed in seeds] == [found] * len(seeds)
    assert world.telemetry.counts["InstantsUnaccounted"] == len(seeds) * found


def test_a_job_that_is_due_and_was_planned_is_audited_once() -> None:
    """It is found in both ways."""
    world = World()
    world.tick()
    world.add_job(schedule=MINUTELY, anchored_at=after(-30), next_run_at=after(60))
    world.tick()

    assert audit(world).jobs == 0
    world.clock.advance(600)
    world.tick()
    assert audit(world).jobs == 1


@pytest.mark.parametrize("what", ["gone", "paused", "damaged"])
def test_a_planned_job_that_is_no_more_is_not_audited(what: str) -> None:
    """Its runs are still there; of one that cannot be read, somebody hears."""
    world = World()
    daily(world, attempt_at=300)
    job = world.tables.jobs[TENANT, JOB_ID]
    if what == "gone":
        del world.tables.jobs[TENANT, JOB_ID]
        world.tables.due.clear()
    elif what == "paused":
        off = replace(job.timing, status=JobStatus.PAUSED, next_run_at=None)
        world.tables.put_job(replace(job, timing=off))
    else:
        world.tables.damaged.add((TENANT, JOB_ID))

    assert audit(world) == Audited(jobs=0, instants=0, unaccounted=0)
    assert world.telemetry.counts["RecordsUnreadable"] == (what == "damaged")


def test_too_many_jobs_that_were_planned_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """By lot: each of them is audited some time."""
    world = World()
    monkeypatch.setattr(audit_module, "MAX_JOBS", 2)
    for number in range(5):
        each = job_id(f"{number}")
        world.add_job(job_id=each, schedule=DAILY, next_run_at=after(86_400))
        world.runs.insert_all([attempt_factory(id=attempt_id(job=each), due_at=after(300))])
    asked: set[JobId] = set()
    get = world.jobs.get

    def counting(tenant: TenantId, job: JobId) -> Job:
        asked.add(job)
        return get(tenant, job)

    monkeypatch.setattr(world.jobs, "get", counting)
    audit(world, seed="first")
    after_one = len(asked)
    for number in range(20):
        audit(world, seed=str(number))

    assert (after_one, len(asked)) == (2, 5)


def test_what_changed_meanwhile_is_left_to_the_next_tick() -> None:
    """The index is a moment old: an edit in that moment is no miss."""
    world = World()
    job = world.add_job(schedule=MINUTELY, anchored_at=after(-600), next_run_at=after(60))
    stale = job.timing
    edited = replace(job, timing=replace(stale, version=2, anchored_at=NOW))
    world.tables.put_job(edited)

    def seen_late(minute: str, *_: object, **__: object) -> Iterator[Timing | Unreadable]:
        return iter([stale] if minute.endswith("0700") else [])

    world.jobs.due = seen_late  # type: ignore[method-assign]

    assert audit(world).unaccounted == 0
    assert world.telemetry.named("instants_unaccounted") == []


def test_jobs_that_are_off_are_not_audited() -> None:
    """They name nothing."""
    world = World()
    world.add_job(schedule=MINUTELY, status=JobStatus.PAUSED, next_run_at=after(60))
    world.jobs.due = lambda *_: iter([world.jobs.get(TENANT, JOB_ID).timing])  # type: ignore[method-assign]

    assert audit(world) == Audited(jobs=0, instants=0, unaccounted=0)


def test_every_minute_of_the_coming_day_is_drawn_some_time() -> None:
    """A job that fires once a day is found by some ticks, and by different ones each day."""
    world = World()
    asked: set[str] = set()

    def due(minute: str, _: int) -> object:
        asked.add(minute)
        return iter(())

    world.jobs.due = due  # type: ignore[method-assign, assignment]
    for number in range(1500):
        audit(world, seed=str(number))

    assert len(asked) > DRAWN_FROM / timedelta(minutes=1)


def test_a_damaged_job_ends_the_audit_of_nobody_else() -> None:
    """It is counted, and its neighbour is audited."""
    world = World()
    world.tick()
    no_pattern = Schedule(kind=ScheduleKind.CRON, cron="every day")
    for name, schedule in (("damaged", no_pattern), ("sound", MINUTELY)):
        world.add_job(
            job_id=job_id(name), schedule=schedule, anchored_at=after(-630), next_run_at=after(60)
        )
    found = audit_shard(0, world.auditing, now=NOW, seed="a")

    assert found.jobs == 1
    assert found.instants > 0
    assert world.telemetry.counts["RecordsUnreadable"] == 1
    assert [e.fields["job_id"] for e in world.telemetry.named("job_unaudited")] == [
        job_id("damaged")
    ]


@pytest.mark.parametrize("first_is_known", [True, False], ids=["begins", "only-ends"])
def test_damaged_records_are_told_of(*, first_is_known: bool) -> None:
    """A damaged run is on record; of a gap, as far as it says where it begins."""
    world = World()
    world.add_job(schedule=MINUTELY, anchored_at=after(-600), next_run_at=after(60))
    attempts = [attempt_factory(due_at=after(-n * 60)) for n in range(7)]
    gap = gap_factory(first=after(-540), last=after(-420), count=3)
    world.runs.insert_all(attempts)
    world.tables.put_gap(gap)
    whole = audit(world)
    world.tables.damaged.add((TENANT, attempts[6].id))
    world.tables.damaged_gaps[TENANT, JOB_ID, gap.last, 1] = first_is_known
    found = audit(world)

    assert (whole.unaccounted, found.unaccounted) == (0, 0 if first_is_known else 2)
    assert world.telemetry.counts["RecordsUnreadable"] == 2
    (run,) = world.telemetry.named("run_damaged")
    (left_out,) = world.telemetry.named("gap_damaged")
    assert run.fields["record"] == str(attempts[6].id)
    assert left_out.fields["record"] == f"{JOB_ID} 2026-11-21T06:53:00.000Z version 1"


def test_a_job_of_many_gaps_is_audited_to_the_end() -> None:
    """They are read page by page: what lies behind the first hundred is on record as well."""
    world = World()
    world.add_job(schedule=EVERY_SECOND, anchored_at=after(-480), next_run_at=after(1))
    for second in range(-480, 1):
        world.tables.put_gap(gap_factory(first=after(second), last=after(second), count=1))

    assert audit(world) == Audited(jobs=1, instants=180, unaccounted=0)
