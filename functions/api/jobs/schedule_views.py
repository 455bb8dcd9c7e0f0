"""Schedules as users see them."""

from datetime import datetime

from api.values.views import View
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.instants import rfc3339


def schedule_view(schedule: Schedule) -> View:
    """A schedule: its kind and the fields of that kind."""
    view = _pattern_view(schedule)
    if schedule.is_recurring:
        view["starts_at"] = _instant(schedule.starts_at)
        view["ends_at"] = _instant(schedule.ends_at)
        view["max_runs"] = schedule.max_runs
        view["jitter_seconds"] = schedule.jitter_seconds
    return view


def _pattern_view(schedule: Schedule) -> View:
    """A schedule without its bounds; so it stands in a union."""
    view: View = {"kind": schedule.kind}
    match schedule.kind:
        case ScheduleKind.AT:
            view["at"] = _instant(schedule.at)
        case ScheduleKind.DELAY:
            view["delay_seconds"] = schedule.delay_seconds
        case ScheduleKind.CRON:
            view["cron"] = schedule.cron
            view["dialect"] = schedule.dialect
        case ScheduleKind.RRULE:
            view["rrule"] = schedule.rrule
            view["exdates"] = [rfc3339(each) for each in schedule.exdates]
            view["rdates"] = [rfc3339(each) for each in schedule.rdates]
        case ScheduleKind.RATE:
            view["every_seconds"] = schedule.every_seconds
        case ScheduleKind.UNION:
            view["any_of"] = [_pattern_view(each) for each in schedule.any_of]
    if schedule.names_wall_times:
        view["timezone"] = schedule.timezone
        view["dst"] = schedule.dst
        view["gap"] = schedule.gap
        view["fold"] = schedule.fold
    return view


def _instant(instant: datetime | None) -> str | None:
    return rfc3339(instant) if instant is not None else None
