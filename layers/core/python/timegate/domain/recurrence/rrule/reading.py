"""Reading the rule of a schedule on the wall clock of its zone."""

from datetime import UTC, datetime, timedelta

from timegate.domain.recurrence.rrule.pattern import RrulePattern, rrule_pattern
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.zones.zone_clock import stretch_at

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rule_of(schedule: Schedule) -> RrulePattern:
    """Read the rule on the wall of its zone; raises ``InvalidInput``."""
    begin = ((schedule.starts_at or _EPOCH) - _EPOCH) // timedelta(seconds=1)
    wall = begin + stretch_at(schedule.timezone, begin).offset
    return rrule_pattern(schedule.rrule or "", wall)
