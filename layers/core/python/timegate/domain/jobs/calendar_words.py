"""Calendar rules in words."""

from collections.abc import Sequence

from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.roll import Roll

_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}
_TEENS = range(11, 14)
_PARTS = {
    (CalendarMode.EXCLUDE, CalendarAction.SKIP): "except when {} covers it",
    (CalendarMode.EXCLUDE, CalendarAction.DEFER): "put off while {} covers it",
    (CalendarMode.ONLY, CalendarAction.SKIP): "only when {} covers it",
    (CalendarMode.ONLY, CalendarAction.DEFER): "put off until {} covers it",
}

_ROLLS = {
    Roll.NEXT: "rolled to the next business day of {}",
    Roll.PREVIOUS: "rolled to the previous business day of {}",
    Roll.NEAREST: "rolled to the nearest business day of {}",
    Roll.MODIFIED_FOLLOWING: "rolled to the next business day of {}, or within its month",
}


def describe_rules(rules: Sequence[CalendarRule]) -> list[str]:
    """Each rule as a part of a sentence, such as ``except when holidays covers it``."""
    return [_describe(rule) for rule in rules]


def _describe(rule: CalendarRule) -> str:
    if rule.business_day is not None:
        which = _ordinal(rule.business_day)
        return f"only on the {which} business day of each month of {rule.calendar}"
    if rule.roll is not None:
        return _ROLLS[rule.roll].format(rule.calendar)
    return _PARTS[rule.mode, rule.action].format(rule.calendar)


def _ordinal(number: int) -> str:
    if number == -1:
        return "last"
    if number < 0:
        return f"{_ordinal(-number)} to last"
    suffix = "th" if number in _TEENS else _SUFFIXES.get(number % 10, "th")
    return f"{number}{suffix}"
