"""Admittance: which instants of a job its calendars let run, and what becomes of the others."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache

from timegate.domain.calendars.calendar import Calendar, covers
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.roll import RolledTo
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import (
    instants_between,
    next_instant,
)
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.restrictions.calendar_rules import Held, blocks, next_change
from timegate.domain.restrictions.judged import NEVER, JudgedInstant
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.restrictions.rolling import judge_rolled, rolling_of
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: An instant is put off this far and no further.
FURTHEST = timedelta(days=366)
#: Changes of calendars that are looked at for one instant; it is left out if none lets it run. A
#: year of whole days takes 366, and a tick may meet thousands of instants.
MOST_CHANGES = 1_000
#: Searches that are remembered: jobs of one midnight and the same calendars are put off together.
_REMEMBERED = 512

_Named = tuple[CalendarRule, Calendar]


@dataclass(frozen=True, kw_only=True, slots=True)
class InstantGroup:
    """Instants that follow one another and that the calendars judge alike."""

    span: InstantSeries
    admitted: bool
    #: Only the last instant left out may be put off: before any other can run, the next one is due.
    #: It runs at this moment, if at all. One that rolls is a stretch of its own.
    last_runs_at: datetime | None = None
    #: Reason of those that do not run.
    reason: Reason = Reason.EXCLUDED
    rolled_to: RolledTo | None = None


def is_admitted(timing: Timing, instant: datetime, restrictions: Restrictions) -> bool:
    """Tell if every calendar of the job lets it run at this moment.

    A calendar that does not exist covers nothing for those who leave it out, and everything for
    those who keep to it: it keeps no job from running.
    """
    return not _blocking(_named(timing, restrictions), instant)


def runs_at(
    timing: Timing, instant: datetime, following: datetime | None, restrictions: Restrictions
) -> datetime | None:
    """The moment of ``judge_instant``; ``None``: the instant does not run."""
    return judge_instant(timing, instant, following, restrictions).at


def judge_instant(
    timing: Timing, instant: datetime, following: datetime | None, restrictions: Restrictions
) -> JudgedInstant:
    """Say when an instant runs: then, put off, or rolled to a business day; else why it does not.

    ``following`` is the next instant of the schedule: one that is put off runs before that or not
    at all, for the next one stands for it.
    """
    named = _named(timing, restrictions)
    blocking = _blocking(named, instant)
    if not blocking:
        return JudgedInstant(at=instant)
    if any(rule.action is CalendarAction.SKIP for rule, _ in blocking):
        return NEVER
    rolling = rolling_of(timing, restrictions)
    if rolling is not None:
        return judge_rolled(rolling, instant)
    return JudgedInstant(at=_deferred(named, instant, following))


def _deferred(
    named: list[_Named], instant: datetime, following: datetime | None
) -> datetime | None:
    latest = instant + FURTHEST
    if following is not None:
        latest = min(latest, following - MILLISECOND)
    held = tuple((rule, Held(calendar)) for rule, calendar in named)
    return _first_admitted(held, instant, latest)


def stretches(
    timing: Timing, first: datetime, until: datetime, restrictions: Restrictions
) -> Iterator[InstantGroup]:
    """All instants with ``first`` <= instant <= ``until``, by what the calendars say of them.

    Takes time by how often calendars change, or by how many instants there are, whichever is
    less.
    """
    named = _named(timing, restrictions)
    at = next_instant(timing, first - MILLISECOND)
    while at is not None and at <= until:
        end = _end_of_stretch(timing, named, at, until, restrictions)
        span = series_between(timing, first=at, until=end - MILLISECOND)
        if span is None:
            return
        following = next_instant(timing, span.last)
        if _blocking(named, at) and rolling_of(timing, restrictions) is not None:
            yield from _one_by_one(timing, span, restrictions)
        elif _blocking(named, at):
            moment = runs_at(timing, span.last, following, restrictions)
            yield InstantGroup(span=span, admitted=False, last_runs_at=moment)
        else:
            yield InstantGroup(span=span, admitted=True)
        at = following


def _one_by_one(
    timing: Timing, span: InstantSeries, restrictions: Restrictions
) -> Iterator[InstantGroup]:
    """The instants of a stretch that may roll: one that runs by itself, the others together."""
    fires = instants_between(timing, after=span.first - MILLISECOND, until=span.last)
    together: InstantGroup | None = None
    for instant in fires:
        judged = judge_instant(timing, instant, None, restrictions)
        alone = InstantGroup(
            span=InstantSeries(first=instant, last=instant, count=1),
            admitted=False,
            last_runs_at=judged.at,
            reason=judged.reason,
            rolled_to=judged.rolled_to,
        )
        if together is None:
            together = alone
        elif judged.at is None and replace(alone, span=together.span) == together:
            first, count = together.span.first, together.span.count + 1
            together = replace(together, span=InstantSeries(first=first, last=instant, count=count))
        else:
            yield together
            together = alone
    if together is not None:
        yield together


def _named(timing: Timing, restrictions: Restrictions) -> list[_Named]:
    found = restrictions.calendars
    return [(rule, found[rule.calendar]) for rule in timing.calendars if rule.calendar in found]


def _blocking(named: list[_Named], moment: datetime) -> list[_Named]:
    return [(rule, calendar) for rule, calendar in named if blocks(rule, calendar, moment)]


def _end_of_stretch(
    timing: Timing,
    named: list[_Named],
    at: datetime,
    until: datetime,
    restrictions: Restrictions,
) -> datetime:
    """Just behind the last instant up to ``until`` that is judged as ``at`` is.

    One that is put off until before the next one is due is the last, too: calendars may open
    between two instants that they leave out.
    """
    blocked, moment = bool(_blocking(named, at)), at
    is_put_off = blocked and any(rule.action is CalendarAction.DEFER for rule, _ in named)
    while True:
        changes = [next_change(rule, calendar, moment) for rule, calendar in named]
        change = min((each for each in changes if each is not None), default=None)
        if change is None or change > until:
            return until + MILLISECOND
        # A change before the next instant changes nothing.
        instant = next_instant(timing, change - MILLISECOND)
        if instant is None or instant > until:
            return until + MILLISECOND
        if bool(_blocking(named, instant)) is not blocked:
            return instant
        if is_put_off and _is_run_before(timing, (moment, change), instant, restrictions):
            return change
        moment = instant


def _is_run_before(
    timing: Timing,
    between: tuple[datetime, datetime],
    following: datetime,
    restrictions: Restrictions,
) -> bool:
    """Tell if the last instant between two moments, the second left out, runs before the next."""
    found = series_between(timing, first=between[0], until=between[1] - MILLISECOND)
    return found is not None and runs_at(timing, found.last, following, restrictions) is not None


@lru_cache(maxsize=_REMEMBERED)
def _first_admitted(
    named: tuple[tuple[CalendarRule, Held], ...], instant: datetime, latest: datetime
) -> datetime | None:
    search, moment = _Search(), instant
    while True:
        found = (each for each in named if blocks(each[0], each[1].calendar, moment))
        blocking = next(found, None)
        if blocking is None:
            return moment
        past = search.past(blocking[0], blocking[1].calendar, moment)
        if past is None or past > latest:
            return None
        moment = past


@dataclass(slots=True)
class _Search:
    """The search for a moment at which something may run, and how long it may still go on."""

    left: int = MOST_CHANGES

    def past(self, rule: CalendarRule, calendar: Calendar, moment: datetime) -> datetime | None:
        """The next moment that this calendar may let run: of whole days, at the same time."""
        if rule.business_day is not None:
            self.left -= 1
            return next_change(rule, calendar, moment) if self.left >= 0 else None
        coverage = calendar.coverage
        match rule.mode:
            case CalendarMode.EXCLUDE:
                self.left -= 1
                if self.left < 0:
                    return None
                if coverage.holds_day(moment):
                    return coverage.same_time_next_day(moment)
                return coverage.next_change(moment)
            case CalendarMode.ONLY:
                change = self._next_covered(calendar, moment)
                if change is None or not coverage.holds_day(change):
                    return change
                return max(change, coverage.same_time_on_day_of(moment, change))

    def _next_covered(self, calendar: Calendar, moment: datetime) -> datetime | None:
        change: datetime | None = moment
        while change is not None and self.left > 0:
            self.left -= 1
            change = calendar.coverage.next_change(change)
            if change is not None and covers(calendar, change):
                return change
        return None
