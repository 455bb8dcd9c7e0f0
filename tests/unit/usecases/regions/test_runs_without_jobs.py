"""After a promotion a run whose job did not arrive is a dead letter; its job may still come."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.support.factories import NOW, after, attempt_factory, job_factory
from tests.support.regions.took_over import TookOver
from tests.support.world import delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.runs.run import Reason, RunState

#: The end of the region before, and an instant behind it.
LOST, DUE = after(60), after(300)
LOST_ON_RECORD = (
    RunState.DEAD_LETTERED,
    Reason.REGION_LOST,
    "its job did not arrive from the region before",
)


def arrived(*, untallied: bool, created_at: datetime = NOW) -> TookOver:
    """A run that is due in the time of this region, alone."""
    world = TookOver(lost_until=LOST)
    attempt = attempt_factory(due_at=DUE, created_at=created_at, state=RunState.QUEUED)
    world.tables.put_attempt(replace(attempt, untallied=untallied))
    return world


def claim(world: TookOver) -> None:
    """An executor receives its message."""
    world.clock.set(DUE)
    world.execute([delivery(RunMessage.of(each)) for each in world.attempts()])


def sweep(world: TookOver) -> None:
    """The sweeper comes to it."""
    world.clock.set(DUE)
    world.clock.advance(90)
    world.sweep()


def end_of(world: TookOver) -> tuple[RunState, Reason | None, str | None]:
    (attempt,) = world.attempts()
    return attempt.state, attempt.reason, attempt.explanation


def test_a_run_that_is_claimed_without_its_job_is_lost_on_record() -> None:
    """No edit of its schedule left it out."""
    world = arrived(untallied=False)
    claim(world)

    assert end_of(world) == LOST_ON_RECORD


@pytest.mark.parametrize("untallied", [True, False])
def test_a_run_that_the_sweeper_finds_without_its_job_is_lost_on_record(untallied: bool) -> None:
    """Its creation may have been answered, so its job is not barred: it may arrive later."""
    world = arrived(untallied=untallied)
    sweep(world)
    world.jobs.create(job_factory())

    assert end_of(world) == LOST_ON_RECORD
    assert len(world.tables.jobs) == 1


def test_a_run_of_this_region_without_its_job_is_superseded() -> None:
    """Its job has ended and is gone."""
    world = arrived(untallied=False, created_at=LOST)
    claim(world)

    assert end_of(world)[:2] == (RunState.SKIPPED, Reason.SUPERSEDED)


def test_a_creation_of_this_region_that_died_is_barred() -> None:
    """Its caller had no answer."""
    world = arrived(untallied=True, created_at=LOST)
    sweep(world)

    assert end_of(world)[:2] == (RunState.SKIPPED, Reason.SUPERSEDED)
