"""From runs and their attempts to JSON."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from api.jobs.rate_views import pace_view
from api.runs.collapse_views import collapse_view
from api.runs.hook_views import matched_view, parent_view, triggered_view
from api.runs.progress_views import checkpoint_view, finish_view, progress_view, slices_view
from api.values.views import View, instant_view, page_view, payload_view
from timegate.domain.execution.follow_ups import own_payload
from timegate.domain.ledger.explanations import explain_attempt
from timegate.domain.runs.resolution import Resolution
from timegate.domain.runs.run import Attempt, RunError
from timegate.domain.values.instants import milliseconds_between, rfc3339
from timegate.ports.stores import RunPage


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
        "expires_at": instant_view(last.terms.start_by if last.terms is not None else None),
        "concurrency_key": last.terms.concurrency_key if last.terms is not None else None,
        "operation_id": last.operation,
        "triggered_by": parent_view(last.parent),
        "matched_event": matched_view(last.matched_event),
        "collapse": collapse_view(last.collapse),
        **_progress(last),
    }


def run_view(
    attempts: Sequence[Attempt],
    triggered: Sequence[Attempt] = (),
    *,
    waits: str = "",
    payload: str | None = None,
    sent: str | None = None,
) -> View:
    """A run with every attempt at it, first to last, and what its ends triggered.

    ``waits`` is added to the explanation of its last attempt. ``payload``: its own as JSON text,
    where it was fetched. ``sent``: the one that its target gets, to be shown instead.
    """
    own = own_payload(attempts[-1])
    shown = None if own is None else payload_view(own, payload)
    return {
        **run_row(attempts[-1]),
        "payload_from": "job" if own is None else "run",
        "payload": shown if sent is None else json.loads(sent),
        "payload_size_bytes": None if own is None else own.size_bytes,
        "explanation": explain_attempt(attempts[-1]) + waits,
        "duplicates_prevented": sum(attempt.duplicates_prevented for attempt in attempts),
        "attempts": [attempt_view(a) for a in attempts],
        "triggered": triggered_view(triggered),
        "message": json.loads(attempts[-1].notice or "null"),
    }


def attempt_view(attempt: Attempt) -> View:
    """One attempt."""
    return {
        **_progress(attempt),
        "timeline": timeline_view(attempt),
        "worker": attempt.lease.owner if attempt.lease else None,
        "fence": attempt.fence,
        "handed_over_at": instant_view(attempt.lease.handed_over_at if attempt.lease else None),
        "result": attempt.result,
        "releases": attempt.releases,
        "duplicates_prevented": attempt.duplicates_prevented,
        "payload_corrected": attempt.payload is not None,
        "resolution": _resolution(attempt.resolution),
    }


def _progress(attempt: Attempt) -> View:
    return {
        "attempt": attempt.id.number,
        "state": attempt.state,
        "due_at": rfc3339(attempt.due_at),
        "rescheduled_from": instant_view(attempt.rescheduled_from),
        "rate_limited": pace_view(attempt.pace),
        "started_at": instant_view(attempt.started_at),
        "ended_at": instant_view(attempt.ended_at),
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
        "trace_id": attempt.trace_id,
    }


def timeline_view(attempt: Attempt) -> View:
    """Show the instants between the plan of an attempt and its end."""
    pickup = attempt.pickup
    return {
        "planned_at": rfc3339(attempt.created_at),
        "published_at": instant_view(pickup.published_at if pickup else None),
        "received_at": instant_view(pickup.received_at if pickup else None),
        "claimed_at": instant_view(pickup.claimed_at if pickup else None),
        "started_at": instant_view(attempt.started_at),
        "ended_at": instant_view(attempt.ended_at),
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


def _between(earlier: datetime | None, later: datetime | None) -> int | None:
    if earlier is None or later is None:
        return None
    return milliseconds_between(earlier, later)


def _error(error: RunError | None) -> Mapping[str, str] | None:
    if error is None:
        return None
    return {"code": error.code, "type": error.type, "message": error.message}
