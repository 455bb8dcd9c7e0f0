"""Schedules of every kind with windows to look at them through."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from tests.property.recurrence.strategies.cron_strategies import crons
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.schedule import (
    DstPolicy,
    FoldPolicy,
    GapPolicy,
    Schedule,
    ScheduleKind,
)

SECOND = timedelta(seconds=1)
MILLISECOND = timedelta(milliseconds=1)
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago"]
#: No window is longer, so that the densest schedule stays within some thousand fires.
LONGEST = timedelta(hours=36)
MOST_FIRES = 2000
#: Days on which one of the zones changes its clock, and an ordinary one.
_DAYS = ["2026-03-08", "2026-03-29", "2026-04-04", "2026-09-06", "2026-10-25", "2026-11-21"]

instants = st.builds(
    lambda day, milliseconds: (
        datetime.fromisoformat(day).replace(tzinfo=UTC) + milliseconds * MILLISECOND
    ),
    st.sampled_from(_DAYS),
    # Whole seconds most of the time: fires and bounds should meet.
    st.one_of(
        st.integers(0, 24 * 60).map(lambda minutes: minutes * 60_000),
        st.integers(0, 86_400).map(lambda seconds: seconds * 1000),
        st.integers(0, 86_400_000),
    ),
)
cron_schedules = st.builds(
    Schedule,
    kind=st.just(ScheduleKind.CRON),
    cron=crons.map(lambda cron: cron.text).filter(lambda text: parse_cron(text).can_match),
    timezone=st.sampled_from(ZONES),
    dst=st.none() | st.sampled_from(DstPolicy),
    gap=st.sampled_from(GapPolicy),
    fold=st.sampled_from(FoldPolicy),
)
rates = st.builds(
    Schedule,
    kind=st.just(ScheduleKind.RATE),
    every_seconds=st.one_of(st.integers(1, 120), st.integers(1, 1_000_000)),
    starts_at=st.none() | instants,
)
single = st.one_of(
    st.just(Schedule(kind=ScheduleKind.IMMEDIATE)),
    st.builds(Schedule, kind=st.just(ScheduleKind.AT), at=instants),
    st.builds(
        Schedule,
        kind=st.just(ScheduleKind.DELAY),
        delay_seconds=st.integers(0, 2_000_000_000).map(lambda parts: parts / 10_000),
    ),
)
recurring = st.one_of(cron_schedules, rates)
schedules = st.one_of(cron_schedules, rates, single)


@dataclass(frozen=True, kw_only=True)
class Look:
    """A schedule, and the window it is looked at through."""

    schedule: Schedule
    created_at: datetime
    after: datetime
    until: datetime


@st.composite
def looks(draw: st.DrawFn, of: st.SearchStrategy[Schedule] = schedules) -> Look:
    """Mostly not empty, never too full."""
    schedule = draw(of)
    after = draw(instants)
    longest = LONGEST
    if schedule.every_seconds is not None:
        longest = min(longest * 9, MOST_FIRES * schedule.every_seconds * SECOND)
    length = draw(st.integers(0, longest // SECOND)) * SECOND
    created_at = after + draw(st.integers(-100_000, 100_000)) * SECOND
    return Look(schedule=schedule, created_at=created_at, after=after, until=after + length)


@st.composite
def bounded(draw: st.DrawFn) -> Look:
    """A recurring schedule with bounds in or near its window."""
    look = draw(looks(recurring))
    starts_at = look.schedule.starts_at
    if look.schedule.kind is ScheduleKind.CRON:
        starts_at = draw(st.none() | instants)
    ends_at = draw(st.none() | st.integers(0, 200_000).map(lambda s: look.after + s * SECOND))
    return replace(look, schedule=replace(look.schedule, starts_at=starts_at, ends_at=ends_at))
