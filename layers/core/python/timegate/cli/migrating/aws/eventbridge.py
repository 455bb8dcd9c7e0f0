"""Schedules of EventBridge Scheduler, as ``aws scheduler get-schedule`` prints them, and rules.

Sources: the API references of EventBridge Scheduler, ``GetSchedule``, and of EventBridge,
``DescribeRule`` and ``ListTargetsByRule``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from timegate.cli.migrating.cron.expressions import read_expression
from timegate.cli.migrating.entries import (
    Note,
    Read,
    Source,
    UnconvertedEntry,
    UniqueNames,
    part_of,
    unconverted,
    whole_number,
)
from timegate.cli.reading.json_objects import Described, objects_of
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.written_instants import read_instant, within_reach

_MINUTE = 60
_MAX_JITTER = 86_400
#: Marks an object that is a rule's: no field of EventBridge is called so.
RULE = "timegate:rule"


def is_json(text: str) -> bool:
    """Tell JSON from lines of expressions."""
    return text.lstrip()[:1] in {"{", "["}


def described_schedules(text: str) -> list[Described]:
    """Read objects one after the other, lists of them, and the answers of ``list-schedules``.

    A rule is a schedule for each of the targets behind it. Raises ``InvalidInput`` naming the line
    that is no JSON.
    """
    found = objects_of(text, lists=("Schedules", "Rules"), of="aws scheduler or aws events")
    return _with_rules_as_schedules(found)


def _is_rule(given: Mapping[str, Any]) -> bool:
    """Tell a rule from a schedule: both may have an expression, and only a rule has these."""
    arn = str(given.get("Arn") or "")
    return "EventPattern" in given or "EventBusName" in given or ":rule/" in arn


def _with_rules_as_schedules(described: Sequence[Described]) -> list[Described]:
    """Return the objects of a file with a schedule for each target of a rule.

    The targets of a rule stand behind it, as ``list-targets-by-rule`` prints them. One that has
    none there stays as it is, and so does every schedule.
    """
    found: list[Described] = []
    for line, given in described:
        rule = found[-1] if found and _is_rule(found[-1][1]) else None
        targets = given.get("Targets")
        if isinstance(targets, list) and rule is not None and "Target" not in rule[1]:
            found[-1:] = [(rule[0], each) for each in _schedules(rule[1], targets)]
        else:
            found.append((line, given))
    return [(line, _marked(given)) for line, given in found]


def _schedules(rule: Mapping[str, Any], targets: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a schedule for each target; one without any stays a rule."""
    usable = [each for each in targets if isinstance(each, dict)]
    if not usable:
        yield rule
    for target in usable:
        name = rule.get("Name")
        named = f"{name} {target.get('Id')}" if len(usable) > 1 else name
        yield {**rule, "Name": named, "Target": _target(target)}


def _target(target: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a target of a rule with its template as its input."""
    transformer = target.get("InputTransformer")
    if not isinstance(transformer, dict):
        return target
    return {**target, "Input": transformer.get("InputTemplate")}


def _marked(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**given, RULE: True} if _is_rule(given) else given


def read_schedules(text: str) -> list[Read]:
    """Read every schedule, in order; raises ``InvalidInput`` for what is no JSON."""
    names = UniqueNames()
    return [read_described(each, names) for each in described_schedules(text)]


def read_described(described: Described, names: UniqueNames) -> Read:
    """Read one schedule."""
    line, given = described
    name = names.take(str(given.get("Name") or "schedule"))
    text = given.get("ScheduleExpression")
    if not isinstance(text, str):
        code, detail = _without_expression(given)
        return UnconvertedEntry(name=name, line=line, text="", code=code, detail=detail)
    zone = str(given.get("ScheduleExpressionTimezone") or "UTC")
    has_start = given.get("StartDate") is not None
    read = read_expression(text, Source.EVENTBRIDGE, name, line, timezone=zone, has_start=has_start)
    if isinstance(read, UnconvertedEntry):
        return read
    try:
        bounds, notes = _bounds(given, read.schedule)
    except InvalidInput as refused:
        return unconverted(name, line, text, refused)
    bounded = replace(
        read,
        schedule=replace(read.schedule, **bounds),
        there=replace(read.there, **bounds),
        notes=(*read.notes, *notes),
        job={**read.job, **_tagged(given)},
    )
    return names.noted(bounded)


def _tagged(given: Mapping[str, Any]) -> dict[str, Any]:
    """Name the group of a schedule by a tag: bulk changes and freezes may name it."""
    group = given.get("GroupName")
    return {"tags": {"group": str(group)}} if group not in {None, "default"} else {}


def _without_expression(given: Mapping[str, Any]) -> tuple[str, str]:
    """Return code and detail of the refusal of an object that names no instants."""
    if "Targets" in given:
        return "no_rule", "No rule stands before these targets: give its describe-rule there."
    if RULE in given:
        return "no_instant", "It matches events: timegate event-triggers put has patterns."
    detail = "list-schedules leaves out the expression: give what get-schedule prints."
    return "no_expression", detail


def _bounds(
    given: Mapping[str, Any], schedule: Schedule
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Map start, end and flexible window, where the kind has them."""
    jitter = _window_seconds(given)
    notes = tuple(_notes(given, schedule, jitter))
    if schedule.kind is ScheduleKind.AT:
        return {}, notes
    most = min(_MAX_JITTER, schedule.every_seconds or _MAX_JITTER)
    bounds: dict[str, Any] = {
        "starts_at": _instant(given.get("StartDate")),
        "ends_at": _instant(given.get("EndDate")),
        "jitter_seconds": min(jitter, most),
    }
    return bounds, notes


def _window_seconds(given: Mapping[str, Any]) -> int:
    window = part_of(given, "FlexibleTimeWindow")
    if window.get("Mode") != "FLEXIBLE":
        return 0
    return whole_number(window, "MaximumWindowInMinutes") * _MINUTE


def _instant(value: object) -> datetime | None:
    """Read a date as the AWS CLI prints it: ISO 8601, or seconds since 1970."""
    if value is None:
        return None
    if isinstance(value, int | float):
        return within_reach(_since_1970(value))
    return read_instant(str(value))


def _since_1970(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OSError, OverflowError, ValueError):
        return datetime.max.replace(tzinfo=UTC)


def _notes(given: Mapping[str, Any], schedule: Schedule, jitter: int) -> Iterator[Note]:
    if given.get("State") == "DISABLED":
        yield Note(
            code="suspended",
            detail="It is disabled there. Pause the job here: timegate jobs pause.",
        )
    if given.get("EventPattern"):
        yield Note(
            code="event_pattern",
            detail="It matches events as well: an event trigger has patterns, and a job none.",
        )
    most = min(_MAX_JITTER, schedule.every_seconds or _MAX_JITTER)
    if schedule.kind is ScheduleKind.AT and jitter:
        yield Note(
            code="flexible_window", detail="One instant has no jitter: the window is left out."
        )
    elif jitter > most:
        yield Note(code="flexible_window", detail=f"The window is cut to {most} seconds.")
    queue = part_of(part_of(given, "Target"), "DeadLetterConfig").get("Arn")
    if queue:
        yield Note(
            code="dead_letters",
            detail=f"Dead letters went to {queue}. Here they are kept: timegate dead-letters list.",
        )
