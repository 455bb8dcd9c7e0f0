"""Proof by mutation: each record of each kind of job is deleted, and the auditor notices."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.auditing.audited import (
    ONCE,
    OVERDUE_WITHIN,
    RARE,
    RECURRING,
    REPORTED_WITHIN,
    SAMPLES,
    codes,
    live_audited,
    lose_gap,
    lose_index,
    lose_job,
    runs,
    world_with,
)
from tests.support.execution.restricting import live
from tests.support.factories import JOB_ID, TENANT, after
from tests.support.world import World
from timegate.domain.auditing.audit_cursor import LOOK_AGAIN
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import RunState
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job

pytestmark = pytest.mark.wide

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
SKIP = CatchUp(policy=CatchUpPolicy.SKIP)
named = pytest.mark.parametrize


def kind(schedule: Schedule) -> str:
    """Return a test's name."""
    return str(schedule.kind)


def bounded(schedule: Schedule, **bound: object) -> Schedule:
    """The same, and it ends."""
    return replace(schedule, **bound)  # type: ignore[arg-type]


def lose_run(world: World, number: int = 0) -> None:
    """Delete one of the job's runs, counted from the first."""
    world.lose(runs(world)[number])


def pause(world: World) -> None:
    pause_job(REF, api_services(world), now=world.clock.now())


def resume(world: World, *, catch_up: bool = False) -> None:
    resume_job(REF, api_services(world), now=world.clock.now(), catch_up=catch_up)


def cancel(world: World) -> None:
    cancel_job(REF, api_services(world), now=world.clock.now())


def test_there_is_a_sample_of_each_kind_of_schedule() -> None:
    """A new kind is audited, too."""
    assert set(SAMPLES) == set(ScheduleKind)


@named("schedule", [*ONCE, *RECURRING, *RARE], ids=kind)
def test_a_lost_run_of_an_active_or_finished_job_is_reported(schedule: Schedule) -> None:
    """Once, within the stated time; with its record nothing is."""
    sound, lossy = world_with(schedule), world_with(schedule)
    for world in (sound, lossy):
        live(world, 240)
    lose_run(lossy)
    for world in (sound, lossy):
        live_audited(world, 240 + REPORTED_WITHIN + 600)

    assert codes(sound) == []
    assert codes(lossy) == ["instant_unrecorded"]
    (event,) = lossy.telemetry.named("audit_finding")
    assert event.fields["count"] == 1
    assert lossy.telemetry.counts["InstantsUnaccounted"] == 1


@named("schedule", [*RECURRING, *RARE], ids=kind)
def test_a_loss_is_reported_within_the_stated_time(schedule: Schedule) -> None:
    """The job is known: the auditor has checked it before."""
    world = world_with(schedule)
    live_audited(world, 60)
    live(world, 180)
    instant = runs(world)[-1].id.run.scheduled_at
    lose_run(world, -1)
    live_audited(world, (instant - after(0)).total_seconds() + REPORTED_WITHIN)

    assert codes(world) == ["instant_unrecorded"]


@named("number", [0, 1, 2])
@named("schedule", RECURRING, ids=kind)
def test_a_lost_run_of_a_job_that_max_runs_ended_is_reported(
    schedule: Schedule, number: int
) -> None:
    """The last one as well: without it, it looks as if the job had been allowed one less."""
    sound, lossy = (world_with(bounded(schedule, max_runs=3)) for _ in range(2))
    for world in (sound, lossy):
        live(world, 600)
        assert world.tables.jobs[TENANT, JOB_ID].timing.status is JobStatus.COMPLETED
    lose_run(lossy, number)
    for world in (sound, lossy):
        live_audited(world, 600 + REPORTED_WITHIN)

    assert codes(sound) == []
    assert codes(lossy) == ["instant_unrecorded"]
    assert lossy.telemetry.counts["InstantsUnaccounted"] == 1


@named("number", [0, 1, 2])
def test_two_checks_count_the_runs_of_a_bounded_job(number: int) -> None:
    """A later check adds to the count of an earlier one."""
    schedule = bounded(SAMPLES[ScheduleKind.RATE], every_seconds=600, max_runs=3)
    sound, lossy = world_with(schedule), world_with(schedule)
    for world in (sound, lossy):
        live_audited(world, 660 + 600 * number - 120)
        live(world, 660 + 600 * number)
    lose_run(lossy, number)
    for world in (sound, lossy):
        live_audited(world, 5400)

    assert codes(sound) == []
    assert codes(lossy) == ["instant_unrecorded"]
    assert lossy.telemetry.counts["InstantsUnaccounted"] == 1


@named("number", [0, 1, 2])
@named("schedule", RECURRING, ids=kind)
def test_a_lost_run_of_a_job_that_ends_at_ended_is_reported(
    schedule: Schedule, number: int
) -> None:
    """The last one as well."""
    sound, lossy = (world_with(bounded(schedule, ends_at=after(180))) for _ in range(2))
    for world in (sound, lossy):
        live(world, 600)
    lose_run(lossy, number)
    for world in (sound, lossy):
        live_audited(world, 600 + REPORTED_WITHIN)

    assert codes(sound) == []
    assert codes(lossy) == ["instant_unrecorded"]


