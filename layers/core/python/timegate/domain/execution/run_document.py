"""A run as others are told of it: those who are notified of its end, and those it triggers."""

import json
from collections.abc import Mapping
from datetime import datetime

from timegate.domain.runs.finish import Finish
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import milliseconds_between, rfc3339


def run_document(attempt: Attempt, *, started_at: datetime | None) -> dict[str, object]:
    """Return an attempt in the form of notifications (docs/guides/notifications.md)."""
    # Few ends are told of.
    from timegate.domain.ledger.explanations import explain_attempt  # noqa: PLC0415

    run, error = attempt.id.run, attempt.error
    return {
        "run_id": str(run),
        "scheduled_at": rfc3339(run.scheduled_at),
        "attempt": attempt.id.number,
        "state": attempt.state,
        "reason": attempt.reason,
        "explanation": explain_attempt(attempt) if attempt.ends_run else None,
        "due_at": rfc3339(attempt.due_at),
        "started_at": rfc3339(started_at) if started_at is not None else None,
        "ended_at": rfc3339(attempt.ended_at) if attempt.ended_at is not None else None,
        "lateness_ms": (
            milliseconds_between(attempt.due_at, started_at) if started_at is not None else None
        ),
        "error": (
            {"code": error.code, "type": error.type, "message": error.message}
            if error is not None
            else None
        ),
        "result": attempt.result,
        "finish_by": _deadline(attempt.finish),
    }


def _deadline(finish: Finish | None) -> dict[str, object] | None:
    """The deadline, and the end that was expected when the run was told of."""
    if finish is None:
        return None
    expected_at = finish.expected_at
    return {
        "at": rfc3339(finish.by),
        "expected_at": rfc3339(expected_at) if expected_at is not None else None,
    }


def as_text(document: Mapping[str, object]) -> str:
    """The document as JSON text."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
