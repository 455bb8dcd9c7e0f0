"""Calendars, rules and freezes: entries on whole minutes, often enough hit by what is planned."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from hypothesis import strategies as st

from tests.property.schedule_strategies import ZONES
from tests.support.factories import NOW, TENANT
from timegate.domain.calendar import WEEK, Calendar, CalendarName, DailyWindow, DayRange, Period
from timegate.domain.freeze import (
    Freeze,
    FreezeId,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
    freeze_id_for,
)
from timegate.domain.job import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.simulation import Scenario

NAMES = ["office", "holidays"]
MINUTE = timedelta(minutes=1)
times = st.builds(time, st.integers(0, 23), st.integers(0, 59))
weekdays = st.frozensets(st.integers(0, 6), max_size=3)
windows = st.builds(
    DailyWindow,
    weekdays=st.just(WEEK) | weekdays.filter(bool),
    opens=times,
    closes=times,
)
rules = st.lists(
    st.builds(
        CalendarRule,
        calendar=st.sampled_from(NAMES),
        mode=st.sampled_from(CalendarMode),
        action=st.sampled_from(CalendarAction),
    ),
    max_size=2,
    unique_by=lambda rule: rule.calendar,
).map(tuple)


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
        updated_at=NOW,
    )


def _days(day: date) -> st.SearchStrategy[DayRange]:
    return st.tuples(st.integers(-2, 6), st.integers(0, 3)).map(
        lambda drawn: DayRange(
            first=day + timedelta(days=drawn[0]), last=day + timedelta(days=sum(drawn))
        )
    )


def _periods(around: datetime) -> st.SearchStrategy[Period]:
    return st.tuples(st.integers(-600, 6000), st.integers(1, 600)).map(
        lambda drawn: Period(
            start=around + drawn[0] * MINUTE, end=around + (drawn[0] + drawn[1]) * MINUTE
        )
    )


@st.composite
def freezes(draw: st.DrawFn, within: st.SearchStrategy[datetime]) -> Freeze:
    """Announced, or begun as it is made; some are lifted."""
    created, starts, ends = sorted(draw(st.tuples(within, within, within)))
    thaw = draw(st.sampled_from(ThawPolicy))
    ends += timedelta(seconds=1)
    scope = FreezeScope(kind=FreezeKind.TENANT)
    lifted = draw(st.none() | within)
    return Freeze(
        tenant=TENANT,
        freeze_id=FreezeId(freeze_id_for(TENANT, scope, starts_at=starts, ends_at=ends, thaw=thaw)),
        scope=scope,
        starts_at=starts,
        ends_at=ends,
        thaw=thaw,
        created_at=created,
        lifted_at=lifted if lifted is not None and created < lifted < ends else None,
    )


@st.composite
def restricted(draw: st.DrawFn, plain: st.SearchStrategy[Scenario]) -> Scenario:
    """A scenario under calendars and freezes."""
    scenario = draw(plain)
    length = int((scenario.end - scenario.start).total_seconds())
    within = st.integers(1, length - 1).map(lambda s: scenario.start + timedelta(seconds=s))
    # Two that are the same are one.
    drawn = draw(st.lists(freezes(within), max_size=2, unique_by=lambda each: each.freeze_id))
    return replace(
        scenario,
        calendar_rules=draw(rules),
        calendars=tuple(draw(calendars(name, scenario.start)) for name in NAMES),
        freezes=tuple(drawn),
    )
