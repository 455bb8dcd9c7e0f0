"""Runs that a planner announced before it died: the next process makes them records first."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.failing import GONE
from tests.support.execution.pausing import pause_failing
from tests.support.factories import JOB_ID, NOW, TENANT, after
from tests.support.stores.sound import sound_gaps
from tests.support.world import World
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.planning.materialise import materialise

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
#: Those of the look-ahead.
INSTANTS = [after(60 * number) for number in range(1, 11)]
STEPS = ["announce_all", "store_runs", "move_all"]


class Died(Exception):
    """The process is gone."""


def minutely(**fields: Any) -> World:  # noqa: ANN401 - the job's own
    """A world with a minutely job whose next instant has no run yet, and a planner before it."""
    world = World()
    world.tick()
    world.add_job(anchored_at=NOW, updated_at=NOW, next_run_at=after(60), **fields)
    return world


def timing_in(world: World) -> Timing:
    """The job as it stands."""
    return world.jobs.get(TENANT, JOB_ID).timing


def instants_in(world: World) -> list[datetime]:
    """The instants that have a run."""
    return [each.id.run.scheduled_at for each in world.attempts()]


def counted(call: Callable[..., Any], calls: Counter[str], name: str) -> Callable[..., Any]:
    """The call, counted."""

    def counting(*args: object) -> object:
        calls[name] += 1
        return call(*args)

    return counting


def killed_at(world: World, step: str, patch: pytest.MonkeyPatch, *, done: int = 0) -> None:
    """Let a planner die at a step; ``done``: so many of its writes have taken effect."""
    call: Callable[[Any], object] = getattr(world.announced_plans, step)

    def die(given: Any) -> None:  # noqa: ANN401 - whatever the step takes
        if done:
            call(given[:done])
        raise Died

    with patch.context() as until_then:
        until_then.setattr(world.announced_plans, step, die)
        with pytest.raises(Died):
            materialise([timing_in(world)], world.planning, now=world.clock.now())


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("done", [0, 1])
def test_the_next_tick_goes_on_where_a_planner_died(
    monkeypatch: pytest.MonkeyPatch, step: str, done: int
) -> None:
    """Each instant has one run, and is counted once."""
    world = minutely()
    killed_at(world, step, monkeypatch, done=done)
    world.clock.advance(1)
    world.tick()
    timing = timing_in(world)

    assert instants_in(world) == INSTANTS
    assert (timing.next_run_at, timing.runs_planned, timing.announced) == (after(660), 10, None)


@pytest.mark.parametrize("done", [0, 4])
def test_a_planner_that_was_slow_stores_nothing_more(
    monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """It goes on after another one has finished what it announced, and after an edit."""
    world = minutely()
    killed_at(world, "store_runs", monkeypatch, done=done)
    slow = timing_in(world)
    announced = slow.announced
    assert announced is not None
    hourly = Schedule(kind=ScheduleKind.RATE, every_seconds=3600)
    update_job(REF, JobChanges(schedule=hourly), api_services(world), now=after(1))
    stands = timing_in(world)
    records = world.attempts()
    attempts = [replace(each, state=RunState.QUEUED) for each in records]

    assert [each.id.run.scheduled_at for each in records] == [*announced.instants]
    assert world.announced_plans.store_runs(attempts) == [False] * 10
    assert world.attempts() == records
    assert timing_in(world) == stands


@pytest.mark.parametrize("done", [0, 4])
def test_a_pause_makes_announced_runs_records_before_it_counts(
    monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """No gap spans an instant that has a run: those of the pause come after them."""
    world = minutely()
    killed_at(world, "store_runs", monkeypatch, done=done)
    pause_job(REF, api_services(world), now=after(5))
    paused = timing_in(world)
    world.clock.advance(1200)
    resume_job(REF, api_services(world), now=after(1200))
    gaps = sound_gaps(world.jobs.gaps(TENANT, JOB_ID, since=NOW, limit=9))

    assert (paused.status, paused.held_at) == (JobStatus.PAUSED, after(660))
    assert instants_in(world)[:10] == INSTANTS
    assert [(gap.first, gap.last, gap.count) for gap in gaps] == [(after(660), after(1200), 10)]


def test_a_cancelled_job_has_no_run_that_a_planner_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are stored, and their claims find the job cancelled."""
    world = minutely()
    killed_at(world, "store_runs", monkeypatch, done=3)
    cancel_job(REF, api_services(world), now=after(5))
    world.clock.advance(601)
    world.settle()

    assert instants_in(world) == INSTANTS
    assert set(world.states()) == {RunState.CANCELLED}


