"""Jobs of dkron, as its API answers ``/v1/jobs``.

Sources: dkron 4, ``job.go``, ``scheduler.go`` and ``extparser.go``, and its page about schedules.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from timegate.cli.migrating.clock_policies import as_there
from timegate.cli.migrating.cron.robfig import CronProgram, parted, rewritten
from timegate.cli.migrating.dkron.families import Families
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    Source,
    UniqueNames,
    unconverted,
)
from timegate.cli.reading.json_objects import objects_of
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.written_instants import read_instant
from timegate.value_classes import dataclass

_PROGRAM = CronProgram("dkron", 6)
_AT = "@at "
#: The value of a field with a tilde, by its place: numbers that it may have, and the first one.
_TILDES = ((60, 0), (60, 0), (24, 0), (28, 1), (12, 1), (7, 0))
_MINUTELY = "0 * * * * *"
_UNSET = "0001-01-01"


@dataclass(frozen=True, slots=True)
class DkronJob:
    """One job, as it is written."""

    line: int
    content: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Return its name, which is one job's there."""
        return str(self.content.get("name") or self.content.get("id") or "job")

    @property
    def is_child(self) -> bool:
        """Tell if another job starts it."""
        return bool(self.content.get("parent_job"))


def read_dkron_jobs(text: str, *, timezone: str | None) -> list[Read]:
    """Read the schedule of every job, in order; ``timezone`` is the zone of the server.

    Raises ``InvalidInput`` for what is no JSON.
    """
    return [read for _, read in each_dkron_job(text, timezone=timezone)]


def each_dkron_job(text: str, *, timezone: str | None) -> list[tuple[DkronJob, Read]]:
    """Return the jobs of a file with their schedules, as ``read_dkron_jobs``."""
    found = [DkronJob(line, given) for line, given in objects_of(text, lists=("jobs",), of="dkron")]
    names = UniqueNames()
    taken = [names.take(job.name) for job in found]
    families = Families([job.content for job in found], taken)
    return [
        (job, names.noted(_read(job, name, families, timezone)))
        for job, name in zip(found, taken, strict=True)
    ]


def _read(job: DkronJob, name: str, families: Families, timezone: str | None) -> Read:
    text = str(job.content.get("schedule") or "")
    try:
        families.check(job.content)
        schedule, notes = _scheduled(job, text, timezone)
        there = as_there(schedule, Source.DKRON)
    except InvalidInput as refused:
        return unconverted(name, job.line, text, refused)
    then, of_family = families.followers(job.content)
    return ScheduleEntry(
        name=name,
        line=job.line,
        text=text,
        schedule=schedule,
        there=there,
        notes=(*notes, *_notes(job), *of_family),
        job={**_policies(job, schedule), **then},
    )


def _scheduled(job: DkronJob, text: str, timezone: str | None) -> tuple[Schedule, tuple[Note, ...]]:
    """Return a schedule; that of a job with a parent is ignored there."""
    if job.is_child or text == "@manually":
        return Schedule(kind=ScheduleKind.MANUAL), ()
    if text.startswith(_AT):
        return Schedule(kind=ScheduleKind.AT, at=read_instant(text.removeprefix(_AT))), ()
    schedule, notes = _recurring(job, text, timezone)
    starts_at = _instant(job.content.get("starts_at"))
    ends_at = _instant(job.content.get("expires_at"))
    return replace(schedule, starts_at=starts_at, ends_at=ends_at), notes


def _recurring(job: DkronJob, text: str, timezone: str | None) -> tuple[Schedule, tuple[Note, ...]]:
    if text == "@minutely":
        # Each minute of every zone.
        return Schedule(kind=ScheduleKind.CRON, cron=_MINUTELY), ()
    spread = _spread(text, job.name)
    inner, pattern = parted(spread)
    cron, why = rewritten(pattern, _PROGRAM)
    if cron.startswith("@every"):
        detail = "dkron counts from its server's start, a rate from its anchor."
        rate = as_written(Schedule(kind=ScheduleKind.CRON, cron=cron))
        return rate, (Note(code="relative", detail=detail),)
    own = str(job.content.get("timezone") or "")
    # The zone of a job is put before patterns, and not before words.
    ignores = spread.startswith("@") and bool(own)
    zone = inner or (None if ignores else own) or timezone
    schedule = Schedule(kind=ScheduleKind.CRON, cron=cron, timezone=zone or "UTC")
    notes = [*_notes_of_zone(own if ignores else None, zone)]
    if spread != text and "~" in text:
        notes.append(Note(code="tilde", detail=f"dkron reads it as {pattern!r}, by its name."))
    if why:
        notes.append(Note(code="day_or_weekday", detail=f"{why}: it becomes {cron!r}."))
    return schedule, tuple(notes)


def _notes_of_zone(ignored: str | None, zone: str | None) -> Iterator[Note]:
    if ignored:
        detail = f"dkron ignores timezone {ignored} beside a word: its server's clock decides."
        yield Note(code="zone_ignored", detail=detail)
    if zone is None:
        detail = "dkron reads its server's clock; UTC is assumed. Name its zone by --timezone."
        yield Note(code="timezone_assumed", detail=detail)


def _spread(text: str, name: str) -> str:
    """Write the value of each tilde, as ``scheduleHash`` computes it from the name."""
    if "~" not in text or text.startswith("@"):
        return text
    total = sum(map(ord, name))
    place = 0
    parts = text.split(" ")
    for index, part in enumerate(parts):
        if part.startswith("@"):
            return text
        if part.startswith(("TZ=", "CRON_TZ=")):
            continue
        count, first = _TILDES[place] if place < len(_TILDES) else _TILDES[0]
        parts[index] = part.replace("~", str(total % count + first))
        place += 1
    return " ".join(parts)


def _instant(value: object) -> datetime | None:
    if not value or str(value).startswith(_UNSET):
        return None
    return read_instant(str(value))


def _notes(job: DkronJob) -> Iterator[Note]:
    if job.content.get("disabled") is True:
        detail = "It is disabled there. Pause the job here: timegate jobs pause."
        yield Note(code="suspended", detail=detail)
    if job.content.get("ephemeral") is True:
        detail = (
            "dkron deletes it after its first success; a job goes on: schedule.max_runs ends it."
        )
        yield Note(code="ephemeral", detail=detail)
    policy = job.content.get("concurrency") or "allow"
    if policy not in ("allow", "forbid"):
        yield Note(code="unknown_policy", detail=f"concurrency is {policy!r}: it is left out.")


def _policies(job: DkronJob, schedule: Schedule) -> dict[str, Any]:
    """Map ``concurrency``; dkron runs nothing that it missed."""
    policies: dict[str, Any] = {}
    if job.content.get("concurrency") == "forbid":
        policies["overlap"] = {"policy": "forbid"}
    if not schedule.is_manual:
        policies["catch_up"] = {"policy": "skip"}
    return policies
