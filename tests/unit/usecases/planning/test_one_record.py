"""One record per instant: the ways in which there were two, or none, one by one."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import api_services
from tests.support.factories import EVERY_MINUTE, JOB_ID, NOW, TENANT, after, job_id
from tests.support.stores.sound import sound_gaps
from tests.support.world import World
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.planning.materialise import materialise

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
WEEKS = 3 * 7 * 86_400


class Died(Exception):
    """The process is gone."""


@pytest.fixture
def world() -> World:
    """With a minutely job whose next instant has no run yet, and a planner that was there."""
    world = World()
    world.tick()
    world.add_job(anchored_at=NOW, updated_at=NOW, next_run_at=after(60))
    return world


def timing_in(world: World) -> Timing:
    """The job as it stands."""
    return world.jobs.get(TENANT, JOB_ID).timing


def counted(call: Callable[..., Any], calls: Counter[str], name: str) -> Callable[..., Any]:
    """The call, counted."""

    def counting(*args: object) -> object:
        calls[name] += 1
        return call(*args)

    return counting


def gaps_in(world: World) -> list[tuple[object, ...]]:
    """Its gaps: first, last, count and reason."""
    gaps = sound_gaps(world.jobs.gaps(TENANT, JOB_ID, since=NOW, limit=9))
    return [(gap.first, gap.last, gap.count, gap.reason) for gap in gaps]


@pytest.mark.parametrize("catch_up", [False, True], ids=["from now", "catching up"])
def test_a_planner_held_up_through_a_pause_stores_nothing(world: World, *, catch_up: bool) -> None:
    """Its read is outdated: those instants are in a gap, or already run."""
    services, read = api_services(world), timing_in(world)
    pause_job(REF, services, now=after(5))
    world.clock.advance(3600)
    resume_job(REF, services, now=after(3600), catch_up=catch_up)
    runs = world.attempts()
    held_up = materialise([read], world.planning, now=after(5))

    assert (held_up.moved, held_up.runs_created) == ((), 0)
    assert runs == world.attempts()
    assert gaps_in(world) == ([] if catch_up else [(after(60), after(3600), 60, Reason.PAUSED)])


@pytest.mark.parametrize("policy", CatchUpPolicy)
def test_a_planner_held_up_through_an_outage_stores_nothing(policy: CatchUpPolicy) -> None:
    """Another one has decided about its instants."""
    world = World()
    world.tick()
    job = world.add_job(
        anchored_at=NOW, updated_at=NOW, next_run_at=after(60), catch_up=CatchUp(policy=policy)
    )
    world.clock.advance(7200)
    world.tick()
    runs = world.attempts()
    held_up = materialise([job.timing], world.planning, now=after(30))

    assert held_up.runs_created == 0
    assert runs == world.attempts()


def test_a_resumption_that_died_is_found_by_the_planner(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job stands weeks before the watermark; it is shown where planners still look."""
    services = api_services(world)
    pause_job(REF, services, now=after(5))
    for _ in range(2):
        world.clock.advance(WEEKS / 2)
        world.tick()
        world.tick()

    with monkeypatch.context() as patch:
        patch.setattr(world.jobs, "settle", Mock(side_effect=Died))
        with pytest.raises(Died):
            resume_job(REF, services, now=world.clock.now(), catch_up=True)
    for _ in range(5):
        world.clock.advance(61)
        world.tick()

    following = timing_in(world).next_run_at
    assert following is not None
    assert following > world.clock.now()
    # The thousand latest of the instants that were missed, and those of the look-ahead.
    assert len(world.attempts()) >= 1000


def test_a_pause_takes_back_what_was_to_be_caught_up(world: World) -> None:
    """The caller who resumes decides about all of it: none of it runs unasked."""
    job = world.jobs.get(TENANT, JOB_ID)
    timing = replace(job.timing, decided_until=after(3000))
    world.tables.put_job(replace(job, timing=timing))
    pause_job(REF, api_services(world), now=after(3060))

    assert timing_in(world).held_at == after(60)
    assert timing_in(world).decided_until is None


