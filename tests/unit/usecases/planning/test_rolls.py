"""Rolls through planner, stream, executor, ledger and ``explain``, on tables in memory."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.restricting import a_world, freeze, gaps, live, put
from tests.support.factories import JOB_ID, NOW, TENANT, after, calendar_factory
from tests.support.world import World
from timegate.domain.calendars.calendar import Calendar, CalendarName, DayRange
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.instants import rfc3339
from timegate.usecases.ledger.explain_instant import explain_instant

#: ``NOW`` is seven o'clock, so these are eight o'clock today and tomorrow.
TODAY, TOMORROW = after(3600), after(3600 + 86_400)
ONCE_TODAY = Schedule(kind=ScheduleKind.AT, at=TODAY)
ONCE_TOMORROW = Schedule(kind=ScheduleKind.AT, at=TOMORROW)
DAILY = Schedule(kind=ScheduleKind.CRON, cron="0 8 * * *")


def bank(*free: int) -> Calendar:
    """These days are free, counted from today."""
    days = [NOW.date() + timedelta(days=each) for each in free]
    return calendar_factory(
        name=CalendarName("bank"),
        timezone="UTC",
        weekdays=frozenset(),
        weekend=frozenset(),
        days=tuple(DayRange(first=day, last=day) for day in days),
    )


def rolling(roll: Roll, schedule: Schedule, **fields: Any) -> World:  # noqa: ANN401 - as the factory
    rule = CalendarRule(calendar="bank", action=CalendarAction.ROLL, roll=roll)
    first = schedule.at or TODAY
    return a_world(calendars=(rule,), schedule=schedule, next_run_at=first, **fields)


def told(world: World, at: datetime) -> str:
    services, now = api_services(world), world.clock.now()
    return explain_instant(TENANT, JOB_ID, at, services, now=now).account.explanation


def test_an_instant_runs_on_the_day_before_its_own() -> None:
    """It is planned ten minutes before that moment, starts on it, and keeps its instant."""
    world = rolling(Roll.PREVIOUS, ONCE_TOMORROW)
    put(world, bank(1))
    live(world, 3000)
    assert world.attempts() == []
    live(world, 3900)
    (run,) = world.attempts()

    assert (run.id.run.scheduled_at, run.due_at) == (TOMORROW, TODAY)
    assert (run.state, run.started_at) == (RunState.SUCCEEDED, TODAY)
    assert f"rolled to {rfc3339(TODAY)}" in told(world, TOMORROW)
    assert f"Instants that roll here: {rfc3339(TOMORROW)}." in told(world, TODAY)


def test_an_instant_runs_on_the_day_after_its_own() -> None:
    """It is planned at its instant, and waits."""
    world = rolling(Roll.NEXT, ONCE_TODAY)
    put(world, bank(0))
    live(world, 3900)
    (waiting,) = world.attempts()
    world.clock.set(TOMORROW - timedelta(minutes=9))
    live(world, 3600 + 86_400 + 120)
    (run,) = world.attempts()

    assert (waiting.state, waiting.due_at) == (RunState.WAITING, TOMORROW)
    assert (run.state, run.started_at) == (RunState.SUCCEEDED, TOMORROW)


def test_instants_that_meet_are_one_run() -> None:
    """The others are a gap that says where they went, in both directions."""
    world = rolling(Roll.NEXT, DAILY)
    put(world, bank(0))
    live(world, 3900)
    (gap,) = gaps(world)

    assert (gap.first, gap.count, gap.reason) == (TODAY, 1, Reason.ROLLED)
    assert gap.rolled_to is not None
    assert gap.rolled_to.of(TODAY) == TOMORROW
    assert world.attempts() == []
    assert f"it rolled to {rfc3339(TOMORROW)}" in told(world, TODAY)
    assert f"Instants that roll here: {rfc3339(TODAY)}." in told(world, TOMORROW)


def test_an_instant_without_a_business_day_near_it_says_so() -> None:
    """Thirty-one days in a row are free; of thirty, the next one is not."""
    for free, expected in ((32, [Reason.NO_BUSINESS_DAY]), (31, [])):
        world = rolling(Roll.NEXT, ONCE_TODAY)
        put(world, bank(*range(free)))
        world.tick()
        live(world, 3600)

        assert [gap.reason for gap in gaps(world)] == expected
        assert [run.due_at - TODAY for run in world.attempts()] == (
            [] if expected else [timedelta(days=31)]
        )


def test_a_new_holiday_counts_within_the_hour() -> None:
    """Tomorrow becomes free while it is planned for tomorrow: the run moves to today."""
    world = rolling(Roll.PREVIOUS, Schedule(kind=ScheduleKind.AT, at=after(2 * 3600 + 86_400)))
    put(world, bank())
    live(world, 120)
    put(world, bank(1))
    live(world, 2 * 3600 + 120)
    (run,) = world.attempts()

    assert (run.due_at, run.started_at) == (after(2 * 3600), after(2 * 3600))


def test_a_calendar_that_changed_moves_a_planned_run() -> None:
    """Tomorrow is a business day after all: the run that was planned for today waits for it."""
    world = rolling(Roll.PREVIOUS, ONCE_TOMORROW)
    put(world, bank(1))
    live(world, 3300)
    put(world, bank())
    live(world, 3900)
    (run,) = world.attempts()

    assert (run.state, run.due_at) == (RunState.WAITING, TOMORROW)


@pytest.mark.parametrize(
    ("policy", "states", "reasons"),
    [
        (CatchUpPolicy.ALL, [RunState.SUCCEEDED], []),
        (CatchUpPolicy.LATEST, [RunState.SUCCEEDED], []),
        (CatchUpPolicy.SKIP, [], [Reason.MISSED_WINDOW]),
    ],
)
def test_a_moment_that_an_outage_missed_follows_the_catch_up_policy(
    policy: CatchUpPolicy, states: list[RunState], reasons: list[Reason]
) -> None:
    """Its own instant is still to come; the planner is back two hours after the moment."""
    world = rolling(Roll.PREVIOUS, ONCE_TOMORROW, catch_up=CatchUp(policy=policy))
    put(world, bank(1))
    world.clock.set(after(3 * 3600))
    live(world, 3 * 3600 + 300)

    assert [run.state for run in world.attempts()] == states
    assert [gap.reason for gap in gaps(world)] == reasons


def test_a_moment_before_the_job_runs_no_more() -> None:
    """Its instant is on record as rolled."""
    world = rolling(Roll.PREVIOUS, ONCE_TODAY)
    put(world, bank(0))
    live(world, 3900)
    (gap,) = gaps(world)

    assert world.attempts() == []
    assert (gap.reason, gap.first) == (Reason.ROLLED, TODAY)


@pytest.mark.parametrize("thaw", [ThawPolicy.SKIP, ThawPolicy.ALL])
def test_a_freeze_of_its_own_day_does_not_hold_a_rolled_run(thaw: ThawPolicy) -> None:
    """It starts on the day before, which is not frozen."""
    world = rolling(Roll.PREVIOUS, ONCE_TOMORROW)
    put(world, bank(1))
    freeze(world, 80_000, 200_000, thaw)
    live(world, 3900)

    assert [run.started_at for run in world.attempts()] == [TODAY]


def test_a_freeze_of_the_moment_holds_a_rolled_run() -> None:
    """It holds any run that is due in it."""
    world = rolling(Roll.PREVIOUS, ONCE_TOMORROW)
    put(world, bank(1))
    freeze(world, 3500, 5000, ThawPolicy.SKIP)
    live(world, 5400)

    assert [(run.state, run.reason) for run in world.attempts()] == [
        (RunState.SKIPPED, Reason.FROZEN)
    ]


def test_a_job_that_rolls_forward_is_seen_at_its_instant() -> None:
    """And one that rolls backward is looked at once an hour, not each minute."""
    writes = {}
    for roll in (Roll.NEXT, Roll.PREVIOUS):
        world = rolling(roll, Schedule(kind=ScheduleKind.AT, at=after(20 * 86_400)))
        put(world, bank())
        for _ in range(3 * 60):
            world.tick()
            world.clock.advance(60)
        writes[roll] = sum(event.name == "job_parked" for event in world.telemetry.events)

    assert writes[Roll.NEXT] == 0
    assert 3 <= writes[Roll.PREVIOUS] <= 5
