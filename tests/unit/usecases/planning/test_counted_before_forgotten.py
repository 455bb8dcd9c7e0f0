"""``max_runs`` holds although records of runs are forgotten after a month."""

from datetime import datetime, timedelta

import pytest

from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT
from tests.support.stores.records import RUNS_TABLE
from tests.support.values.expiry import delete_expired
from tests.support.world import World
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.places import shown_from
from timegate.domain.planning.roll_ahead import is_ripe
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.usecases.execution.cancel_run import cancel_run
from timegate.usecases.execution.reschedule_run import NewInstant, reschedule_run
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.planning.materialise import materialise

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
DAY = timedelta(days=1)


def every(days: int, most: int) -> World:
    """A job that runs each so many days, so often at most."""
    world = World()
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=days * 86_400, max_runs=most)
    world.add_job(schedule=schedule, anchored_at=NOW, updated_at=NOW, next_run_at=NOW + days * DAY)
    return world


def timing_in(world: World) -> Timing:
    """The job as it stands."""
    return world.jobs.get(TENANT, JOB_ID).timing


def look(world: World, at: datetime, *, executes: bool = True) -> None:
    """Let the table forget, a planner look at the job, and executors work."""
    world.clock.set(at)
    delete_expired(world.tables.engine, RUNS_TABLE, now=at)
    timing, scheduling = timing_in(world), world.planning
    if is_ripe(timing, now=at, look_ahead=scheduling.look_ahead):
        materialise([timing], scheduling, now=at)
    if executes:
        world.settle()


def go_on(world: World, until: datetime) -> None:
    """Look whenever the job is shown to planners, at most once a day."""
    now = world.clock.now()
    while now < until:
        shown = shown_from(timing_in(world), now)
        now = min(until, max(now + DAY, shown) if shown is not None else until)
        look(world, now)


def begun(world: World) -> int:
    """Count the calls of the job's target."""
    return len(world.target.calls)


@pytest.mark.parametrize("days", [1, 31, 90])
def test_a_rare_job_ends_with_its_last_run(days: int) -> None:
    """Its runs were forgotten before the planner counted them: it ran for ever."""
    world = every(days, 3)
    go_on(world, NOW + 6 * days * DAY)

    assert begun(world) == 3
    assert timing_in(world).status == "completed"


def test_a_rare_job_is_looked_at_until_its_run_is_counted() -> None:
    """Ten days after it was planned; then not before its next instant."""
    world = every(90, 3)
    look(world, NOW + 90 * DAY)
    planned = timing_in(world)
    shown = shown_from(planned, world.clock.now())
    look(world, NOW + 100 * DAY)
    counted = timing_in(world)

    assert shown == NOW + 100 * DAY
    assert (counted.runs_begun, counted.uncounted) == (1, ())
    assert shown_from(counted, world.clock.now()) == NOW + 180 * DAY


def test_a_job_that_was_paused_for_months_keeps_its_count() -> None:
    """Runs are counted when it pauses: no planner looks at it meanwhile."""
    world = every(1, 5)
    go_on(world, NOW + 3 * DAY)
    pause_job(REF, api_services(world), now=world.clock.now())
    go_on(world, NOW + 60 * DAY)
    resume_job(REF, api_services(world), now=world.clock.now())
    go_on(world, NOW + 70 * DAY)

    assert begun(world) == 5
    assert timing_in(world).status == "completed"


def put_off(world: World, until: datetime) -> None:
    """Let the first run of the job be due at another instant."""
    (first, *_) = world.attempts()
    wish = NewInstant(tenant=TENANT, run=first.id.run, due_at=until)
    reschedule_run(wish, api_services(world), now=world.clock.now())


@pytest.mark.parametrize("most", [5, 20])
def test_a_run_that_is_put_off_for_months_keeps_no_other_from_being_counted(most: int) -> None:
    """Runs behind it were forgotten while it waited, and their places were given away."""
    world = every(1, most)
    look(world, NOW + DAY - timedelta(minutes=5), executes=False)
    put_off(world, NOW + 90 * DAY)
    go_on(world, NOW + 60 * DAY)
    waiting, left = begun(world), timing_in(world)
    put_off(world, world.clock.now())
    go_on(world, NOW + 62 * DAY)

    assert (waiting, left.full, left.uncounted) == (most - 1, True, (NOW + DAY,))
    assert begun(world) == most
    assert timing_in(world).status == "completed"


def test_a_run_that_was_passed_by_and_is_cancelled_gives_its_place_back() -> None:
    """It counts as one that is met in its order."""
    world = every(1, 5)
    look(world, NOW + DAY - timedelta(minutes=5), executes=False)
    put_off(world, NOW + 90 * DAY)
    go_on(world, NOW + 40 * DAY)
    waiting = begun(world)
    (first,) = world.attempts()
    cancel_run(TENANT, first.id.run, api_services(world), now=world.clock.now())
    go_on(world, NOW + 45 * DAY)

    assert (waiting, begun(world)) == (4, 5)
    assert timing_in(world).status == "completed"
