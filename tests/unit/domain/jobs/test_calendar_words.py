"""Calendar rules in words."""

import pytest

from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.jobs.calendar_words import describe_rules


@pytest.mark.parametrize(
    ("mode", "action", "words"),
    [
        (CalendarMode.EXCLUDE, CalendarAction.SKIP, "except when bank covers it"),
        (CalendarMode.EXCLUDE, CalendarAction.DEFER, "put off while bank covers it"),
        (CalendarMode.ONLY, CalendarAction.SKIP, "only when bank covers it"),
        (CalendarMode.ONLY, CalendarAction.DEFER, "put off until bank covers it"),
    ],
)
def test_each_mode_and_action_has_its_words(
    mode: CalendarMode, action: CalendarAction, words: str
) -> None:
    """They go on a sentence about the schedule."""
    assert describe_rules([CalendarRule(calendar="bank", mode=mode, action=action)]) == [words]


@pytest.mark.parametrize(
    ("number", "which"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (22, "22nd"),
        (23, "23rd"),
        (-1, "last"),
        (-2, "2nd to last"),
        (-11, "11th to last"),
    ],
)
def test_a_business_day_is_counted(number: int, which: str) -> None:
    """From the beginning of the month, or from its end."""
    rule = CalendarRule(calendar="bank", business_day=number)

    assert describe_rules([rule]) == [f"only on the {which} business day of each month of bank"]