def test_failures_pause_a_job_whose_planner_died(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outcomes finishes what it left, and reads the job again."""
    world = minutely(pause_after_failures=1)
    killed_at(world, "store_runs", monkeypatch, done=1)
    world.target.then(GONE)
    world.clock.advance(60)
    world.stream()
    world.execute(world.receive())
    pause_failing(world.attempts(), world)

    assert timing_in(world).status is JobStatus.PAUSED
    assert instants_in(world) == INSTANTS


@pytest.mark.parametrize(
    ("policy", "skipped"),
    [
        pytest.param(CatchUpPolicy.SKIP, INSTANTS[1:4], id="skip"),
        pytest.param(CatchUpPolicy.LATEST, INSTANTS[1:3], id="latest"),
        pytest.param(CatchUpPolicy.ALL, [], id="all"),
    ],
)
def test_the_catch_up_policy_decides_about_announced_runs_that_were_missed(
    monkeypatch: pytest.MonkeyPatch, policy: CatchUpPolicy, skipped: list[datetime]
) -> None:
    """The first has run on time; four minutes later others are late, each with a record."""
    world = minutely(catch_up=CatchUp(policy=policy, grace_seconds=59))
    killed_at(world, "store_runs", monkeypatch, done=1)
    world.clock.advance(60)
    world.settle()
    world.clock.advance(241)
    world.tick()
    attempts = world.attempts()

    assert instants_in(world)[:10] == INSTANTS
    assert attempts[0].state is RunState.SUCCEEDED
    ended = [each for each in attempts if each.state is RunState.SKIPPED]
    assert [each.id.run.scheduled_at for each in ended] == skipped
    assert {each.reason for each in ended} <= {Reason.MISSED_WINDOW}
    assert [each.watch_at for each in ended] == [None] * len(skipped)
    assert sound_gaps(world.jobs.gaps(TENANT, JOB_ID, since=NOW, limit=9)) == ()


@pytest.mark.parametrize(
    ("every_seconds", "runs", "is_apart"),
    [
        pytest.param(600, 1, False, id="one-run"),
        pytest.param(300, 2, True, id="two-runs"),
        pytest.param(30, 20, True, id="twenty-runs"),
        pytest.param(28, 21, False, id="more"),
    ],
)
def test_plans_of_several_runs_are_stored_apart(
    monkeypatch: pytest.MonkeyPatch, every_seconds: int, runs: int, *, is_apart: bool
) -> None:
    """One run gains nothing, and many would not fit into the job's record."""
    world = World()
    world.tick()
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=every_seconds)
    given = {"anchored_at": NOW, "updated_at": NOW, "next_run_at": after(every_seconds)}
    world.add_job(schedule=schedule, **given)
    calls = Counter[str]()
    announce = counted(world.announced_plans.announce_all, calls, "announce_all")
    monkeypatch.setattr(world.announced_plans, "announce_all", announce)
    world.clock.advance(max(every_seconds - 240, 0))
    tick = world.tick()

    assert tick is not None
    assert bool(calls) is is_apart
    assert tick.runs >= runs


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"max_runs": 3}, id="places"),
        pytest.param({"ends_at": after(600)}, id="last-run"),
    ],
)
def test_what_is_decided_at_once_is_a_transaction(fields: dict[str, Any]) -> None:
    """Places of ``max_runs``, and the last run of a schedule, which completes its job."""
    every_minute = Schedule(kind=ScheduleKind.RATE, every_seconds=60, **fields)
    world = minutely(schedule=every_minute)
    world.announced_plans.announce_all = None  # type: ignore[method-assign,assignment]
    tick = world.tick()

    assert tick is not None
    assert tick.runs == min(10, fields.get("max_runs", 10))