def test_a_job_that_missed_its_only_instant_is_completed_by_that_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing would come back to it: it is in no bucket any more."""
    world = World()
    world.tick()
    at = Schedule(kind=ScheduleKind.AT, at=after(60))
    skip = CatchUp(policy=CatchUpPolicy.SKIP)
    world.add_job(schedule=at, next_run_at=after(60), catch_up=skip)
    world.clock.advance(3600)

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "plan_all", Mock(side_effect=Died))
        patch.setattr(world.jobs, "complete", Mock(side_effect=Died))
        world.tick()

    assert timing_in(world).status is JobStatus.COMPLETED
    assert gaps_in(world) == [(after(60), after(60), 1, Reason.MISSED_WINDOW)]


@pytest.mark.parametrize("policy", CatchUpPolicy)
def test_a_resumption_sets_a_job_back_to_an_instant_that_has_a_run(policy: CatchUpPolicy) -> None:
    """The run is the record of its instant, whatever planners decide about it after an outage."""
    world = World()
    world.tick()
    once = Schedule(kind=ScheduleKind.AT, at=after(153))
    world.add_job(schedule=once, next_run_at=after(153), catch_up=CatchUp(policy=policy))
    world.tick()
    services = api_services(world)
    pause_job(REF, services, now=after(1))
    resume_job(REF, services, now=after(2))
    world.clock.advance(240)
    world.settle()
    world.tick()

    assert [attempt.state for attempt in world.attempts()] == [RunState.SUCCEEDED]
    assert gaps_in(world) == []
    assert timing_in(world).next_run_at is None


def test_an_edit_sets_a_job_back_to_instants_that_have_runs(world: World) -> None:
    """After an outage only those are missed that no planner had planned."""
    skip = CatchUp(policy=CatchUpPolicy.SKIP)
    job = world.jobs.get(TENANT, JOB_ID)
    world.tables.put_job(replace(job, timing=replace(job.timing, catch_up=skip)))
    world.tick()
    planned = [attempt.due_at for attempt in world.attempts()]
    every_other = replace(EVERY_MINUTE, every_seconds=120, starts_at=after(240))
    update_job(REF, JobChanges(schedule=every_other), api_services(world), now=after(5))
    world.clock.advance(1200)
    world.settle()
    world.tick()

    assert planned[-1] == after(600)
    assert gaps_in(world) == [(after(720), after(1080), 4, Reason.MISSED_WINDOW)]


def test_a_change_never_counts_from_before_an_earlier_one(world: World) -> None:
    """The second caller's clock is behind: an instant in between has its record already."""
    other = replace(EVERY_MINUTE, every_seconds=1)
    update_job(REF, JobChanges(schedule=other), api_services(world), now=after(300))
    update_job(REF, JobChanges(schedule=EVERY_MINUTE), api_services(world), now=after(298))

    assert timing_in(world).anchored_at > after(300)


@pytest.mark.parametrize(
    "policy",
    [
        CatchUpPolicy.ALL,
        pytest.param(CatchUpPolicy.LATEST, marks=pytest.mark.wide),
        pytest.param(CatchUpPolicy.SKIP, marks=pytest.mark.wide),
    ],
)
def test_an_outage_of_three_weeks_costs_a_bounded_number_of_writes(
    policy: CatchUpPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its neighbour is planned in the first tick; the rest is one gap and what the policy runs."""
    world = World()
    world.tick()
    catch_up = CatchUp(policy=policy, limit=1000, grace_seconds=59)
    world.add_job(anchored_at=NOW, updated_at=NOW, next_run_at=after(60), catch_up=catch_up)
    other = after(WEEKS + 300)
    once = Schedule(kind=ScheduleKind.AT, at=other)
    world.add_job(job_id=job_id("neighbour"), schedule=once, next_run_at=other)
    world.clock.advance(WEEKS)
    calls = Counter[str]()
    for store, name in ((world.jobs, "settle"), (world.runs, "plan_all")):
        monkeypatch.setattr(store, name, counted(getattr(store, name), calls, name))
    world.tick()
    first = [attempt.due_at for attempt in world.attempts()]
    for _ in range(3):
        world.clock.advance(61)
        world.tick()

    runs = {CatchUpPolicy.SKIP: 0, CatchUpPolicy.LATEST: 1, CatchUpPolicy.ALL: 1000}[policy]
    missed = WEEKS // 60 - 1
    assert other in first
    # The second is for what was missed while the first was carried out.
    assert calls["settle"] <= 2
    assert calls["plan_all"] <= 20
    last = after((missed - runs) * 60)
    assert gaps_in(world) == [(after(60), last, missed - runs, Reason.MISSED_WINDOW)]
    caught_up = [due for due in (a.due_at for a in world.attempts()) if due <= after(missed * 60)]
    assert len(caught_up) == runs
