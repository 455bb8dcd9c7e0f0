"""From jobs to JSON."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from api.jobs.shown import definition_view
from api.values.views import View, instant_view, page_view, payload_view
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.planning.next_run import next_run
from timegate.domain.previews.advice import JobAdvice
from timegate.domain.values.instants import rfc3339
from timegate.ports.stores import JobPage


def job_view(
    job: Job,
    payload: str | None = None,
    advice: Sequence[JobAdvice] | None = None,
    *,
    now: datetime,
) -> View:
    """A job; ``payload`` as JSON text where it was fetched, else what rides in the job.

    ``advice``: ``None`` where it was not asked for.
    """
    timing = job.timing
    return {
        "job_id": timing.job_id,
        "version": timing.version,
        "status": timing.status,
        "created_at": rfc3339(timing.created_at),
        "updated_at": rfc3339(job.updated_at),
        "next_run_at": instant_view(next_run(timing, now=now)),
        "next_unplanned_at": instant_view(timing.next_run_at),
        "auto_pause": _auto_pause(timing),
        "pause_reason": job.pause_reason,
        **definition_view(job),
        "payload": payload_view(job.payload, payload),
        "payload_size_bytes": job.payload.size_bytes,
        "advice": advice_view(advice) if advice is not None else None,
    }


def _auto_pause(timing: Timing) -> View | None:
    """The pause by failures, until a run succeeds after it."""
    pause = timing.failure_pause
    if pause is None or pause.passed:
        return None
    return {
        "by": "timegate",
        "reason": "failures",
        "at": rfc3339(pause.at),
        "failures": pause.failures,
        "run_id": str(pause.attempt.run),
        "on_trial": pause.on_trial,
    }


def job_page_view(page: JobPage, *, now: datetime) -> View:
    """A page of jobs; of those that cannot be read, which they are."""
    job_ids = [each.job_id for each in page.damaged]
    return {
        **page_view(page, lambda job: job_view(job, now=now)),
        "damaged": {"count": len(job_ids), "job_ids": job_ids},
    }


def advice_view(advice: Iterable[JobAdvice]) -> list[dict[str, str]]:
    """Show changes that a job's owner may want."""
    return [{"field": each.field, "code": each.code, "detail": each.detail} for each in advice]
