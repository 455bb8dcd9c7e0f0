"""Patterns that name each time of another one."""

from timegate.domain.recurrence.cron.pattern import CronPattern


def covers(wide: CronPattern, narrow: CronPattern) -> bool:
    """Tell whether each field holds the other's values, and each month its days."""
    names = ("seconds", "minutes", "hours", "months")
    if not all(set(getattr(wide, name)) >= set(getattr(narrow, name)) for name in names):
        return False
    if wide.years is not None and not set(wide.years) >= set(narrow.years or (0,)):
        return False
    return all(
        not narrow.day_rule.days_of(length, first) & ~wide.day_rule.days_of(length, first)
        for length in range(28, 32)
        for first in range(7)
    )
