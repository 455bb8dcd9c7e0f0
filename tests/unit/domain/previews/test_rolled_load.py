"""Load of runs that rolled to a business day: in the minutes in which their planner starts them."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, after, calendar_factory, timing_factory
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.plan import first_fire, plan_runs
from timegate.domain.previews.forthcoming import PreviewWindow
from timegate.domain.previews.load.due_minutes import due_minutes, load_minutes
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.values.instants import MILLISECOND

#: Twelve instants of Saturday noon; each but the last rolls past the one after it.
SCHEDULE = Schedule(kind=ScheduleKind.CRON, cron="*/5 12 * * 6", jitter_seconds=300)
DEFERS = CalendarRule(calendar="weekends", action=CalendarAction.DEFER)
ROLLS = CalendarRule(calendar="weekends", action=CalendarAction.ROLL, roll=Roll.NEXT)


def test_a_run_that_rolls_past_the_next_instant_is_spread_as_its_planner_spreads_it() -> None:
    """Nothing follows it on its business day: its jitter is whole."""
    timing = timing_factory(schedule=SCHEDULE, anchored_at=after(-60), calendars=(ROLLS,))
    timing = replace(timing, next_run_at=first_fire(timing, after=NOW))
    restrictions = Restrictions(calendars={"weekends": calendar_factory()})
    end = NOW + timedelta(days=3)
    planned = plan_runs(timing, now=NOW, until=end, restrictions=restrictions).attempts
    due = [each.due_at for each in planned]

    assert len(due) == 12
    assert len({at.second for at in due}) > 2
    window = PreviewWindow(start=NOW, end=end)
    assert due_minutes(timing, window, restrictions) == Counter(map(minute_number, due))


def planned_in(timing: Timing, window: PreviewWindow, restrictions: Restrictions) -> Counter[int]:
    """Plan a month, and count the runs that start within the window."""
    upcoming = first_fire(timing, after=timing.anchored_at)
    timing = replace(timing, next_run_at=upcoming)
    planned = plan_runs(
        timing,
        now=timing.anchored_at,
        until=window.end + timedelta(days=9),
        restrictions=restrictions,
    )
    due = [each.due_at for each in planned.attempts]
    return Counter(minute_number(at) for at in due if window.start < at <= window.end)


@pytest.mark.parametrize(
    ("cron", "fields", "rules"),
    [
        pytest.param("0 12 * * *", {"jitter_seconds": 3_600}, (), id="jitter"),
        pytest.param("0 12 * * *", {}, (ROLLS,), id="rolled"),
        pytest.param("0 12 * * *", {}, (replace(ROLLS, roll=Roll.PREVIOUS),), id="rolled-back"),
        pytest.param("0 12 * * 6", {"jitter_seconds": 60}, (DEFERS,), id="put-off"),
    ],
)
@pytest.mark.parametrize("days", range(6))
def test_runs_count_where_they_start_whatever_their_instant(
    cron: str, fields: dict[str, Any], rules: tuple[CalendarRule, ...], days: int
) -> None:
    """Runs whose instant lies before or behind the window count, and none that leaves it."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron=cron, **fields)
    timing = timing_factory(
        schedule=schedule,
        anchored_at=after(-60),
        calendars=rules,
        next_run_at=first_fire(timing_factory(schedule=schedule), after=after(-60)),
    )
    restrictions = Restrictions(calendars={"weekends": calendar_factory()})
    # From 12:06 of a day on, minutes behind its instant.
    start = NOW + timedelta(hours=5, minutes=6) + timedelta(days=days)
    window = PreviewWindow(start=start - MILLISECOND, end=start + timedelta(days=1) - MILLISECOND)

    assert load_minutes(timing, window, restrictions) == planned_in(timing, window, restrictions)


@pytest.mark.parametrize(("start", "runs"), [(0, 5), (1, 4), (4, 1), (5, 0)])
def test_runs_before_the_window_take_their_part_of_max_runs(start: int, runs: int) -> None:
    """A forecast of later days does not begin anew."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron="0 12 * * *", max_runs=5)
    timing = timing_factory(schedule=schedule, anchored_at=NOW)
    timing = replace(timing, next_run_at=first_fire(timing, after=NOW))
    begin = NOW + timedelta(days=start)
    window = PreviewWindow(start=begin, end=begin + timedelta(days=9))

    assert load_minutes(timing, window, Restrictions()).total() == runs
