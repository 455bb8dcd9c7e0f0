"""CronJobs of Kubernetes, whose patterns are those of robfig/cron version 3.

Sources: the reference of ``CronJobSpec`` (batch/v1), and robfig/cron (``parser.go``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from timegate.cli.migrating.clock_policies import as_there
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    Source,
    UnconvertedEntry,
    UniqueNames,
    part_of,
    whole_number,
)
from timegate.cli.reading.yaml_reading import item_lines, load_all
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_OVERLAPS = {"Allow": None, "Forbid": {"policy": "forbid"}, "Replace": {"policy": "replace"}}
#: A zone within the schedule, which Kubernetes has refused since 1.29.
_ZONE = re.compile(r"(?:CRON_)?TZ=(?P<zone>\S++)\s++(?P<text>.++)")
_STAR = re.compile(r"\*(?:/0*+1)?+")
_STEPS = re.compile(r"\*/(\d{1,4}+)")
_LIST_OF_DAYS = (
    "*/n in a day field is a list of days there, so that either field is enough. "
    "The same text asks for both here"
)
_ANY_DAY = "* in a list of days is any day there, and the other field decides"
_FIELDS = 5
_DAY, _WEEKDAY = 2, 4
_ITEM = re.compile(
    r"(?:\*|(?P<low>\w{1,9}+)(?:-(?P<high>\w{1,9}+))?+)(?:/(?P<step>\d{1,9}+))?+", re.ASCII
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
#: Values of each field, and the names of them from the first on. Sunday is 0 and never 7.
_FIELD_VALUES: tuple[tuple[range, Sequence[str]], ...] = (
    (range(60), ()),
    (range(24), ()),
    (range(1, 32), ()),
    (range(1, 13), _MONTHS),
    (range(7), _DAYS),
)
_DESCRIPTORS = frozenset(
    {"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}
)
#: Fields of the template of a job, and what says the same here beside the action.
_OF_THE_TEMPLATE = {
    "activeDeadlineSeconds": "timeout_seconds",
    "backoffLimit": "retry.max_attempts",
    "completions": "a fan-out of a DAG",
    "parallelism": "a fan-out of a DAG",
    "podFailurePolicy": "retry.give_up_on",
}
#: The longest window of a job's catch-up policy.
_MAX_WINDOW = 31_536_000


@dataclass(frozen=True, slots=True)
class _CronJob:
    """Contents of one document."""

    name: str
    line: int
    content: Mapping[str, Any]


def read_cron_jobs(text: str, *, timezone: str | None) -> list[Read]:
    """Read every CronJob of a file, in order; other documents are left out.

    ``timezone`` is the zone of the cluster's controller. Raises ``InvalidInput`` for other text
    than YAML.
    """
    names = UniqueNames()
    return [_read(found, names, timezone) for found in _cron_jobs(text)]


def _cron_jobs(text: str) -> Iterator[_CronJob]:
    lines_of_each = item_lines(text, "items")
    for document, (line, *of_items) in zip(load_all(text, "file"), lines_of_each, strict=True):
        items = document.get("items") if isinstance(document, dict) else None
        if not isinstance(items, list):
            yield from _cron_job(document, line)
            continue
        # A merge brings items that the document itself does not write.
        lines = of_items if len(of_items) == len(items) else [line] * len(items)
        for content, of_item in zip(items, lines, strict=True):
            yield from _cron_job(content, of_item)


def _cron_job(content: object, line: int) -> Iterator[_CronJob]:
    """Yield a content that is a CronJob."""
    if isinstance(content, dict) and content.get("kind") == "CronJob":
        metadata = content.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        yield _CronJob(str(name or "cronjob"), line, content)


def _read(found: _CronJob, names: UniqueNames, timezone: str | None) -> Read:
    name, text = names.take(found.name), ""
    try:
        spec = part_of(found.content, "spec")
        text = str(spec.get("schedule") or "")
        return _entry(spec, name, found.line, text, timezone)
    except InvalidInput as refused:
        return UnconvertedEntry(
            name=name, line=found.line, text=text, code=refused.code, detail=refused.detail
        )


def _entry(
    spec: Mapping[str, Any], name: str, line: int, text: str, timezone: str | None
) -> ScheduleEntry:
    zoned = _ZONE.fullmatch(text)
    pattern = zoned["text"] if zoned else text
    zone = (zoned["zone"] if zoned else None) or spec.get("timeZone") or timezone
    ours, detail = _rewritten(pattern)
    every = ours.lower().startswith("@every")
    schedule = as_written(
        Schedule(
            kind=ScheduleKind.CRON,
            cron=ours,
            timezone="UTC" if every or zone is None else str(zone),
        )
    )
    notes = [*_notes(spec, zone, every=every)]
    if detail:
        notes.append(Note(code="day_or_weekday", detail=f"{detail}: it becomes {ours!r}."))
    return ScheduleEntry(
        name=name,
        line=line,
        text=text,
        schedule=schedule,
        there=as_there(schedule, Source.KUBERNETES),
        notes=tuple(notes),
        job=_job(spec),
    )


def _rewritten(pattern: str) -> tuple[str, str]:
    """Check the number of fields, and write days so that they mean the same here; and say why.

    robfig/cron forgets the star of ``*/2``: with both day fields given, either is enough. It keeps
    that of ``1,*``, wherever it stands in a list: the other field decides.
    """
    if pattern.startswith("@"):
        _refuse_descriptor(pattern)
        return pattern, ""
    # A question mark is a star in each field there.
    parts = pattern.replace("?", "*").split()
    if len(parts) != _FIELDS:
        detail = f"It has {len(parts)} fields instead of {_FIELDS} (Kubernetes)."
        raise InvalidInput("schedule.cron", "invalid_cron", detail)
    parse_cron(" ".join(parts))
    _refuse_fields(parts)
    detail = ""
    for at in (_DAY, _WEEKDAY):
        items = parts[at].split(",")
        if any(map(_STAR.fullmatch, items)):
            parts[at] = "*"
            detail = _ANY_DAY if len(items) > 1 else detail
    if "*" in {parts[_DAY], parts[_WEEKDAY]}:
        return " ".join(parts), detail
    written = list(parts)
    parts[_DAY] = _STEPS.sub(r"1-31/\1", parts[_DAY])
    parts[_WEEKDAY] = _STEPS.sub(r"0-6/\1", parts[_WEEKDAY])
    return " ".join(parts), _LIST_OF_DAYS if parts != written else ""


def _refuse_fields(parts: Sequence[str]) -> None:
    """Raise ``InvalidInput`` for five fields that the program does not take."""
    for part, (values, names) in zip(parts, _FIELD_VALUES, strict=True):
        for item in part.split(","):
            if not _takes(item.lower(), values, names):
                detail = (
                    f"Kubernetes refuses {item!r}: it takes values from {values[0]} to"
                    f" {values[-1]}, ranges that rise, and steps of them."
                )
                raise InvalidInput("schedule.cron", "invalid_cron", detail)


def _refuse_descriptor(text: str) -> None:
    """Raise ``InvalidInput`` for a word that is none of the program's, in small letters."""
    if text not in _DESCRIPTORS and not text.startswith("@every "):
        detail = (
            f"Kubernetes knows no {text!r}; it has @every and {', '.join(sorted(_DESCRIPTORS))}."
        )
        raise InvalidInput("schedule.cron", "invalid_cron", detail)


