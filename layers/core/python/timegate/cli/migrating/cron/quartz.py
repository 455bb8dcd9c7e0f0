"""Texts that Quartz reads otherwise than they look, or not at all.

Sources: the CronTrigger tutorial, and ``CronExpression`` of Quartz 2.3 and 2.5.
"""

import re
from collections.abc import Sequence
from typing import NoReturn

from timegate.domain.values.errors import InvalidInput

#: The longest step of seconds, minutes, hours, days, months and weekdays.
_LONGEST_STEPS = (59, 59, 23, 31, 12, 7)
_FIELDS = len(_LONGEST_STEPS)
_DAY, _WEEKDAY = 3, 5
_STEP = re.compile(r"[^/]*+/(\d++)")
#: ``mon/2`` and ``jan-jun/2``.
_NAMED_STEP = re.compile(r"[a-z]{3}(?:-\w++)?+/\d++")
_MIXED_RANGE = re.compile(r"[a-z]{3}-\d|\d++-[a-z]")


def check_quartz(text: str) -> None:
    """Raise ``InvalidInput`` with code ``invalid_cron`` where Quartz refuses or ignores a part."""
    fields = [field.split(",") for field in text.lower().split()[:_FIELDS]]
    for items, longest in zip(fields, _LONGEST_STEPS, strict=True):
        for item in items:
            _check_item(item, longest)
    _check_lists(fields[_DAY], fields[_WEEKDAY])


def check_single_nth_weekday(weekdays: Sequence[str], program: str) -> None:
    """Raise ``InvalidInput`` for a list with ``#``: these programs take one such day alone."""
    if len(weekdays) > 1 and any("#" in item for item in weekdays):
        _refuse(f"{program} takes one weekday with # and no list: write one schedule for each.")


def _check_item(item: str, longest: int) -> None:
    if _NAMED_STEP.fullmatch(item):
        _refuse(f"Quartz ignores the step behind a name in {item!r}: write its values as numbers.")
    if _MIXED_RANGE.match(item):
        _refuse(f"Quartz refuses {item!r}: a range has two names or two numbers.")
    step = _STEP.fullmatch(item)
    if step and int(step[1]) > longest:
        _refuse(f"Quartz refuses {item!r}: its longest step is {longest}.")


def _check_lists(days: Sequence[str], weekdays: Sequence[str]) -> None:
    if len(days) > 1 and any("w" in item for item in days):
        _refuse("Quartz takes W for a single day and no list: write one schedule for each.")
    if len(weekdays) > 1 and any("l" in item for item in weekdays):
        _refuse("Quartz takes L for a single weekday and no list: write one schedule for each.")
    check_single_nth_weekday(weekdays, "Quartz")


def _refuse(detail: str) -> NoReturn:
    raise InvalidInput("schedule.cron", "invalid_cron", detail)
