"""One form of each schedule: equal schedules are stored, compared and answered alike."""

from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule


def as_written(schedule: Schedule) -> Schedule:
    """Rewrite a schedule as it is stored, by the rules of its kind.

    A spelling of another program becomes the kind that it names. Raises ``InvalidInput`` with code
    ``invalid_cron`` or ``unknown_timezone``.
    """
    return kind_of(schedule.kind).written(schedule)
