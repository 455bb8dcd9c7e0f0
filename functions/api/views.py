"""From the domain to JSON: what users see of jobs, runs and schedules."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from api.collapse_views import collapse_view
from api.hook_views import parent_view, triggered_view
from api.progress_views import advice_view, checkpoint_view, finish_view, progress_view, slices_view
from api.rate_views import pace_view
from api.shown import View, definition_view
from timegate.domain.execution.follow_ups import own_payload
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.ledger.explanations import explain_attempt
from timegate.domain.previews.advice import JobAdvice
from timegate.domain.previews.preview_instant import Prospect
from timegate.domain.runs.resolution import Resolution
from timegate.domain.runs.run import Attempt, RunError
from timegate.domain.values.instants import milliseconds_between, rfc3339
from timegate.domain.values.payload import Payload
from timegate.ports.stores import JobPage, Page, Row, RunPage
from timegate.usecases.previews.preview_schedule import Preview


def job_view(
    job: Job, payload: str | None = None, advice: Sequence[JobAdvice] | None = None
) -> View:
    """A job; ``payload`` as JSON text where it was fetched, else what rides in the job.

    ``advice``: ``None`` where nobody has asked for it.
    """
    timing = job.timing
    return {
        "job_id": timing.job_id,
        "version": timing.version,
        "status": timing.status,
        "created_at": rfc3339(timing.created_at),
        "updated_at": rfc3339(job.updated_at),
        "next_run_at": _instant(timing.next_run_at),
        "auto_pause": _auto_pause(timing),
        **definition_view(job),
        "payload": _payload(job.payload, payload),
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


def job_page_view(page: JobPage) -> View:
    """A page of jobs; of those that cannot be read, which they are."""
    job_ids = [each.job_id for each in page.damaged]
    return {
        **page_view(page, job_view),
        "damaged": {"count": len(job_ids), "job_ids": job_ids},
    }


def run_page_view(page: RunPage) -> View:
    """A page of runs; of those that cannot be read, which they are."""
    run_ids = [str(each.id.run) for each in page.damaged]
    return {
        **page_view(page, run_row),
        "damaged": {"count": len(run_ids), "run_ids": run_ids},
    }


def run_row(last: Attempt) -> View:
    """A run as its last attempt shows it."""
    run = last.id.run
    return {
        "run_id": str(run),
        "job_id": run.job_id,
        "scheduled_at": rfc3339(run.scheduled_at),
        "origin": run.origin.name.lower(),
        "priority": last.priority,
        "tags": dict(last.terms.tags) if last.terms is not None else {},
        "expires_at": _instant(last.terms.start_by if last.terms is not None else None),
        "operation_id": last.operation,
        "triggered_by": parent_view(last.parent),
        "collapse": collapse_view(last.collapse),
        **_progress(last),
    }


def run_view(
    attempts: Sequence[Attempt],
    triggered: Sequence[Attempt] = (),
    *,
    waits: str = "",
    payload: str | None = None,
) -> View:
    """A run with every attempt at it, first to last, and what its ends triggered.

    ``waits`` is added to the explanation of its last attempt. ``payload``: its own as JSON text,
    where it was fetched.
    """
    own = own_payload(attempts[-1])
    return {
        **run_row(attempts[-1]),
        "payload_from": "job" if own is None else "run",
        "payload": None if own is None else _payload(own, payload),
        "payload_size_bytes": None if own is None else own.size_bytes,
        "explanation": explain_attempt(attempts[-1]) + waits,
        "duplicates_prevented": sum(attempt.duplicates_prevented for attempt in attempts),
        "attempts": [attempt_view(a) for a in attempts],
        "triggered": triggered_view(triggered),
    }


def attempt_view(attempt: Attempt) -> View:
    """One attempt."""
    return {
        **_progress(attempt),
        "timeline": _timeline(attempt),
        "worker": attempt.lease.owner if attempt.lease else None,
        "fence": attempt.fence,
        "handed_over_at": _instant(attempt.lease.handed_over_at if attempt.lease else None),
        "result": attempt.result,
        "releases": attempt.releases,
        "duplicates_prevented": attempt.duplicates_prevented,
        "payload_corrected": attempt.payload is not None,
        "resolution": _resolution(attempt.resolution),
    }


def preview_view(shown: Preview) -> View:
    """The next instants of a schedule, and which of them would run."""
    return {
        "fires": [rfc3339(each.at) for each in shown.prospects],
        "instants": [prospect_view(each) for each in shown.prospects],
        "description": shown.description,
        "clock_changes": [change.fields() for change in shown.clock_changes],
        "end": None if shown.end is None else shown.end.fields(),
    }


def prospect_view(prospect: Prospect) -> View:
    """An instant to come, and what calendars make of it."""
    return {
        "at": rfc3339(prospect.at),
        "outcome": str(prospect.outlook),
        "runs_at": _instant(prospect.runs_at),
    }


def page_view(page: Page[Row], view: Callable[[Row], View]) -> View:
    """A page of a listing."""
    return {"items": [view(row) for row in page.rows], "next_cursor": page.cursor}


def _progress(attempt: Attempt) -> View:
    return {
        "attempt": attempt.id.number,
        "state": attempt.state,
        "due_at": rfc3339(attempt.due_at),
        "rescheduled_from": _instant(attempt.rescheduled_from),
        "rate_limited": pace_view(attempt.pace),
        "started_at": _instant(attempt.started_at),
        "ended_at": _instant(attempt.ended_at),
        "lateness_ms": _between(attempt.due_at, attempt.started_at),
        "duration_ms": _between(attempt.started_at, attempt.ended_at),
        "error": _error(attempt.error),
        "reason": attempt.reason,
        "explanation": explain_attempt(attempt),
        "cancel_requested": attempt.cancel_requested,
        "replaced_by": str(attempt.replaced_by) if attempt.replaced_by is not None else None,
        "dag_run_id": attempt.dag_run,
        "finish_by": finish_view(attempt),
        "progress": progress_view(attempt.progress),
        "checkpoint": checkpoint_view(attempt.checkpoint),
        "slices": slices_view(attempt.slices),
    }


def _timeline(attempt: Attempt) -> View:
    """Show the instants between the plan of an attempt and its end."""
    pickup = attempt.pickup
    return {
        "planned_at": rfc3339(attempt.created_at),
        "published_at": _instant(pickup.published_at if pickup else None),
        "received_at": _instant(pickup.received_at if pickup else None),
        "claimed_at": _instant(pickup.claimed_at if pickup else None),
        "started_at": _instant(attempt.started_at),
        "ended_at": _instant(attempt.ended_at),
    }


def _resolution(resolution: Resolution | None) -> View | None:
    if resolution is None:
        return None
    return {
        "settled": resolution.settled,
        "by": resolution.by,
        "at": rfc3339(resolution.at),
        "note": resolution.note,
        "operation_id": resolution.operation,
        "job_version": resolution.job_version,
        "payload_corrected": resolution.payload_corrected,
        "fresh": resolution.fresh,
    }


def _payload(payload: Payload, fetched: str | None) -> object:
    text = payload.inline if fetched is None else fetched
    return None if text is None else json.loads(text)


def _instant(instant: datetime | None) -> str | None:
    return None if instant is None else rfc3339(instant)


def _between(earlier: datetime | None, later: datetime | None) -> int | None:
    if earlier is None or later is None:
        return None
    return milliseconds_between(earlier, later)


def _error(error: RunError | None) -> Mapping[str, str] | None:
    if error is None:
        return None
    return {"code": error.code, "type": error.type, "message": error.message}
