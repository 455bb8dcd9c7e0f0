"""Jobs and runs as the API shows them: the answers of its description, with values of our own.

A field that an answer gains is in the samples at once, and one that it loses cannot be given.
"""

import json
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import httpx

from tests.functional.cli.fake_api import ok

_DESCRIBED = json.loads(Path("docs/reference/openapi-examples.json").read_text(encoding="utf-8"))

JOB_ID = "f4cmk6obxvxl2r3ijr5xzqbrhe"
RUN_ID = f"{JOB_ID}.s20261121T070000000Z"
#: Short ids, in the form of tables.
SHORT_JOB_ID = "f4cmk6ob"
SHORT_RUN_ID = "f4cmk6ob.s20261121T0700"
OPERATION_ID = "k2yzns2tqd44elwkoh3t4kpiqa"


def answered(operation: str, *place: str | int, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return an operation's described answer, or a part of it, with these fields changed."""
    found = _DESCRIBED["operations"][operation]["answer"]
    for step in place:
        found = found[step]
    assert not changes.keys() - found.keys(), changes.keys() - found.keys()
    return {**deepcopy(found), **changes}


def _of(example: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return the values whose field an answer has."""
    return {name: value for name, value in values.items() if name in example}


RETRY = {
    "max_attempts": 3,
    "backoff": "exponential",
    "initial_delay_seconds": 1,
    "max_delay_seconds": 300,
    "jitter": True,
    "delays_seconds": [],
    "window_seconds": None,
    "breaker": {"failures": 3, "window_seconds": 60},
    "retry_on": [],
    "give_up_on": [],
}


#: A job that says nothing about them.
POLICIES: dict[str, Any] = {
    "catch_up": {"policy": "all", "limit": 1000, "window_seconds": 86_400, "grace_seconds": 60},
    "calendars": [],
    "overlap": {"policy": "allow", "max_concurrent": 1, "concurrency_key": None, "key_from": None},
    "delivery": "at_least_once",
    "long_run": None,
    "notifications": [],
    "late_after_seconds": None,
    "absent_after_seconds": None,
    "finish_by": None,
    "payload_marks": None,
    "payload_schema": None,
    "then": [],
    "rate_limit": None,
    "key": None,
    "before": None,
    "pause_after_failures": None,
    "start_within_seconds": None,
    "list_runs": None,
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
    own: dict[str, Any] = {
        "job_id": JOB_ID,
        "version": 1,
        "status": "active",
        "created_at": "2026-11-21T06:00:00.000Z",
        "updated_at": "2026-11-21T06:00:00.000Z",
        "next_run_at": "2026-11-23T08:00:00.000Z",
        "next_unplanned_at": "2026-11-23T08:00:00.000Z",
        "auto_pause": None,
        "pause_reason": None,
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
    }
    return answered("getJob", **{**own, **changes})


def operation(status: str = "succeeded", **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """A backfill of eleven instants, three of which were begun when it was looked at."""
    ended = status != "running"
    own: dict[str, Any] = {
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
    }
    return answered("getOperation", **{**own, **changes})


def _progress(state: str) -> dict[str, Any]:
    """Return the fields that a run and an attempt share."""
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
    }


_IDS = {"run_id": RUN_ID, "job_id": JOB_ID, "origin": "schedule"}
_WORKED = {"worker": "worker-1", "fence": 1, "result": "welcome\n"}


def row(state: str = "succeeded", **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A run in a listing."""
    return answered("listRuns", "items", 0, **{**_IDS, **_progress(state), **changes})


def run(state: str = "succeeded", **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A run with its one attempt; a change is the run's, the attempt's, or both's."""
    return _with_attempt("getRun", state, changes)


def letter(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A dead letter in a listing."""
    own = {**_IDS, **_progress("dead_lettered"), "job_version": 1, "worker": "worker-1"}
    return answered("listDeadLetters", "items", 0, **{**own, **changes})


def failed_row(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A failed run in a listing of all jobs."""
    own = {**_IDS, **_progress("failed"), "job_name": "nightly report"}
    return answered("listAllRuns", "items", 0, **{**own, **changes})


def runs_page(
    rows: Sequence[dict[str, Any]], cursor: str | None = None, left_out: str | None = None
) -> httpx.Response:
    """A page of runs of all jobs: failures, unless it leaves something out."""
    whole = {"complete": left_out is None, "left_out": left_out}
    return ok({"items": [*rows], "next_cursor": cursor, **whole})


def whole_letter(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A dead letter with everything that is known of it."""
    return _with_attempt("getDeadLetter", "dead_lettered", changes)


def _with_attempt(operation: str, state: str, changes: dict[str, Any]) -> dict[str, Any]:
    of_run, of_attempt = answered(operation), answered("getRun", "attempts", 0)
    assert not changes.keys() - of_run.keys() - of_attempt.keys(), changes
    values = {**_progress(state), **_IDS, "worker": "worker-1", **changes}
    attempt = {**of_attempt, **_of(of_attempt, {**_WORKED, **values})}
    return {**of_run, **_of(of_run, values), "attempts": [attempt]}
