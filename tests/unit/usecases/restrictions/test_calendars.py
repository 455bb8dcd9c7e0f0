"""Calendars through planner, stream, executor and sweeper, on tables in memory."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.execution.restricting import (
    LATEST,
    RULES,
    a_world,
    closed,
    freeze,
    gaps,
    ledger,
    live,
    put,
)
from tests.support.factories import (
    JOB_ID,
    TENANT,
    after,
)
from timegate.domain.calendars.calendar import Period
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.ledger.explain_instant import explain_instant


def test_excluded_instants_are_a_gap_and_run_no_more() -> None:
    """Stored with the job's move; one record for a weekend's worth of an hour."""
    world = a_world(calendars=RULES)
    put(world, closed(180, 600))
    world.tick()

    assert [a.id.run.scheduled_at for a in world.attempts()] == [after(60), after(120), after(600)]
    (gap,) = gaps(world)
    assert (gap.first, gap.last, gap.count) == (after(180), after(540), 7)
    assert gap.reason is Reason.EXCLUDED
    assert world.telemetry.counts["InstantsExcluded"] == 7


def test_a_minutely_job_costs_a_write_an_hour_while_it_is_excluded() -> None:
    """Not one a tick: what is left out is decided an hour ahead."""
    world = a_world(calendars=RULES)
    put(world, closed(0, 2 * 86_400))
    for _ in range(6 * 60):
        world.tick()
        world.clock.advance(60)

    assert world.attempts() == []
    assert len(gaps(world)) <= 7 + 1
    assert sum(gap.count for gap in gaps(world)) >= 6 * 60


def test_max_runs_counts_only_what_runs() -> None:
    """The last of them is the last of the job."""
    limited = Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=3)
    world = a_world(calendars=RULES, schedule=limited)
    put(world, closed(120, 300))
    world.tick()

    found = [(a.id.run.scheduled_at, a.final) for a in world.attempts()]
    assert found == [(after(60), False), (after(300), False), (after(360), True)]
    assert world.tables.jobs[TENANT, JOB_ID].timing.full


def test_a_job_whose_only_instant_is_excluded_is_completed() -> None:
    """Nothing will ever run."""
    once = Schedule(kind=ScheduleKind.AT, at=after(60))
    world = a_world(calendars=RULES, schedule=once)
    put(world, closed(0, 600))
    world.tick()

    assert world.tables.jobs[TENANT, JOB_ID].timing.status is JobStatus.COMPLETED
    assert ledger(world) == [(1, 1, "excluded")]


def test_a_deferred_run_keeps_its_instant() -> None:
    """It is due when the calendar lets it run; further away than a queue reaches, it waits."""
    once = Schedule(kind=ScheduleKind.AT, at=after(60))
    rules = (CalendarRule(calendar="closed", action=CalendarAction.DEFER),)
    world = a_world(calendars=rules, schedule=once)
    put(world, closed(0, 7200))
    live(world, 7320)

    (run,) = world.attempts()
    assert (run.id.run.scheduled_at, run.due_at) == (after(60), after(7200))
    assert (run.state, run.started_at) == (RunState.SUCCEEDED, after(7200))


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        pytest.param(CalendarAction.SKIP, ["excluded", "excluded", "succeeded"], id="skip"),
        pytest.param(CalendarAction.DEFER, ["excluded", "succeeded", "succeeded"], id="defer"),
    ],
)
def test_a_calendar_that_changed_is_judged_again_when_a_run_is_due(
    action: CalendarAction, expected: list[str]
) -> None:
    """A run planned before the change is skipped when it is due, or runs later."""
    rules = (CalendarRule(calendar="closed", action=action),)
    world = a_world(calendars=rules)
    put(world, closed(3600, 7200))
    world.tick()
    put(world, closed(0, 150))
    live(world, 240)

    assert [end for *_, end in ledger(world)][:3] == expected


def test_a_run_that_a_changed_calendar_puts_off_waits() -> None:
    """A job with nothing due before runs at the end of what is closed now."""
    once = Schedule(kind=ScheduleKind.AT, at=after(60))
    rules = (CalendarRule(calendar="closed", action=CalendarAction.DEFER),)
    world = a_world(calendars=rules, schedule=once)
    put(world, closed(3600, 7200))
    world.tick()
    put(world, closed(0, 1800))
    live(world, 1900)

    (run,) = world.attempts()
    assert (run.state, run.started_at) == (RunState.SUCCEEDED, after(1800))


def test_a_calendar_that_is_missing_is_reported() -> None:
    """And keeps the job from nothing."""
    world = a_world(calendars=RULES)
    live(world, 120)

    assert [end for *_, end in ledger(world)][:1] == ["succeeded"]
    assert {e.fields["calendar"] for e in world.telemetry.named("calendar_missing")} == {"closed"}


def test_the_auditor_misses_nothing_that_is_frozen_or_excluded() -> None:
    """Frozen instants get their record later; excluded ones have it."""
    world = a_world(calendars=RULES)
    put(world, closed(180, 600))
    freeze(world, 1200, 7200, LATEST)
    live(world, 5400)
    found = world.audit()

    assert (found.jobs, found.unaccounted) == (1, 0)
    assert found.instants == 19


@pytest.mark.parametrize(
    ("at", "verdict"),
    [
        pytest.param(60, "run", id="ran"),
        pytest.param(240, "gap", id="excluded"),
        pytest.param(1260, "frozen", id="frozen"),
        pytest.param(7140, "frozen", id="to-be-frozen"),
        pytest.param(7200, "planned", id="after-the-freeze"),
        pytest.param(9000, "excluded", id="to-be-excluded"),
    ],
)
def test_every_instant_has_its_explanation(at: float, verdict: str) -> None:
    """Each reason for not running has its verdict."""
    world = a_world(calendars=RULES)
    calendar = closed(180, 600)
    later = Period(start=after(9000), end=after(9060))
    put(world, replace(calendar, periods=(*calendar.periods, later)))
    freeze(world, 1200, 7200, LATEST)
    live(world, 1800)
    services = api_services(world)
    explained = explain_instant(TENANT, JOB_ID, after(at), services, now=after(1800))

    assert explained.account.verdict == verdict
