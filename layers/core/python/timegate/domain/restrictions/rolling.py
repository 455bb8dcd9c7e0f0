"""Rolling: the instants of a job that move to a business day, and which of them run there.

An instant whose local day is no business day moves to the same local time of a business day. One of
the instants that meet at a moment runs: the instant that the schedule names there, else the one
nearest to it, else the earlier of two. The rule is a pure function of the schedule, the calendars
and the rules, so planner, preview, simulation, executor and ``explain`` agree.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import lru_cache
from itertools import islice

from timegate.domain.calendars.business_days import days_rolling_to, is_business_day, rolled_day
from timegate.domain.calendars.calendar import Calendar, covers
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.calendars.roll import MAX_PER_DAY, Roll, RolledTo
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.fires import (
    instants_between,
    names_instant,
)
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.zones.local_days import EPOCH_DAY, day_of, same_time_on, start_of
from timegate.domain.restrictions.calendar_rules import Held, blocks
from timegate.domain.restrictions.judged import NEVER, JudgedInstant
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: Days whose arrivals are remembered: every tick asks about the same ones.
_REMEMBERED = 512


@dataclass(frozen=True, kw_only=True, slots=True)
class Rolling:
    """All that decides where the instants of a job roll."""

    schedule: Schedule
    anchored_at: datetime
    roll: Roll
    held: Held
    #: The job's other rules, with their calendars.
    others: tuple[tuple[CalendarRule, Held], ...] = ()

    @property
    def calendar(self) -> Calendar:
        """The calendar of the business days."""
        return self.held.calendar

    @property
    def timezone(self) -> str:
        """The time zone of the days."""
        return self.calendar.timezone

    def fires_on(self, day: int) -> Iterator[datetime]:
        """The instants of a local day for which the job's present schedule answers."""
        return self.fires(start_of(self.timezone, day), start_of(self.timezone, day + 1))

    def fires(self, first: datetime, before: datetime) -> Iterator[datetime]:
        """Yield the instants with ``first`` <= instant < ``before``, as far as the schedule has
        any.
        """
        found = instants_between(self, after=first - MILLISECOND, until=before - MILLISECOND)
        return islice((each for each in found if self.answers_for(each)), 2 * MAX_PER_DAY)

    def answers_for(self, instant: datetime) -> bool:
        """A recurring schedule begins after it was given, one that runs once at that moment."""
        if self.schedule.is_recurring:
            return instant > self.anchored_at
        return instant >= self.anchored_at

    def is_left_out(self, moment: datetime) -> bool:
        """By another rule of the job, or as an hour that the calendar covers."""
        return self.is_skipped(moment) or covers(self.calendar, moment)

    def is_skipped(self, moment: datetime) -> bool:
        """By another rule of the job."""
        return any(blocks(rule, held.calendar, moment) for rule, held in self.others)


def rolling_of(timing: Timing, restrictions: Restrictions) -> Rolling | None:
    """Return the job's rolling; ``None``: it has none, or the calendar does not exist."""
    rule = next((each for each in timing.calendars if each.roll is not None), None)
    if rule is None or rule.roll is None or rule.calendar not in restrictions.calendars:
        return None
    found = restrictions.calendars
    others = [each for each in timing.calendars if each is not rule and each.calendar in found]
    return Rolling(
        schedule=timing.schedule,
        anchored_at=timing.anchored_at,
        roll=rule.roll,
        held=Held(found[rule.calendar]),
        others=tuple((each, Held(found[each.calendar])) for each in others),
    )


def judge_rolled(rolling: Rolling, instant: datetime) -> JudgedInstant:
    """Judge an instant that its calendar leaves out, and no other rule of the job."""
    day = day_of(rolling.timezone, instant)
    if is_business_day(rolling.calendar, day):
        # An hour that the calendar covers: rolls move whole days.
        return NEVER
    target = rolled_day(rolling.calendar, day, rolling.roll)
    if target is None:
        return JudgedInstant(at=None, reason=Reason.NO_BUSINESS_DAY)
    at = same_time_on(rolling.timezone, instant, target)
    if rolling.is_left_out(at):
        return NEVER
    rolled_to = RolledTo(day=date.fromordinal(target + EPOCH_DAY), timezone=rolling.timezone)
    own = rolling.answers_for(at) and not names_instant(rolling, at)
    if own and _arrivals(rolling, target).get(at, instant) == instant:
        return JudgedInstant(at=at, rolled_to=rolled_to)
    return JudgedInstant(at=None, reason=Reason.ROLLED, rolled_to=rolled_to)


def arriving_at(rolling: Rolling, moment: datetime) -> list[datetime]:
    """The instants that roll to a moment, in order."""
    day = day_of(rolling.timezone, moment)
    if not is_business_day(rolling.calendar, day) or rolling.is_left_out(moment):
        return []
    return [instant for instant, at in _rolled_onto(rolling, day) if at == moment]


def moved_ahead(rolling: Rolling, after: datetime) -> Iterator[tuple[datetime, datetime]]:
    """The instants later than ``after`` that run before their own day, each with its moment.

    Only those whose free days begin with, or right behind, the day of ``after``: what comes later
    runs on a later day.
    """
    if not rolling.roll.may_precede:
        return
    day = day_of(rolling.timezone, after)
    if is_business_day(rolling.calendar, day):
        day += 1
    while not is_business_day(rolling.calendar, day):
        target = rolled_day(rolling.calendar, day, rolling.roll)
        if target is None:
            return
        if target < day:
            yield from _ahead_on(rolling, day, after)
        day += 1


def _ahead_on(rolling: Rolling, day: int, after: datetime) -> Iterator[tuple[datetime, datetime]]:
    for instant in rolling.fires_on(day):
        if instant > after and not rolling.is_skipped(instant):
            moment = judge_rolled(rolling, instant).at
            if moment is not None:
                yield instant, moment


@lru_cache(maxsize=_REMEMBERED)
def _arrivals(rolling: Rolling, day: int) -> Mapping[datetime, datetime]:
    """Map each moment of a business day to the instant that rolls there."""
    found: dict[datetime, datetime] = {}
    for instant, at in _rolled_onto(rolling, day):
        known = found.get(at)
        if known is None or abs(instant - at) < abs(known - at):
            found[at] = instant
    return found


def _rolled_onto(rolling: Rolling, day: int) -> Iterator[tuple[datetime, datetime]]:
    """The instants that roll to a business day in order, each with its moment."""
    for each in days_rolling_to(rolling.calendar, day, rolling.roll):
        for instant in rolling.fires_on(each):
            if not rolling.is_skipped(instant):
                yield instant, same_time_on(rolling.timezone, instant, day)
