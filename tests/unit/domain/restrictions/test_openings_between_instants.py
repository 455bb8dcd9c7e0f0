"""Calendars that open between two instants, and leave out both: each runs when they open."""

from dataclasses import replace
from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import Any

import pytest

from tests.support.factories import NOW, after, calendar_factory, timing_factory
from timegate.domain.calendars.calendar import CalendarName, DailyWindow
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.catch_up import settle
from timegate.domain.planning.plan import plan_runs
from timegate.domain.previews.forthcoming import PreviewWindow
from timegate.domain.previews.load.due_minutes import due_minutes
from timegate.domain.recurrence.fires import fires_between, next_fire
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.calendar_filter import runs_at, stretches
from timegate.domain.restrictions.restrictions import Restrictions

#: Open from 9 to 17 each day; another one opens half an hour later.
OFFICE = calendar_factory(
    name=CalendarName("office"),
    timezone="UTC",
    weekdays=frozenset(),
    windows=(DailyWindow(opens=time(9), closes=time(17)),),
)
LATER = replace(
    OFFICE,
    name=CalendarName("later"),
    windows=(DailyWindow(opens=time(9, 30), closes=time(16)),),
)
RESTRICTIONS = Restrictions(calendars={"office": OFFICE, "later": LATER})
DEFER, SKIP = CalendarAction.DEFER, CalendarAction.SKIP
DAYS = 5
END = NOW + timedelta(days=DAYS)


def kept(name: str, action: CalendarAction = DEFER) -> CalendarRule:
    """A rule that keeps a job to a calendar."""
    return CalendarRule(calendar=name, mode=CalendarMode.ONLY, action=action)


def job(cron: str, *rules: CalendarRule, **fields: Any) -> Timing:  # noqa: ANN401
    """A job whose instants are planned from NOW on."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron=cron)
    first = next_fire(schedule, created_at=NOW, after=NOW)
    return timing_factory(
        schedule=schedule, anchored_at=NOW, next_run_at=first, calendars=rules, **fields
    )


def instant_by_instant(timing: Timing) -> list[datetime]:
    """Judge each instant by itself, as a planner does that meets it alone."""
    fires = [
        *fires_between(timing.schedule, created_at=NOW, after=NOW, until=END + timedelta(days=9))
    ]
    moments = (runs_at(timing, at, following, RESTRICTIONS) for at, following in pairwise(fires))
    return [at for fire, at in zip(fires, moments, strict=False) if at is not None and fire <= END]


JOBS = [
    pytest.param(job("0 3 * * *", kept("office")), id="daily"),
    pytest.param(job("0 2,3,22 * * *", kept("office")), id="at-night"),
    pytest.param(job("0 3,12 * * *", kept("office")), id="one-in-it"),
    pytest.param(job("0 3 * * *", kept("office"), kept("later")), id="two-calendars"),
    pytest.param(job("0 3 * * *", kept("office"), kept("later", SKIP)), id="one-skips"),
    pytest.param(job("*/20 3,9 * * *", kept("office"), kept("later")), id="between-openings"),
]


@pytest.mark.parametrize("timing", JOBS)
def test_each_runs_when_its_calendars_open(timing: Timing) -> None:
    """Stretches, a plan of days and a forecast agree with each instant by itself."""
    expected = instant_by_instant(timing)
    found = stretches(timing, NOW, END, RESTRICTIONS)
    moments = [
        at
        for each in found
        for at in ([each.span.last] if each.admitted else [each.last_runs_at])
        if at is not None
    ]
    planned = plan_runs(timing, now=NOW, until=END, restrictions=RESTRICTIONS).attempts
    window = PreviewWindow(start=NOW, end=END)

    assert set(moments) <= set(expected)
    assert [each.due_at for each in planned] == expected
    assert sorted(due_minutes(timing, window, RESTRICTIONS)) == [*map(minute_number, expected)]


def test_what_was_missed_for_days_is_caught_up_run_by_run() -> None:
    """A planner that was away for days lost all instants but the last one."""
    catch_up = CatchUp(policy=CatchUpPolicy.ALL, window_seconds=DAYS * 86_400)
    timing = job("0 3 * * *", kept("office"), catch_up=catch_up)
    found = settle(timing, now=after(DAYS * 86_400), restrictions=RESTRICTIONS)

    assert found is not None
    assert found.gaps == ()
    assert found.timing.next_run_at == timing.next_run_at


def test_calendars_that_skip_leave_one_stretch() -> None:
    """Nothing of it runs, however often they open."""
    timing = job("0 3 * * *", kept("office", SKIP))
    (stretch,) = stretches(timing, NOW, END, RESTRICTIONS)

    assert (stretch.span.count, stretch.last_runs_at) == (DAYS, None)
