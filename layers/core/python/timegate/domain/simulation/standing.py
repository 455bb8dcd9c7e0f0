"""Records of a stage, as a scenario takes them up: of a job how far it came as well."""

import json
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any

from timegate.domain.calendars.calendar import Calendar
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.ledger import withdrawal, withdrawn_zone
from timegate.domain.recurrence.counting import series_between
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.rules.rule import Rule
from timegate.domain.simulation.expectation import Expectation
from timegate.domain.simulation.scenario import Pause, Scenario
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import MILLISECOND, rfc3339
from timegate.domain.values.payload import PayloadSchema
from timegate.value_classes import dataclass

#: Planning begins so long before the range, longer than any look-ahead: the first instants of the
#: range are planned when they would be, and not all at once.
WARM_UP = timedelta(minutes=15)


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingRecords:
    """A tenant's records that a document builds on."""

    jobs: Mapping[JobId, Job] = field(default_factory=dict)
    #: Those that its jobs, or those of the document, name.
    calendars: tuple[Calendar, ...] = ()
    freezes: tuple[Freeze, ...] = ()
    #: Rules for notifications.
    rules: tuple[Rule, ...] = ()


NOTHING_STANDS = StandingRecords()


@dataclass(frozen=True, kw_only=True, slots=True)
class ScenarioDocument:
    """A scenario and its expectations."""

    scenario: Scenario
    #: Expectations of all jobs together under ``None``, and of each by its name.
    expectations: Mapping[str | None, Expectation]


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedScenario:
    """A scenario that waits for the records it names."""

    #: Jobs whose definitions it builds on, and the field that names each.
    jobs: Mapping[JobId, str]
    #: Calendars that its jobs name and it does not define.
    calendars: frozenset[str]
    #: Make the document of what is stored of both; raises ``InvalidInput`` naming the field.
    with_records: Callable[[StandingRecords], ScenarioDocument]


def taken_up_at(job: Job, start: datetime, *, named_by: str) -> datetime:
    """Return the instant at which a simulation from ``start`` on takes the job up.

    Raises ``InvalidInput`` when the job that the field ``named_by`` names fires no more, or has a
    schedule that is younger than the range, or a zone that was withdrawn.
    """
    timing = job.timing
    if timing.status is JobStatus.CANCELLED:
        raise InvalidInput(named_by, "job_cancelled", "The job is cancelled.")
    if timing.status is JobStatus.COMPLETED:
        raise InvalidInput(named_by, "job_completed", "The job has no instant left.")
    zone = withdrawn_zone(timing.schedule)
    if zone is not None:
        raise InvalidInput(named_by, "timezone_withdrawn", withdrawal(zone))
    if start < timing.anchored_at:
        given_at = rfc3339(timing.anchored_at)
        detail = f"The job has its schedule since {given_at}; its ledger begins there."
        raise InvalidInput("from", "before_schedule", detail)
    return max(timing.anchored_at, start - WARM_UP)


def taken_up(job: Job, *, created_at: datetime) -> dict[str, Any]:
    """The fields of a scenario that goes on with the job at ``created_at``."""
    timing = job.timing
    paused = timing.status is JobStatus.PAUSED
    return {
        "schedule": timing.schedule,
        "anchored_at": timing.anchored_at,
        "job_id": timing.job_id,
        "version": timing.version,
        "runs_begun": _begun_by(timing, created_at),
        "catch_up": timing.catch_up,
        "overlap": job.overlap,
        "collapse": job.collapse,
        "start_within_seconds": timing.start_within_seconds,
        "finish_by": job.finish_by,
        "precision": timing.precision,
        "timeout_seconds": job.timeout_seconds,
        "calendar_rules": timing.calendars,
        "tags": timing.tags,
        "stored_name": job.name,
        "late_after_seconds": job.late_after_seconds,
        "absent_after_seconds": job.absent_after_seconds,
        "pause_after_failures": job.pause_after_failures,
        "failure_pause": timing.failure_pause,
        "told_on": told_on(job),
        "payload": _payload(job),
        "payload_schema": _schema(job),
        "pauses": (Pause(start=created_at),) if paused else (),
    }


def told_on(job: Job) -> tuple[Occasion, ...]:
    """Return the occasions on which the job's channels are told."""
    return tuple(
        occasion for occasion in Occasion if any(hook.hears(occasion) for hook in job.notifications)
    )


def _payload(job: Job) -> Any:  # noqa: ANN401 - any JSON
    """Return the payload that is stored with the job; a large one is not looked up."""
    inline = job.payload.inline
    return None if inline is None else json.loads(inline)


def _schema(job: Job) -> PayloadSchema | None:
    """Return the job's schema where all that it speaks of is at hand.

    Marks are not filled in a simulation, and a large payload is not looked up.
    """
    is_known = job.payload.blob is None and job.payload_marks is None
    return job.payload_schema if is_known else None


def _begun_by(timing: Timing, at: datetime) -> int:
    """Count the runs of ``max_runs`` up to an instant, if each instant ran."""
    known = timing.counted_until
    if known is None or at >= known:
        first = known + MILLISECOND if known is not None else timing.anchored_at
        return timing.runs_begun + _count(timing, first, at)
    return max(timing.runs_begun - _count(timing, at + MILLISECOND, known), 0)


def _count(timing: Timing, first: datetime, until: datetime) -> int:
    """Instants with ``first`` <= instant <= ``until``."""
    span = series_between(timing, first=first, until=until)
    return span.count if span is not None else 0
