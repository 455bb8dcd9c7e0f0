"""Notifications of lateness: when a run begins that should have begun long before."""

from collections.abc import Sequence

import pytest

from tests.support.execution.telling import documents, hook, is_notice, notices, run_all, telling
from tests.support.factories import after, attempt_factory, attempt_id
from tests.support.world import World
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.runs.run import Attempt

BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")


@pytest.mark.parametrize(("late_ms", "is_told"), [(5_000, False), (5_001, True)])
def test_a_run_is_late_after_its_jobs_time(world: World, late_ms: int, *, is_told: bool) -> None:
    """To the millisecond, and told of when it begins."""
    telling(world, hook(Occasion.LATE), late_after_seconds=5)
    world.clock.advance(late_ms / 1000)
    run_all(world)

    assert [each["run"]["lateness_ms"] for each in documents(world)] == [5_001] * is_told
    assert [each["type"] for each in documents(world)] == ["run.late"] * is_told


def test_lateness_is_told_once(world: World) -> None:
    """Neither a retry nor a take-over begins the run for the first time."""
    telling(world, hook(Occasion.LATE), late_after_seconds=5)
    world.clock.advance(60)
    world.target.then(BUSY)
    run_all(world, for_hours=1)

    assert {each["run"]["attempt"] for each in documents(world)} == {1}
    assert len({str(each.id.run) for each in notices(world)}) == 1
    assert len([each for each in world.attempts() if not is_notice(each)]) == 2


def test_runs_that_begin_late_together_are_told_of_together(world: World) -> None:
    """A backlog costs one call of the store a batch, not one a run."""
    telling(world, hook(Occasion.LATE), late_after_seconds=5)
    others = [attempt_factory(id=attempt_id(scheduled_at=after(n))) for n in (1, 2)]
    world.runs.insert_all(others)
    world.clock.advance(60)
    world.stream()
    insert_all = world.runs.insert_all
    batches: list[int] = []

    def counted(attempts: Sequence[Attempt]) -> list[bool]:
        batches.append(len(attempts))
        return insert_all(attempts)

    world.runs.insert_all = counted  # type: ignore[method-assign]
    world.execute(world.receive())

    assert batches == [3]
