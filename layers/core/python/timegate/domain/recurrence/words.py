"""A schedule in words."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.instants import rfc3339

_UNITS = (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))


def describe(schedule: Schedule) -> str:
    """The schedule for people, such as ``At 09:00 on Monday to Friday, Europe/Berlin time``.

    Raises ``InvalidInput`` when its cron expression cannot be read.
    """
    return ", ".join([*kind_of(schedule.kind).words(schedule), *_bounds(schedule)])


def is_bounded(schedule: Schedule) -> bool:
    """Tell if something is said of the bounds."""
    return any(_bounds(schedule))


def _bounds(schedule: Schedule) -> Iterator[str]:
    if schedule.starts_at is not None:
        yield f"from {instant_in_words(schedule.starts_at)}"
    if schedule.ends_at is not None:
        yield f"until {instant_in_words(schedule.ends_at)}"
    if schedule.max_runs is not None:
        yield "once" if schedule.max_runs == 1 else f"at most {schedule.max_runs} times"
    if schedule.jitter_seconds:
        yield f"each up to {span_in_words(schedule.jitter_seconds)} late"


def span_in_words(seconds: float) -> str:
    """Write seconds in the largest unit that makes it a whole number."""
    if seconds != int(seconds):
        return f"{round(seconds, 3)} seconds"
    unit, size = next((unit, size) for unit, size in _UNITS if not seconds % size)
    number = int(seconds) // size if seconds else 0
    return f"1 {unit}" if number == 1 else f"{number} {unit if seconds else 'second'}s"


def instant_in_words(instant: datetime | None) -> str:
    """Write an instant; ``None`` is said to be missing."""
    return rfc3339(instant) if instant is not None else "no instant"