@named("change", [pause, cancel])
@named("schedule", RECURRING, ids=kind)
def test_a_lost_run_of_a_job_that_is_off_is_reported(schedule: Schedule, change: object) -> None:
    """Instants named before that are still checked."""
    sound, lossy = world_with(schedule), world_with(schedule)
    for world in (sound, lossy):
        live(world, 240)
        change(world)  # type: ignore[operator]
    lose_run(lossy)
    for world in (sound, lossy):
        live_audited(world, 240 + REPORTED_WITHIN + 300)

    assert codes(sound) == []
    assert codes(lossy) == ["instant_unrecorded"]


@named("schedule", RECURRING, ids=kind)
def test_a_lost_gap_of_a_pause_is_reported(schedule: Schedule) -> None:
    """All its instants are."""
    sound, lossy = world_with(schedule), world_with(schedule)
    for world in (sound, lossy):
        live(world, 240)
        pause(world)
        live(world, 900)
        resume(world)
        live(world, 1020)
    (gap,) = lossy.tables.gaps.values()
    lose_gap(lossy, gap)
    for world in (sound, lossy):
        live_audited(world, 1020 + REPORTED_WITHIN)

    assert codes(sound) == []
    assert codes(lossy) == ["instant_unrecorded"]
    assert lossy.telemetry.counts["InstantsUnaccounted"] == gap.count


@named("schedule", RECURRING, ids=kind)
def test_a_lost_gap_of_an_outage_is_reported(schedule: Schedule) -> None:
    """A planner that comes back leaves out what was missed."""
    sound, lossy = (world_with(schedule, catch_up=SKIP) for _ in range(2))
    for world in (sound, lossy):
        live(world, 240)
        world.clock.set(after(3600))
        live(world, 3720)
    (gap,) = lossy.tables.gaps.values()
    lose_gap(lossy, gap)
    for world in (sound, lossy):
        live_audited(world, 3720 + REPORTED_WITHIN)

    assert codes(sound) == []
    assert codes(lossy) == ["instant_unrecorded"]
    assert lossy.telemetry.counts["InstantsUnaccounted"] == gap.count


@named("schedule", RECURRING, ids=kind)
def test_a_lost_gap_of_a_finished_job_is_reported(schedule: Schedule) -> None:
    """A late cancellation left out the instants that had passed."""
    sound, lossy = (world_with(schedule, catch_up=SKIP) for _ in range(2))
    for world in (sound, lossy):
        live(world, 240)
        world.clock.set(after(3600))
        cancel(world)
    (gap,) = lossy.tables.gaps.values()
    lose_gap(lossy, gap)
    for world in (sound, lossy):
        live_audited(world, 3600 + REPORTED_WITHIN)

    assert codes(sound) == []
    assert codes(lossy) == ["instant_unrecorded"]
    assert lossy.telemetry.counts["InstantsUnaccounted"] == gap.count


WAITING = [
    *(bounded(schedule, starts_at=after(7200)) for schedule in RECURRING),
    Schedule(kind=ScheduleKind.AT, at=after(7200)),
    Schedule(kind=ScheduleKind.DELAY, delay_seconds=7200),
    Schedule(kind=ScheduleKind.CRON, cron="0 9 1 1 *"),
]


@named("schedule", WAITING, ids=kind)
def test_a_job_that_no_planner_can_see_is_reported_before_it_is_due(schedule: Schedule) -> None:
    """By the walk over the table, again and again until it is mended."""
    world = world_with(schedule)
    live_audited(world, 600)
    assert codes(world) == []
    lose_index(world)
    live_audited(world, 1200)

    assert codes(world) == ["job_not_indexed"]
    assert world.telemetry.counts["RecordsLost"] == 2


@named("schedule", RECURRING, ids=kind)
def test_what_no_planner_comes_to_is_overdue(schedule: Schedule) -> None:
    """Its instants pass and nothing is planned."""
    world = world_with(schedule)
    live_audited(world, 600)
    lose_index(world)
    first = world.tables.jobs[TENANT, JOB_ID].timing.next_run_at
    assert first is not None
    live_audited(world, (first - after(0)).total_seconds() + OVERDUE_WITHIN)

    assert codes(world) == ["job_not_indexed", "instant_overdue"]


@named("schedule", [*ONCE, *RECURRING, *RARE, *WAITING], ids=kind)
def test_a_lost_job_is_reported(schedule: Schedule) -> None:
    """Its cursor outlives it, whether it waits, fires or has ended."""
    world = world_with(schedule)
    live_audited(world, 1200)
    assert codes(world) == []
    lose_job(world)
    world.clock.advance(LOOK_AGAIN.total_seconds())
    world.audit()

    assert "job_missing" in codes(world)


def test_a_lost_job_is_known_by_its_runs() -> None:
    """It had no cursor yet."""
    world = world_with(SAMPLES[ScheduleKind.RATE])
    world.tick()
    lose_job(world)
    world.audit()

    assert codes(world) == ["job_missing"]


def test_a_lost_place_in_the_watch_index_is_reported() -> None:
    """A run that has not ended, and that no sweeper can see."""
    world = world_with(SAMPLES[ScheduleKind.RATE])
    live(world, 240)
    first = runs(world)[0]
    stuck = replace(first, state=RunState.QUEUED, watch_at=None)
    world.tables.attempts[TENANT, first.id] = stuck
    live_audited(world, 240 + REPORTED_WITHIN)

    assert codes(world) == ["run_not_watched"]
