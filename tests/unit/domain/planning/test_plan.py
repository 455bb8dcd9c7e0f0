"""Planning one job."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.factories import NOW, after, timing_factory
from timegate.domain.jobs.demands import Precision
from timegate.domain.planning.plan import first_fire, plan_runs
from timegate.domain.planning.steps import MAX_RECORDS
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import RunState

AT = Schedule(kind=ScheduleKind.AT, at=NOW)
MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


def test_a_one_shot_job_is_exhausted_by_its_run() -> None:
    """Its only run is its last."""
    plan = plan_runs(timing_factory(schedule=AT, next_run_at=NOW), now=NOW, until=after(600))

    assert plan.exhausts_job
    assert [attempt.final for attempt in plan.attempts] == [True]


@pytest.mark.parametrize(
    ("seconds", "runs"),
    [pytest.param(600, 1, id="at the end"), pytest.param(600.001, 0, id="after")],
)
def test_the_window_includes_its_end(seconds: float, runs: int) -> None:
    """An instant exactly at the horizon is planned now, a later one next time."""
    due = after(seconds)
    timing = timing_factory(schedule=Schedule(kind=ScheduleKind.AT, at=due), next_run_at=due)

    plan = plan_runs(timing, now=NOW, until=after(600))

    assert len(plan.attempts) == runs
    assert plan.next_run_at == (None if runs else due)


def test_a_job_without_a_next_instant_has_no_plan() -> None:
    """It waits for nothing."""
    plan = plan_runs(timing_factory(next_run_at=None), now=NOW, until=after(600))

    assert (plan.attempts, plan.next_run_at) == ((), None)


def test_a_step_is_bounded_and_leaves_off_where_it_stopped() -> None:
    """The next step starts at the very next instant."""
    every_second = Schedule(kind=ScheduleKind.RATE, every_seconds=1)
    timing = timing_factory(
        schedule=every_second, anchored_at=after(-9000), next_run_at=after(-8000)
    )

    plan = plan_runs(timing, now=NOW, until=after(600))

    assert len(plan.attempts) == MAX_RECORDS
    assert plan.next_run_at == after(-8000 + MAX_RECORDS)
    assert not any(attempt.final for attempt in plan.attempts)


def test_jitter_moves_the_start_and_not_the_identity() -> None:
    """The nominal instant names the run; the start is spread, by the same amount every time."""
    timing = timing_factory(schedule=replace(MINUTELY, jitter_seconds=20), next_run_at=NOW)

    plan = plan_runs(timing, now=NOW, until=after(600))
    shifts = [a.due_at - a.id.run.scheduled_at for a in plan.attempts]

    assert plan == plan_runs(timing, now=NOW, until=after(600))
    assert all(timedelta(0) <= shift <= timedelta(seconds=20) for shift in shifts)
    assert len(set(shifts)) > 5


def test_exact_jobs_are_never_spread() -> None:
    """The sub-second lane asks for its instant."""
    spread = replace(MINUTELY, jitter_seconds=20)
    timing = timing_factory(schedule=spread, next_run_at=NOW, precision=Precision.SUBSECOND)

    plan = plan_runs(timing, now=NOW, until=after(600))

    assert all(a.due_at == a.id.run.scheduled_at for a in plan.attempts)


@pytest.mark.parametrize(("begun", "expected"), [(2, after(60)), (3, None)], ids=["left", "none"])
def test_the_first_fire_respects_max_runs(begun: int, expected: object) -> None:
    """Three are allowed over the whole life of the job."""
    schedule = replace(MINUTELY, max_runs=3)
    timing = timing_factory(schedule=schedule, anchored_at=NOW, runs_begun=begun)

    assert expected == first_fire(timing, after=NOW)


def test_far_runs_would_wait() -> None:
    """A run beyond a queue's delay is stored waiting, and watched from ten minutes before."""
    far = after(1200)
    timing = timing_factory(schedule=Schedule(kind=ScheduleKind.AT, at=far), next_run_at=far)

    (attempt,) = plan_runs(timing, now=NOW, until=after(1200)).attempts

    assert (attempt.state, attempt.watch_at) == (RunState.WAITING, after(600))
