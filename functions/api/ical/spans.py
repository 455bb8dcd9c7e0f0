"""The time that events take up within a window, in as few pieces as it has."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import date, datetime, timedelta, tzinfo
from typing import TypeVar

from api.ical.events import IcalEvent
from api.ical.recurrence import RecurrenceBudget, starts_of
from api.ical.refusal import InvalidIcal
from api.ical.values import EventLength, utc
from timegate.value_classes import dataclass

#: Far more than a calendar holds; together they may still be few pieces.
MAX_OCCURRENCES = 20_000

Edge = TypeVar("Edge", date, datetime)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadWindow:
    """The time that a caller wants of a file."""

    first: datetime
    last: datetime
    #: Zone of the days.
    zone: tzinfo


@dataclass(kw_only=True, slots=True)
class Spans:
    """Time that the events in a window cover."""

    #: First and last day, both included.
    days: list[tuple[date, date]] = field(default_factory=list)
    #: UTC, without their ends.
    periods: list[tuple[datetime, datetime]] = field(default_factory=list)
    occurrences: int = 0


def gather(events: Sequence[IcalEvent], window: ReadWindow) -> Spans:
    """Every occurrence that touches the window; raises ``InvalidIcal``."""
    found, steps = Spans(), RecurrenceBudget()
    for event in events:
        # For the parent that has to end this process: see ``isolated``.
        sys.stderr.write(f"{event.uid}\n")
        sys.stderr.flush()
        try:
            _add(event, window, found, steps)
        except (OverflowError, ValueError) as error:
            detail = f"Event {event.uid} leaves the years that can be reckoned with."
            raise InvalidIcal("invalid_ical", detail) from error
        if found.occurrences > MAX_OCCURRENCES:
            detail = f"Its events occur more than {MAX_OCCURRENCES} times until {window.last:%F}."
            raise InvalidIcal("too_many", detail)
    found.days = list(_merged(found.days, timedelta(days=1)))
    found.periods = list(_merged(found.periods, timedelta(0)))
    return found


def _add(event: IcalEvent, window: ReadWindow, found: Spans, steps: RecurrenceBudget) -> None:
    clock = window.zone if event.whole_days else event.clock
    for wall, lasts in starts_of(event, until=_wall(window.last, clock), steps=steps):
        if event.whole_days:
            first = wall.date()
            last = first + timedelta(days=max(1, lasts.days) - 1)
            inside = last >= _wall(window.first, clock).date()
            found.days += [(first, last)] if inside else []
        else:
            start, end = _period(wall, lasts, clock)
            inside = end > max(start, window.first)
            found.periods += [(start, end)] if inside else []
        found.occurrences += inside
        if found.occurrences > MAX_OCCURRENCES:
            return


def _period(wall: datetime, lasts: EventLength, clock: tzinfo) -> tuple[datetime, datetime]:
    return utc(wall, clock), utc(wall + timedelta(days=lasts.days), clock) + lasts.time


def _wall(instant: datetime, clock: tzinfo) -> datetime:
    return instant.astimezone(clock).replace(tzinfo=None, fold=0)


def _merged(spans: list[tuple[Edge, Edge]], touching: timedelta) -> Iterator[tuple[Edge, Edge]]:
    """Spans that overlap or touch become one."""
    open_span: tuple[Edge, Edge] | None = None
    for start, end in sorted(spans):
        if open_span is None:
            open_span = (start, end)
        elif start <= open_span[1] + touching:
            open_span = (open_span[0], max(open_span[1], end))
        else:
            yield open_span
            open_span = (start, end)
    if open_span is not None:
        yield open_span
