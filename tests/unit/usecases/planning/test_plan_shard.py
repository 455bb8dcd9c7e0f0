"""The planner's tick."""

from collections.abc import Sequence
from datetime import timedelta
from unittest.mock import Mock

import pytest

from tests.support.factories import NOW, OTHER_TENANT, after
from tests.support.world import World
from timegate.domain.jobs.catch_up import CatchUp
from timegate.domain.jobs.job import JobStatus
from timegate.domain.planning.roll_ahead import NEAR
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import job_id_from
from timegate.ports.stores import Advance

MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


def test_a_tick_materialises_the_whole_look_ahead() -> None:
    """Ten minutes of a minutely job are eleven runs, the one due now included."""
    world = World()
    world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=NOW)

    tick = world.tick()

    assert tick is not None
    assert (tick.jobs, tick.runs) == (1, 11)
    assert (world.telemetry.counts["JobsPlanned"], world.telemetry.counts["RunsPlanned"]) == (1, 11)
    assert [a.due_at for a in world.attempts()] == [after(60 * n) for n in range(11)]
    assert set(world.states()) == {RunState.QUEUED}


def test_the_next_tick_finds_nothing_new() -> None:
    """A job is past its window until the window has moved."""
    world = World()
    world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=NOW)
    world.tick()

    tick = world.tick()

    assert tick is not None
    assert (tick.jobs, tick.runs) == (0, 0)


def test_a_crash_before_the_advance_repeats_harmlessly() -> None:
    """The runs are there already; the job is advanced this time."""
    world = World()
    job = world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=NOW)
    world.tick()
    world.tables.put_job(job)

    tick = world.tick()

    assert tick is not None
    assert (tick.jobs, tick.runs) == (1, 0)
    assert len(world.attempts()) == 11
    assert world.telemetry.counts["DuplicatesRefused"] == 11


def test_a_shard_has_one_planner_at_a_time() -> None:
    """The second leaves at once; after the first one's lease has run out it takes over."""
    world = World()
    crash = RuntimeError("killed")

    alive, world.cursors.release = world.cursors.release, Mock(side_effect=crash)  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="killed"):
        world.tick(owner="first")
    world.cursors.release = alive  # type: ignore[method-assign]

    assert world.tick(owner="second") is None
    world.clock.advance(54.999)
    assert world.tick(owner="second") is None
    world.clock.advance(0.001)
    assert world.tick(owner="second") is not None


def test_an_outage_of_hours_is_caught_up_in_one_tick() -> None:
    """Every instant that passed meanwhile has its run."""
    world = World()
    world.tick()
    world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=after(60))
    world.clock.advance(3 * 3600)

    world.tick()

    due = [attempt.due_at for attempt in world.attempts()]
    assert due == [after(60 * n) for n in range(1, len(due) + 1)]
    assert due[-1] == world.clock.now() + timedelta(minutes=10)


def test_what_an_outage_left_moves_on_in_steps() -> None:
    """A job that fell far behind takes a bounded step per tick and loses nothing."""
    world = World()
    world.tick()
    every_second = Schedule(kind=ScheduleKind.RATE, every_seconds=1)
    world.add_job(
        schedule=every_second,
        anchored_at=NOW,
        next_run_at=after(1),
        catch_up=CatchUp(limit=10_000),
    )
    world.clock.advance(3600)

    for _ in range(10):
        world.tick()
        world.clock.advance(0.001)

    due = [attempt.due_at for attempt in world.attempts()]
    assert due == [after(n) for n in range(1, len(due) + 1)]
    assert due[-1] >= world.clock.now() + NEAR


def test_the_watermark_waits_for_a_bucket_to_be_found_empty() -> None:
    """It follows two minutes behind, and stops at what is not done."""
    world = World()
    world.tick()
    world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=after(60))
    world.clock.advance(600)

    behind = world.tick()
    caught_up = world.tick()

    assert behind is not None
    assert caught_up is not None
    assert behind.watermark == after(60)
    assert caught_up.watermark == after(480)


def test_a_job_that_was_stored_behind_the_watermark_is_found_by_a_second_look() -> None:
    """The process that stored it read the clock a quarter of an hour before."""
    world = World()
    planned = []
    for minute in range(20):
        world.clock.set(after(60 * minute))
        if minute == 15:
            world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=after(60))
        tick = world.tick()
        planned.append(tick.jobs if tick is not None else None)

    assert planned == [0] * 19 + [1]


def test_runs_due_now_are_published_by_the_planner_itself() -> None:
    """They skip the stream, and the stream skips them."""
    world = World()
    world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=NOW)
    world.tick()
    direct = len(world.publisher.sent)

    world.stream()

    assert direct == 1
    assert len(world.publisher.sent) == 11


def test_a_paused_job_is_left_alone() -> None:
    """Even when its index entry is still to be seen."""
    world = World()
    world.add_job(schedule=MINUTELY, status=JobStatus.PAUSED, next_run_at=NOW)

    world.tick()

    assert world.attempts() == []


def test_max_runs_bounds_the_whole_life_of_a_job() -> None:
    """The last allowed run is marked as the job's last."""
    world = World()
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=3)
    job = world.add_job(schedule=schedule, anchored_at=after(-3600), next_run_at=NOW, runs_begun=1)

    world.tick()

    assert [attempt.final for attempt in world.attempts()] == [False, True]
    timing = world.jobs.get(job.tenant, job.job_id).timing
    assert (timing.next_run_at, timing.full) == (after(120), True)


def test_a_schedule_that_ends_without_a_run_completes_its_job() -> None:
    """No last run exists that would complete it."""
    world = World()
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=3)
    job = world.add_job(schedule=schedule, next_run_at=NOW, runs_begun=3)

    world.tick()

    assert world.jobs.get(job.tenant, job.job_id).timing.status is JobStatus.COMPLETED


def test_many_jobs_share_their_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are planned 25 at a time, their writes side by side."""
    world = World()
    calls: list[int] = []
    plan_all = world.runs.plan_all

    def counted(advances: Sequence[Advance]) -> list[tuple[Attempt, ...] | None]:
        calls.append(len(advances))
        return plan_all(advances)

    monkeypatch.setattr(world.runs, "plan_all", counted)
    for number in range(50):
        at = Schedule(kind=ScheduleKind.AT, at=after(300))
        job_id = job_id_from(str(number).encode())
        world.add_job(job_id=job_id, tenant=OTHER_TENANT, schedule=at, next_run_at=after(300))

    world.tick()

    assert calls == [25, 25]
