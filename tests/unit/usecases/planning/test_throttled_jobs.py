"""Jobs whose partitions refuse writes: the planner leaves them, and plans all others."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.support.execution.executing import MINUTELY
from tests.support.factories import after, job_id
from tests.support.world import World
from timegate.domain.jobs.job import Timing
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import minute_of
from timegate.ports.stores import Advance, Unreadable
from timegate.usecases.planning import plan_step
from timegate.usecases.planning.materialise import Materialised, materialise

HOT, OTHER = job_id("a hot one"), job_id("another")


def two_jobs() -> World:
    """Two minutely jobs in one bucket."""
    world = World()
    for job in (HOT, OTHER):
        world.add_job(job_id=job, schedule=MINUTELY, anchored_at=after(-3600))
    return world


def planned(world: World) -> set[JobId]:
    """The jobs that have runs."""
    return {each.id.run.job_id for each in world.attempts()}


def heat(world: World, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Refuse each call that is about the hot job."""
    plan_all = world.runs.plan_all

    def refusing(advances: Sequence[Advance]) -> list[tuple[Attempt, ...] | None]:
        if any(each.timing.job_id == HOT for each in advances):
            raise error
        return plan_all(advances)

    monkeypatch.setattr(world.runs, "plan_all", refusing)


@pytest.mark.parametrize(
    "error", [Throttled("Too much."), RuntimeError("Item size has exceeded the maximum.")]
)
def test_a_job_that_refuses_holds_up_neither_its_neighbours_nor_its_shard(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The tick fails at its end, and the next one plans the job that it left."""
    world = two_jobs()
    with monkeypatch.context() as hot:
        heat(world, hot, error)
        with pytest.raises(type(error)):
            world.tick()

        assert planned(world) == {OTHER}
        assert world.telemetry.counts["RecordsUnreadable"] == 0

    world.clock.advance(60)
    world.tick()

    assert planned(world) == {HOT, OTHER}


def _refusing_hot(timings: Sequence[Timing], *services: Any, **given: Any) -> Materialised:  # noqa: ANN401
    if any(each.job_id == HOT for each in timings):
        raise Throttled("Too much.")
    return materialise(timings, *services, **given)


def test_a_job_that_refuses_for_a_day_costs_each_tick_one_bucket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The age of its bucket is told each time; the bucket is read until the job is planned."""
    world = two_jobs()
    read, due = list[str](), world.jobs.due

    def counted(minute: str, shard: int, **given: Any) -> Any:  # noqa: ANN401
        read.append(minute)
        return due(minute, shard, **given)

    monkeypatch.setattr(world.jobs, "due", counted)
    with monkeypatch.context() as hot:
        hot.setattr(plan_step, "materialise", _refusing_hot)
        for _ in range(24):
            world.clock.advance(3600)
            with pytest.raises(Throttled):
                world.tick()
        read.clear()
        world.clock.advance(60)
        with pytest.raises(Throttled):
            world.tick()

        assert len(read) < 33
        assert world.telemetry.measures["PlannerTickAgeMs"][-1] > 24 * 3_600_000

    world.tick()

    assert planned(world) == {HOT, OTHER}


def test_a_refusal_that_passes_fails_no_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs of a step that was refused are planned one by one."""
    world = two_jobs()
    plan_all = world.runs.plan_all

    def crowded(advances: Sequence[Advance]) -> list[tuple[Attempt, ...] | None]:
        if len(advances) > 1:
            raise Throttled("Too much.")
        return plan_all(advances)

    monkeypatch.setattr(world.runs, "plan_all", crowded)
    tick = world.tick()

    assert tick is not None
    assert tick.jobs == 2
    assert planned(world) == {HOT, OTHER}


def test_a_bucket_that_refuses_to_be_read_keeps_no_other_one_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The watermark does not pass it, and the next tick reads it."""
    world = two_jobs()
    world.tick()
    world.clock.advance(3600)
    world.add_job(job_id=job_id("late"), schedule=MINUTELY, next_run_at=after(600))
    world.add_job(job_id=job_id("present"), schedule=MINUTELY, next_run_at=after(3600))
    due, refused = world.jobs.due, minute_of(after(600))

    def refusing(minute: str, shard: int, **how: Any) -> Iterator[Timing | Unreadable]:  # noqa: ANN401
        if minute == refused:
            raise Throttled("Too much.")
        return due(minute, shard, **how)

    with monkeypatch.context() as hot:
        hot.setattr(world.jobs, "due", refusing)
        with pytest.raises(Throttled):
            world.tick()

        assert job_id("present") in planned(world)
        assert job_id("late") not in planned(world)

    world.tick()
    assert job_id("late") in planned(world)
