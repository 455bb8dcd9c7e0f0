"""Clock changes in other schedulers, and the policies that imitate them here.

The rules and their sources are the table "Beside other schedulers" of
``docs/concepts/schedules.md``.
"""

from dataclasses import replace

from timegate.cli.migrating.entries import Source
from timegate.domain.recurrence.cron.pattern import pattern_of
from timegate.domain.recurrence.schedule import DstPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.recurrence.zones.clock_changes import is_interval
from timegate.domain.recurrence.zones.zone_clock import load_zone, never_changes


def as_there(schedule: Schedule, source: Source) -> Schedule:
    """Give a schedule the policies of the scheduler that it comes from.

    Raises ``InvalidInput`` for an expression or a zone that cannot be read.
    """
    if schedule.kind is not ScheduleKind.CRON:
        return schedule
    load_zone(schedule.timezone)
    fields = pattern_of(schedule).fields
    if never_changes(schedule.timezone):
        return schedule
    match source:
        case Source.CRONTAB:
            # Vixie cron goes by the spelling: a star at the head of the hour or the minute.
            starred = fields.hour.startswith("*") or fields.minute.startswith("*")
            return replace(schedule, dst=DstPolicy.INTERVAL if starred else DstPolicy.FIXED)
        case Source.KUBERNETES | Source.DKRON | Source.QUARTZ:
            return replace(schedule, dst=DstPolicy.INTERVAL)
        case Source.EVENTBRIDGE | Source.SYSTEMD:
            return replace(schedule, dst=DstPolicy.FIXED, gap=GapPolicy.SKIP)
        case Source.GOOGLE | Source.GITHUB | Source.CELERY:
            # They publish no difference from here, so there is nothing to imitate.
            return schedule


def faithful(schedule: Schedule, there: Schedule) -> Schedule:
    """Give our schedule the policies that keep the other scheduler's fires on every day."""
    if there == schedule or schedule.kind is not ScheduleKind.CRON:
        return schedule
    pattern = pattern_of(schedule)
    interval = is_interval(there, pattern)
    dst = None if pattern.is_interval == interval else there.dst
    if interval:
        return replace(schedule, dst=dst)
    return replace(schedule, dst=dst, gap=there.gap, fold=there.fold)
