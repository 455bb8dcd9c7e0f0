"""Schedules of workflows of GitHub Actions: ``on.schedule``.

Sources: GitHub's pages about the syntax of workflows and about events that trigger them. A pattern
is read in UTC unless ``timezone`` names a zone; times that a clock skips run right after the gap.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise, product
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
from timegate.cli.reading.yaml_reading import load_with_lines
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.zones.zone_clock import load_zone, never_changes
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: Minutes between two runs of a workflow, at least, and those of a day.
_SHORTEST, _DAY = 5, 1440


@dataclass(frozen=True, kw_only=True, slots=True)
class Workflow:
    """Contents of one file."""

    name: str
    text: str
    #: Events that start it, by name, and what is said about each.
    events: Mapping[str, Any]
    #: Elements of its schedule, each with its line.
    schedules: tuple[tuple[int, Any], ...]


def read_workflow(text: str, file: str) -> Workflow:
    """Read a workflow, which has the name of its ``file`` unless it gives one.

    Raises ``InvalidInput`` for other text than the YAML of a workflow.
    """
    content, (line, *of_items) = load_with_lines(text, file, "on", "schedule")
    if not isinstance(content, dict):
        raise InvalidInput(file, "invalid_yaml", "A workflow is an object with on and jobs.")
    events = _events(content.get("on"))
    given = events.get("schedule")
    items = given if isinstance(given, list) else [] if given is None else [given]
    # A merge brings elements that the text does not write there.
    lines = of_items if len(of_items) == len(items) else [line] * len(items)
    return Workflow(
        name=str(content.get("name") or file),
        text=text,
        events=events,
        schedules=tuple(zip(lines, items, strict=True)),
    )


def _events(given: object) -> dict[str, Any]:
    """Return the events of ``on``: an object, or a list of names, or one name."""
    if isinstance(given, dict):
        return {str(name): value for name, value in given.items()}
    names = given if isinstance(given, list) else [given]
    return {name: None for name in names if isinstance(name, str)}


def read_workflow_schedules(text: str) -> list[Read]:
    """Read each schedule of a workflow; raises ``InvalidInput`` for other text."""
    return list(schedules_of(read_workflow(text, "workflow"), UniqueNames()))


def schedules_of(workflow: Workflow, names: UniqueNames) -> Iterator[Read]:
    """Yield each schedule of a workflow, in order."""
    for line, given in workflow.schedules:
        yield names.noted(_entry(line, given, names.take(workflow.name)))


def _entry(line: int, given: object, name: str) -> Read:
    text = str(given.get("cron") or "") if isinstance(given, dict) else str(given)
    try:
        schedule = _schedule(given)
        there = as_there(schedule, Source.GITHUB)
    except InvalidInput as refused:
        return unconverted(name, line, text, refused)
    notes = tuple(_notes(schedule))
    return ScheduleEntry(
        name=name, line=line, text=text, schedule=schedule, there=there, notes=notes
    )


def _schedule(given: object) -> Schedule:
    if not isinstance(given, dict):
        detail = "schedule is a list, and each of its elements an object with cron."
        raise InvalidInput("schedule", "wrong_type", detail)
    cron = five_fields(str(given.get("cron") or ""), of="GitHub")
    zone = str(given.get("timezone") or "UTC")
    load_zone(zone)
    return Schedule(kind=ScheduleKind.CRON, cron=cron, timezone=zone)


def _notes(schedule: Schedule) -> Iterator[Note]:
    cron = str(schedule.cron)
    if _nearest(cron) < _SHORTEST:
        detail = f"GitHub starts a workflow every {_SHORTEST} minutes at most; a job has each run."
        yield Note(code="shortest_interval", detail=detail)
    if not never_changes(schedule.timezone):
        detail = (
            "GitHub runs a skipped time right after the gap, as here, and does not publish what"
            " becomes of a time that a clock change repeats; here it runs once."
        )
        yield Note(code="clock_undocumented", detail=detail)
    yield from notes_of_days(cron)


def _nearest(cron: str) -> int:
    """Return the fewest minutes between two runs of a pattern, were each day one of its days."""
    pattern = parse_cron(cron)
    times = sorted(60 * hour + minute for hour, minute in product(pattern.hours, pattern.minutes))
    return min(later - earlier for earlier, later in pairwise([*times, times[0] + _DAY]))