def _takes(item: str, values: range, names: Sequence[str]) -> bool:
    match = _ITEM.fullmatch(item)
    if match is None or (match["step"] is not None and int(match["step"]) == 0):
        return False
    if match["low"] is None:
        return True
    low = _value(match["low"], values, names)
    high = low if match["high"] is None else _value(match["high"], values, names)
    return low in values and high in values and low <= high


def _value(text: str, values: range, names: Sequence[str]) -> int:
    """Return a number or the number of a name; -1 for any other text."""
    if text.isdecimal():
        return int(text)
    return values[0] + names.index(text) if text in names else -1


def _notes(spec: Mapping[str, Any], zone: object, *, every: bool) -> Iterator[Note]:
    if zone is None and not every:
        yield Note(
            code="timezone_assumed",
            detail="Kubernetes reads its controller's zone; UTC is assumed. Name it by --timezone.",
        )
    # Kubernetes reads YAML 1.1, in which these words are true.
    if str(spec.get("suspend")).lower() in {"true", "yes", "on"}:
        yield Note(
            code="suspended",
            detail="It is suspended there. Pause the job here: timegate jobs pause.",
        )
    template = part_of(part_of(spec, "jobTemplate"), "spec")
    if said := [name for name in _OF_THE_TEMPLATE if template.get(name) is not None]:
        ours = ", ".join(dict.fromkeys(_OF_THE_TEMPLATE[name] for name in said))
        detail = f"Its jobTemplate has {', '.join(said)}. With the action here goes {ours}."
        yield Note(code="job_template", detail=detail)
    if every:
        yield Note(
            code="relative",
            detail="Kubernetes counts from its controller's start, a rate from its anchor.",
        )
    if str(spec.get("concurrencyPolicy", "Allow")) not in _OVERLAPS:
        yield Note(
            code="unknown_policy",
            detail=f"concurrencyPolicy is {spec['concurrencyPolicy']!r}: it is left out.",
        )


def _job(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Map policies: of several missed runs, Kubernetes starts the latest."""
    overlap = _OVERLAPS.get(str(spec.get("concurrencyPolicy", "Allow")))
    catch_up: dict[str, object] = {"policy": "latest"}
    if deadline := whole_number(spec, "startingDeadlineSeconds"):
        catch_up["window_seconds"] = min(deadline, _MAX_WINDOW)
    return {**({"overlap": overlap} if overlap else {}), "catch_up": catch_up}
