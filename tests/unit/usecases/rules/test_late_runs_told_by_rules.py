"""Rules tell of runs that wait, and of jobs whose runs start in time again."""

import pytest

from tests.support.execution.failing import DAILY
from tests.support.factories import NOW, after, attempt_factory, attempt_id
from tests.support.ruling import look, put_rule, told
from tests.support.world import World
from timegate.domain.rules.rule import When
from timegate.domain.runs.run import RunState

LATE = "send the report: a run has not started 10 minutes after it was due."


def a_world_that_waits(*, state: RunState = RunState.QUEUED) -> World:
    """A run that is due a minute after its rule was given, and that no worker begins."""
    world = World()
    world.add_job(schedule=DAILY, created_at=NOW)
    put_rule(world, when=When(late_after_seconds=600, recovered=True))
    waits = attempt_factory(
        id=attempt_id(scheduled_at=after(60)), due_at=after(60), state=state, created_at=NOW
    )
    world.runs.insert_all([waits])
    return world


def looked_at(world: World, seconds: float) -> list[list[str]]:
    """What was told after a look so many seconds after the beginning."""
    world.clock.advance((after(seconds) - world.clock.now()).total_seconds())
    look(world)
    return told(world)


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.WAITING])
def test_a_run_that_waits_is_told_of_once(state: RunState) -> None:
    """Later than its time, not at it; the next rounds find it told of."""
    world = a_world_that_waits(state=state)

    assert looked_at(world, 660) == []
    assert looked_at(world, 660 + 150) == [[LATE]]
    assert looked_at(world, 3_600) == [[LATE]]


def test_a_run_that_began_is_none() -> None:
    """Whatever becomes of it."""
    world = a_world_that_waits(state=RunState.RUNNING)

    assert looked_at(world, 3_600) == []


def test_a_run_in_time_ends_the_streak() -> None:
    """One that began late does not."""
    world = a_world_that_waits()
    looked_at(world, 900)
    for seconds, lateness in ((1_000, 700), (2_000, 600)):
        run = attempt_factory(
            id=attempt_id(scheduled_at=after(seconds)),
            due_at=after(seconds),
            state=RunState.SUCCEEDED,
            started_at=after(seconds + lateness),
            ended_at=after(seconds + lateness),
            watch_at=None,
        )
        world.runs.insert_all([run])

    assert looked_at(world, 1_900) == [[LATE]]
    assert looked_at(world, 2_700)[1:] == [["send the report: runs start in time again."]]
