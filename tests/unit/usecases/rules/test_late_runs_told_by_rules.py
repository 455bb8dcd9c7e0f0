"""Rules tell of each run that is late: while it waits, or as it begins; none is met by chance."""

from typing import Any

import pytest

from tests.support.execution.failing import DAILY, GONE
from tests.support.execution.overlapping import Interrupted, Script, crash
from tests.support.factories import NOW, TENANT, after, attempt_factory, attempt_id
from tests.support.ruling import look, put_rule, told
from tests.support.world import World
from timegate.domain.jobs.job_filter import Selection
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.rule import RuleName, When
from timegate.domain.runs.run import Attempt, RunState, TriggerTerms
from timegate.domain.values.identity import Origin

WAITS = "send the report: a run has not started 10 minutes after it was due."
BEGAN = "send the report: a run began more than 10 minutes after it was due."
SKIPPED = "send the report: a run had not started 10 minutes after it was due."
IN_TIME = "send the report: runs start in time again."
MANUAL = Schedule(kind=ScheduleKind.MANUAL)


def a_world(schedule: Schedule = DAILY, *, when: When | None = None, **fields: Any) -> World:  # noqa: ANN401
    """A job, and a rule that is told of late runs."""
    world = World()
    world.add_job(schedule=schedule, created_at=NOW, next_run_at=after(86_400), **fields)
    put_rule(world, when=when or When(late_after_seconds=600, recovered=True))
    return world


def due(world: World, seconds: float, **fields: Any) -> Attempt:  # noqa: ANN401 - an attempt's
    """A run that is due so long after the beginning, and queued."""
    origin = fields.pop("origin", Origin.SCHEDULE)
    its_id = attempt_id(scheduled_at=after(seconds), origin=origin)
    given = {"state": RunState.QUEUED, "due_at": after(seconds), "watch_at": after(seconds + 60)}
    attempt = attempt_factory(id=its_id, **(given | fields))
    world.runs.insert_all([attempt])
    return attempt


def swept(world: World, until: float, *, every: float = 12) -> None:
    """Let looks of the sweeper pass until then; no worker comes."""
    while world.clock.now() < after(until):
        world.clock.advance(every)
        world.look()


def executed(world: World, seconds: float) -> None:
    """A worker begins what is queued at that time."""
    world.clock.set(after(seconds))
    world.stream()
    world.execute(world.receive())


def looked(world: World) -> list[list[str]]:
    """Return the messages told after a look."""
    look(world)
    return told(world)


@pytest.mark.parametrize(("ms", "is_told"), [(600_000, False), (600_001, True)])
def test_a_run_that_waits_is_late_after_the_bound(ms: int, *, is_told: bool) -> None:
    """To the millisecond: the first look of the sweeper puts the next one there."""
    world = a_world()
    due(world, 0)
    swept(world, 588)
    world.clock.set(after(ms / 1000))
    world.look()

    assert looked(world) == ([[WAITS]] if is_told else [])


def test_a_run_that_waits_is_told_of_once() -> None:
    """Further looks and the worker that begins it send no second message."""
    world = a_world()
    due(world, 0)
    swept(world, 624)
    first = looked(world)
    swept(world, 3_000)
    executed(world, 3_000)

    assert (first, looked(world)) == ([[WAITS]], [[WAITS]])


@pytest.mark.parametrize(("seconds", "is_told"), [(600, False), (601, True)])
def test_a_run_that_begins_late_is_told_of(seconds: float, *, is_told: bool) -> None:
    """No look came while it waited; its claim says so."""
    world = a_world()
    due(world, 0)
    executed(world, seconds)

    assert world.attempts()[0].state is RunState.SUCCEEDED
    assert looked(world) == ([[BEGAN]] if is_told else [])


def test_a_late_run_that_fails_is_told_of() -> None:
    """Its end takes the place of its start in the index."""
    world = a_world()
    due(world, 0)
    world.target.then(GONE)
    executed(world, 700)

    assert world.attempts()[0].state is not RunState.SUCCEEDED
    assert looked(world) == [[BEGAN]]


@pytest.mark.parametrize("by_sweeper", [True, False])
def test_a_late_run_that_expires_is_told_of(*, by_sweeper: bool) -> None:
    """Its end comes after both instants, and writes one end."""
    world = a_world()
    due(world, 0, origin=Origin.TRIGGER, terms=TriggerTerms(start_by=after(900)))
    world.clock.set(after(1_000))
    if by_sweeper:
        world.sweep()
    else:
        executed(world, 1_000)

    assert world.attempts()[0].state is RunState.SKIPPED
    assert looked(world) == [[SKIPPED]]


