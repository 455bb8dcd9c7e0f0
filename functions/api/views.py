"""From the domain to JSON: what users see of jobs, runs and schedules."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from api.action_views import action_view
from api.finish_views import advice_view, finish_by_view, finish_view
from api.hook_views import (
    condition_view,
    follow_up_view,
    hook_view,
    parent_view,
    triggered_view,
)
from api.long_run_views import checkpoint_view, long_run_view, progress_view, slices_view
from api.rate_views import pace_view, rate_limit_view
from api.schedule_views import schedule_view
from timegate.domain.jobs.job import CalendarRule, CatchUp, Job
from timegate.domain.jobs.retry import Breaker, RetryPolicy
from timegate.domain.ledger.explanations import explain_attempt
from timegate.domain.limits.overlap import Overlap
from timegate.domain.previews.advice import JobAdvice
from timegate.domain.runs.resolution import Resolution
from timegate.domain.runs.run import Attempt, RunError
from timegate.domain.values.instants import milliseconds_between, rfc3339
from timegate.domain.values.payload import Payload
from timegate.ports.stores import JobPage, Page, Row, RunPage
from timegate.usecases.previews.preview_schedule import Preview

View = dict[str, Any]


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
        "name": job.name,
        "description": job.description,
        "schedule": schedule_view(timing.schedule),
        "action": action_view(job.action),
        "payload": _payload(job.payload, payload),
        "payload_size_bytes": job.payload.size_bytes,
        "priority": timing.priority,
        "resource_class": timing.resource_class,
        "precision": timing.precision,
        "timeout_seconds": job.timeout_seconds,
        **_policies_view(job),
        "tags": dict(job.tags),
        "metadata": dict(job.metadata),
        "advice": advice_view(advice) if advice is not None else None,
    }


def _policies_view(job: Job) -> View:
    """What becomes of a job's runs, and who hears of it."""
    timing = job.timing
    return {
        "retry": retry_view(job.retry),
        "catch_up": catch_up_view(timing.catch_up),
        "overlap": overlap_view(job.overlap),
        "delivery": job.delivery,
        "long_run": long_run_view(job.long_run),
        "notifications": [hook_view(hook) for hook in job.notifications],
        "late_after_seconds": job.late_after_seconds,
        "finish_by": finish_by_view(job.finish_by),
        "then": [follow_up_view(each) for each in job.then],
        "rate_limit": rate_limit_view(job.rate_limit),
        "before": condition_view(job.before),
        "calendars": [calendar_rule_view(rule) for rule in timing.calendars],
        "start_within_seconds": timing.start_within_seconds,
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


def retry_view(retry: RetryPolicy) -> View:
    """A retry policy."""
    return {
        "max_attempts": retry.max_attempts,
        "backoff": retry.backoff,
        "initial_delay_seconds": retry.initial_delay_seconds,
        "max_delay_seconds": retry.max_delay_seconds,
        "jitter": retry.jitter,
        "window_seconds": retry.window_seconds,
        "breaker": breaker_view(retry.breaker),
        "retry_on": list(retry.retry_on),
        "give_up_on": list(retry.give_up_on),
    }


def breaker_view(breaker: Breaker | None) -> View | None:
    """A breaker; ``None`` for one that is off."""
    if breaker is None:
        return None
    return {"failures": breaker.failures, "window_seconds": breaker.window_seconds}


def catch_up_view(catch_up: CatchUp) -> View:
    """A catch-up policy."""
    return {
        "policy": catch_up.policy,
        "limit": catch_up.limit,
        "window_seconds": catch_up.window_seconds,
        "grace_seconds": catch_up.grace_seconds,
    }


def calendar_rule_view(rule: CalendarRule) -> View:
    """What a calendar is to a job."""
    view: View = {"calendar": rule.calendar, "mode": rule.mode, "action": rule.action}
    options = {"business_day": rule.business_day, "roll": rule.roll}
    return view | {name: value for name, value in options.items() if value is not None}


def overlap_view(overlap: Overlap) -> View:
    """An overlap policy."""
    return {
        "policy": overlap.policy,
        "max_concurrent": overlap.max_concurrent,
        "concurrency_key": overlap.concurrency_key,
    }


def run_row(last: Attempt) -> View:
    """A run as its last attempt shows it."""
    run = last.id.run
    return {
        "run_id": str(run),
        "job_id": run.job_id,
        "scheduled_at": rfc3339(run.scheduled_at),
        "origin": run.origin.name.lower(),
        "operation_id": last.operation,
        "triggered_by": parent_view(last.parent),
        **_progress(last),
    }


def run_view(attempts: Sequence[Attempt], triggered: Sequence[Attempt] = ()) -> View:
    """A run with every attempt at it, first to last, and what its ends triggered."""
    return {
        **run_row(attempts[-1]),
        "duplicates_prevented": sum(attempt.duplicates_prevented for attempt in attempts),
        "attempts": [attempt_view(a) for a in attempts],
        "triggered": triggered_view(triggered),
    }


def attempt_view(attempt: Attempt) -> View:
    """One attempt."""
    return {
        **_progress(attempt),
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
        "instants": [
            {
                "at": rfc3339(each.at),
                "outcome": str(each.outlook),
                "runs_at": _instant(each.runs_at),
            }
            for each in shown.prospects
        ],
        "description": shown.description,
        "clock_changes": [change.fields() for change in shown.clock_changes],
        "end": None if shown.end is None else shown.end.fields(),
    }


def page_view(page: Page[Row], view: Callable[[Row], View]) -> View:
    """A page of a listing."""
    return {"items": [view(row) for row in page.rows], "next_cursor": page.cursor}


def _progress(attempt: Attempt) -> View:
    return {
        "attempt": attempt.id.number,
        "state": attempt.state,
        "due_at": rfc3339(attempt.due_at),
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
