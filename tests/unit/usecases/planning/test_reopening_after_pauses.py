"""Resuming to catch up reopens the runs that the pause skipped."""

from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT, after
from tests.support.stores.sound import sound_gaps
from tests.support.world import World
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.outcomes.complete_jobs import complete_jobs
from timegate.usecases.planning.materialise import materialise

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)
ONCE = Schedule(kind=ScheduleKind.AT, at=after(120))
SKIP, ALL = CatchUpPolicy.SKIP, CatchUpPolicy.ALL


class Died(Exception):
    """The process is gone."""


def paused_world(schedule: Schedule = MINUTELY, policy: CatchUpPolicy = ALL) -> World:
    """A job that is planned ten minutes ahead, and paused for five: its runs are skipped."""
    world = World()
    world.add_job(
        schedule=schedule,
        anchored_at=NOW,
        updated_at=NOW,
        next_run_at=schedule.at or after(60),
        catch_up=CatchUp(policy=policy),
    )
    world.tick()
    pause_job(REF, api_services(world), now=after(1))
    world.clock.advance(300)
    world.settle()
    return world


def resume(world: World, *, catch_up: bool = True) -> None:
    """Resume the job now."""
    resume_job(REF, api_services(world), now=world.clock.now(), catch_up=catch_up)


def timing_in(world: World) -> Timing:
    """The job as it stands."""
    return world.jobs.get(TENANT, JOB_ID).timing


def states(world: World, number: int = 1) -> list[tuple[object, RunState, object]]:
    """The attempts of this number: when they are due, how they stand, and why."""
    found = [each for each in world.attempts() if each.id.number == number]
    return [(each.due_at, each.state, each.reason) for each in found]


def test_runs_that_the_pause_skipped_run_after_all() -> None:
    """Each is one run with two attempts; the first stays on record."""
    world = paused_world()
    resume(world)
    reopened = states(world, 2)
    world.settle()

    due = [after(60 * number) for number in range(1, 6)]
    assert states(world)[:5] == [(at, RunState.SKIPPED, Reason.PAUSED) for at in due]
    assert reopened == [(at, RunState.QUEUED, None) for at in due]
    assert states(world, 2) == [(at, RunState.SUCCEEDED, None) for at in due]
    assert not sound_gaps(world.jobs.gaps(TENANT, JOB_ID, since=NOW, limit=9))
    assert timing_in(world).paused_at is None


def test_a_resumption_from_now_reopens_nothing() -> None:
    """The pause is forgotten: a later one does not reopen its runs."""
    world = paused_world()
    resume(world, catch_up=False)
    pause_job(REF, api_services(world), now=after(310))
    world.clock.advance(20)
    resume(world)
    world.settle()

    assert states(world, 2) == []


def test_the_only_run_of_a_job_runs_and_completes_it() -> None:
    """Its job has no other instant, and waits for nothing but this run."""
    world = paused_world(ONCE)
    resume(world)
    before = timing_in(world).status
    world.settle()

    assert before is JobStatus.ACTIVE
    assert states(world, 2) == [(after(120), RunState.SUCCEEDED, None)]
    assert timing_in(world).status is JobStatus.COMPLETED


def test_an_only_run_that_its_policy_leaves_out_completes_its_job() -> None:
    """It stays skipped."""
    world = paused_world(ONCE, SKIP)
    resume(world)

    assert states(world, 2) == []
    assert timing_in(world).status is JobStatus.COMPLETED


def test_an_end_that_is_followed_late_does_not_complete_a_job_whose_run_is_reopened() -> None:
    """The record of the skipped attempt comes to outcomes after the resumption."""
    world = paused_world(ONCE)
    (skipped,) = world.attempts()
    resume(world)
    complete_jobs([skipped], world.jobs, world.runs, world.telemetry, now=world.clock.now())

    assert timing_in(world).status is JobStatus.ACTIVE


@pytest.mark.parametrize("schedule", [MINUTELY, ONCE], ids=["recurring", "once"])
def test_a_resumption_that_died_is_finished_by_the_planner(
    schedule: Schedule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job is shown to planners until its runs are reopened, and nothing completes it."""
    world = paused_world(schedule)

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "plan_all", Mock(side_effect=Died))
        with pytest.raises(Died):
            resume(world)
    completed = world.jobs.complete(TENANT, JOB_ID, now=world.clock.now())
    pending = timing_in(world)
    world.clock.advance(10)
    world.tick()
    world.settle()

    assert (completed, pending.reopens) == (False, True)
    assert {state for _, state, _ in states(world, 2)} == {RunState.SUCCEEDED}
    assert not timing_in(world).reopens


def test_a_planner_that_is_held_up_reopens_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that came first has moved the job; the other's transaction is refused."""
    world = paused_world()

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "plan_all", Mock(side_effect=Died))
        with pytest.raises(Died):
            resume(world)
    read = timing_in(world)
    materialise([read], world.planning, now=world.clock.now())
    runs = world.attempts()
    held_up = materialise([read], world.planning, now=world.clock.now())

    assert (held_up.moved, held_up.runs_created) == ((), 0)
    assert world.attempts() == runs