def test_each_bound_is_told_of_once() -> None:
    """A run passes one after the other."""
    world = a_world()
    put_rule(world, name=RuleName("hour"), when=When(late_after_seconds=3_600))
    due(world, 0)
    told_at = []
    for seconds in (700, 3_500, 3_700, 7_300):
        swept(world, seconds, every=60)
        told_at.append(looked(world))

    hour = "send the report: a run has not started 1 hour after it was due."
    assert told_at == [[[WAITS]], [[WAITS]], [[WAITS], [hour]], [[WAITS], [hour]]]


def test_late_runs_of_a_streak_are_one_message() -> None:
    """A run in time ends it; the next late one begins another."""
    world = a_world()
    for seconds in (0, 1_000):
        due(world, seconds)
        executed(world, seconds + 700)
        look(world)
    due(world, 2_000)
    executed(world, 2_001)
    ended = looked(world)
    due(world, 3_000)
    executed(world, 3_700)

    assert ended == [[BEGAN], [IN_TIME]]
    assert looked(world) == [[BEGAN], [IN_TIME], [BEGAN]]


def test_a_streak_may_end_and_begin_anew_between_two_looks() -> None:
    """An outage of looks hides neither; both are told in one message."""
    world = a_world()
    due(world, 0)
    executed(world, 700)
    look(world)
    for seconds, began in ((1_000, 1_001), (2_000, 2_700), (3_000, 3_001)):
        due(world, seconds)
        executed(world, began)

    assert looked(world) == [[BEGAN], [IN_TIME, BEGAN]]
    assert looked(world) == [[BEGAN], [IN_TIME, BEGAN], [IN_TIME]]


def test_each_late_run_of_a_job_that_runs_once_is_told_of() -> None:
    """No later run of it is expected, and none ends a streak: each is an event of the message."""
    world = a_world(Schedule(kind=ScheduleKind.AT, at=NOW))
    due(world, 0, origin=Origin.TRIGGER)
    due(world, 1, origin=Origin.TRIGGER)
    executed(world, 700)

    assert looked(world) == [[BEGAN, BEGAN]]
    assert looked(world) == [[BEGAN, BEGAN]]


def test_late_runs_of_a_job_that_is_triggered_are_a_streak() -> None:
    """A run that begins in time ends it, and a later one begins another."""
    world = a_world(MANUAL)
    due(world, 0, origin=Origin.TRIGGER)
    due(world, 1, origin=Origin.TRIGGER)
    executed(world, 700)

    assert looked(world) == [[BEGAN]]
    for seconds, began in ((1_000, 1_001), (2_000, 2_700)):
        due(world, seconds, origin=Origin.TRIGGER)
        executed(world, began)

    assert looked(world) == [[BEGAN], [IN_TIME, BEGAN]]


def test_runs_of_other_jobs_carry_nothing() -> None:
    """The bound is that of the jobs that the rule selects."""
    world = World()
    world.add_job(schedule=DAILY, created_at=NOW, next_run_at=after(86_400))
    put_rule(world, jobs=Selection(name="other*"), when=When(late_after_seconds=600))
    due(world, 0)
    swept(world, 700)
    (attempt,) = world.attempts()

    assert attempt.lateness is None


@pytest.mark.parametrize("enabled", [True, False])
def test_a_rule_that_is_disabled_or_deleted_marks_nothing(*, enabled: bool) -> None:
    """The record of rules in force no longer names it."""
    world = a_world()
    if enabled:
        world.rules.delete_rule(TENANT, "failures", expected_version=None, now=NOW)
    else:
        put_rule(world, when=When(late_after_seconds=600), enabled=False)
    due(world, 0)
    swept(world, 700)
    (attempt,) = world.attempts()

    assert world.restrictions.in_force([TENANT])[TENANT].late_bounds == ()
    assert attempt.lateness is None


def test_a_run_in_time_carries_and_costs_nothing() -> None:
    """Its writes and reads are those of a tenant without rules."""
    costs = []
    for is_ruled in (False, True):
        world = World()
        world.add_job(schedule=DAILY, created_at=NOW, next_run_at=after(86_400))
        if is_ruled:
            put_rule(world, when=When(late_after_seconds=60))
        due(world, 0)
        script = Script(10_000, crash)
        world.runs = Interrupted(world.runs, script)  # type: ignore[assignment]
        executed(world, 1)
        swept(world, 120)
        costs.append(script.moments)
        assert [each.lateness for each in world.attempts()] == [None]

    assert costs[0] == costs[1]
