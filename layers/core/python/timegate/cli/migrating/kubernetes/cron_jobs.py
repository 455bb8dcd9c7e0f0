"""CronJobs of Kubernetes, and the schedules that they become.

Source: the reference of ``CronJobSpec`` (batch/v1).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from timegate.cli.migrating.clock_policies import as_there
from timegate.cli.migrating.cron.robfig import CronProgram, parted, rewritten
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    Source,
    UnconvertedEntry,
    UniqueNames,
    part_of,
    unconverted,
)
from timegate.cli.migrating.kubernetes.policies import notes_of_policies, policies_of
from timegate.cli.reading.yaml_reading import Placed, load_all_with_lines
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_PROGRAM = CronProgram("Kubernetes", 5)
_API = re.compile(r"batch/v\w{1,20}+")
_TEMPLATE_MARKS = ("{{", "${")
#: Fields of the template of a job, and what says the same here beside the action.
_OF_THE_TEMPLATE = {
    "activeDeadlineSeconds": "timeout_seconds",
    "backoffLimit": "retry.max_attempts",
    "completions": "a fan-out of a DAG",
    "parallelism": "a fan-out of a DAG",
    "podFailurePolicy": "retry.give_up_on",
}


@dataclass(frozen=True, slots=True)
class CronJob:
    """One CronJob, as it is written."""

    line: int
    content: Mapping[str, Any]

    @property
    def own_name(self) -> str:
        """Return the name within its namespace; an empty one is none."""
        return self._metadata("name")

    @property
    def namespace(self) -> str:
        """Return the namespace; empty: it names none, or ``default``."""
        found = self._metadata("namespace")
        return "" if found == "default" else found

    @property
    def title(self) -> str:
        """Return the name with the namespace before it."""
        name = self.own_name or "cronjob"
        return f"{self.namespace}/{name}" if self.namespace else name

    @property
    def spec(self) -> Mapping[str, Any]:
        """Return the specification; raises ``InvalidInput`` with code ``wrong_type``."""
        return part_of(self.content, "spec")

    @property
    def job_spec(self) -> Mapping[str, Any]:
        """Return the template's specification; raises ``InvalidInput`` as ``spec`` does."""
        return part_of(part_of(self.spec, "jobTemplate"), "spec")

    def _metadata(self, name: str) -> str:
        metadata = self.content.get("metadata")
        return str(metadata.get(name) or "") if isinstance(metadata, dict) else ""


def read_cron_jobs(text: str, *, timezone: str | None) -> list[Read]:
    """Read every CronJob of a file, in order; other documents are left out.

    ``timezone`` is the zone of the cluster's controller. Raises ``InvalidInput`` for other text
    than YAML.
    """
    return [_with_template(found, read) for found, read in each_cron_job(text, timezone=timezone)]


def each_cron_job(text: str, *, timezone: str | None) -> list[tuple[CronJob, Read]]:
    """Return the CronJobs of a file with their schedules, as ``read_cron_jobs``."""
    names, titles = UniqueNames(), set[str]()
    pairs: list[tuple[CronJob, Read]] = []
    for found in _cron_jobs(text):
        read = _read(found, names, timezone)
        if found.own_name and found.title in titles and isinstance(read, ScheduleEntry):
            detail = "Kubernetes has one CronJob of a name: the last one of the file replaces it."
            read = replace(read, notes=(*read.notes, Note(code="same_name", detail=detail)))
        titles.add(found.title)
        pairs.append((found, read))
    return pairs


def _with_template(found: CronJob, read: Read) -> Read:
    """Add the note that the template says more than a schedule can."""
    if isinstance(read, UnconvertedEntry):
        return read
    said = [name for name in _OF_THE_TEMPLATE if found.job_spec.get(name) is not None]
    if not said:
        return read
    ours = ", ".join(dict.fromkeys(_OF_THE_TEMPLATE[name] for name in said))
    detail = f"Its jobTemplate has {', '.join(said)}. With the action here goes {ours}."
    return replace(read, notes=(*read.notes, Note(code="job_template", detail=detail)))


