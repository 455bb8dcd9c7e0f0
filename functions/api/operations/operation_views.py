"""From operations to JSON."""

from datetime import datetime

from api.values.views import View
from timegate.domain.operations.operation import (
    Backfill,
    BulkChange,
    ItemError,
    Operation,
    PendingRuns,
    Rescheduling,
    Settlement,
    Task,
)
from timegate.domain.runs.run_filter import FailureFilter
from timegate.domain.values.instants import rfc3339
from timegate.usecases.operations.start_backfill import BackfillPreview


def operation_view(operation: Operation, *, now: datetime) -> View:
    """An operation, and how far it came."""
    tally = operation.tally
    return {
        "operation_id": operation.operation_id,
        "kind": operation.kind,
        "status": operation.status,
        "parameters": _parameters(operation.task),
        "counts": {
            "matched": tally.matched,
            "done": tally.done,
            "unchanged": tally.unchanged,
            "failed": tally.failed,
            "in_progress": len(operation.opened) + len(operation.chosen),
        },
        "errors": [_error(error) for error in operation.errors],
        "failure": None if operation.failure is None else _error(operation.failure),
        "waits_for": operation.waits_for,
        "stalled": operation.stands_still(now),
        "cancel_requested": operation.cancel_requested,
        "created_by": operation.created_by,
        "created_at": rfc3339(operation.created_at),
        "updated_at": rfc3339(operation.updated_at),
        "ended_at": None if operation.ended_at is None else rfc3339(operation.ended_at),
    }


def preview_view(preview: BackfillPreview) -> View:
    """Show the effect of a backfill."""
    return {
        "dry_run": True,
        "instants": preview.instants,
        "new": preview.new,
        "reopened": preview.reopened,
        "unchanged": preview.unchanged,
        "first": [{"instant": rfc3339(instant), "fate": fate} for instant, fate in preview.first],
    }


def _parameters(task: Task) -> View:
    match task:
        case BulkChange(jobs=jobs):
            return {
                "filter": {
                    "tags": dict(jobs.tags),
                    "status": jobs.status,
                    "kind": jobs.kind,
                    "priority": jobs.priority,
                    "name": jobs.name,
                },
                "catch_up": task.catch_up,
                "reason": task.reason,
            }
        case Backfill():
            return {
                "job_id": task.job_id,
                "from": rfc3339(task.start),
                "to": rfc3339(task.end),
                "reprocess": task.reprocess,
                "max_concurrent": task.max_concurrent,
            }
        case PendingRuns():
            return _of_pending(task)
        case Settlement(failures=FailureFilter() as failures):
            return {"filter": _failures(failures), "fresh": task.fresh, "note": task.note}
        case Settlement(letters=letters):
            return {
                "filter": {
                    "job_id": letters.job_id,
                    "reason": letters.reason,
                    "error_code": letters.error_code,
                    "from": None if letters.start is None else rfc3339(letters.start),
                    "to": None if letters.end is None else rfc3339(letters.end),
                    "run_ids": [str(run) for run in task.runs],
                },
                "payload_corrected": task.payload is not None,
                "fresh": task.fresh,
                "note": task.note,
            }


def _of_pending(task: PendingRuns) -> View:
    span = task.within
    meant = {
        "job_id": task.job_id,
        "name": task.jobs.name,
        "tags": dict(task.jobs.tags),
        "from": None if span.start is None else rfc3339(span.start),
        "to": None if span.end is None else rfc3339(span.end),
    }
    if not isinstance(task, Rescheduling):
        return {"filter": meant}
    return {"filter": meant, "at": rfc3339(task.at), "spread_seconds": task.spread_seconds}


def _failures(wanted: FailureFilter) -> View:
    span = wanted.within
    return {
        "state": list(wanted.states),
        "reason": wanted.reason,
        "error_code": wanted.error_code,
        "job_id": wanted.job_id,
        "name": wanted.name,
        "tags": dict(wanted.tags),
        "late_seconds": wanted.late_seconds,
        "from": None if span.start is None else rfc3339(span.start),
        "to": None if span.end is None else rfc3339(span.end),
    }


def _error(error: ItemError) -> View:
    return {"item": error.item, "code": error.code, "detail": error.detail}
