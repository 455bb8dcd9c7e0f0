"""Jobs of Cloud Scheduler, as ``gcloud scheduler jobs list --format=json`` prints them.

Sources: the REST reference of Cloud Scheduler (v1, ``projects.locations.jobs``), and its page about
the format of schedules and time zones.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from timegate.cli.migrating.clock_policies import as_there
from timegate.cli.migrating.cron.five_fields import five_fields, notes_of_days
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    Source,
    UniqueNames,
    unconverted,
)
from timegate.cli.reading.json_objects import Described, objects_of
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.zones.zone_clock import load_zone, never_changes
from timegate.domain.values.errors import InvalidInput

_ENABLED = frozenset({None, "ENABLED", "STATE_UNSPECIFIED"})
#: Cloud Scheduler begins no run before the last one ended, and keeps no more than one due.
_POLICIES: Mapping[str, Any] = {"overlap": {"policy": "queue"}, "catch_up": {"policy": "latest"}}


def described_jobs(text: str) -> list[Described]:
    """Read jobs one after the other, lists of them, and answers of the API.

    Raises ``InvalidInput`` naming the line that is no JSON.
    """
    return objects_of(text, lists=("jobs",), of="gcloud scheduler jobs")


def read_jobs(text: str) -> list[Read]:
    """Read the schedule of every job, in order; raises ``InvalidInput`` for what is no JSON."""
    names = UniqueNames()
    return [read_job(each, names) for each in described_jobs(text)]


def read_job(described: Described, names: UniqueNames) -> Read:
    """Read the schedule of one job."""
    line, given = described
    name = names.take(str(given.get("name") or "job").rpartition("/")[2])
    text = str(given.get("schedule") or "")
    try:
        schedule = _schedule(text, given.get("timeZone"))
        there = as_there(schedule, Source.GOOGLE)
    except InvalidInput as refused:
        return unconverted(name, line, text, refused)
    notes = tuple(_notes(given, schedule))
    entry = ScheduleEntry(
        name=name,
        line=line,
        text=text,
        schedule=schedule,
        there=there,
        notes=notes,
        job=dict(_POLICIES),
    )
    return names.noted(entry)


def _schedule(text: str, zone: object) -> Schedule:
    """Return the schedule of a pattern; raises ``InvalidInput`` for others than Google takes."""
    fields = text.split()
    if "every" in map(str.lower, fields) or "of" in map(str.lower, fields):
        detail = f"{text!r} is no cron pattern: write it as one, or as a rate with its anchor."
        raise InvalidInput("schedule.cron", "english_schedule", detail)
    cron = five_fields(text, of="Cloud Scheduler")
    named = "UTC" if zone is None or str(zone).lower() in {"", "utc"} else str(zone)
    load_zone(named)
    return Schedule(kind=ScheduleKind.CRON, cron=cron, timezone=named)


def _notes(given: Mapping[str, Any], schedule: Schedule) -> Iterator[Note]:
    if given.get("state") not in _ENABLED:
        yield Note(
            code="suspended",
            detail=f"Its state is {given['state']} there. Pause the job here: timegate jobs pause.",
        )
    if not never_changes(schedule.timezone):
        detail = (
            "Google does not publish what becomes of a time that a clock change skips or repeats;"
            " here it runs once. Policies of the schedule say otherwise."
        )
        yield Note(code="clock_undocumented", detail=detail)
    yield from notes_of_days(str(schedule.cron))