def _cron_jobs(text: str) -> Iterator[CronJob]:
    for document, (line, *of_items) in _documents(text):
        items = document.get("items") if isinstance(document, dict) else None
        if not isinstance(items, list):
            yield from _cron_job(document, line)
            continue
        # A merge brings items that the document itself does not write.
        lines = of_items if len(of_items) == len(items) else [line] * len(items)
        # The API names the kind of its items once.
        kind = "CronJob" if document.get("kind") == "CronJobList" else None
        for content, of_item in zip(items, lines, strict=True):
            yield from _cron_job(content, of_item, kind)


def _documents(text: str) -> list[Placed]:
    try:
        return load_all_with_lines(text, "file", "items")
    except InvalidInput as refused:
        if refused.code != "invalid_yaml" or not any(mark in text for mark in _TEMPLATE_MARKS):
            raise
        detail = f"{refused.detail} If it is a template, render it first: helm template."
        raise InvalidInput(refused.field, refused.code, detail) from refused


def _cron_job(content: object, line: int, kind: str | None = None) -> Iterator[CronJob]:
    """Yield a content that is a CronJob; ``kind``: of one that names none."""
    if not isinstance(content, dict) or content.get("kind", kind) != "CronJob":
        return
    version = content.get("apiVersion")
    if version is None or _API.fullmatch(str(version)):
        yield CronJob(line, content)


def _read(found: CronJob, names: UniqueNames, timezone: str | None) -> Read:
    name, text = names.take(found.title), ""
    try:
        text = str(found.spec.get("schedule") or "")
        entry = _entry(found, name, text, timezone)
        # The template is read here as well, so that each command refuses the same ones.
        part_of(found.job_spec, "template")
    except InvalidInput as refused:
        return unconverted(name, found.line, text, refused)
    return names.noted(entry)


def _entry(found: CronJob, name: str, text: str, timezone: str | None) -> ScheduleEntry:
    spec = found.spec
    if not text.strip():
        detail = "It has no schedule. A patch is rendered first: kubectl kustomize."
        raise InvalidInput("schedule.cron", "no_schedule", detail)
    inner, pattern = parted(text)
    if inner and spec.get("timeZone"):
        detail = "Kubernetes refuses a zone in the schedule beside timeZone."
        raise InvalidInput("schedule.timezone", "contradictory", detail)
    zone = inner or spec.get("timeZone") or timezone
    ours, why = rewritten(pattern, _PROGRAM)
    every = ours.lower().startswith("@every")
    schedule = as_written(
        Schedule(
            kind=ScheduleKind.CRON,
            cron=ours,
            timezone="UTC" if every or zone is None else str(zone),
        )
    )
    notes = [*_notes(spec, zone, every=every), *notes_of_policies(spec, schedule)]
    if inner:
        detail = "Kubernetes has refused a zone in the schedule since 1.29: it has timeZone."
        notes.append(Note(code="zone_in_schedule", detail=detail))
    if why:
        notes.append(Note(code="day_or_weekday", detail=f"{why}: it becomes {ours!r}."))
    return ScheduleEntry(
        name=name,
        line=found.line,
        text=text,
        schedule=schedule,
        there=as_there(schedule, Source.KUBERNETES),
        notes=tuple(notes),
        job={**policies_of(spec), **_tags(found)},
    )


def _tags(found: CronJob) -> dict[str, Any]:
    """Name the namespace by a tag: bulk changes and freezes may name it."""
    return {"tags": {"namespace": found.namespace}} if found.namespace else {}


def _notes(spec: Mapping[str, Any], zone: object, *, every: bool) -> Iterator[Note]:
    if zone is None and not every:
        yield Note(
            code="timezone_assumed",
            detail="Kubernetes reads its controller's zone; UTC is assumed. Name it by --timezone.",
        )
    template = part_of(part_of(spec, "jobTemplate"), "spec")
    if _is_true(spec.get("suspend")) or _is_true(template.get("suspend")):
        yield Note(
            code="suspended",
            detail="It is suspended there. Pause the job here: timegate jobs pause.",
        )
    if every:
        yield Note(
            code="relative",
            detail="Kubernetes counts from its controller's start, a rate from its anchor.",
        )


def _is_true(value: object) -> bool:
    """Read a truth value of YAML 1.1, which Kubernetes reads."""
    return str(value).lower() in {"true", "yes", "on", "y"}
