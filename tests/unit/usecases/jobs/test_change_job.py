"""Changing jobs while planners and other callers change them too."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import RULES, api_services
from tests.support.factories import EVERY_MINUTE, JOB_ID, NOW, TENANT, after
from tests.support.world import World
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput, JobChanged, VersionMismatch
from timegate.usecases.jobs.change_job import MAX_TRIES, JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
SOON = Schedule(kind=ScheduleKind.AT, at=after(30))


@pytest.fixture
def world() -> World:
    """With one job, far from firing."""
    world = World()
    world.add_job(next_run_at=after(3600))
    return world


def meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object], *, times: int = 1
) -> None:
    """Let something happen between reading a job and writing it, so many times."""
    update, left = world.jobs.update, [act] * times

    def late(before: Job, after: Job, **gaps: Any) -> None:  # noqa: ANN401 - as the store's
        if left:
            left.pop()()
        update(before, after, **gaps)

    monkeypatch.setattr(world.jobs, "update", late)


def edit(world: World, *, description: str = "") -> Callable[[], None]:
    """Another caller's edit."""

    def act() -> None:
        stored = world.jobs.get(TENANT, JOB_ID)
        timing = replace(stored.timing, version=stored.timing.version + 1)
        world.tables.put_job(replace(stored, timing=timing, description=description))

    return act


def update(world: World, changes: JobChanges, ref: JobRef = REF) -> Job:
    """Update now."""
    return update_job(ref, changes, api_services(world), now=world.clock.now())


def test_two_edits_of_different_fields_both_survive(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second caller reads again and changes what is there by then."""
    meanwhile(world, monkeypatch, edit(world, description="theirs"))
    job = update(world, JobChanges(name="ours"))

    assert (job.name, job.description, job.timing.version) == ("ours", "theirs", 3)
    assert world.jobs.get(TENANT, JOB_ID) == job


def test_an_edit_does_not_undo_what_the_planner_did_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or its runs would be planned again."""

    def plan() -> None:
        stored = world.jobs.get(TENANT, JOB_ID)
        timing = replace(stored.timing, next_run_at=after(3660), runs_planned=1)
        world.tables.put_job(replace(stored, timing=timing))

    meanwhile(world, monkeypatch, plan)
    job = update(world, JobChanges(name="ours"))

    assert (job.timing.next_run_at, job.timing.runs_planned) == (after(3660), 1)


def test_an_edit_of_one_version_does_not_follow_the_job_to_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its caller has not seen that version."""
    meanwhile(world, monkeypatch, edit(world, description="theirs"))
    with pytest.raises(VersionMismatch, match="version 2"):
        update(world, JobChanges(name="ours"), replace(REF, version=1))

    assert world.jobs.get(TENANT, JOB_ID).name == "send the report"


@pytest.mark.parametrize(("losses", "wins"), [(MAX_TRIES - 1, True), (MAX_TRIES, False)])
def test_a_change_gives_up_after_losing_every_race(
    world: World, monkeypatch: pytest.MonkeyPatch, losses: int, *, wins: bool
) -> None:
    """With an error that says to read again."""
    meanwhile(world, monkeypatch, edit(world), times=losses)
    if wins:
        assert update(world, JobChanges(name="ours")).name == "ours"
    else:
        with pytest.raises(JobChanged):
            update(world, JobChanges(name="ours"))


def test_a_change_that_died_is_finished_by_its_repetition(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is left to change, and still the run is stored that the next tick would miss."""

    class Died(Exception):
        pass

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "plan_all", Mock(side_effect=Died))
        with pytest.raises(Died):
            update(world, JobChanges(schedule=SOON))
    job = update(world, JobChanges(schedule=SOON))

    assert job.timing.version == 2
    assert [attempt.due_at for attempt in world.attempts()] == [after(30)]


def test_runs_count_over_every_version_of_a_job() -> None:
    """A new schedule does not reset ``max_runs``; one that is used up is refused."""
    world = World()
    bounded = replace(EVERY_MINUTE, max_runs=9)
    world.add_job(schedule=bounded, runs_begun=3, next_run_at=after(3600))
    used_up = replace(EVERY_MINUTE, max_runs=3)
    with pytest.raises(InvalidInput, match="max_runs"):
        update(world, JobChanges(schedule=used_up))
    job = update(world, JobChanges(schedule=replace(EVERY_MINUTE, max_runs=4)))
    runs = [attempt.id.run.scheduled_at for attempt in world.attempts()]

    assert runs == [after(60)]
    assert (job.timing.full, job.timing.next_run_at) == (True, after(120))


def test_runs_count_from_the_change_that_bounds_them() -> None:
    """Nothing has counted those before."""
    world = World()
    world.add_job(next_run_at=after(3600))
    job = update(world, JobChanges(schedule=replace(EVERY_MINUTE, max_runs=4)))

    assert (job.timing.runs_begun, job.timing.counted_until) == (0, NOW)
    assert len(world.attempts()) == 4


def test_a_target_is_judged_when_it_is_given() -> None:
    """Narrowing the allow-list does not freeze jobs; it does refuse new uses of the target."""
    world = World()
    allowed = LambdaAction(
        function_arn="arn:aws:lambda:eu-west-1:111122223333:function:timegate-target-a"
    )
    world.add_job(action=allowed, next_run_at=after(3600))
    services = replace(api_services(world), target_rules=replace(RULES, allowed={}))
    renamed = update_job(REF, JobChanges(name="x", action=allowed), services, now=NOW)
    other = replace(allowed, function_arn=f"{allowed.function_arn}b")

    assert renamed.name == "x"
    with pytest.raises(InvalidInput, match="not among those"):
        update_job(REF, JobChanges(action=other), services, now=NOW)


def test_pausing_and_resuming_keep_the_beat_of_a_rate() -> None:
    """It counts from when it was given, not from when it was resumed."""
    world = World()
    world.add_job(next_run_at=after(60), anchored_at=NOW)
    services = api_services(world)
    pause_job(REF, services, now=after(5))
    resumed = resume_job(REF, services, now=after(85))

    assert world.attempts()[0].id.run.scheduled_at == after(120)
    assert resumed.timing.status is JobStatus.ACTIVE
