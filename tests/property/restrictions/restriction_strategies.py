"""Calendars, rules and freezes: entries on whole minutes, often enough hit by what is planned."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from hypothesis import strategies as st

from tests.property.recurrence.strategies.schedule_strategies import ZONES
from tests.property.simulation.scenario_strategies import JOB_ID
from tests.support.factories import NOW, TENANT
from timegate.domain.calendars.calendar import (
    WEEK,
    WEEKEND,
    Calendar,
    CalendarName,
    DailyWindow,
    DayRange,
    Period,
)
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.restrictions.freeze import (
    Freeze,
    FreezeId,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
    freeze_id_for,
)
from timegate.domain.simulation import CalendarEdit, Scenario
from timegate.domain.simulation.scenario import SimulatedJob

NAMES = ["office", "holidays"]
MINUTE = timedelta(minutes=1)
#: A roll compares instants of whole days: `test_rolls` holds it against its own oracle.
STAYING = [CalendarAction.SKIP, CalendarAction.DEFER]
times = st.builds(time, st.integers(0, 23), st.integers(0, 59))
weekdays = st.frozensets(st.integers(0, 6), max_size=3)
windows = st.builds(
    DailyWindow,
    weekdays=st.just(WEEK) | weekdays.filter(bool),
    opens=times,
    closes=times,
)
any_rule = st.builds(
    CalendarRule,
    calendar=st.sampled_from(NAMES),
    mode=st.sampled_from([CalendarMode.EXCLUDE, CalendarMode.EXCLUDE, CalendarMode.ONLY]),
    action=st.sampled_from(STAYING),
)
monthly_rule = st.builds(
    CalendarRule,
    calendar=st.sampled_from(NAMES),
    business_day=st.integers(1, 23) | st.integers(-23, -1),
)
rules = st.tuples(any_rule, any_rule).map(
    lambda both: both if both[0].calendar != both[1].calendar else both[:1]
)


@st.composite
def calendars(draw: st.DrawFn, name: str, around: datetime) -> Calendar:
    """A few entries of each kind within days of an instant."""
    day = around.date()
    return Calendar(
        tenant=TENANT,
        name=CalendarName(name),
        timezone=draw(st.sampled_from(ZONES)),
        days=tuple(draw(st.lists(_days(day), max_size=2))),
        weekdays=draw(st.sampled_from([frozenset(), frozenset()]) | weekdays),
        windows=tuple(draw(st.lists(windows, max_size=2))),
        periods=tuple(draw(st.lists(_periods(around.replace(second=0)), max_size=3))),
        weekend=draw(st.just(WEEKEND) | weekdays),
        updated_at=NOW,
    )


def _days(day: date) -> st.SearchStrategy[DayRange]:
    return st.tuples(st.integers(-2, 6), st.integers(0, 3)).map(
        lambda drawn: DayRange(
            first=day + timedelta(days=drawn[0]), last=day + timedelta(days=sum(drawn))
        )
    )


def _periods(around: datetime) -> st.SearchStrategy[Period]:
    begins = st.integers(-30, 240) | st.integers(-600, 6000)
    return st.tuples(begins, st.integers(1, 600)).map(
        lambda drawn: Period(
            start=around + drawn[0] * MINUTE, end=around + (drawn[0] + drawn[1]) * MINUTE
        )
    )


scopes = st.sampled_from(
    [
        FreezeScope(kind=FreezeKind.TENANT),
        FreezeScope(kind=FreezeKind.TENANT),
        FreezeScope(kind=FreezeKind.TENANT),
        FreezeScope(kind=FreezeKind.TAG, value="team"),
        FreezeScope(kind=FreezeKind.TAG, value="team=billing"),
        FreezeScope(kind=FreezeKind.JOB, value=JOB_ID),
    ]
)
tags = st.sampled_from([{}, {"team": "billing"}, {"team": "search"}])


@st.composite
def freezes(draw: st.DrawFn, within: st.SearchStrategy[datetime]) -> Freeze:
    """Announced, or begun as it is made; some are lifted."""
    created, starts, ends = sorted(draw(st.tuples(within, within, within)))
    thaw, scope = draw(st.sampled_from(ThawPolicy)), draw(scopes)
    ends += timedelta(seconds=1)
    lifted = draw(st.none() | within)
    return Freeze(
        tenant=TENANT,
        freeze_id=FreezeId(freeze_id_for(TENANT, scope, starts_at=starts, ends_at=ends, thaw=thaw)),
        scope=scope,
        starts_at=starts,
        ends_at=ends,
        thaw=thaw,
        created_at=draw(st.sampled_from([created, starts])),
        lifted_at=lifted if lifted is not None and starts < lifted < ends else None,
    )


@st.composite
def calendar_edits(
    draw: st.DrawFn, start: datetime, within: st.SearchStrategy[datetime]
) -> tuple[CalendarEdit, ...]:
    """Calendars that are replaced, or deleted, in order."""
    found = []
    for at in sorted(draw(st.sets(within, max_size=2))):
        name = draw(st.sampled_from(NAMES))
        calendar = draw(st.none() | calendars(name, start))
        found.append(CalendarEdit(at=at, name=name, calendar=calendar))
    return tuple(found)


def runs_now(job: SimulatedJob) -> bool:
    """It may not have calendars: one of its schedules is for the moment it is given."""
    schedules = [job.schedule, *(edit.schedule for edit in job.edits)]
    return any(schedule.kind is ScheduleKind.IMMEDIATE for schedule in schedules)


@st.composite
def restricted(draw: st.DrawFn, plain: st.SearchStrategy[Scenario]) -> Scenario:
    """A scenario under calendars and freezes."""
    scenario = draw(plain)
    length = int((scenario.end - scenario.start).total_seconds())
    within = st.integers(1, length - 1).map(lambda s: scenario.start + timedelta(seconds=s))
    # Two that are the same are one.
    made = [draw(freezes(within)) for _ in range(draw(st.sampled_from([1, 2, 3])))]
    some = rules | rules | st.just(())
    jobs = (
        replace(job, calendar_rules=() if runs_now(job) else draw(some), tags=draw(tags))
        for job in scenario.jobs
    )
    return replace(
        scenario,
        jobs=tuple(jobs),
        calendars=tuple(draw(calendars(name, scenario.start)) for name in NAMES),
        calendar_edits=draw(calendar_edits(scenario.start, within)),
        freezes=tuple({each.freeze_id: each for each in made}.values()),
    )
