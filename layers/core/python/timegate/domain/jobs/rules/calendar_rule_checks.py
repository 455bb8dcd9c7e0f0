"""Calendar rules about business days that do not go with one another, or with themselves."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from timegate.domain.calendars.business_days import MAX_BUSINESS_DAY
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.roll import MAX_PER_DAY, Roll
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND

#: Said of a schedule that names too many instants to roll them.
TOO_MANY = f"A schedule that rolls names at most {MAX_PER_DAY} instants a day."
#: Far enough in the past for a pattern that names one year only.
_SOME_DAY = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


def check_business_rules(rules: Sequence[CalendarRule], *, field: str) -> None:
    """Refuse what contradicts itself or has no effect; raises ``InvalidInput`` naming the field."""
    for number, rule in enumerate(rules):
        if rule.business_day is not None:
            _check_business_day(rule, rule.business_day, field=f"{field}.{number}")
        _check_roll(rule, field=f"{field}.{number}")
    _check_picks(rules, field=field)
    _check_moves(rules, field=field)


def check_density(
    schedule: Schedule, rules: Sequence[CalendarRule], *, field: str = "calendars"
) -> None:
    """Refuse to roll more instants than a planner compares; raises ``InvalidInput``."""
    if rolls_too_many(schedule, rules):
        raise InvalidInput(field, "too_complex", TOO_MANY)


def rolls_too_many(schedule: Schedule, rules: Sequence[CalendarRule]) -> bool:
    """Tell if a schedule that rolls names more than ``MAX_PER_DAY`` instants in a day."""
    if all(rule.roll is None for rule in rules) or not schedule.is_recurring:
        return False
    # Members of a union may have their densest days at different times.
    return sum(map(_a_day, schedule.any_of or (schedule,))) > MAX_PER_DAY


def _a_day(schedule: Schedule) -> int:
    """Count the instants of the first day that has any."""
    # Its bounds do not matter, and a rate without a beginning has one.
    endless = replace(schedule, starts_at=None, ends_at=None)
    first = next_fire(endless, created_at=_SOME_DAY, after=_SOME_DAY)
    if first is None:
        return 0
    day = span_between(endless, created_at=_SOME_DAY, first=first, until=first + _DAY - MILLISECOND)
    return day.count if day is not None else 0


def _check_roll(rule: CalendarRule, *, field: str) -> None:
    if rule.action is CalendarAction.ROLL and rule.roll is None:
        detail = f"Say where to: {', '.join(Roll)}."
        raise InvalidInput(f"{field}.roll", "missing", detail)
    if rule.action is not CalendarAction.ROLL and rule.roll is not None:
        detail = "It says where the action roll moves an instant; set action to roll."
        raise InvalidInput(f"{field}.roll", "without_effect", detail)
    if rule.roll is not None and rule.mode is CalendarMode.ONLY:
        detail = "Business days are the days that a calendar does not cover; roll needs"
        raise InvalidInput(f"{field}.mode", "contradictory", f"{detail} mode exclude.")


def _check_moves(rules: Sequence[CalendarRule], *, field: str) -> None:
    """One rule moves an instant, if any rule rolls: the others leave out."""
    moving = [n for n, rule in enumerate(rules) if rule.action is not CalendarAction.SKIP]
    if len(moving) > 1 and any(rule.action is CalendarAction.ROLL for rule in rules):
        detail = f"{field}.{moving[0]} moves instants already; use action skip beside a roll."
        raise InvalidInput(f"{field}.{moving[1]}.action", "contradictory", detail)


def _check_business_day(rule: CalendarRule, business_day: int, *, field: str) -> None:
    if not 1 <= abs(business_day) <= MAX_BUSINESS_DAY:
        detail = f"Count 1 to {MAX_BUSINESS_DAY}, or from the end -1 to -{MAX_BUSINESS_DAY}."
        raise InvalidInput(f"{field}.business_day", "out_of_range", detail)
    if rule.mode is CalendarMode.ONLY:
        detail = "Business days are the days that a calendar does not cover; business_day needs"
        raise InvalidInput(f"{field}.mode", "contradictory", f"{detail} mode exclude.")


def _check_picks(rules: Sequence[CalendarRule], *, field: str) -> None:
    """A job whose rule picks one day of the month runs on no other day."""
    picks = [number for number, rule in enumerate(rules) if rule.business_day is not None]
    if len(picks) > 1:
        detail = f"{field}.{picks[0]} picks a day of the month already; keep one of them."
        raise InvalidInput(f"{field}.{picks[1]}.business_day", "contradictory", detail)
    for number, rule in enumerate(rules):
        if picks and rule.action is not CalendarAction.SKIP:
            detail = "The job keeps to one business day of the month; use action skip beside it."
            raise InvalidInput(f"{field}.{number}.action", "contradictory", detail)
