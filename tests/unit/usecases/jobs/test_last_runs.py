"""A job whose last runs an earlier schedule had planned completes when they have ended."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.factories import EVERY_MINUTE, JOB_ID, NOW, TENANT, after
from tests.support.simulation.simulating import one_job, simulated
from tests.support.world import World
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.simulation import Edit
from timegate.domain.simulation.scenario import Pause
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
FOR_EVER = replace(EVERY_MINUTE, starts_at=after(60))
#: Their last instants are among those that the schedule before had planned.
ENDING = [
    replace(FOR_EVER, ends_at=after(300)),
    replace(FOR_EVER, ends_at=after(359)),
    Schedule(kind=ScheduleKind.AT, at=after(300)),
]


def a_world(schedule: Schedule) -> World:
    """Ten runs are planned, then the job gets another schedule, which adopts some of them."""
    world = World()
    world.tick()
    world.add_job(schedule=FOR_EVER, anchored_at=NOW, next_run_at=after(60))
    world.tick()
    assert len(world.attempts()) == 10
    update_job(REF, JobChanges(schedule=schedule), api_services(world), now=after(1))
    return world


def live(world: World, until: int) -> None:
    """Each minute the planner ticks, and what is due is executed."""
    while world.clock.now() < after(until):
        world.tick()
        world.stream()
        now, sent = world.clock.now(), world.publisher.sent
        due = {each.id for each in world.attempts() if each.due_at <= now}
        world.publisher.sent = [each for each in sent if each.message.attempt in due]
        world.execute(world.receive())
        world.publisher.sent += [each for each in sent if each.message.attempt not in due]
        world.stream()
        world.clock.advance(60)


def status(world: World) -> JobStatus:
    """The job's."""
    return world.jobs.get(TENANT, JOB_ID).timing.status


def run_at(world: World, seconds: int) -> Attempt:
    """The run of an instant."""
    return next(e for e in world.attempts() if e.id.run.scheduled_at == after(seconds))


@pytest.mark.parametrize("schedule", ENDING)
def test_a_job_completes_once_the_last_adopted_run_has_ended(schedule: Schedule) -> None:
    """Not while it waits: the planner looks, within a minute of its end."""
    world = a_world(schedule)
    live(world, 300)
    assert run_at(world, 300).state is RunState.QUEUED
    assert status(world) is JobStatus.ACTIVE
    live(world, 420)

    assert run_at(world, 300).state is RunState.SUCCEEDED
    assert run_at(world, 360).reason is Reason.SUPERSEDED
    assert status(world) is JobStatus.COMPLETED


def test_it_completes_although_the_last_run_ended_before_it_was_adopted() -> None:
    """An operator had cancelled it: nothing is left to wait for."""
    world = a_world(ENDING[0])
    last = run_at(world, 300)
    assert world.runs.replace(
        last, replace(last, state=RunState.CANCELLED, ended_at=after(1), watch_at=None)
    )
    live(world, 120)

    assert status(world) is JobStatus.COMPLETED


def test_a_pause_does_not_keep_it_from_completing() -> None:
    """Neither one that ends before the last instant, nor one that ends behind it."""
    for resumed_at in (180, 480):
        world = a_world(ENDING[0])
        live(world, 120)
        pause_job(REF, api_services(world), now=world.clock.now())
        live(world, resumed_at)
        resume_job(REF, api_services(world), now=world.clock.now())
        live(world, 660)

        expected = RunState.SUCCEEDED if resumed_at == 180 else RunState.SKIPPED
        assert run_at(world, 300).state is expected
        assert status(world) is JobStatus.COMPLETED


def test_a_job_that_is_resumed_behind_its_last_instant_waits_for_that_run() -> None:
    """It was due during the pause, and no worker had claimed it."""
    world = a_world(ENDING[0])
    live(world, 300)
    pause_job(REF, api_services(world), now=after(299))
    world.clock.set(after(301))
    resume_job(REF, api_services(world), now=after(301))
    assert status(world) is JobStatus.ACTIVE
    live(world, 420)

    assert run_at(world, 300).state is RunState.SUCCEEDED
    assert status(world) is JobStatus.COMPLETED


def test_a_later_schedule_goes_on_behind_it() -> None:
    """The end of the runs that it waited for ends nothing then."""
    world = a_world(ENDING[0])
    live(world, 240)
    update_job(REF, JobChanges(schedule=FOR_EVER), api_services(world), now=world.clock.now())
    live(world, 1200)

    assert status(world) is JobStatus.ACTIVE
    assert run_at(world, 1140).state is RunState.SUCCEEDED


@pytest.mark.parametrize("schedule", ENDING)
def test_the_simulation_completes_it_as_well(schedule: Schedule) -> None:
    """By the same rules."""
    scenario = one_job(
        schedule=FOR_EVER,
        start=NOW,
        end=after(1200),
        created_at=NOW,
        anchored_at=NOW,
        edits=(Edit(at=after(1), schedule=schedule),),
    )
    ledger = simulated(scenario)

    assert ledger.timing.status is JobStatus.COMPLETED
    assert ledger.undecided == 0


#: Edits of a job whose last run is that of 300 seconds, and the last instant that they name.
OTHERS = [
    pytest.param(Schedule(kind=ScheduleKind.AT, at=after(600)), 600, id="later"),
    pytest.param(Schedule(kind=ScheduleKind.AT, at=after(120)), 120, id="earlier"),
    pytest.param(replace(FOR_EVER, ends_at=after(599)), 540, id="adopted"),
]


@pytest.mark.parametrize(("schedule", "last"), OTHERS)
def test_a_last_run_of_a_schedule_that_is_gone_completes_no_job(
    schedule: Schedule, last: int
) -> None:
    """Neither one that is superseded nor one that is adopted: the present last run does."""
    world = World()
    world.tick()
    once = Schedule(kind=ScheduleKind.AT, at=after(300))
    world.add_job(schedule=once, anchored_at=NOW, created_at=NOW, next_run_at=after(300))
    world.tick()
    update_job(REF, JobChanges(schedule=schedule), api_services(world), now=after(1))
    live(world, last)

    assert status(world) is JobStatus.ACTIVE
    assert run_at(world, last).state is RunState.QUEUED

    live(world, max(last, 300) + 60)

    assert run_at(world, last).state is RunState.SUCCEEDED
    assert status(world) is JobStatus.COMPLETED


@pytest.mark.parametrize(("schedule", "last"), OTHERS)
def test_the_simulation_waits_for_the_present_last_run_as_well(
    schedule: Schedule, last: int
) -> None:
    """A pause shortly before that finds the job active, and a later one finds it completed."""
    before, behind = last - 30, max(last, 300) + 30
    scenario = one_job(
        schedule=Schedule(kind=ScheduleKind.AT, at=after(300)),
        start=NOW,
        end=after(1200),
        created_at=NOW,
        anchored_at=NOW,
        edits=(Edit(at=after(1), schedule=schedule),),
        pauses=(
            Pause(start=after(before), end=after(before + 1)),
            Pause(start=after(behind), end=after(behind + 1)),
        ),
    )
    refused = simulated(scenario).refused

    assert [(each.at, each.field) for each in refused] == [
        (after(behind), "pauses.1.from"),
        (after(behind + 1), "pauses.1.to"),
    ]
