"""Instants of several recurring schedules."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from heapq import merge
from itertools import groupby

from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import fires_after, fires_between
from timegate.domain.recurrence.kinds.kind import (
    BOUNDS,
    EPOCH,
    InstantSeries,
    Kind,
    MinuteCount,
    minute_number,
)
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.union.days import UnionDays
from timegate.domain.recurrence.union.fields import within_member
from timegate.domain.recurrence.union.rules import check_members
from timegate.domain.recurrence.validation import check_bounds, validate_schedule
from timegate.domain.recurrence.words import describe, is_bounded
from timegate.domain.values.instants import MILLISECOND

#: Instants of the members that are walked through, in some milliseconds.
MOST_WALKED = 2_000


class UnionKind(Kind):
    """Members name instants together; an instant that several name is one."""

    fields = ("any_of", *BOUNDS)

    def written(self, schedule: Schedule) -> Schedule:
        """Rewrite each member."""
        return replace(schedule, any_of=tuple(_written(schedule)))

    def check(self, schedule: Schedule, now: datetime) -> None:
        """Refuse members by their own rules, and those that name nothing of their own."""
        check_bounds(schedule)
        check_members(schedule, check_member=lambda each: validate_schedule(each, now=now))

    def words(self, schedule: Schedule) -> Iterator[str]:
        """Join the members: ``At 09:00 …, UTC; and every 2 hours``."""
        first, *others = map(describe, schedule.any_of)
        words = [first, *(f"and {each[:1].lower()}{each[1:]}" for each in others)]
        # Bounds are those of all members.
        yield "; ".join([*words, "all of it"] if is_bounded(schedule) else words)

    def fires(
        self, schedule: Schedule, created_at: datetime, after: datetime
    ) -> Iterator[datetime]:
        """Yield each instant once, however many members name it."""
        members = schedule.members
        named = merge(*(fires_after(each, created_at=created_at, after=after) for each in members))
        return (instant for instant, _ in groupby(named))

    def span(
        self,
        schedule: Schedule,
        created_at: datetime,
        within: tuple[datetime, datetime],
        at_most: int | None,
    ) -> InstantSeries:
        """Walk through few instants; of many, overlaps are counted day by day."""
        opening, _ = within
        spans = _spans(schedule, created_at, within)
        last = max(span.last for span in spans)
        if not _are_many(spans):
            after = opening - MILLISECOND
            fires = list(fires_between(schedule, created_at=created_at, after=after, until=last))
            first = fires[0] if at_most is None else fires[-min(at_most, len(fires))]
            return InstantSeries(first=first, last=last, count=len(fires) - fires.index(first))
        days = UnionDays(schedule.members, created_at)
        begin, end = (opening - EPOCH) // MILLISECOND, (last - EPOCH) // MILLISECOND
        total = days.count(begin, end)
        count = total if at_most is None else min(total, at_most)
        first = opening if count == total else EPOCH + days.latest(count, begin, end) * MILLISECOND
        return InstantSeries(first=first, last=last, count=count)

    def minutes(
        self, schedule: Schedule, created_at: datetime, within: tuple[datetime, datetime]
    ) -> Iterator[MinuteCount]:
        """Walk through few instants; of many, the minutes of each day are counted."""
        opening, until = within
        if _are_many(_spans(schedule, created_at, within)):
            begin, end = ((each - EPOCH) // MILLISECOND for each in within)
            yield from UnionDays(schedule.members, created_at).minutes(begin, end)
            return
        after = opening - MILLISECOND
        for fire in fires_between(schedule, created_at=created_at, after=after, until=until):
            yield minute_number(fire), 1


def _written(union: Schedule) -> Iterator[Schedule]:
    for number, member in enumerate(union.any_of):
        with within_member(number):
            yield as_written(member)


def _spans(
    union: Schedule, created_at: datetime, within: tuple[datetime, datetime]
) -> list[InstantSeries]:
    """The span of each member that has instants; an instant of several is in several."""
    first, until = within
    found = (
        span_between(member, created_at=created_at, first=first, until=until)
        for member in union.members
    )
    return [span for span in found if span is not None]


def _are_many(spans: list[InstantSeries]) -> bool:
    """Tell if they are too many to be walked through."""
    return sum(span.count for span in spans) > MOST_WALKED


KIND = UnionKind()
