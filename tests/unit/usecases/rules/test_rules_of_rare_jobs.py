"""Rules about jobs that run seldom: records of runs are kept for shorter than their spans."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, attempt_factory, attempt_id
from tests.support.ruling import look, put_rule, told
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.values.expiry import delete_expired
from tests.support.world import World
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.rule import Absence, When
from timegate.domain.runs.run import RunState

DAY = 86_400
MONTHLY = Schedule(kind=ScheduleKind.CRON, cron="0 7 1 * *")
QUARTERLY = Schedule(kind=ScheduleKind.CRON, cron="0 7 1 1,4,7,10 *")
SILENT = "send the report: no run has succeeded for 33 days."
RECOVERED = "send the report: a run has succeeded again."


def world_of(when: When, **fields: Any) -> World:  # noqa: ANN401 - a job's
    """A job that runs seldom, created long ago, under a rule."""
    world = World()
    created_at = NOW - timedelta(days=400)
    world.add_job(**({"schedule": MONTHLY, "created_at": created_at} | fields))
    put_rule(world, when=when, created_at=NOW)
    return world


def ended(world: World, at: datetime, state: RunState = RunState.SUCCEEDED) -> None:
    """A run that ended then."""
    run = attempt_factory(
        id=attempt_id(scheduled_at=at), state=state, started_at=at, ended_at=at, watch_at=None
    )
    world.runs.insert_all([run])


def days_pass(world: World, days: int) -> list[list[str]]:
    """Look twice a day, and delete what expires; returns every message."""
    for _ in range(2 * days):
        world.clock.advance(DAY / 2)
        delete_expired(world.tables.engine, JOBS_TABLE, RUNS_TABLE, now=world.clock.now())
        look(world)
    return told(world)


@pytest.mark.parametrize("own", [False, True])
def test_a_success_counts_for_its_span_though_its_record_expires(own: bool) -> None:
    """A rule of 33 days, or the job's own span: records are kept for 30."""
    absence = Absence() if own else Absence(for_seconds=33 * DAY)
    world = world_of(When(absent=absence), absent_after_seconds=33 * DAY if own else None)
    ended(world, NOW)

    assert days_pass(world, 32) == []
    assert days_pass(world, 2) == [[SILENT]]
    assert days_pass(world, 80) == [[SILENT]]


def test_a_later_success_is_remembered_in_its_turn() -> None:
    """A job that succeeds each 31 days is never missed, month after month."""
    world = world_of(When(absent=Absence(for_seconds=33 * DAY)))
    for month in range(4):
        ended(world, NOW + timedelta(days=31 * month))

        assert days_pass(world, 31) == []


def test_a_job_that_succeeds_daily_costs_no_write() -> None:
    """Its record is there for long after the next one."""
    world = world_of(When(absent=Absence(for_seconds=33 * DAY)))
    for day in range(3):
        ended(world, NOW + timedelta(days=day))
        days_pass(world, 1)
    items = world.tables.engine.items(JOBS_TABLE)

    assert [item for item in items if str(item["pk"]).endswith("#streaks")] == []


def test_the_recovery_of_a_quarterly_job_is_told() -> None:
    """A streak is kept for four intervals of its job, and for 90 days at least."""
    when = When(failures_in_a_row=1, recovered=True)
    world = world_of(when, schedule=QUARTERLY, next_run_at=NOW + timedelta(days=92))
    ended(world, NOW, RunState.FAILED)
    failed = days_pass(world, 92)
    ended(world, NOW + timedelta(days=92, seconds=1))

    assert len(failed) == 1
    assert days_pass(world, 1) == [*failed, [RECOVERED]]
