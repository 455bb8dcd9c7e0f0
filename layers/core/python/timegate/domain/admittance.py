"""Admittance: which instants of a job its calendars let run, and what becomes of the others."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from timegate.domain.calendar import Calendar, covers
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import CalendarAction, CalendarMode, CalendarRule, Timing
from timegate.domain.recurrence import Span, next_fire, span_between
from timegate.domain.restrictions import Restrictions

#: An instant is put off this far and no further.
FURTHEST = timedelta(days=366)
#: Calendars that change more often in that time let nothing run that anybody could foresee.
_MOST_CHANGES = 5_000

_Named = tuple[CalendarRule, Calendar]


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """Instants that follow one another and that the calendars judge alike."""

    span: Span
    admitted: bool
    #: Of those that are left out only the last may be put off: before any other can run, the
    #: next one is due. It runs at this moment, if at all.
    last_runs_at: datetime | None = None


def is_admitted(timing: Timing, instant: datetime, restrictions: Restrictions) -> bool:
    """Whether every calendar of the job lets it run at this moment.

    A calendar that does not exist covers nothing for those who leave it out, and everything for
    those who keep to it: it keeps no job from running.
    """
    return not _blocking(_named(timing, restrictions), instant)


def runs_at(
    timing: Timing, instant: datetime, following: datetime | None, restrictions: Restrictions
) -> datetime | None:
    """When an instant runs: then, or put off; ``None``: its calendars leave it out.

    ``following`` is the next instant of the schedule: one that could not run before that does
    not run, for the next one stands for it.
    """
    named = _named(timing, restrictions)
    blocking = _blocking(named, instant)
    if not blocking:
        return instant
    if any(rule.action is CalendarAction.SKIP for rule, _ in blocking):
        return None
    latest = instant + FURTHEST
    if following is not None:
        latest = min(latest, following - MILLISECOND)
    return _first_admitted(named, instant, latest)


def stretches(
    timing: Timing, first: datetime, until: datetime, restrictions: Restrictions
) -> Iterator[Stretch]:
    """All instants with ``first`` <= instant <= ``until``, by what the calendars say of them.

    Takes time by how often calendars change, not by how many instants there are.
    """
    named = _named(timing, restrictions)
    at = _next(timing, first - MILLISECOND)
    while at is not None and at <= until:
        end = _end_of_stretch(named, at, until)
        span = span_between(
            timing.schedule, created_at=timing.anchored_at, first=at, until=end - MILLISECOND
        )
        if span is None:
            return
        following = _next(timing, span.last)
        if _blocking(named, at):
            moment = runs_at(timing, span.last, following, restrictions)
            yield Stretch(span=span, admitted=False, last_runs_at=moment)
        else:
            yield Stretch(span=span, admitted=True)
        at = following


def _named(timing: Timing, restrictions: Restrictions) -> list[_Named]:
    found = restrictions.calendars
    return [(rule, found[rule.calendar]) for rule in timing.calendars if rule.calendar in found]


def _blocking(named: list[_Named], moment: datetime) -> list[_Named]:
    return [
        (rule, calendar)
        for rule, calendar in named
        if covers(calendar, moment) is (rule.mode is CalendarMode.EXCLUDE)
    ]


def _end_of_stretch(named: list[_Named], at: datetime, until: datetime) -> datetime:
    """The first moment after ``at`` that is judged otherwise, or just behind ``until``."""
    blocked, moment = bool(_blocking(named, at)), at
    while True:
        changes = [calendar.coverage.next_change(moment) for _, calendar in named]
        change = min((each for each in changes if each is not None), default=None)
        if change is None or change > until:
            return until + MILLISECOND
        if bool(_blocking(named, change)) is not blocked:
            return change
        moment = change


def _first_admitted(named: list[_Named], instant: datetime, latest: datetime) -> datetime | None:
    moment = instant
    for _ in range(_MOST_CHANGES):
        blocking = _blocking(named, moment)
        if not blocking:
            return moment
        past = _past(*blocking[0], moment)
        if past is None or past > latest:
            return None
        moment = past
    return None


def _past(rule: CalendarRule, calendar: Calendar, moment: datetime) -> datetime | None:
    """The next moment that this calendar may let run: of whole days, at the same time of day."""
    coverage = calendar.coverage
    match rule.mode:
        case CalendarMode.EXCLUDE:
            if coverage.holds_day(moment):
                return coverage.same_time_next_day(moment)
            return coverage.next_change(moment)
        case CalendarMode.ONLY:
            change = _next_covered(calendar, moment)
            if change is None or not coverage.holds_day(change):
                return change
            return max(change, coverage.same_time_on_day_of(moment, change))


def _next_covered(calendar: Calendar, moment: datetime) -> datetime | None:
    change: datetime | None = moment
    for _ in range(_MOST_CHANGES):
        change = calendar.coverage.next_change(change) if change is not None else None
        if change is None or covers(calendar, change):
            return change
    return None


def _next(timing: Timing, after: datetime) -> datetime | None:
    return next_fire(timing.schedule, created_at=timing.anchored_at, after=after)
