"""``max_runs`` counts runs that began; whatever else becomes of a run gives its place back."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.api import api_services
from tests.support.factories import EVERY_MINUTE, JOB_ID, NOW, TENANT, after
from tests.support.world import World
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.errors import InvalidInput
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)


def bounded(runs: int, **changes: object) -> Schedule:
    """Every minute, so many times."""
    return replace(EVERY_MINUTE, max_runs=runs, **changes)  # type: ignore[arg-type]


def a_world(runs: int = 3, **fields: object) -> World:
    """A bounded job that begins now, in a world that ticks."""
    world = World()
    world.tick()
    fields = {"schedule": bounded(runs), "anchored_at": NOW, "next_run_at": after(60)} | fields
    world.add_job(**fields)
    return world


def live(world: World, minutes: int) -> None:
    """Each minute the planner ticks, and what is due is executed."""
    for _ in range(minutes):
        world.tick()
        world.stream()
        execute_due(world)
        world.stream()
        world.clock.advance(60)


def execute_due(world: World) -> None:
    """Messages that are delayed stay in their queue."""
    now, sent = world.clock.now(), world.publisher.sent
    due = {each.id for each in world.attempts() if each.due_at <= now}
    world.publisher.sent = [each for each in sent if each.message.attempt in due]
    world.execute(world.receive())
    world.publisher.sent += [each for each in sent if each.message.attempt not in due]


def ran(world: World) -> list[datetime]:
    """The instants of the runs that began."""
    return [each.id.run.scheduled_at for each in world.attempts() if each.fence > 0]


def status(world: World) -> JobStatus:
    """The job's."""
    return world.jobs.get(TENANT, JOB_ID).timing.status


@pytest.mark.parametrize(
    ("behind", "begins"), [pytest.param(0, 540, id="in time"), pytest.param(0.001, 600, id="late")]
)
def test_an_instant_whose_start_limit_has_passed_gets_no_place(
    behind: float, begins: float
) -> None:
    """It is a gap: its run would give the place back a tick later, and the next one as well."""
    world = a_world(1, start_within_seconds=60)
    world.clock.set(after(600 + behind))
    live(world, 2)
    gaps = sorted(world.tables.gaps.values(), key=lambda gap: gap.first)
    late = [after(60 * number) for number in range(1, round(begins) // 60)]

    assert ran(world) == [after(begins)]
    assert [(gap.first, gap.reason) for gap in gaps] == [(at, Reason.LATE) for at in late]
    assert status(world) is JobStatus.COMPLETED


def test_a_job_runs_as_often_as_it_may_and_completes() -> None:
    """No instant beyond the bound has a record."""
    world = a_world()
    live(world, 8)

    assert ran(world) == [after(60), after(120), after(180)]
    assert len(world.attempts()) == 3
    assert status(world) is JobStatus.COMPLETED


def test_runs_that_a_pause_skipped_give_their_places_back() -> None:
    """Three were planned and skipped; three others run."""
    world = a_world()
    world.tick()
    pause_job(REF, api_services(world), now=NOW)
    live(world, 5)
    assert {each.reason for each in world.attempts()} == {Reason.PAUSED}
    resume_job(REF, api_services(world), now=world.clock.now())
    live(world, 8)

    assert len(ran(world)) == 3
    assert status(world) is JobStatus.COMPLETED


def test_a_run_that_is_cancelled_before_it_begins_moves_the_end() -> None:
    """The next instant takes its place, within a tick."""
    world = a_world()
    world.tick()
    (_, second, _) = world.attempts()
    cancelled = replace(second, state=RunState.CANCELLED, ended_at=NOW, watch_at=None)
    assert world.runs.replace(second, cancelled)
    live(world, 8)

    assert ran(world) == [after(60), after(180), after(240)]
    assert status(world) is JobStatus.COMPLETED


def test_a_failed_run_that_began_keeps_its_place() -> None:
    """And a retry is the same run."""
    world = a_world(runs=1)
    world.tick()
    (first,) = world.attempts()
    failed = replace(
        first, state=RunState.FAILED, fence=1, ended_at=after(61), watch_at=None, reason=Reason.LATE
    )
    assert world.runs.replace(first, failed)
    live(world, 5)

    assert [each.id for each in world.attempts()] == [first.id]
    assert status(world) is JobStatus.COMPLETED


def test_an_edit_takes_back_what_was_planned_ahead() -> None:
    """Three runs were planned; the new schedule has all three places."""
    world = a_world()
    world.tick()
    every_other = bounded(3, every_seconds=90)
    update_job(REF, JobChanges(schedule=every_other), api_services(world), now=NOW + SECOND)
    live(world, 10)

    assert ran(world) == [after(91), after(181), after(271)]
    superseded = {each.reason for each in world.attempts() if each.fence == 0}
    assert superseded == {Reason.SUPERSEDED}
    assert status(world) is JobStatus.COMPLETED


SECOND = timedelta(seconds=1)


def test_a_lower_bound_takes_back_places_of_runs_that_are_planned() -> None:
    """The schedule names their instants as before, and only the first keep a place."""
    world = a_world(runs=8, schedule=bounded(8, starts_at=after(60)))
    world.tick()
    assert len(world.attempts()) == 8
    lower = bounded(2, starts_at=after(60))
    update_job(REF, JobChanges(schedule=lower), api_services(world), now=NOW + SECOND)
    live(world, 12)

    assert ran(world) == [after(60), after(120)]
    assert status(world) is JobStatus.COMPLETED


def test_a_bound_that_runs_have_reached_is_refused() -> None:
    """Although the planner has not counted them yet."""
    world = a_world(runs=9)
    live(world, 4)
    assert len(ran(world)) == 3
    lower = JobChanges(schedule=bounded(3))
    with pytest.raises(InvalidInput, match="max_runs"):
        update_job(REF, lower, api_services(world), now=world.clock.now())


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        pytest.param(CatchUpPolicy.ALL, [60, 120, 180], id="all-oldest-first"),
        pytest.param(CatchUpPolicy.LATEST, [540, 600, 660], id="latest"),
        pytest.param(CatchUpPolicy.SKIP, [600, 660, 720], id="skip"),
    ],
)
def test_after_an_outage_the_oldest_that_may_run_take_the_places(
    policy: CatchUpPolicy, expected: list[int]
) -> None:
    """The bound is no part of the policy, and what it excludes is no missed window."""
    world = a_world(catch_up=CatchUp(policy=policy, grace_seconds=0))
    world.clock.advance(570)
    live(world, 8)

    assert ran(world) == [after(seconds) for seconds in expected]
    assert status(world) is JobStatus.COMPLETED


def test_nothing_is_planned_while_runs_hold_all_places() -> None:
    """Each tick looks, and writes nothing; a look-ahead later the job has its entry again."""
    world = a_world(runs=1)
    world.tick()
    for _ in range(30):
        world.clock.advance(60)
        world.tick()

    assert len(world.attempts()) == 1
    assert status(world) is JobStatus.ACTIVE
