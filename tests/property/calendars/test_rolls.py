"""Rolls against an oracle that knows the words of the page, over whole years."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.calendars.business_day_oracle import rolled, runs_of
from tests.property.calendars.test_business_days import BANKS, EPOCH, YEAR, bank
from tests.property.calendars.test_calendars import moments, named_by
from tests.property.restrictions.restriction_strategies import calendars
from tests.support.factories import timing_factory
from timegate.domain.calendars.business_days import rolled_day
from timegate.domain.calendars.calendar import Calendar, DayRange
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.plan import plan_runs
from timegate.domain.planning.roll_ahead import next_look
from timegate.domain.previews.preview_instant import prospects
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.calendar_filter import judge_instant, stretches
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.restrictions.rolling import arriving_at, rolling_of

START = datetime(YEAR - 1, 10, 1, tzinfo=UTC)
BEGIN, END = datetime(YEAR, 1, 1, tzinfo=UTC), datetime(YEAR + 1, 1, 1, tzinfo=UTC)
#: Long enough for every roll that reaches into the year, or out of it.
AROUND = timedelta(days=70)
LOOK_AHEAD = timedelta(minutes=10)
PATTERNS = ["0 9 * * *", "0 17 1,15 * *", "30 2 * * 6,0", "0 8,20 L * *", "0 0 * * 1"]


def rolling_job(zone: str, pattern: str, roll: Roll, **fields: object) -> Timing:
    schedule = Schedule(kind=ScheduleKind.CRON, cron=pattern, timezone=zone)
    rule = CalendarRule(calendar="bank", action=CalendarAction.ROLL, roll=roll)
    given = {"schedule": schedule, "anchored_at": START, "created_at": START} | fields
    return timing_factory(calendars=(rule,), **given)


def expected(calendar: Calendar, timing: Timing, roll: Roll) -> dict[datetime, datetime]:
    """The instants of the year that run, and when."""
    every = named_by(timing, BEGIN - AROUND, END + AROUND)
    chosen = runs_of(calendar, every, roll)
    return {each: at for each, at in chosen.items() if BEGIN <= each < END}


@pytest.mark.parametrize(("zone", "days", "weekend"), BANKS)
@pytest.mark.parametrize("roll", Roll)
def test_every_day_rolls_as_the_oracle_rolls_it(
    zone: str, days: tuple[DayRange, ...], weekend: frozenset[int], roll: Roll
) -> None:
    """A whole year long; modified_following never leaves the month."""
    calendar = bank(zone, days, weekend)
    day = date(YEAR, 1, 1)
    while day.year == YEAR:
        found = rolled_day(calendar, (day - EPOCH).days, roll)
        to = rolled(calendar, day, roll)
        assert found == (to and (to - EPOCH).days), day
        if roll is Roll.MODIFIED_FOLLOWING and to is not None:
            assert to.month == day.month
        day += timedelta(days=1)


@pytest.mark.parametrize(("zone", "days", "weekend"), BANKS)
@pytest.mark.parametrize("roll", Roll)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_years_instants_run_where_the_oracle_has_them(
    zone: str, days: tuple[DayRange, ...], weekend: frozenset[int], roll: Roll, pattern: str
) -> None:
    """One by one, in stretches and in a preview; no two at one moment."""
    calendar, timing = bank(zone, days, weekend), rolling_job(zone, pattern, roll)
    restrictions = Restrictions(calendars={"bank": calendar})
    wanted = expected(calendar, timing, roll)
    instants = named_by(timing, BEGIN, END - timedelta(milliseconds=1))
    singly = {each: judge_instant(timing, each, None, restrictions).at for each in instants}
    previewed = {}
    before = BEGIN - timedelta(seconds=1)
    for prospect in prospects(timing, after=before, restrictions=restrictions):
        if prospect.at >= END:
            break
        previewed[prospect.at] = prospect.judged.at
    stretched: dict[datetime, datetime | None] = {}
    for stretch in stretches(timing, BEGIN, END - timedelta(milliseconds=1), restrictions):
        own = named_by(timing, stretch.span.first, stretch.span.last)
        assert len(own) == stretch.span.count
        for each in own:
            stretched[each] = each if stretch.admitted else None
        if not stretch.admitted:
            stretched[own[-1]] = stretch.last_runs_at

    assert singly == previewed == stretched
    assert {each: at for each, at in singly.items() if at is not None} == wanted
    assert len(set(wanted.values())) == len(wanted)


@settings(max_examples=some(60))
@given(data=st.data(), around=moments, roll=st.sampled_from(Roll))
def test_instants_at_any_distance_roll_as_the_oracle_rolls_them(
    data: st.DataObject, around: datetime, roll: Roll
) -> None:
    """Over changes of the clocks, whatever the weekend; they meet at no moment twice."""
    drawn = data.draw(calendars("bank", around))
    calendar = bank(drawn.timezone, drawn.days, drawn.weekend | drawn.weekdays)
    every = data.draw(st.sampled_from([3600, 25_200, 86_400, 90_000]))
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=every)
    given_at = around - AROUND
    timing = rolling_job("UTC", "@daily", roll, schedule=schedule, anchored_at=given_at)
    restrictions = Restrictions(calendars={"bank": calendar})
    wanted = runs_of(calendar, named_by(timing, given_at, around + AROUND), roll)
    rolling = rolling_of(timing, restrictions)
    assert rolling is not None
    for instant in named_by(timing, around, around + timedelta(days=9)):
        judged = judge_instant(timing, instant, None, restrictions)
        assert judged.at == wanted.get(instant), instant
        if judged.rolled_to is not None:
            moment = judged.rolled_to.of(instant)
            assert instant in arriving_at(rolling, moment)
            assert moment in wanted.values()


@pytest.mark.parametrize(("zone", "days", "weekend"), BANKS[:1])
@pytest.mark.parametrize("roll", Roll)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_planner_plans_each_run_before_its_moment(
    zone: str, days: tuple[DayRange, ...], weekend: frozenset[int], roll: Roll, pattern: str
) -> None:
    """Look by look over two months: each once, early enough, and the rest is on record."""
    calendar = bank(zone, days, weekend)
    restrictions = Restrictions(calendars={"bank": calendar})
    begin, end = datetime(YEAR, 11, 20, tzinfo=UTC), datetime(YEAR + 1, 1, 20, tzinfo=UTC)
    timing = rolling_job(zone, pattern, roll, anchored_at=begin, created_at=begin)
    first = named_by(timing, begin + timedelta(milliseconds=1), end + AROUND)[0]
    timing = timing_factory(**{**_fields(timing), "next_run_at": first})
    planned: dict[datetime, datetime] = {}
    recorded: list[datetime] = []
    now = begin
    while now < end:
        plan = plan_runs(timing, now=now, until=now + LOOK_AHEAD, restrictions=restrictions)
        for attempt in plan.attempts:
            instant = attempt.id.run.scheduled_at
            assert instant not in planned
            assert attempt.due_at > now, (instant, now)
            planned[instant] = attempt.due_at
        for gap in plan.gaps:
            recorded += named_by(timing, gap.first, gap.last)
        if plan.next_run_at == timing.next_run_at:
            look = next_look(timing, now + LOOK_AHEAD, restrictions) or plan.next_run_at
            assert look is not None
            now = max(now + LOOK_AHEAD, look - LOOK_AHEAD)
        timing = timing_factory(
            **{**_fields(timing), "next_run_at": plan.next_run_at, "runs_planned": 0}
        )
    passed = named_by(timing, begin + timedelta(milliseconds=1), end)
    every = named_by(timing, begin + timedelta(milliseconds=1), end + AROUND)
    # An instant that would have rolled to a moment before the schedule was given is left out.
    chosen = {each: at for each, at in runs_of(calendar, every, roll).items() if at > begin}

    assert {e: at for e, at in planned.items() if e <= end} == {
        e: at for e, at in chosen.items() if e <= end
    }
    assert sorted([*planned, *recorded])[: len(passed)] == passed


def _fields(timing: Timing) -> dict[str, object]:
    return {
        "schedule": timing.schedule,
        "anchored_at": timing.anchored_at,
        "created_at": timing.created_at,
        "calendars": timing.calendars,
    }
