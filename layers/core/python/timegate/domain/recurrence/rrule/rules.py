"""Requirements on an ``rrule`` schedule, before a job is created with it."""

from datetime import UTC, datetime

from timegate.domain.recurrence.rrule.lines import read_lines
from timegate.domain.recurrence.rrule.parts import FIRST_YEAR
from timegate.domain.recurrence.rrule.pattern import RrulePattern
from timegate.domain.recurrence.rrule.reading import rule_of
from timegate.domain.recurrence.rrule.times import SteppedTimes
from timegate.domain.recurrence.rrule.walls import DailyWalls
from timegate.domain.recurrence.schedule import MAX_DATES, Schedule
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput

_FIRST_BEGINNING = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC)
_SECONDS_UNIT = 1


def check_rrule(schedule: Schedule) -> RrulePattern:
    """Refuse a rule that is not bounded in cost, or dates that cannot matter.

    Returns its pattern. Raises ``InvalidInput`` naming the field.
    """
    load_zone(schedule.timezone)
    schedule = read_lines(schedule)
    starts_at = schedule.starts_at
    if starts_at is None:
        detail = "A recurrence rule is counted from it: DTSTART in RFC 5545."
        raise InvalidInput("schedule.starts_at", "required", detail)
    _check_whole_second("starts_at", starts_at)
    if starts_at < _FIRST_BEGINNING:
        detail = f"A rule begins in {FIRST_YEAR} or later."
        raise InvalidInput("schedule.starts_at", "out_of_range", detail)
    _check_dates(schedule, starts_at)
    pattern = rule_of(schedule)
    if not pattern.can_count:
        detail = "COUNT is not reached within a hundred years from starts_at: leave it out."
        raise InvalidInput("schedule.rrule", "out_of_range", detail)
    _check_seconds(pattern)
    return pattern


def _check_dates(schedule: Schedule, starts_at: datetime) -> None:
    if len(schedule.exdates) + len(schedule.rdates) > MAX_DATES:
        field = "exdates" if len(schedule.exdates) > MAX_DATES else "rdates"
        detail = f"exdates and rdates may have {MAX_DATES} dates together."
        raise InvalidInput(f"schedule.{field}", "too_complex", detail)
    for name in ("exdates", "rdates"):
        for each in getattr(schedule, name):
            if each.utcoffset() is None:
                detail = f"{each.isoformat()} says no time zone offset, such as Z."
                raise InvalidInput(f"schedule.{name}", "no_utc_offset", detail)
            _check_whole_second(name, each)
    for each in schedule.rdates:
        if each < starts_at or (schedule.ends_at is not None and each > schedule.ends_at):
            detail = f"{each.isoformat()} is not within starts_at and ends_at."
            raise InvalidInput("schedule.rdates", "out_of_range", detail)


def _check_whole_second(name: str, instant: datetime) -> None:
    if instant.microsecond:
        detail = "Times of a recurrence rule have whole seconds."
        raise InvalidInput(f"schedule.{name}", "not_a_whole_second", detail)


def _check_seconds(pattern: RrulePattern) -> None:
    """Refuse steps of seconds that each day meets elsewhere, where only some seconds may run."""
    times = pattern.walls.times
    if (
        isinstance(pattern.walls, DailyWalls)
        and isinstance(times, SteppedTimes)
        and times.unit_seconds == _SECONDS_UNIT
        and times.differs_by_day
        and not times.is_unrestricted
    ):
        detail = (
            "With BYHOUR, BYMINUTE or BYSECOND, the INTERVAL of FREQ=SECONDLY divides the 86400 "
            "seconds of a day."
        )
        raise InvalidInput("schedule.rrule", "too_complex", detail)
