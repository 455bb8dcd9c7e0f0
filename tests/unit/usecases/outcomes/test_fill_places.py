"""A place of ``max_runs`` that comes back is another run's at once."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.factories import NOW, after, attempt_factory
from tests.support.simulation.simulating import one_job, simulated
from tests.support.world import World
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.simulation.scenario import Pause
from timegate.domain.values.errors import Throttled
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.supervise_run import heartbeat
from timegate.usecases.outcomes.fill_places import fill_places
from timegate.usecases.services.execution_services import Claimed

FORBID = Overlap(policy=OverlapPolicy.FORBID)
#: Every ten seconds, with two places.
EVERY = Schedule(kind=ScheduleKind.RATE, every_seconds=10, starts_at=after(10), max_runs=2)


def a_world(**fields: Any) -> World:  # noqa: ANN401 - as the factory takes them
    """A run of ten seconds from now is at work and holds a place; one place is free."""
    world = World()
    world.tick()
    given: dict[str, Any] = {"schedule": EVERY, "overlap": FORBID, "timeout_seconds": 800}
    given |= {"anchored_at": NOW, "created_at": NOW, "next_run_at": after(10)}
    world.add_job(**(given | {"resource_class": "long"} | fields))
    world.tick()
    return world


def begin_first(world: World) -> Claimed:
    """A worker holds the first run."""
    world.clock.set(after(10))
    world.stream()
    sent, world.publisher.sent = world.publisher.sent, []
    first = next(each for each in sent if each.message.attempt.run.scheduled_at == after(10))
    world.publisher.sent = [first]
    (held,) = claim_runs(world.receive(), world.execution()).held
    world.publisher.sent = [each for each in sent if each is not first]
    return held


def execute_due(world: World) -> None:
    """Deliver what is due now; the streams are read before and after."""
    world.stream()
    now, sent = world.clock.now(), world.publisher.sent
    due = {each.id for each in world.attempts() if each.due_at <= now}
    world.publisher.sent = [each for each in sent if each.message.attempt in due]
    world.execute(world.receive())
    world.publisher.sent += [each for each in sent if each.message.attempt not in due]
    world.stream()


def skipped(world: World) -> list[int]:
    """The instants that ended as overlaps, in seconds."""
    found = [each for each in world.attempts() if each.reason is Reason.OVERLAP]
    return [int((each.id.run.scheduled_at - NOW).total_seconds()) for each in found]


def work_on(world: World, held: Claimed, *, until: int, tick: bool = True) -> None:
    """Every ten seconds the worker says so, and what is due is executed."""
    seconds = int((world.clock.now() - NOW).total_seconds())
    for at in range(seconds + 10, until + 1, 10):
        world.clock.set(after(at))
        heartbeat(held, world.execution(), now=after(at))
        if tick and at % 60 == 0:
            world.tick()
        execute_due(world)


def test_each_instant_is_decided_about_when_it_is_due() -> None:
    """The planner ticks once a minute; the end of an overlap plans the next instant."""
    world = a_world()
    held = begin_first(world)
    work_on(world, held, until=300)
    ended = [each for each in world.attempts() if each.reason is Reason.OVERLAP]

    assert skipped(world) == list(range(20, 310, 10))
    assert {each.ended_at - each.due_at for each in ended if each.ended_at} == {timedelta(0)}


def test_no_tick_is_needed_meanwhile() -> None:
    """Each end plans one instant and no more: two places are two places."""
    world = a_world()
    held = begin_first(world)
    work_on(world, held, until=120, tick=False)
    waiting = [each for each in world.attempts() if each.state is RunState.QUEUED]

    assert skipped(world) == list(range(20, 130, 10))
    assert [each.id.run.scheduled_at for each in waiting] == [after(130)]


def test_a_record_that_comes_again_changes_nothing() -> None:
    """A record that comes late or twice creates no run."""
    world = a_world()
    held = begin_first(world)
    work_on(world, held, until=60)
    before = world.attempts()
    fill_places(before, world.scheduling, now=world.clock.now())

    assert world.attempts() == before


def test_a_tick_does_it_where_outcomes_cannot() -> None:
    """Within a minute; what outcomes did not do is no error of the tick."""
    world = a_world()
    held = begin_first(world)
    plan_all = world.runs.plan_all

    world.runs.plan_all = Mock(side_effect=Throttled("busy"))  # type: ignore[method-assign]
    world.clock.set(after(20))
    with pytest.raises(Throttled):
        execute_due(world)
    world.runs.plan_all = plan_all  # type: ignore[method-assign]
    heartbeat(held, world.execution(), now=after(50))
    world.clock.set(after(60))
    world.tick()

    assert world.attempts()[-1].id.run.scheduled_at == after(30)


def counted_calls(world: World) -> list[str]:
    """The reads of jobs and runs from now on, by name."""
    calls: list[str] = []
    for store, name in ((world.jobs, "get"), (world.runs, "history")):
        method = getattr(store, name)

        def counting(*args: Any, _name: str = name, _method: Any = method, **given: Any) -> Any:  # noqa: ANN401
            calls.append(_name)
            return _method(*args, **given)

        setattr(store, name, counting)
    return calls


def test_a_job_with_other_places_is_read_and_not_planned() -> None:
    """The planner is ahead of it; and an end of a run that began is not even looked at."""
    world = a_world(schedule=replace(EVERY, max_runs=100))
    begin_first(world)
    calls = counted_calls(world)
    freed = attempt_factory(
        state=RunState.SKIPPED, reason=Reason.OVERLAP, ended_at=NOW, counted=True
    )
    fill_places([freed, freed], world.scheduling, now=world.clock.now())

    assert calls == ["get"]

    fill_places([replace(freed, fence=1)], world.scheduling, now=world.clock.now())

    assert calls == ["get"]


def test_a_job_without_max_runs_is_not_read() -> None:
    """Nor is its end followed: no call and no write more."""
    world = a_world(schedule=replace(EVERY, max_runs=None))
    held = begin_first(world)
    calls = counted_calls(world)
    work_on(world, held, until=60, tick=False)
    ended = [each for each in world.attempts() if each.reason is Reason.OVERLAP]

    assert len(ended) == 5
    assert calls == []
    assert {each.watch_at for each in ended} == {None}


@pytest.mark.parametrize(
    ("fields", "frees"),
    [
        pytest.param({}, True, id="skipped"),
        pytest.param({"state": RunState.CANCELLED}, True, id="cancelled"),
        pytest.param({"fence": 1}, False, id="it-began"),
        pytest.param({"counted": False}, False, id="without-places"),
        pytest.param({"state": RunState.QUEUED, "ended_at": None}, False, id="waits"),
        pytest.param(
            {"state": RunState.FAILED, "reason": Reason.RETRIED}, False, id="another-try-follows"
        ),
    ],
)
def test_only_an_end_before_it_began_frees_a_place(fields: dict[str, Any], *, frees: bool) -> None:
    """And only of a run that holds one."""
    given = {"state": RunState.SKIPPED, "reason": Reason.OVERLAP, "ended_at": NOW, "counted": True}
    attempt = attempt_factory(**(given | fields))

    assert (attempt.frees_place, attempt.is_followed) == (frees, frees)


def test_the_simulation_plans_nothing_for_a_paused_job() -> None:
    """A resumption gives the places that the pause gave back to the instants that follow."""
    scenario = one_job(
        schedule=replace(EVERY, every_seconds=60, starts_at=after(60), max_runs=3),
        start=NOW,
        end=after(900),
        created_at=NOW,
        anchored_at=NOW,
        pauses=(Pause(start=after(30), end=after(200)),),
    )
    runs = [row for row in simulated(scenario).rows if isinstance(row, Attempt)]

    assert [each.reason for each in runs] == [Reason.PAUSED] * 3 + [None] * 3
    assert [each.due_at for each in runs] == [after(60 * n) for n in range(1, 7)]


@pytest.mark.parametrize("every", [10, 30])
def test_the_simulation_says_so_too(every: int) -> None:
    """No instant is decided about later than when it is due."""
    scenario = one_job(
        schedule=replace(EVERY, every_seconds=every, starts_at=after(every)),
        start=NOW,
        end=after(900),
        created_at=NOW,
        anchored_at=NOW,
        overlap=FORBID,
        run_seconds=(600.0, 0.0),
    )
    runs = [row for row in simulated(scenario).rows if isinstance(row, Attempt)]
    began = [each for each in runs if each.started_at is not None]

    assert {each.ended_at for each in runs if each.reason is Reason.OVERLAP} == {
        each.due_at for each in runs if each.reason is Reason.OVERLAP
    }
    assert [each.started_at for each in began] == [after(every), after(600 + 2 * every)]