def test_an_edit_during_the_pause_leaves_the_old_schedule_s_runs_skipped() -> None:
    """The new schedule answers for what is later, and what it names runs."""
    world = paused_world()
    every_other = Schedule(kind=ScheduleKind.RATE, every_seconds=120, starts_at=after(120))
    update_job(REF, JobChanges(schedule=every_other), api_services(world), now=world.clock.now())
    world.clock.advance(300)
    world.sweep()
    world.settle()
    resume(world)
    world.settle()

    reopened = [due for due, _, _ in states(world, 2)]
    assert reopened == [after(360), after(480)]


def test_a_bounded_job_runs_those_that_the_pause_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take their places of ``max_runs`` again, and the job ends with them."""
    bounded = Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=3)
    world = paused_world(bounded)
    resume(world)
    for _ in range(3):
        world.settle()
        world.clock.advance(61)
        world.tick()
    monkeypatch.undo()

    ran = [each for each in world.attempts() if each.state is RunState.SUCCEEDED]
    assert [each.due_at for each in ran] == [after(60), after(120), after(180)]
    assert timing_in(world).status is JobStatus.COMPLETED


def test_a_bounded_job_reopens_no_more_than_it_has_places() -> None:
    """An edit during the pause leaves it one of three; the others stay skipped by the pause."""
    planned, fewer = (
        Schedule(kind=ScheduleKind.CRON, cron="* * * * *", max_runs=most) for most in (3, 1)
    )
    world = World()
    world.add_job(
        schedule=planned, updated_at=NOW, next_run_at=after(60), catch_up=CatchUp(policy=ALL)
    )
    world.tick()
    pause_job(REF, api_services(world), now=after(1))
    update_job(REF, JobChanges(schedule=fewer), api_services(world), now=after(2))
    world.clock.advance(300)
    world.settle()
    resume(world)

    assert states(world, 2) == [(after(60), RunState.QUEUED, None)]


def test_a_late_start_limit_holds_for_a_reopened_run() -> None:
    """It has not begun: the limit counts from its instant, as for an unplanned instant."""
    world = World()
    world.add_job(schedule=ONCE, anchored_at=NOW, next_run_at=after(120), start_within_seconds=60)
    world.tick()
    pause_job(REF, api_services(world), now=after(1))
    world.clock.advance(300)
    world.settle()
    resume(world)
    world.settle()

    assert states(world, 2) == [(after(120), RunState.SKIPPED, Reason.LATE)]


def number_of_reads(world: World, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The ranges of history that are read."""
    reads, history = list[Any](), world.runs.history

    def counting(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever it takes
        reads.append(kwargs)
        return history(*args, **kwargs)

    monkeypatch.setattr(world.runs, "history", counting)
    return reads


@pytest.mark.parametrize("catch_up", [False, True])
def test_only_a_resumption_that_catches_up_reads_runs(
    monkeypatch: pytest.MonkeyPatch, *, catch_up: bool
) -> None:
    """Once; planners read none afterwards."""
    world = paused_world()
    reads = number_of_reads(world, monkeypatch)
    resume(world, catch_up=catch_up)
    world.clock.advance(61)
    world.tick()

    assert len(reads) == (1 if catch_up else 0)


def test_a_pause_before_the_runs_are_reopened_takes_them_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next resumption decides about the runs of both pauses."""
    world = paused_world()

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "plan_all", Mock(side_effect=Died))
        with pytest.raises(Died):
            resume(world)
    pause_job(REF, api_services(world), now=world.clock.now())
    paused_at = timing_in(world).paused_at
    world.clock.advance(200)
    world.sweep()
    world.settle()
    resume(world)
    world.settle()

    ran: list[Attempt] = [each for each in world.attempts() if each.state is RunState.SUCCEEDED]
    assert paused_at == after(1)
    assert [each.due_at for each in ran][:6] == [after(60 * number) for number in range(1, 7)]
