"""Jobs and runs as the API shows them."""

from typing import Any

JOB_ID = "f4cmk6obxvxl2r3ijr5xzqbrhe"
RUN_ID = f"{JOB_ID}.s20261121T070000000Z"
OPERATION_ID = "k2yzns2tqd44elwkoh3t4kpiqa"
RETRY = {
    "max_attempts": 3,
    "backoff": "exponential",
    "initial_delay_seconds": 1,
    "max_delay_seconds": 300,
    "jitter": True,
    "window_seconds": None,
    "breaker": {"failures": 3, "window_seconds": 60},
    "retry_on": [],
    "give_up_on": [],
}


#: A job that says nothing about them.
POLICIES: dict[str, Any] = {
    "catch_up": {"policy": "all", "limit": 1000, "window_seconds": 86_400},
    "calendars": [],
    "overlap": {"policy": "allow", "max_concurrent": 1, "concurrency_key": None},
    "delivery": "at_least_once",
    "long_run": None,
    "notifications": [],
    "late_after_seconds": None,
    "then": [],
    "rate_limit": None,
    "before": None,
    "start_within_seconds": None,
}

WEBHOOK: dict[str, Any] = {
    "type": "webhook",
    "url": "https://example.com/hook",
    "method": "POST",
    "headers": {},
    "secret_headers": {},
    "signing_secret": None,
    "success_statuses": [],
    "wait": "answer",
    "heartbeat_seconds": None,
}


def job(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A job that calls a web hook every working day."""
    return {
        "job_id": JOB_ID,
        "version": 1,
        "status": "active",
        "created_at": "2026-11-21T06:00:00.000Z",
        "updated_at": "2026-11-21T06:00:00.000Z",
        "next_run_at": "2026-11-23T08:00:00.000Z",
        "name": "report",
        "description": "",
        "schedule": {
            "kind": "cron",
            "cron": "0 9 * * 1-5",
            "timezone": "Europe/Berlin",
            "gap": "run_after",
            "fold": "first",
            "starts_at": None,
            "ends_at": None,
            "max_runs": None,
            "jitter_seconds": 0,
        },
        "action": WEBHOOK,
        "payload": {"page": 1},
        "payload_size_bytes": 10,
        "priority": "normal",
        "resource_class": "short",
        "precision": "second",
        "timeout_seconds": 30,
        "retry": RETRY,
        **POLICIES,
        "tags": {"team": "billing"},
        "metadata": {},
        **changes,
    }


def operation(status: str = "succeeded", **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """A backfill of eleven instants, three of which were begun when it was looked at."""
    ended = status != "running"
    return {
        "operation_id": OPERATION_ID,
        "kind": "backfill",
        "status": status,
        "parameters": {
            "job_id": JOB_ID,
            "from": "2026-11-21T06:50:00.000Z",
            "to": "2026-11-21T07:00:00.000Z",
            "reprocess": "failed",
            "max_concurrent": 3,
        },
        "counts": {
            "matched": 11,
            "done": 10 if ended else 2,
            "unchanged": 0,
            "failed": 1,
            "in_progress": 0 if ended else 3,
        },
        "errors": [{"item": RUN_ID, "code": "http_500", "detail": "it broke"}],
        "failure": None,
        "waits_for": None if ended else "runs",
        "stalled": False,
        "cancel_requested": False,
        "created_by": "ci",
        "created_at": "2026-11-21T07:00:00.000Z",
        "updated_at": "2026-11-21T07:00:09.000Z",
        "ended_at": "2026-11-21T07:00:09.000Z" if ended else None,
        **changes,
    }


def progress(state: str = "succeeded", **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """What a run and an attempt have in common."""
    ended = state not in {"waiting", "queued", "running"}
    return {
        "attempt": 1,
        "state": state,
        "due_at": "2026-11-21T07:00:00.000Z",
        "rate_limited": None,
        "started_at": "2026-11-21T07:00:00.012Z" if ended else None,
        "ended_at": "2026-11-21T07:00:00.450Z" if ended else None,
        "lateness_ms": 12 if ended else None,
        "duration_ms": 438 if ended else None,
        "error": None,
        "reason": None,
        "explanation": "attempt 1 of 3, none left",
        "cancel_requested": False,
        "dag_run_id": None,
        "progress": None,
        "checkpoint": None,
        "slices": None,
        **changes,
    }


def row(state: str = "succeeded", **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A run in a listing."""
    return {
        "run_id": RUN_ID,
        "job_id": JOB_ID,
        "scheduled_at": "2026-11-21T07:00:00.000Z",
        "origin": "schedule",
        "operation_id": None,
        "triggered_by": None,
        **progress(state, **changes),
    }


def run(state: str = "succeeded", **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A run with its one attempt."""
    attempt = progress(state, **changes)
    return {
        **row(state, **changes),
        "duplicates_prevented": 0,
        "attempts": [
            {
                "payload_corrected": False,
                "resolution": None,
                **attempt,
                "worker": "worker-1",
                "fence": 1,
                "handed_over_at": None,
                "result": "welcome\n",
                "releases": 0,
                "duplicates_prevented": 0,
            }
        ],
        "triggered": [],
    }
