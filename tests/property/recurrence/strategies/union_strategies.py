"""Unions drawn by lot, together with what their members mean."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from tests.property.recurrence.oracles import rrule_oracle, wall_oracle
from tests.property.recurrence.oracles.rrule_oracle import Rule
from tests.property.recurrence.oracles.wall_oracle import Policies, Window
from tests.property.recurrence.strategies.cron_strategies import Cron
from tests.property.recurrence.strategies.rrule_strategies import rules
from tests.property.recurrence.strategies.schedule_strategies import ZONES
from tests.property.recurrence.test_cron_against_minutes import policies
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

SECOND = timedelta(seconds=1)
MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, kw_only=True)
class Member:
    """A schedule, and a slow reading of it: its instants from a beginning to an end."""

    schedule: Schedule
    named: Callable[[datetime, datetime], list[datetime]]


@dataclass(frozen=True, kw_only=True)
class Union:
    """A union, its job's creation, and the instants of the slow readings."""

    schedule: Schedule
    created_at: datetime
    members: tuple[Member, ...]
    #: Whole days in UTC.
    begin: datetime
    days: int

    @property
    def end(self) -> datetime:
        """The last millisecond of the days."""
        return self.begin + timedelta(days=self.days) - MILLISECOND

    def named(self) -> list[datetime]:
        """Each instant once, from the beginning to the end, within the bounds."""
        starts_at, ends_at = self.schedule.starts_at, self.schedule.ends_at
        begin = max(self.begin, starts_at or self.begin)
        end = min(self.end, ends_at or self.end)
        found = {at for member in self.members for at in member.named(begin, end)}
        return sorted(at for at in found if begin <= at <= end)


@st.composite
def cron_members(
    draw: st.DrawFn, of: st.SearchStrategy[Cron], begin: datetime, days: int
) -> Member:
    """Read by looking at each minute."""
    cron, zone, given = draw(of), draw(st.sampled_from(ZONES)), draw(policies)
    window = Window(zone, begin, days)
    return Member(
        schedule=Schedule(kind=ScheduleKind.CRON, cron=cron.text, timezone=zone, **asdict(given)),
        named=lambda *_: wall_oracle.fires_of(cron, window, given),
    )


@st.composite
def rate_members(draw: st.DrawFn, first: datetime, *, is_anchored: bool) -> Member:
    """Read by adding one interval after another."""
    every = draw(st.sampled_from([61, 300, 3_600, 5_400, 86_400, 90_001]))

    def named(_: datetime, end: datetime) -> list[datetime]:
        at = first if is_anchored else first + every * SECOND
        found = []
        while at <= end:
            found.append(at)
            at += every * SECOND
        return found

    return Member(schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=every), named=named)


@st.composite
def rule_members(draw: st.DrawFn, start: datetime) -> Member:
    """Read as RFC 5545 says."""
    zone = draw(st.sampled_from(ZONES))
    given: Policies = draw(policies)
    wall = start.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    kinds = ("YEARLY", "MONTHLY", "WEEKLY", "DAILY")
    rule = Rule(**{**draw(rules(year=start.year, frequencies=kinds)).__dict__, "start": wall})
    how = (given.gap, given.fold)
    return Member(
        schedule=Schedule(
            kind=ScheduleKind.RRULE,
            rrule=rule.text,
            timezone=zone,
            gap=given.gap,
            fold=given.fold,
        ),
        named=lambda _, end: rrule_oracle.fires_of(rule, zone, how, end),
    )


@st.composite
def unions(
    draw: st.DrawFn,
    crons: st.SearchStrategy[Cron],
    begins: st.SearchStrategy[str],
    days: int,
) -> Union:
    """Two to four members, mostly in several zones, some of which overlap."""
    begin = datetime.fromisoformat(draw(begins)).replace(tzinfo=UTC)
    start = draw(st.none() | st.just(begin + timedelta(hours=9)))
    created_at = begin - timedelta(hours=2) + draw(st.sampled_from([0, 1, 500])) * MILLISECOND
    kinds = [
        cron_members(crons, begin, days),
        cron_members(crons, begin, days),
        rate_members(start or created_at, is_anchored=start is not None),
        *([rule_members(start)] if start is not None else []),
    ]
    members = tuple(draw(st.lists(st.one_of(kinds), min_size=2, max_size=4)))
    ends = st.integers(0, days * 86_400).map(lambda seconds: begin + seconds * SECOND)
    schedule = Schedule(
        kind=ScheduleKind.UNION,
        any_of=tuple(member.schedule for member in members),
        starts_at=start,
    )
    ends_at = draw(st.none() | ends)
    if ends_at is not None and (start is None or start <= ends_at):
        schedule = replace(schedule, ends_at=ends_at)
    return Union(schedule=schedule, created_at=created_at, members=members, begin=begin, days=days)
