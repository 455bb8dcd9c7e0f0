"""Schedules to preview: in options, or in a file."""

from typing import Any

import typer

from timegate.cli.options.calendar_options import CalendarRuleOptions
from timegate.cli.options.schedule_options import ScheduleOptions
from timegate.cli.reading.yaml_reading import load
from timegate.cli.terminal.values import file_text
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_FIELDS = {"schedule", "calendars"}


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedSchedule:
    """A schedule, not yet validated, and the calendars that it follows."""

    schedule: Schedule
    #: The same as the API takes it.
    as_json: Any
    #: ``calendars``, as the API takes them; empty: it follows none.
    rules: dict[str, Any]


def asked_schedule(
    path: str | None, options: ScheduleOptions, calendars: CalendarRuleOptions
) -> AskedSchedule:
    """Read the schedule; raises ``InvalidInput``, and ``BadParameter`` for a file with options."""
    rules = calendars.as_json()
    if path is None:
        return AskedSchedule(schedule=options.as_schedule(), as_json=options.as_json(), rules=rules)
    if rules or options != ScheduleOptions():
        message = "The file says when and by which calendars; leave those options out."
        raise typer.BadParameter(message, param_hint="'--file'")
    document = _document(path)
    found = document["schedule"]
    named = {"calendars": document["calendars"]} if document.get("calendars") else {}
    return AskedSchedule(schedule=_read_schedule(found), as_json=found, rules=named)


def _read_schedule(value: object) -> Schedule:
    # Imported here: options need no contracts.
    from timegate.contracts.recurrence import ScheduledContract  # noqa: PLC0415
    from timegate.contracts.values.refused_values import read_value  # noqa: PLC0415

    read: ScheduledContract = read_value(ScheduledContract, {"schedule": value}, called="schedule")
    return read.schedule.to_domain()


def _document(path: str) -> dict[str, Any]:
    """A schedule with its ``kind``, or ``schedule`` and ``calendars`` as a job has them."""
    value = load(file_text(path), "schedule")
    if not isinstance(value, dict):
        raise InvalidInput("schedule", "wrong_type", "It must be an object.")
    if "kind" in value:
        return {"schedule": value}
    if "schedule" not in value:
        raise InvalidInput("schedule", "missing", "It is required.")
    for name in sorted(map(str, value.keys() - _FIELDS)):
        raise InvalidInput(name, "unknown_field", "There is no such field here.")
    return value
