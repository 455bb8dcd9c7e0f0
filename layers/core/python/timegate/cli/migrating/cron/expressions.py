"""Files with an expression of Quartz or EventBridge on each line, with or without a name."""

import re
from collections.abc import Iterator

from timegate.cli.migrating.clock_policies import as_there
from timegate.cli.migrating.cron.quartz import check_quartz, check_single_nth_weekday
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    Source,
    UniqueNames,
    unconverted,
)
from timegate.domain.recurrence.schedule import CronDialect, Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.values.errors import InvalidInput

#: ``reports.daily=0 0 9 ? * 2-6``, as in a file of properties. Python 3.11.2 goes on behind a group
#: that failed if it is optional and possessive; 3.11.7 does not.
_LINE = re.compile(r"(?:(?P<name>[\w.\-]++)\s*+[=:]\s*+)?(?P<text>.++)")
_DIALECTS = {
    Source.QUARTZ: CronDialect.QUARTZ,
    Source.EVENTBRIDGE: CronDialect.EVENTBRIDGE,
}
_NUMBER = re.compile(r"\d")
#: The weekday in an expression of each dialect.
_WEEKDAY = {CronDialect.QUARTZ: 5, CronDialect.EVENTBRIDGE: 4}


def read_expressions(text: str, source: Source, *, timezone: str | None) -> list[Read]:
    """Read each line that is not empty and no comment (``#``), in order."""
    names = UniqueNames()
    found: list[Read] = []
    for number, line in enumerate(text.split("\n"), start=1):
        match = _LINE.fullmatch(line.strip())
        if match is None or line.strip().startswith("#"):
            continue
        name = names.take(match["name"] or f"line {number}")
        read = read_expression(match["text"], source, name, number, timezone=timezone)
        found.append(names.noted(read))
    return found


def read_expression(
    text: str,
    source: Source,
    name: str,
    line: int,
    *,
    timezone: str | None,
    has_start: bool = False,
) -> Read:
    """Read one expression; ``has_start``: its schedule says since when it counts."""
    dialect = _DIALECTS[source]
    written = Schedule(
        kind=ScheduleKind.CRON, cron=text, dialect=dialect, timezone=timezone or "UTC"
    )
    if source is Source.EVENTBRIDGE and text.strip().lower().startswith("rate("):
        # A zone changes nothing about a rate, there as here.
        written = Schedule(kind=ScheduleKind.CRON, cron=text, dialect=dialect)
    try:
        schedule = as_written(written)
        there = as_there(schedule, source)
        _check(schedule, source)
    except InvalidInput as refused:
        return unconverted(name, line, text, refused)
    return ScheduleEntry(
        name=name,
        line=line,
        text=text,
        schedule=schedule,
        there=there,
        notes=(
            *_notes(schedule, source, timezone),
            *([] if has_start else _anchor_notes(schedule)),
        ),
    )


def _check(schedule: Schedule, source: Source) -> None:
    """Raise ``InvalidInput`` for a pattern that the dialect reads and its program does not."""
    if schedule.kind is not ScheduleKind.CRON:
        return
    if source is Source.QUARTZ:
        check_quartz(schedule.cron or "")
    else:
        check_single_nth_weekday(_weekday(schedule).split(","), "EventBridge")


def _anchor_notes(schedule: Schedule) -> Iterator[Note]:
    if schedule.kind is ScheduleKind.RATE:
        yield Note(
            code="relative",
            detail=(
                "EventBridge counts from the creation of its schedule, a rate from its anchor: give"
                " starts_at to keep its instants."
            ),
        )


def _notes(schedule: Schedule, source: Source, timezone: str | None) -> Iterator[Note]:
    if timezone is None and source is Source.QUARTZ:
        yield Note(
            code="timezone_assumed",
            detail="Quartz reads the zone of its machine; UTC is assumed. Name it by --timezone.",
        )
    if schedule.kind is not ScheduleKind.CRON:
        return
    weekday = _weekday(schedule).partition("#")[0]
    if _NUMBER.search(weekday.partition("/")[0]):
        yield Note(
            code="weekday_numbers",
            detail="Sunday is 1 there and 0 in the default dialect: keep dialect beside the text.",
        )


def _weekday(schedule: Schedule) -> str:
    """Return the field of weekdays, as it is written."""
    text = (schedule.cron or "").lower().removeprefix("cron(").removesuffix(")")
    return text.split()[_WEEKDAY[schedule.dialect]]
