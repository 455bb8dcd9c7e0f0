"""Every so many seconds of real time."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count

from timegate.domain.recurrence.kinds.kind import (
    BOUNDS,
    EPOCH,
    MINUTE_SECONDS,
    InstantSeries,
    MemberDays,
    MemberKind,
    MinuteCount,
)
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.words import span_in_words
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND

_MINUTE_MS = 1000 * MINUTE_SECONDS


class RateKind(MemberKind):
    """Steps from an anchor: ``starts_at``, or one step after creation."""

    fields = ("every_seconds", *BOUNDS)

    def check(self, schedule: Schedule, now: datetime) -> None:  # noqa: ARG002 - at any time
        """Refuse a step below a second."""
        if schedule.every_seconds is not None and schedule.every_seconds < 1:
            raise InvalidInput("schedule.every_seconds", "out_of_range", "It must be 1 or more.")

    def words(self, schedule: Schedule) -> Iterator[str]:
        """Say its step."""
        yield f"Every {span_in_words(schedule.every_seconds or 0).removeprefix('1 ')}"

    def fires(
        self, schedule: Schedule, created_at: datetime, after: datetime
    ) -> Iterator[datetime]:
        """Compute each instant from the anchor, so that no error adds up."""
        try:
            every = timedelta(seconds=schedule.every_seconds or 0)
            first = schedule.starts_at or created_at + every
            passed = max(0, (after - first) // every + 1)
            for number in count(passed):
                yield first + number * every
        except (OverflowError, ZeroDivisionError):
            return

    def span(
        self,
        schedule: Schedule,
        created_at: datetime,  # noqa: ARG002 - the first instant is known
        within: tuple[datetime, datetime],
        at_most: int | None,
    ) -> InstantSeries:
        """Divide the span by its step."""
        opening, until = within
        every = timedelta(seconds=schedule.every_seconds or 1)
        steps = (until - opening) // every
        number = steps + 1 if at_most is None else min(steps + 1, at_most)
        last = opening + steps * every
        return InstantSeries(first=last - (number - 1) * every, last=last, count=number)

    def minutes(
        self,
        schedule: Schedule,
        created_at: datetime,  # noqa: ARG002 - the first instant is known
        within: tuple[datetime, datetime],
    ) -> Iterator[MinuteCount]:
        """Step by instants, or by minutes where more than one instant lies in each."""
        every = (schedule.every_seconds or 1) * 1000
        begin, end = ((each - EPOCH) // MILLISECOND for each in within)
        if every >= _MINUTE_MS:
            yield from ((at // _MINUTE_MS, 1) for at in range(begin, end + 1, every))
            return
        passed = 0
        for minute in range(begin // _MINUTE_MS, end // _MINUTE_MS + 1):
            last = min((minute + 1) * _MINUTE_MS - 1, end)
            reached = (last - begin) // every + 1
            yield minute, reached - passed
            passed = reached

    def names_all_of(self, wide: Schedule, narrow: Schedule) -> bool:
        """Compare the steps: all rates of a union have the same anchor."""
        return (narrow.every_seconds or 0) % (wide.every_seconds or 1) == 0

    def days(self, schedule: Schedule, created_at: datetime) -> tuple[int, MemberDays]:
        """Lay its steps over days."""
        # Imported here: unions alone need it.
        from timegate.domain.recurrence.union.rate_days import rate_days  # noqa: PLC0415

        return rate_days(schedule, created_at)


KIND = RateKind()
