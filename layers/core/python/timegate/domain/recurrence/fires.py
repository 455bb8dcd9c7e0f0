"""The instants a schedule names, whatever its kind."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import islice, takewhile
from typing import Protocol

from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule

_MICROSECOND = timedelta(microseconds=1)
#: A change of law moves a zone's clock by an hour, as a rule; never by more than the other.
_USUAL_SHIFT, _LARGEST_SHIFT = timedelta(hours=1), timedelta(hours=3)


class Anchored(Protocol):
    """A schedule and when it was given: together they name instants."""

    @property
    def schedule(self) -> Schedule:
        """The schedule."""

    @property
    def anchored_at(self) -> datetime:
        """The ``created_at`` of its instants."""


def next_instant(of: Anchored, after: datetime) -> datetime | None:
    """Find its first instant later than ``after``: see ``next_fire``."""
    return next_fire(of.schedule, created_at=of.anchored_at, after=after)


def instants_between(of: Anchored, *, after: datetime, until: datetime) -> Iterator[datetime]:
    """Yield its instants in a range: see ``fires_between``."""
    return fires_between(of.schedule, created_at=of.anchored_at, after=after, until=until)


def names_instant(of: Anchored, instant: datetime) -> bool:
    """Tell if it names this instant: see ``nominates``."""
    return nominates(of.schedule, created_at=of.anchored_at, instant=instant)


def next_fire(schedule: Schedule, *, created_at: datetime, after: datetime) -> datetime | None:
    """The first instant strictly later than ``after``; ``None`` when there is no more.

    ``starts_at`` and ``ends_at`` are both inclusive. ``max_runs`` is left to the planner, which
    counts runs. ``created_at`` anchors ``immediate``, ``delay`` and a rate without ``starts_at``;
    it does not bound a cron or an anchored rate, so that a range before the job's creation can be
    filled.
    """
    return _next_fire(schedule, created_at, after)


@lru_cache(maxsize=8)
def _next_fire(schedule: Schedule, created_at: datetime, after: datetime) -> datetime | None:
    """Find it once: the check of a new job, its record and its view ask for the same."""
    return next(fires_after(schedule, created_at=created_at, after=after), None)


def fires_between(
    schedule: Schedule, *, created_at: datetime, after: datetime, until: datetime
) -> Iterator[datetime]:
    """The instants with ``after`` < instant <= ``until``, strictly increasing, computed lazily."""
    fires = fires_after(schedule, created_at=created_at, after=after)
    return takewhile(lambda fire: fire <= until, fires)


def nominates(schedule: Schedule, *, created_at: datetime, instant: datetime) -> bool:
    """Tell if the schedule names this instant, ``max_runs`` aside."""
    before = instant - _MICROSECOND
    return next_fire(schedule, created_at=created_at, after=before) == instant


def moved_earlier(
    schedule: Schedule, *, created_at: datetime, instant: datetime, after: datetime
) -> datetime | None:
    """The instant later than ``after`` that one of the past has become by a change of its zone.

    ``None``: the schedule names it still, or names no other shortly before it.
    """
    if schedule.wall_timezone is None or nominates(
        schedule, created_at=created_at, instant=instant
    ):
        return None
    begin = max(after, instant - _LARGEST_SHIFT)
    found = list(
        fires_between(schedule, created_at=created_at, after=begin, until=instant - _MICROSECOND)
    )
    usual = instant - _USUAL_SHIFT
    return usual if usual in found else max(found, default=None)


def preview(
    schedule: Schedule, *, created_at: datetime, after: datetime, count: int
) -> list[datetime]:
    """The next ``count`` instants after ``after``; fewer when the schedule ends before.

    ``max_runs`` counts from the first one shown.
    """
    limit = count if schedule.max_runs is None else min(count, schedule.max_runs)
    return list(islice(fires_after(schedule, created_at=created_at, after=after), limit))


def fires_after(schedule: Schedule, *, created_at: datetime, after: datetime) -> Iterator[datetime]:
    """The instants later than ``after``, strictly increasing, computed lazily."""
    # The year 1 has no instant before its first.
    if schedule.starts_at is not None and schedule.starts_at > after:
        after = max(after, schedule.starts_at - _MICROSECOND)
    fires = kind_of(schedule.kind).fires(schedule, created_at, after)
    ends_at = schedule.ends_at
    return fires if ends_at is None else takewhile(lambda fire: fire <= ends_at, fires)
