"""Runs that carry notices: those of runs, absences, decisions and rules are built alike."""

from collections.abc import Mapping
from datetime import datetime

from timegate.domain.execution.run_document import as_text
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.notification import NoticeMark, Occasion
from timegate.domain.runs.gate import first_state
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import first_watch
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId, job_id_from
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.tenant import TenantId

#: Of the document that channels are sent; it grows when a field changes its meaning or goes.
VERSION = 1
#: Characters of a hash that stand for what a notice is about, where that is no run.
MARK_LENGTH = 16


def notice_id(job_id: JobId, about: object, *, scheduled_at: datetime) -> RunId:
    """Name the run of a notice by the job that governs it and by its mark."""
    return RunId(
        job_id=job_id, origin=Origin.NOTIFICATION, scheduled_at=scheduled_at, about=str(about)
    )


def mark_without_run(about: str, occasion: Occasion, *, hook: str) -> NoticeMark:
    """Mark a notice of an occasion that is no run's: its origin is that of one which no job has."""
    digest = job_id_from(about.encode())[:MARK_LENGTH]
    return NoticeMark(origin=f"{Origin.FOLLOW_UP}{digest}", attempt=1, occasion=occasion, hook=hook)


def notice_text(kind: str, notice: RunId, fields: Mapping[str, object], *, at: datetime) -> str:
    """Write the document of a notice: its version, type and id, then what it tells."""
    head = {
        "version": VERSION,
        "type": kind,
        "notification_id": str(notice),
        "at": rfc3339(at),
    }
    return as_text({**head, **fields})


def notice_run(
    tenant: TenantId,
    notice: RunId,
    text: str,
    *,
    job_version: int,
    at: datetime,
    now: datetime,
    priority: Priority = Priority.NORMAL,
    trace: str | None = None,
) -> Attempt:
    """Make the first attempt of a notice about something ``at`` an instant, made ``now``.

    Its retries count from the occasion. Only the next look at it counts from ``now``.
    """
    state = first_state(at, at)
    return Attempt(
        tenant=tenant,
        id=AttemptId(run=notice, number=1),
        state=state,
        job_version=job_version,
        priority=priority,
        resource_class=ResourceClass.SHORT,
        precision=Precision.SECOND,
        due_at=at,
        created_at=now,
        watch_at=first_watch(state, at, now=now),
        opened_at=at,
        notice=text,
        trace=trace,
    )
