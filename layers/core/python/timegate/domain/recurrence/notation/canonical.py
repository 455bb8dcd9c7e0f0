"""One form of each schedule: equal schedules are stored, compared and answered alike."""

from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput


def canonical(schedule: Schedule) -> Schedule:
    """Rewrite a schedule as it is stored; of other kinds than ``rrule`` nothing changes.

    A rule that cannot be read stays as it is: ``validate_schedule`` refuses it.
    """
    if schedule.kind is not ScheduleKind.RRULE:
        return schedule
    # Imported here: few schedules need it, and every function would pay for it.
    from timegate.domain.recurrence.rrule.lines import read_lines  # noqa: PLC0415

    try:
        return read_lines(schedule)
    except InvalidInput:
        return schedule
