"""Load of runs that rolled to a business day: in the minutes in which their planner starts them."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

from tests.support.factories import NOW, after, calendar_factory, timing_factory
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.planning.plan import first_fire, plan_runs
from timegate.domain.previews.forthcoming import PreviewWindow
from timegate.domain.previews.load.due_minutes import due_minutes
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.restrictions import Restrictions

#: Twelve instants of Saturday noon; each but the last rolls past the one after it.
SCHEDULE = Schedule(kind=ScheduleKind.CRON, cron="*/5 12 * * 6", jitter_seconds=300)
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
